/* Drives to a point and stops there. The speed follows the distance, the yaw rate the bearing. */
#include "simhost_math.h"
#include "simhost_plugin.hpp"

#include <algorithm>
#include <cmath>

namespace {

using simhost::number, simhost::port, simhost::setpoint;

struct TemplateName {
    double speed_gain, turn_gain, max_speed, max_turn;

    static constexpr auto params = simhost::params(
        number(&TemplateName::speed_gain, "speed_gain", "1/s",
               "Speed for one metre of distance. A higher value brakes later.", 0.8, 0.0, 100.0),
        number(&TemplateName::turn_gain, "turn_gain", "1/s",
               "Yaw rate for one radian of angle. A higher value turns faster.", 2.0, 0.0, 100.0),
        number(&TemplateName::max_speed, "max_speed", "m/s", "Largest speed.", 1.5, 0.0, 100.0),
        number(&TemplateName::max_turn, "max_turn", "rad/s", "Largest yaw rate.", 1.0, 0.0, 100.0));
    /* in a command file: time, vehicle, template_name_goal, x, y */
    static constexpr auto goal = simhost::list<simhost_str>(simhost::text("goal_x"), simhost::text("goal_y"));
    static constexpr auto commands =
        simhost::list<simhost_command_desc>(simhost::command("template_name_goal", goal));

    struct In {
        double goal_x, goal_y, x, y, yaw;
        static constexpr auto ports = simhost::ports(
            setpoint(&In::goal_x, "goal_x", "m", "point to go to, world frame"),
            setpoint(&In::goal_y, "goal_y", "m", "point to go to, world frame"),
            port(&In::x, "x", "m", "reference point, world frame"),
            port(&In::y, "y", "m", "reference point, world frame"),
            port(&In::yaw, "yaw", "rad", "heading, counter-clockwise from the world x axis"));
    };

    /* an imposed velocity fits every dynamics class */
    struct Out {
        double vx, vy, omega;
        static constexpr auto ports = simhost::ports(port(&Out::vx, "twist_vx", "m/s", "forward velocity"),
            port(&Out::vy, "twist_vy", "m/s", "leftward velocity"),
            port(&Out::omega, "twist_omega", "rad/s", "yaw rate"));
    };

    void control(const In &in, Out &out, const simhost::Step &) const {
        const double east = in.goal_x - in.x, north = in.goal_y - in.y;
        const double c = simhost_cos(in.yaw), s = simhost_sin(in.yaw);
        const double ahead = c * east + s * north, left = c * north - s * east;
        /* the bearing is undefined at the goal */
        const bool near = ahead * ahead + left * left < 1e-6;
        const double bearing = near ? 0.0 : simhost_atan2(left, ahead);
        out.vx = std::clamp(speed_gain * std::max(ahead, 0.0), -max_speed, max_speed);
        out.vy = 0.0;
        out.omega = std::clamp(turn_gain * bearing, -max_turn, max_turn);
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::controller<TemplateName>("template_name", "Drives to a point."));
