/* An actuator that multiplies its command by GAIN, as a class that every build of this file has. */
#include "simhost_plugin.hpp"

struct Gain {
    struct In {
        double command;
        static constexpr auto ports =
            simhost::ports(simhost::port(&In::command, "command", "1", "command"));
    };
    struct Out {
        double value;
        static constexpr auto ports =
            simhost::ports(simhost::port(&Out::value, "value", "1", "product"));
    };
    void actuate(const In &in, Out &out, const simhost::Step &) const { out.value = GAIN * in.command; }
};

SIMHOST_PLUGIN("acme", NAME, "0.1.0", simhost::actuator<Gain>(NAME, "Multiplies a command."));
