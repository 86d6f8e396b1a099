/* Gathers vehicles: each drives towards the centre of the fleet and stops at a distance from it. */
#include "simhost_math.h"
#include "simhost_plugin.hpp"

#include <algorithm>
#include <cmath>

namespace {

using simhost::number, simhost::port, simhost::published;

struct TemplateName {
    double spacing, speed_gain, turn_gain, max_speed, max_turn;

    static constexpr auto params = simhost::params(
        number(&TemplateName::spacing, "spacing", "m",
               "Distance from the centre at which a vehicle stops. A larger value makes the fleet wider.", 2.0, 0.0, 1e6),
        number(&TemplateName::speed_gain, "speed_gain", "1/s",
               "Speed per metre of distance. A larger value makes the vehicles brake later.", 0.8, 0.0, 100.0),
        number(&TemplateName::turn_gain, "turn_gain", "1/s",
               "Yaw rate per radian of bearing. A larger value makes the vehicles turn more sharply.", 2.0, 0.0, 100.0),
        number(&TemplateName::max_speed, "max_speed", "m/s", "Largest speed.", 1.5, 0.0, 100.0),
        number(&TemplateName::max_turn, "max_turn", "rad/s", "Largest yaw rate.", 1.0, 0.0, 100.0));
    /* every drive with a controller of twists can be in the fleet; vy, the second value, is skipped */
    static constexpr auto twist =
        simhost::list<simhost_str>(simhost::text("vx"), simhost::text(""), simhost::text("omega"));
    static constexpr auto commands = simhost::list<simhost_command_desc>(simhost::command("twist", twist));

    struct In {
        double x, y, yaw, enabled;
        static constexpr auto ports = simhost::ports(
            port(&In::x, "x", "m", "reference point, world frame"),
            port(&In::y, "y", "m", "reference point, world frame"),
            port(&In::yaw, "yaw", "rad", "heading, counter-clockwise from the world x axis"),
            port(&In::enabled, "enabled", "1", "0 after a model of the vehicle has faulted", 1.0));
    };

    struct Out {
        double vx, omega, distance;
        static constexpr auto ports = simhost::ports(port(&Out::vx, "vx", "m/s", "forward velocity"),
            port(&Out::omega, "omega", "rad/s", "yaw rate"),
            published(&Out::distance, "distance", "m", "distance from the centre of the fleet"));
    };

    /* One call has all vehicles of the fleet. */
    void command(simhost::Fleet<In, Out> &vehicles) const {
        double x = 0.0, y = 0.0, count = 0.0;
        for (std::size_t k = 0; k < vehicles.size(); k++) {
            const In in = vehicles.input(k);
            x += in.enabled * in.x;
            y += in.enabled * in.y;
            count += in.enabled;
        }
        x = count > 0.0 ? x / count : 0.0;
        y = count > 0.0 ? y / count : 0.0;
        for (std::size_t k = 0; k < vehicles.size(); k++) {
            const In in = vehicles.input(k);
            const double east = x - in.x, north = y - in.y;
            const double c = simhost_cos(in.yaw), s = simhost_sin(in.yaw);
            const double ahead = c * east + s * north, left = c * north - s * east;
            const double distance = std::sqrt(ahead * ahead + left * left);
            const bool far = distance > spacing;
            /* a vehicle slows down while the centre is beside or behind it */
            const double facing = far ? std::max(ahead / distance, 0.2) : 0.0;
            const double bearing = far ? simhost_atan2(left, ahead) : 0.0;
            const double speed = speed_gain * (distance - spacing);
            vehicles.set(k, {std::clamp(facing * speed, -max_speed, max_speed),
                             std::clamp(turn_gain * bearing, -max_turn, max_turn), distance});
        }
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::fleet<TemplateName>("template_name", "Gathers vehicles."));
