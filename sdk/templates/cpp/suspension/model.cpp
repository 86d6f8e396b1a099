/* Trailing arms: a wheel moves on a circle about a bearing in front of it, so that braking lifts the wheel
 * and keeps the rear of the vehicle down. */
#include "simhost_plugin.hpp"

#include <algorithm>
#include <cmath>

namespace {

using simhost::number;

struct TemplateName {
    double arm, motion_ratio;

    static constexpr auto params = simhost::params(
        number(&TemplateName::arm, "arm", "m", "Length of the arm. A higher value gives less anti-lift.", 0.5, 1e-3, 10.0),
        number(&TemplateName::motion_ratio, "motion_ratio", "1",
               "Compression of the spring per travel. A higher value makes the axle stiffer.", 0.8, 1e-3, 10.0));

    /* Sets displacement and jacking force of a wheel. */
    void guide(double travel, double fx, double radius, double &displacement, double &jacking) const {
        const double z = std::clamp(travel, -0.99 * arm, 0.99 * arm);
        const double x = -std::sqrt(arm * arm - z * z);
        displacement = x + arm;
        /* the carrier turns by 1/x per travel, and the force works along the path of the contact point */
        jacking = -(radius - z) / x * fx;
    }

    void kinematics(const simhost::AxleMotion &in, simhost::AxleKinematics &out, const simhost::Step &) const {
        out = {};
        guide(in.travel_left, in.fx_left, in.wheel_radius, out.longitudinal_left, out.jacking_left);
        guide(in.travel_right, in.fx_right, in.wheel_radius, out.longitudinal_right, out.jacking_right);
        out.spring_left = motion_ratio * in.travel_left;
        out.spring_right = motion_ratio * in.travel_right;
        out.motion_ratio_left = out.motion_ratio_right = motion_ratio;
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::suspension<TemplateName>("template_name", "Trailing arms."));
