/* Servo with stiction: follows the command with a lag, dy/dt = (u - y)/T, and stays where it is while
 * the command is closer than a threshold. */
#include "simhost_math.h"
#include "simhost_plugin.hpp"

#include <cmath>

namespace {

using simhost::number, simhost::port, simhost::state;

struct TemplateName {
    double time_constant, threshold;

    static constexpr auto params = simhost::params(
        number(&TemplateName::time_constant, "time_constant", "s",
               "Time constant. A higher value makes the servo slower.", 0.2, 1e-6, 100.0),
        number(&TemplateName::threshold, "threshold", "1",
               "Distance from the command within which the servo rests, in the unit of the port. A "
               "higher value makes it less precise.", 0.01, 0.0, 1e6));

    struct State {
        double position;
        static constexpr auto slots =
            simhost::states(state(&State::position, "position", "1", "position of the servo", 0.0));
    };

    /* the unit "1" fits a port of any unit */
    struct In {
        double command;
        static constexpr auto ports =
            simhost::ports(port(&In::command, "command", "1", "value before the actuator"));
    };
    struct Out {
        double value;
        static constexpr auto ports =
            simhost::ports(port(&Out::value, "value", "1", "value after the actuator"));
    };

    void actuate(const In &in, Out &out, const simhost::Step &step, State &servo) const {
        const double distance = in.command - servo.position;
        /* exact for a step of any length */
        const double share = 1.0 - simhost_exp(-step.dt / time_constant);
        servo.position += std::abs(distance) > threshold ? share * distance : 0.0;
        out.value = servo.position;
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::actuator<TemplateName>("template_name", "Servo with stiction."));
