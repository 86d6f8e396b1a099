/* Servo of second order, whose motion the host integrates:
 * d2y/dt2 = w^2 (u - y) - 2 z w dy/dt. */
#include "simhost_plugin.hpp"

namespace {

using simhost::number, simhost::port, simhost::state;

struct TemplateName {
    double frequency, damping;

    static constexpr auto params = simhost::params(
        number(&TemplateName::frequency, "frequency", "rad/s",
               "Natural frequency. A higher value makes the servo faster.", 15.0, 0.1, 1000.0),
        number(&TemplateName::damping, "damping", "1",
               "Damping ratio. A higher value makes the servo overshoot less.", 0.7, 0.0, 10.0));

    struct State {
        double position, velocity;
        static constexpr auto slots =
            simhost::states(state(&State::position, "position", "1", "position of the servo", 0.0),
                            state(&State::velocity, "velocity", "1/s", "velocity of the servo", 0.0));
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
    struct Rates {
        double position, velocity;
        static constexpr auto ports =
            simhost::ports(port(&Rates::position, "position", "1/s", "rate of the position"),
                           port(&Rates::velocity, "velocity", "1/s^2", "rate of the velocity"));
    };

    void actuate(const In &, Out &out, const simhost::Step &, State &servo) const {
        out.value = servo.position;
    }

    /* The host integrates the rates by the classical Runge-Kutta method. */
    void rates(const In &in, Rates &out, const simhost::Step &, State &servo) const {
        out.position = servo.velocity;
        out.velocity = frequency * frequency * (in.command - servo.position) -
                       2.0 * damping * frequency * servo.velocity;
    }
};

} // namespace

SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0",
               simhost::actuator<TemplateName>("template_name", "Servo of second order."));
