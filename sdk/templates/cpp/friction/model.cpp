/* Friction that rises with slip up to mu: mu(s) = mu s / (s + slip_half). */
#include "simhost_plugin.hpp"

#include <algorithm>
#include <cmath>

namespace {

using simhost::number, simhost::port;

struct TemplateName {
    double mu, slip_half;

    static constexpr auto params = simhost::params(
        number(&TemplateName::mu, "mu", "1", "Friction coefficient. A higher value gives more grip.", 0.8, 0.0, 3.0),
        number(&TemplateName::slip_half, "slip_half", "1",
               "Slip at half the grip. A higher value gives a softer response.", 0.05, 1e-3, 1.0));

    struct In {
        double vx, vy, spin, load, gravity, radius, inertia, mu_override;
        static constexpr auto ports = simhost::ports(
            port(&In::vx, "vx", "m/s", "velocity forwards"), port(&In::vy, "vy", "m/s", "velocity to the left"),
            port(&In::spin, "spin", "rad/s", "spin, positive when rolling forwards"),
            port(&In::load, "normal_force", "N", "load"), port(&In::gravity, "gravity", "m/s²", "gravity"),
            port(&In::radius, "radius", "m", "rolling radius"),
            port(&In::inertia, "inertia", "kg·m²", "moment of inertia about the axle"),
            port(&In::mu_override, "mu_override", "1", "friction coefficient of the ground, or negative", -1.0));
    };

    struct Out {
        double fx, fy, spin_torque;
        static constexpr auto ports = simhost::ports(port(&Out::fx, "fx", "N", "force forwards"),
            port(&Out::fy, "fy", "N", "force to the left"),
            port(&Out::spin_torque, "spin_torque", "N·m", "torque about the axle"));
    };

    void force(const In &in, Out &out, const simhost::Step &step) const {
        const double rim = in.spin * in.radius;
        /* sliding speed divided by the larger of rolling and travelling speed */
        const double x = in.vx - rim, y = in.vy, sliding = std::sqrt(x * x + y * y);
        const double slip = sliding / std::max({std::abs(in.vx), std::abs(rim), 0.1});
        /* a friction coefficient of the ground has precedence */
        const double limit = in.mu_override >= 0.0 ? in.mu_override : mu;
        const double grip = limit * slip / (slip + slip_half) * in.load / std::max(sliding, 1e-9);
        /* at most the force that stops the sliding within the step, of the rim and of the mass */
        out.fx = -std::min(grip, in.inertia / (in.radius * in.radius) / step.dt) * x;
        out.fy = -std::min(grip, in.load / in.gravity / step.dt) * y;
        out.spin_torque = -in.radius * out.fx;
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::friction<TemplateName>("template_name", "Friction that rises with slip."));
