/* A controller that drives straight on, and publishes the parameters, memory and surroundings that it has. */
#include "simhost_plugin.hpp"

#include <limits>

namespace {

using simhost::number, simhost::port, simhost::published;

enum class Law { linear, square };

struct Spring {
    double rate, rest;
    static constexpr auto params = simhost::params(
        number(&Spring::rate, "rate", "N/m", "Rate. A larger value is stiffer.", 1.0, 0.0, 1e6),
        number(&Spring::rest, "rest", "m", "Length at rest. A larger value is longer.", 0.5, 0.0, 10.0));
};

struct Everything {
    std::string word;
    Law law;
    std::vector<double> list;
    std::array<double, 2> pair = {3.0, 4.0};
    std::vector<std::string> words;
    simhost::TextFile file;
    std::optional<double> maybe;
    Spring spring;
    std::vector<Spring> springs;
    double needed, gain;

    static constexpr auto laws = simhost::list<simhost_str>(simhost::text("linear"), simhost::text("square"));
    static constexpr auto former = simhost::list<simhost_str>(simhost::text("wanted"));
    static constexpr auto params = simhost::params(
        simhost::text(&Everything::word, "word", "A word.", "four"),
        simhost::choice(&Everything::law, "law", "A law.", laws, Law::linear),
        simhost::numbers(&Everything::list, "list", "1", "Numbers.", 0.0, 100.0),
        simhost::numbers(&Everything::pair, "pair", "1", "Two numbers."),
        simhost::words(&Everything::words, "words", "Words."),
        simhost::file(&Everything::file, "file", "A file.").optional(),
        number(&Everything::maybe, "maybe", "1", "A number, or none.", 0.0).optional(),
        simhost::group(&Everything::spring, "spring", "A spring."),
        simhost::groups(&Everything::springs, "springs", "Further springs."),
        number(&Everything::needed, "needed", "1", "A number.", 0.0, 0.0, 10.0).required().also(former),
        number(&Everything::gain, "gain", "1", "A gain. A larger value is louder.", 2.0, 0.0, 10.0).per_lane());

    static constexpr auto flags = SIMHOST_MODEL_FLAG_PERCEIVES;
    static constexpr std::string_view version = "2.1.0";
    static constexpr auto aliases = simhost::list<simhost_str>(simhost::text("all_of_it"));
    static constexpr auto kinds = simhost::list<simhost_str>(simhost::text("speed"));
    static constexpr auto commands = simhost::list<simhost_command_desc>(simhost::command("everything", kinds));

    struct State {
        double steps;
        static constexpr auto slots = simhost::states(
            simhost::state(&State::steps, "steps", "1", "number of steps", 0.0, SIMHOST_STATE_KIND_COUNTER));
    };
    /* The last ten positions. */
    struct Memory {
        std::vector<double> positions = std::vector<double>(10, -1.0);
        void save(simhost::Writer &to) const { to.numbers(positions); }
        static Memory load(std::uint32_t, simhost::Reader &from) {
            Memory loaded{from.numbers()};
            if (loaded.positions.size() != 10) throw std::invalid_argument("expected ten positions");
            return loaded;
        }
    };

    struct In {
        double speed, x, y, gain, missing;
        static constexpr auto ports = simhost::ports(
            simhost::setpoint(&In::speed, "speed", "m/s", "forward velocity", 1.0),
            port(&In::x, "x", "m", "position"), port(&In::y, "y", "m", "position"),
            simhost::parameter(&In::gain, "gain", "1", "gain"),
            port(&In::missing, "nothing_has_this", "1", "a value of nothing", 7.0).optional());
    };
    struct Out {
        double vx, vy, omega, parameters, text, sum, loud, range, oldest, steps;
        static constexpr auto ports = simhost::ports(port(&Out::vx, "twist_vx", "m/s", "forward velocity"),
            port(&Out::vy, "twist_vy", "m/s", "leftward velocity"), port(&Out::omega, "twist_omega", "rad/s", "yaw rate"),
            published(&Out::parameters, "parameters", "1", "sum of the numbers"),
            published(&Out::text, "text", "1", "sum of the lengths of texts"),
            published(&Out::sum, "law", "1", "number of the law"),
            published(&Out::loud, "loud", "1", "gain and default of an input"),
            published(&Out::range, "range", "m", "distance of the wall ahead, or -1"),
            published(&Out::oldest, "oldest", "m", "position ten steps ago"),
            published(&Out::steps, "steps", "1", "number of steps"));
    };

    void control(const In &in, Out &out, const simhost::Step &step, State &state, Memory &memory) const {
        out.vx = in.speed;
        out.vy = out.omega = 0.0;
        out.parameters = pair[0] + pair[1] + spring.rate + spring.rest + needed + maybe.value_or(1000.0);
        for (const double value : list) out.parameters += value;
        for (const Spring &further : springs) out.parameters += further.rate + further.rest;
        out.text = double(word.size() + file.text.size());
        for (const std::string &further : words) out.text += double(further.size());
        out.sum = double(law);
        out.loud = in.gain + in.missing;
        const simhost_ray ahead = {{in.x, in.y, 0.3}, {1.0, 0.0, 0.0}, 100.0, SIMHOST_ENTITY_WALL, 0};
        const simhost_ray_hit hit = step.cast(ahead);
        out.range = hit.kind == SIMHOST_ENTITY_WALL ? hit.range : -1.0;
        const auto slot = std::size_t(state.steps) % 10;
        out.oldest = memory.positions[slot];
        memory.positions[slot] = in.x;
        state.steps += 1.0;
        out.steps = state.steps;
    }
};

} // namespace

SIMHOST_PLUGIN("acme", "everything", "1.0.0",
               simhost::controller<Everything>("everything", "Publishes what it has."));
