/* A rover with six wheels, three per side, and one torque per side. */
#include "simhost_plugin.hpp"

#include <algorithm>

namespace {

using simhost::number, simhost::port, simhost::published, simhost::wheel;

struct TemplateName {
    double max_torque;

    static constexpr auto params = simhost::params(number(&TemplateName::max_torque, "max_wheel_torque", "N·m",
        "Maximum torque at one wheel. A higher value allows more acceleration.", 20.0, 0.0, 1e4));
    /* even indices are on the left */
    static constexpr auto wheels = simhost::list<simhost_wheel_desc>(
        wheel("front_left", 0.5, 0.4), wheel("front_right", 0.5, -0.4), wheel("middle_left", 0.0, 0.4),
        wheel("middle_right", 0.0, -0.4), wheel("rear_left", -0.5, 0.4), wheel("rear_right", -0.5, -0.4));
    static constexpr std::size_t MIDDLE_LEFT = 2, MIDDLE_RIGHT = 3;
    static constexpr auto outline = simhost::list<double>(-0.6, -0.3, 0.6, -0.3, 0.6, 0.3, -0.6, 0.3);
    static constexpr auto chassis = simhost::chassis(40.0, 0.1, 0.5, outline);

    /* the controllers twist_pid and raw drive ports of these names */
    struct Torques {
        double left, right;
        static constexpr auto ports = simhost::ports(
            port(&Torques::left, "torque_left", "N·m", "torque on each left wheel, positive forwards"),
            port(&Torques::right, "torque_right", "N·m", "torque on each right wheel, positive forwards"));
    };

    struct Driven {
        simhost::WheelOutput torque, steer;
        static constexpr auto ports = simhost::ports(
            port(&Driven::torque, "torque", "N·m", "motor and brake torque, positive forwards"),
            port(&Driven::steer, "steer", "rad", "steering angle: none"));
    };

    void drive(const Torques &in, Driven &out, const simhost::Step &) const {
        for (std::size_t wheel = 0; wheel < out.torque.size(); wheel++) {
            out.torque[wheel] = std::clamp(wheel % 2 == 0 ? in.left : in.right, -max_torque, max_torque);
            out.steer[wheel] = 0.0;
        }
    }

    struct Wheels {
        simhost::WheelInput spin, radius, y;
        static constexpr auto ports = simhost::ports(port(&Wheels::spin, "spin", "rad/s", "wheel spin"),
            port(&Wheels::radius, "radius", "m", "rolling radius"),
            port(&Wheels::y, "wheel_y", "m", "position left of the reference point"));
    };

    struct Measured {
        double vx, vy, omega, track, radius;
        static constexpr auto ports = simhost::ports(
            port(&Measured::vx, "odometry_vx", "m/s", "forward velocity measured at the wheels"),
            port(&Measured::vy, "odometry_vy", "m/s", "leftward velocity measured at the wheels, always 0"),
            port(&Measured::omega, "odometry_omega", "rad/s", "yaw rate measured at the wheels"),
            published(&Measured::track, "track", "m", "distance between the middle wheels"),
            published(&Measured::radius, "wheel_radius", "m", "rolling radius"));
    };

    void measure(const Wheels &in, Measured &out, const simhost::Step &) const {
        double speeds[] = {0.0, 0.0}; /* mean rolling speeds, left and right */
        for (std::size_t wheel = 0; wheel < in.spin.size(); wheel++)
            speeds[wheel % 2] += in.spin[wheel] * in.radius[wheel] / 3.0;
        out.track = in.y[MIDDLE_LEFT] - in.y[MIDDLE_RIGHT];
        out.vx = 0.5 * (speeds[0] + speeds[1]);
        out.vy = 0.0;
        out.omega = (speeds[1] - speeds[0]) / out.track;
        out.radius = in.radius[MIDDLE_LEFT];
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::dynamics<TemplateName>("template_name", "A rover on six wheels."));
