/* Pose from the encoders of two driven wheels and a gyroscope, both sensors of the same vehicle. The
 * distance comes from the wheels. The yaw rate is a weighted mean: w rate_gyro + (1 - w) rate_wheels,
 * rate_wheels = R (right - left)/b. */
#include "simhost_math.h"
#include "simhost_plugin.hpp"

namespace {

using simhost::number, simhost::port, simhost::state;

struct TemplateName {
    double wheel_radius, track, gyro_weight;

    static constexpr auto params = simhost::params(
        number(&TemplateName::wheel_radius, "wheel_radius", "m",
               "Rolling radius of both wheels. A higher value makes the estimated way longer.", 0.2, 1e-3, 10.0),
        number(&TemplateName::track, "track", "m",
               "Distance between the wheels. A higher value makes the yaw rate of the wheels smaller.",
               0.4, 1e-3, 10.0),
        number(&TemplateName::gyro_weight, "gyro_weight", "1",
               "Weight of the gyroscope. A higher value makes slip matter less, and the bias of the "
               "gyroscope more.", 0.98, 0.0, 1.0));

    struct State {
        double x, y, yaw;
        static constexpr auto slots = simhost::states(state(&State::x, "x", "m", "position ahead", 0.0),
            state(&State::y, "y", "m", "position to the left", 0.0),
            state(&State::yaw, "yaw", "rad", "yaw", 0.0));
    };

    /* it has no rays */
    struct Nothing {
        static constexpr auto ports = simhost::ports();
    };
    void aim(const Nothing &, Nothing &, const simhost::Step &) const {}

    struct In {
        simhost::Reading velocity, angular_velocity_z;
        double sample_period;
        static constexpr auto ports = simhost::ports(
            port(&In::velocity, "velocity", "rad/s", "speeds of the left and the right wheel, of encoders"),
            port(&In::angular_velocity_z, "angular_velocity_z", "rad/s", "yaw rate, of an imu"),
            port(&In::sample_period, "sample_period", "s", "time between two samples of this sensor"));
    };

    struct Pose {
        double x, y, yaw;
        static constexpr auto ports = simhost::ports(
            port(&Pose::x, "estimated_x", "m", "position ahead of the start"),
            port(&Pose::y, "estimated_y", "m", "position to the left of the start"),
            port(&Pose::yaw, "estimated_yaw", "rad", "yaw, positive counter-clockwise, not wrapped"));
    };

    void read(const In &in, Pose &out, const simhost::Step &, State &pose) const {
        /* before the first samples the vehicle is taken to rest */
        if (in.velocity.size() >= 2) {
            const double left = in.velocity[0], right = in.velocity[1];
            const double way = 0.5 * wheel_radius * (left + right) * in.sample_period;
            const double of_wheels = wheel_radius * (right - left) / track;
            const double of_gyro = in.angular_velocity_z.size() > 0 ? in.angular_velocity_z[0] : of_wheels;
            const double turn =
                (gyro_weight * of_gyro + (1.0 - gyro_weight) * of_wheels) * in.sample_period;
            /* heading in the middle of the interval, so that an arc is exact to second order */
            const double heading = pose.yaw + 0.5 * turn;
            pose.x += way * simhost_cos(heading);
            pose.y += way * simhost_sin(heading);
            pose.yaw += turn;
        }
        out = {pose.x, pose.y, pose.yaw};
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::sensor<TemplateName>("template_name", "Pose from encoders and a gyroscope."));
