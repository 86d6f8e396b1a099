/*
 * Models in C++17: a layer over simhost_plugin.h, header only.
 *
 * A model is a class. Its parameters are members, and so are the inputs and outputs of each phase. A
 * constexpr table gives every member its name, unit and description, and becomes the descriptor that
 * the host reads. A duplicate name, an empty range or a default out of range does not compile.
 *
 *     struct Tyre {
 *         double mu;
 *         static constexpr auto params = simhost::params(
 *             simhost::number(&Tyre::mu, "mu", "1", "Friction coefficient.", 0.8, 0.0, 3.0));
 *         struct In { double vy; static constexpr auto ports = simhost::ports(
 *             simhost::port(&In::vy, "vy", "m/s", "velocity to the left")); };
 *         struct Out { ... };
 *         void force(const In &in, Out &out, const simhost::Step &step) const { ... }
 *     };
 *     SIMHOST_PLUGIN("acme", "tyres", "0.1.0", simhost::friction<Tyre>("tyre", "A tyre."));
 *
 * A phase is called for each lane. It must not allocate, print or block, and can run on several
 * threads at the same time, so that it is a const function. Exceptions end at the boundary and are
 * faults of the lane. The host creates a model with its default constructor, sets the parameters in
 * SI units and calls prepare(), if there is one, which can allocate and throw. The destructor releases
 * what the model owns.
 *
 * What a class M declares, all of it static constexpr unless it is a type or a function:
 *
 *     params            parameters: number, degrees, integer, boolean, text, choice, numbers, words,
 *                       file, group, each with .required(), .above_min(), .below_max(), .per_lane(),
 *                       .optional(), .also(names)
 *     State             a class with `slots`: one number per slot and lane, kept by the host
 *     Memory            a class with save(Writer &) const and static load(schema, Reader &): what does
 *                       not fit into slots; M::memory() const makes the first one, or its constructor
 *     version           version of the model; that of the plugin by default
 *     schema            version of State and Memory; migrate(schema, OldState, State &) const adapts states
 *     flags             SIMHOST_MODEL_FLAG_*
 *     aliases           further names of the class: a list of simhost_str
 *     prepare() etc.    functions that are called while a world is loaded: prepare, rays, arrange(Wheels),
 *                       spatial, images(Images &)
 *
 * Phases have the arguments (const In &, Out &, const Step &), then State & and Memory & if they use
 * them. Environments, fleets and observers have functions of their own; see the end of this file.
 */
#ifndef SIMHOST_PLUGIN_HPP
#define SIMHOST_PLUGIN_HPP

#include "simhost_plugin.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/* The tables of a model are static members of templates. The loader of Linux binds such symbols of all
 * libraries in a process to the first one, so that two plugins with a class of the same name would run
 * the same code; hidden symbols stay within their library. */
#if defined(__GNUC__) && !defined(_WIN32)
#define SIMHOST_HIDDEN __attribute__((visibility("hidden")))
#else
#define SIMHOST_HIDDEN
#endif

namespace simhost {

/* ---- Values of a lane ------------------------------------------------------------------------ */

/* The values of one lane in a column with several values per lane. */
template <class T> class Values {
public:
    constexpr Values() = default;
    constexpr Values(T *first, std::size_t stride, std::size_t size)
        : first_(first), stride_(stride), size_(size) {}
    constexpr T &operator[](std::size_t k) const { return first_[k * stride_]; }
    constexpr std::size_t size() const { return size_; }

private:
    T *first_ = nullptr;
    std::size_t stride_ = 0, size_ = 0;
};

/* One value per wheel of a vehicle, in the order of the wheels of its class. */
template <class T> struct PerWheel : Values<T> { using Values<T>::Values; };
/* One value per ray of a sensor. */
template <class T> struct PerRay : Values<T> { using Values<T>::Values; };

/* The last reading of a sensor of the vehicle, as an input: no values before the first sample. */
struct Reading : Values<const double> {
    Reading() = default;
    Reading(const simhost_batch &batch, std::size_t input, std::size_t lane)
        : Values(simhost_reading(&batch, input, lane), 1, simhost_reading_count(&batch, input, lane)),
          age(simhost_reading_age(&batch, input, lane)), capacity(batch.arrays[input].capacity) {}
    /* Time from the sample to the start of the step, or for a sensor to its own sample, s: infinite
     * before the first one. */
    double age = std::numeric_limits<double>::infinity();
    /* Largest number of values, which does not change during a run. */
    std::size_t capacity = 0;
};

/* Types of inputs and outputs with several values per lane; all others are of type double. */
using WheelInput = PerWheel<const double>;
using WheelOutput = PerWheel<double>;
using RayInput = PerRay<const double>;
using RayOutput = PerRay<double>;

/* A stream of random numbers. The same key gives the same numbers. */
class Random {
public:
    explicit Random(std::uint64_t key) : key_(key) {}
    /* Returns a number that is uniformly distributed in [0, 1). */
    double uniform() { return simhost_random_uniform(key_, count_++); }
    /* Returns a number with mean 0 and standard deviation 1, between -6 and 6: the sum of twelve
     * uniform numbers minus six, which has the same bits on every machine. */
    double normal() {
        double sum = -6.0;
        for (int k = 0; k < 12; k++) sum += uniform();
        return sum;
    }

private:
    std::uint64_t key_, count_ = 0;
};

/* The ground at or below a point: its height, m, and its slopes dz/dx and dz/dy. */
struct Ground {
    double height = 0.0, slope_x = 0.0, slope_y = 0.0;
};

/* The step and the lane of a call. */
struct Step {
    double time;                /* start of the step, s */
    double dt;                  /* length of the step, s */
    std::size_t lane;           /* number of the lane */
    std::uint64_t key;          /* key of the random stream of the lane, 0 without one */
    const simhost_batch *batch; /* the whole call */

    Step(const simhost_batch &call, std::size_t lane)
        : time(call.time), dt(call.dt), lane(lane), key(call.streams ? call.streams[lane] : 0), batch(&call) {}
    /* Returns the random stream of the lane: of a sensor, or of a model with the flag RANDOM. */
    Random random() const { return Random(key); }

    /* The functions below need the flag PERCEIVES. Their answers describe the state at the start of the
     * phase; simhost_plugin.h gives units and frames. */

    /* Casts rays and writes what each of them meets first. Returns false if the host has no rays. */
    bool cast(std::size_t count, const simhost_ray *rays, simhost_ray_hit *hits) const {
        return simhost_cast(batch, lane, count, rays, hits) == 0;
    }
    /* Returns what a ray meets first. */
    simhost_ray_hit cast(const simhost_ray &ray) const {
        simhost_ray_hit hit{std::numeric_limits<double>::infinity(), {}, {}, SIMHOST_NO_ENTITY, 0};
        simhost_cast(batch, lane, 1, &ray, &hit);
        return hit;
    }
    /* Looks for the nearest entities in a circle, and returns the number of all of them, which can be
     * greater than N. */
    template <std::size_t N>
    std::size_t neighbours(const simhost_neighbour_query &query, std::array<simhost_neighbour, N> &found) const {
        return simhost_find_neighbours(batch, lane, query, N, found.data());
    }
    /* Returns the number of the vehicle that carries the model, or SIMHOST_NO_ENTITY. */
    std::uint32_t own() const { return simhost_own_entity(batch, lane); }
    /* Returns the surface of the ground at or below a point. */
    simhost_surface_point surface(double x, double y, double z) const {
        const double point[] = {x, y, z};
        simhost_surface_point found{0.0, {0.0, 0.0, 1.0}, -1.0, -1.0, 0.0};
        simhost_find_surface(batch, 1, point, &found);
        return found;
    }
    /* Returns height and slopes of the ground at or below a point. */
    Ground ground(double x, double y, double z) const {
        Ground found;
        simhost_find_ground(batch, 1, &x, &y, &z, &found.height, &found.slope_x, &found.slope_y);
        return found;
    }
    /* Finds the contacts of the vehicle in the last step, and returns the number of all of them. */
    template <std::size_t N> std::size_t contacts(std::array<simhost_contact, N> &found) const {
        return simhost_find_contacts(batch, lane, N, found.data());
    }
    /* Returns the number of the semantic class of a vehicle, a block or an actor, or 0. */
    std::uint32_t class_of(std::uint32_t entity) const { return simhost_class_of(batch, entity); }

    /* The functions below need no flag. In a world without a road network they find nothing. */

    /* Returns the nearest place in a lane for a position, m, and a heading, rad, or NaN. Its index is SIMHOST_NO_LANE
     * if there is none. */
    simhost_road_point lane_at(double x, double y, double z, double heading) const {
        const double pose[] = {x, y, z, heading};
        simhost_road_point found{};
        found.index = SIMHOST_NO_LANE;
        simhost_find_lanes(batch, 1, pose, &found);
        return found;
    }
    /* Finds the places on the middle of lanes at level distances ahead, m, ascending. Returns their number. */
    template <std::size_t N>
    std::size_t lanes_ahead(const simhost_lane_query &from, const std::array<double, N> &distances,
                            std::array<simhost_road_point, N> &found) const {
        return simhost_lanes_ahead(batch, &from, N, distances.data(), found.data());
    }
};

/* Thrown by a phase that cannot take a step of this length: a step that works, s. */
struct StepTooLarge : std::runtime_error {
    StepTooLarge(const std::string &text, double dt) : std::runtime_error(text), suggested_dt(dt) {}
    double suggested_dt;
};

/* A text file that a world file names. The host reads it. */
struct TextFile {
    std::string path, text; /* absolute path, for messages, and contents */
};
/* A file of any content. */
struct BinaryFile {
    std::string path;
    std::vector<std::uint8_t> bytes;
};

/* Takes the bytes of a memory: numbers of eight bytes, least significant first. */
class Writer {
public:
    Writer(void *sink, simhost_write_fn write) : sink_(sink), write_(write) {}
    void bytes(const std::uint8_t *data, std::size_t size) { write_(sink_, data, size); }
    void integer(std::uint64_t value) {
        std::uint8_t data[8];
        for (int k = 0; k < 8; k++) data[k] = std::uint8_t(value >> (8 * k));
        bytes(data, 8);
    }
    void number(double value) {
        std::uint64_t bits;
        std::memcpy(&bits, &value, 8);
        integer(bits);
    }
    /* Writes how many numbers there are, and the numbers. */
    template <class Numbers> void numbers(const Numbers &values) {
        integer(values.size());
        for (const double value : values) number(value);
    }

private:
    void *sink_;
    simhost_write_fn write_;
};

/* Reads what a Writer wrote. The bytes are not trusted: a function that finds too few of them throws. */
class Reader {
public:
    explicit Reader(simhost_byte_slice bytes) : next_(bytes.data), left_(bytes.len) {}
    std::size_t left() const { return left_; }
    std::uint64_t integer() {
        if (left_ < 8) throw std::invalid_argument("the bytes of a memory end early");
        std::uint64_t value = 0;
        for (int k = 0; k < 8; k++) value |= std::uint64_t(next_[k]) << (8 * k);
        next_ += 8;
        left_ -= 8;
        return value;
    }
    double number() {
        const std::uint64_t bits = integer();
        double value;
        std::memcpy(&value, &bits, 8);
        return value;
    }
    std::vector<double> numbers() {
        const std::uint64_t count = integer();
        if (count > left_ / 8) throw std::invalid_argument("the bytes of a memory end early");
        std::vector<double> values(count);
        for (double &value : values) value = number();
        return values;
    }

private:
    const std::uint8_t *next_;
    std::size_t left_;
};

/* The wheels of a dynamics class, whose positions `arrange` can change. */
struct Wheels {
    simhost_wheel_geometry *first;
    std::size_t count;
    simhost_wheel_geometry &operator[](std::size_t k) const { return first[k]; }
    std::size_t size() const { return count; }
};

/* The images of a sensor. */
class Images {
public:
    Images(void *sink, simhost_image_fn write) : sink_(sink), write_(write) {}
    void add(simhost_image_desc image) {
        image.size = (std::uint32_t)sizeof image;
        write_(sink_, &image);
    }

private:
    void *sink_;
    simhost_image_fn write_;
};

/* The states of a lane under an older schema. */
struct OldState {
    simhost_str_slice names;
    simhost_f64_slice values;
    /* Returns the value of a slot, if there was one of this name. */
    std::optional<double> find(std::string_view name) const {
        for (std::size_t k = 0; k < names.len && k < values.len; k++)
            if (name == std::string_view(names.data[k].data, names.data[k].len)) return values.data[k];
        return {};
    }
};

/* A point in the world frame, m, and what an environment gives there: the velocity of the air, m/s, and
 * friction coefficient and rolling resistance of the ground, negative for those of the world. */
struct Point {
    double x, y, z;
};
struct Wind {
    double x = 0.0, y = 0.0, z = 0.0;
};
struct Surface {
    double mu = -1.0, c_rr = -1.0;
};

/* ---- Declarations ---------------------------------------------------------------------------- */

constexpr simhost_str text(std::string_view text) { return {text.data(), text.size()}; }

namespace SIMHOST_HIDDEN detail {

/* Fails to compile where a constant is built from a wrong declaration. */
constexpr void require(bool holds, const char *rule) {
    if (!holds) throw std::logic_error(rule);
}

constexpr std::string_view view(simhost_str text) { return {text.data, text.len}; }

template <class Field> struct ScopeOf;
template <> struct ScopeOf<double> { static constexpr auto id = SIMHOST_SCOPE_INSTANCE; };
template <class T> struct ScopeOf<PerWheel<T>> { static constexpr auto id = SIMHOST_SCOPE_WHEEL; };
template <class T> struct ScopeOf<PerRay<T>> { static constexpr auto id = SIMHOST_SCOPE_RAY; };
template <> struct ScopeOf<Reading> { static constexpr auto id = SIMHOST_SCOPE_ARRAY; };

/* A member of a class and its descriptor. */
template <class Owner, class Field, class Desc> struct Member {
    Field Owner::*member;
    Desc desc;
};
template <class Owner> using State = Member<Owner, double, simhost_state_desc>;

/* An input or output of a phase. */
template <class Owner, class Field> struct Port : Member<Owner, Field, simhost_port_desc> {
    constexpr Port(Field Owner::*member, simhost_port_desc desc)
        : Member<Owner, Field, simhost_port_desc>{member, desc} {}
    /* Of an input: a world in which nothing provides it keeps the default. Of an output: nothing has to
     * read it. */
    constexpr Port optional() const { return with(SIMHOST_PORT_FLAG_OPTIONAL); }
    /* Of a reading of a sensor: it can be NaN, which means unknown. */
    constexpr Port unknown() const { return with(SIMHOST_PORT_FLAG_UNKNOWN); }

private:
    constexpr Port with(std::uint32_t flag) const {
        Port made = *this;
        made.desc.flags |= flag;
        return made;
    }
};

/* A parameter. */
template <class Owner, class Field> struct Param : Member<Owner, Field, simhost_param_desc> {
    constexpr Param(Field Owner::*member, simhost_param_desc desc)
        : Member<Owner, Field, simhost_param_desc>{member, desc} {}
    /* The world file has to give it. */
    constexpr Param required() const { return with(SIMHOST_PARAM_FLAG_REQUIRED).undefined(); }
    /* There is no default: the member keeps its initial value, or is an empty std::optional. */
    constexpr Param optional() const {
        Param made = undefined();
        made.desc.flags &= ~SIMHOST_PARAM_FLAG_REQUIRED;
        return made;
    }
    /* The smallest or the largest value itself is excluded. */
    constexpr Param above_min() const {
        require(this->desc.default_value.tag == SIMHOST_VALUE_NONE ||
                    this->desc.default_value.number > this->desc.min, "a default is out of range");
        return with(SIMHOST_PARAM_FLAG_ABOVE_MIN);
    }
    constexpr Param below_max() const {
        require(this->desc.default_value.tag == SIMHOST_VALUE_NONE ||
                    this->desc.default_value.number < this->desc.max, "a default is out of range");
        return with(SIMHOST_PARAM_FLAG_BELOW_MAX);
    }
    /* The number can differ between the lanes of an instance: each phase that depends on it reads it as an
     * input that is declared with `parameter`. */
    constexpr Param per_lane() const {
        static_assert(std::is_same_v<Field, double>, "a number differs between lanes, nothing else");
        return with(SIMHOST_PARAM_FLAG_PER_LANE);
    }
    /* Further names that world files can use: a static list of simhost_str. */
    template <std::size_t N> constexpr Param also(const std::array<simhost_str, N> &names) const {
        Param made = *this;
        made.desc.aliases = {names.data(), N};
        return made;
    }

private:
    constexpr Param with(std::uint32_t flag) const {
        Param made = *this;
        made.desc.flags |= flag;
        return made;
    }
    constexpr Param undefined() const {
        Param made = *this;
        made.desc.default_value = {SIMHOST_VALUE_NONE, 0, 0.0, SIMHOST_STR(""), SIMHOST_EMPTY};
        return made;
    }
};

constexpr std::string_view name_of(const simhost_port_desc &desc) { return view(desc.name); }
constexpr std::string_view name_of(const simhost_param_desc &desc) { return view(desc.key); }
constexpr std::string_view name_of(const simhost_state_desc &desc) { return view(desc.name); }

/* Returns a table of members whose names are given and unique. */
template <class... M> constexpr auto table(M... members) {
    const std::array<std::string_view, sizeof...(M)> names{name_of(members.desc)...};
    for (std::size_t a = 0; a < names.size(); a++) {
        require(!names[a].empty(), "a name is empty");
        for (std::size_t b = 0; b < a; b++) require(names[a] != names[b], "a name occurs twice");
    }
    return std::tuple<M...>(members...);
}

template <class Desc, class Table> constexpr auto descs(const Table &members) {
    return std::apply(
        [](const auto &...member) {
            return std::array<Desc, sizeof...(member)>{member.desc...};
        },
        members);
}

template <class Field, class Owner>
constexpr auto port(Field Owner::*member, std::uint32_t flags, std::string_view name,
                    std::string_view unit, std::string_view doc, double value,
                    std::string_view key) {
    return Port<Owner, Field>{
        member,
        {(std::uint32_t)sizeof(simhost_port_desc), ScopeOf<Field>::id, flags, 0, text(name),
         text(unit), text(doc), value, text(key), text(key.empty() ? key : unit), 1.0}};
}

constexpr simhost_value number(double number, std::uint32_t tag = SIMHOST_VALUE_NUMBER) {
    return {tag, 0, number, SIMHOST_STR(""), SIMHOST_EMPTY};
}
constexpr simhost_value word(simhost_str text) {
    return {SIMHOST_VALUE_TEXT, 0, 0.0, text, SIMHOST_EMPTY};
}
constexpr simhost_value no_value{SIMHOST_VALUE_NONE, 0, 0.0, SIMHOST_STR(""), SIMHOST_EMPTY};

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double DEGREE = 3.14159265358979323846 / 180.0;

template <class Field, class Owner>
constexpr auto param(Field Owner::*member, std::uint32_t kind, std::string_view key,
                     std::string_view unit, std::string_view doc, simhost_value value,
                     double min = 0.0, double max = 0.0, double scale = 1.0, std::uint32_t count = 0,
                     simhost_str_slice choices = SIMHOST_EMPTY, simhost_param_slice children = SIMHOST_EMPTY) {
    require(min <= max, "the range of a parameter is empty");
    require(!(value.number < min || value.number > max), "a default is out of range");
    return Param<Owner, Field>{
        member,
        {(std::uint32_t)sizeof(simhost_param_desc), kind, 0, count, text(key), SIMHOST_EMPTY, text(doc),
         text(unit), scale, min, max, value, choices, children}};
}

/* The descriptors of the parameters of a group. */
template <class Group> struct Children {
    static constexpr auto array = descs<simhost_param_desc>(Group::params);
    static constexpr simhost_param_slice slice = {array.data(), array.size()};
};

template <class Field> struct CountOf { static constexpr std::uint32_t value = 0; };
template <std::size_t N> struct CountOf<std::array<double, N>> { static constexpr std::uint32_t value = N; };

} // namespace detail

/* An input or output of a phase: its member, name, unit, description and, for an input that nothing
 * provides, its value. */
template <class Field, class Owner>
constexpr auto port(Field Owner::*member, std::string_view name, std::string_view unit,
                    std::string_view doc, double value = 0.0) {
    return detail::port(member, 0, name, unit, doc, value, "");
}
/* An input that some other model or the host has to provide. */
template <class Field, class Owner>
constexpr auto required(Field Owner::*member, std::string_view name, std::string_view unit,
                        std::string_view doc) {
    return detail::port(member, SIMHOST_PORT_FLAG_REQUIRED, name, unit, doc, 0.0, "");
}
/* An output that is published: it needs no reader and is a quantity of its own. */
template <class Field, class Owner>
constexpr auto published(Field Owner::*member, std::string_view name, std::string_view unit,
                         std::string_view doc) {
    return detail::port(member, SIMHOST_PORT_FLAG_OPTIONAL, name, unit, doc, 0.0, "");
}
/* An input that commands set, and the world file under its name. */
template <class Owner>
constexpr auto setpoint(double Owner::*member, std::string_view name, std::string_view unit,
                        std::string_view doc, double value = 0.0) {
    return detail::port(member, SIMHOST_PORT_FLAG_COMMAND, name, unit, doc, value, name);
}
/* An input with the value of the parameter of this name, in the unit of the model, for the lane of the
 * call. The parameter is declared with .per_lane(). */
template <class Owner>
constexpr auto parameter(double Owner::*member, std::string_view name, std::string_view unit,
                         std::string_view doc) {
    return detail::port(member, SIMHOST_PORT_FLAG_PARAMETER, name, unit, doc, 0.0, "");
}
/* The ports of a phase, in any order. */
template <class... P> constexpr auto ports(P... members) { return detail::table(members...); }

/* A parameter: its member, key, unit, description, default, smallest and largest value. The member is a
 * double, or a std::optional<double> with .optional(). */
template <class Field, class Owner>
constexpr auto number(Field Owner::*member, std::string_view key, std::string_view unit,
                      std::string_view doc, double value, double min = -detail::INFINITE,
                      double max = detail::INFINITE) {
    return detail::param(member, SIMHOST_PARAM_NUMBER, key, unit, doc, detail::number(value), min, max);
}
/* An angle in degrees in the world file, and in radians in the model. */
template <class Field, class Owner>
constexpr auto degrees(Field Owner::*member, std::string_view key, std::string_view doc,
                       double value, double min = -detail::INFINITE,
                       double max = detail::INFINITE) {
    return detail::param(member, SIMHOST_PARAM_NUMBER, key, "deg", doc, detail::number(value), min,
                         max, detail::DEGREE);
}
template <class Owner>
constexpr auto integer(long Owner::*member, std::string_view key, std::string_view doc, long value,
                       long min, long max) {
    return detail::param(member, SIMHOST_PARAM_INTEGER, key, "1", doc, detail::number(double(value)),
                         double(min), double(max));
}
template <class Owner>
constexpr auto boolean(bool Owner::*member, std::string_view key, std::string_view doc,
                       bool value) {
    return detail::param(member, SIMHOST_PARAM_BOOL, key, "1", doc,
                         detail::number(value, SIMHOST_VALUE_BOOL), 0.0, 1.0);
}
/* A text. */
template <class Owner>
constexpr auto text(std::string Owner::*member, std::string_view key, std::string_view doc,
                    std::string_view value) {
    return detail::param(member, SIMHOST_PARAM_TEXT, key, "", doc, detail::word(text(value)));
}
/* The path of a file, which the model opens itself. The world file has to give it, or .optional(). */
template <class Owner>
constexpr auto path(std::string Owner::*member, std::string_view key, std::string_view doc) {
    return detail::param(member, SIMHOST_PARAM_PATH, key, "", doc, detail::no_value).required();
}
/* One of some names: the member is an enumeration, whose values are the positions in a static list of
 * names, and so is the default. */
template <class Field, class Owner, std::size_t N>
constexpr auto choice(Field Owner::*member, std::string_view key, std::string_view doc,
                      const std::array<simhost_str, N> &names, Field value) {
    static_assert(std::is_enum_v<Field>, "a choice is an enumeration");
    detail::require(std::size_t(value) < N, "a default has no name");
    return detail::param(member, SIMHOST_PARAM_CHOICE, key, "", doc, detail::word(names[std::size_t(value)]),
                         0.0, 0.0, 1.0, 0, {names.data(), N});
}
/* Numbers separated by spaces or commas: a std::vector<double> of any length or a std::array<double, N>.
 * Without them the member keeps its initial value. */
template <class Field, class Owner>
constexpr auto numbers(Field Owner::*member, std::string_view key, std::string_view unit,
                       std::string_view doc, double min = -detail::INFINITE,
                       double max = detail::INFINITE) {
    return detail::param(member, SIMHOST_PARAM_LIST, key, unit, doc, detail::no_value, min, max, 1.0,
                         detail::CountOf<Field>::value);
}
/* Words separated by spaces or commas. */
template <class Owner>
constexpr auto words(std::vector<std::string> Owner::*member, std::string_view key, std::string_view doc) {
    return detail::param(member, SIMHOST_PARAM_WORDS, key, "", doc, detail::no_value);
}
/* A file, relative to the world file, that the host reads. The world file has to give it, or .optional(). */
template <class Owner>
constexpr auto file(TextFile Owner::*member, std::string_view key, std::string_view doc) {
    return detail::param(member, SIMHOST_PARAM_FILE, key, "", doc, detail::no_value).required();
}
template <class Owner>
constexpr auto file(BinaryFile Owner::*member, std::string_view key, std::string_view doc) {
    return detail::param(member, SIMHOST_PARAM_BINARY_FILE, key, "", doc, detail::no_value).required();
}
/* Paths of files separated by spaces or commas, or `-` for none. */
template <class Owner>
constexpr auto files(std::vector<std::optional<BinaryFile>> Owner::*member, std::string_view key,
                     std::string_view doc) {
    return detail::param(member, SIMHOST_PARAM_BINARY_FILES, key, "", doc, detail::no_value);
}
/* An element with parameters of its own: the member is a class with `params`. */
template <class Group, class Owner>
constexpr auto group(Group Owner::*member, std::string_view key, std::string_view doc) {
    return detail::param(member, SIMHOST_PARAM_GROUP, key, "", doc, detail::no_value, 0.0, 0.0, 1.0, 0,
                         SIMHOST_EMPTY, detail::Children<Group>::slice);
}
/* Any number of such elements, one after the other. */
template <class Group, class Owner>
constexpr auto groups(std::vector<Group> Owner::*member, std::string_view key, std::string_view doc) {
    return detail::param(member, SIMHOST_PARAM_LIST, key, "", doc, detail::no_value, -detail::INFINITE,
                         detail::INFINITE, 1.0, 0,
                         SIMHOST_EMPTY, detail::Children<Group>::slice);
}
/* The parameters of a model. */
template <class... P> constexpr auto params(P... members) { return detail::table(members...); }

/* A state slot: its member, name, unit, description and initial value. The last argument is one of
 * SIMHOST_STATE_KIND_*. */
template <class Owner>
constexpr auto state(double Owner::*member, std::string_view name, std::string_view unit,
                     std::string_view doc, double initial = 0.0,
                     std::uint32_t kind = SIMHOST_STATE_KIND_CONTINUOUS) {
    return detail::State<Owner>{
        member,
        {(std::uint32_t)sizeof(simhost_state_desc), SIMHOST_SCOPE_INSTANCE, kind, 0, text(name),
         text(unit), text(doc), initial, text("")}};
}
/* A state slot that starts from the number of a parameter. */
template <class Owner>
constexpr auto state_from(double Owner::*member, std::string_view name, std::string_view unit,
                          std::string_view doc, std::string_view key) {
    auto slot = state(member, name, unit, doc);
    slot.desc.initial_key = text(key);
    return slot;
}
/* The states of a model: `slots` of its class State, which phases take after the step. */
template <class... S> constexpr auto states(S... members) { return detail::table(members...); }

/* A command of a controller, and the inputs that its values set. */
template <std::size_t N>
constexpr simhost_command_desc command(std::string_view kind, const std::array<simhost_str, N> &ports) {
    return {(std::uint32_t)sizeof(simhost_command_desc), 0, text(kind), {ports.data(), N}};
}
/* A wheel of a dynamics class: the name of its element, and its position without such an element. */
constexpr simhost_wheel_desc wheel(std::string_view tag, double x, double y) {
    return {(std::uint32_t)sizeof(simhost_wheel_desc), 0, text(tag), x, y};
}
/* The default chassis of a dynamics class: mass without the wheels, kg, lowest and highest point, m,
 * and corners x0, y0, x1, y1 and so on, m. */
template <std::size_t N>
constexpr simhost_chassis_desc chassis(double mass, double z_min, double z_max,
                                       const std::array<double, N> &corners) {
    static_assert(N % 2 == 0, "a corner has two coordinates");
    return {(std::uint32_t)sizeof(simhost_chassis_desc), 0, mass, z_min, z_max, {corners.data(), N}};
}
/* An array whose length is that of the list. */
template <class T, class... U> constexpr std::array<T, sizeof...(U)> list(U... items) {
    return {T{items}...};
}

/* ---- Calls ----------------------------------------------------------------------------------- */

namespace SIMHOST_HIDDEN detail {

/* Presence of optional members of a model. */
#define SIMHOST_HAS(what)                                                       \
    template <class M, class = void> struct Has_##what : std::false_type {};    \
    template <class M>                                                          \
    struct Has_##what<M, std::void_t<decltype(&M::what)>> : std::true_type {};
SIMHOST_HAS(params)
SIMHOST_HAS(commands)
SIMHOST_HAS(wheels)
SIMHOST_HAS(chassis)
SIMHOST_HAS(flags)
SIMHOST_HAS(schema)
SIMHOST_HAS(version)
SIMHOST_HAS(aliases)
SIMHOST_HAS(slots)
SIMHOST_HAS(prepare)
SIMHOST_HAS(rays)
SIMHOST_HAS(arrange)
SIMHOST_HAS(spatial)
SIMHOST_HAS(images)
SIMHOST_HAS(migrate)
SIMHOST_HAS(memory)
SIMHOST_HAS(drive)
SIMHOST_HAS(wrench)
SIMHOST_HAS(motion)
SIMHOST_HAS(rates)
SIMHOST_HAS(wind)
SIMHOST_HAS(surface)
SIMHOST_HAS(gravity)
SIMHOST_HAS(select)
#undef SIMHOST_HAS
template <class M, class = void> struct Has_state : std::false_type {};
template <class M> struct Has_state<M, std::void_t<typename M::State>> : std::true_type {};
template <class M, class = void> struct Has_memory_type : std::false_type {};
template <class M> struct Has_memory_type<M, std::void_t<typename M::Memory>> : std::true_type {};

/* The position of a parameter in the table of a model. */
template <class M> constexpr std::size_t param_index(std::string_view name) {
    constexpr auto names = std::apply(
        [](const auto &...p) { return std::array<std::string_view, sizeof...(p)>{name_of(p.desc)...}; },
        M::params);
    std::size_t k = 0;
    while (k < names.size() && names[k] != name) k++;
    require(k < names.size(), "an input is declared with `parameter` and has the name of none");
    return k;
}

inline void read(double &field, const double *column, const simhost_batch &, std::size_t lane) {
    field = column[lane];
}
template <class T, class C>
void read(PerWheel<T> &field, C *column, const simhost_batch &batch, std::size_t lane) {
    field = {column + lane, batch.wheel_stride, batch.wheels};
}
template <class T, class C>
void read(PerRay<T> &field, C *column, const simhost_batch &batch, std::size_t lane) {
    field = {column + lane * batch.rays, 1, batch.rays};
}

/* Reads the inputs of a lane. */
template <class M, class In, std::size_t... K>
void read_inputs(const M &model, In &in, const simhost_batch &batch, std::size_t lane,
                 std::index_sequence<K...>) {
    const auto one = [&](auto index) {
        constexpr std::size_t k = decltype(index)::value;
        constexpr auto port = std::get<k>(In::ports);
        auto &field = in.*port.member;
        if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Reading>) {
            field = Reading(batch, k, lane);
        } else if constexpr ((port.desc.flags & SIMHOST_PORT_FLAG_PARAMETER) != 0) {
            constexpr auto param = std::get<param_index<M>(name_of(port.desc))>(M::params);
            static_assert((param.desc.flags & SIMHOST_PARAM_FLAG_PER_LANE) != 0,
                          "the parameter of an input is declared with .per_lane()");
            field = batch.inputs[k] ? batch.inputs[k][lane] : model.*param.member;
        } else {
            read(field, batch.inputs[k], batch, lane);
        }
    };
    (one(std::integral_constant<std::size_t, K>{}), ...);
    (void)model, (void)in, (void)batch, (void)lane, (void)one;
}
template <class M, class In>
void read_inputs(const M &model, In &in, const simhost_batch &batch, std::size_t lane) {
    read_inputs(model, in, batch, lane, std::make_index_sequence<std::tuple_size_v<std::decay_t<decltype(In::ports)>>>{});
}

/* Reads and writes the state slots of a lane. */
template <class S> void read_state(S &state, const simhost_batch &batch, std::size_t lane) {
    std::size_t k = 0;
    std::apply([&](const auto &...slot) { ((state.*slot.member = batch.states[k++][lane]), ...); }, S::slots);
}
template <class S> void write_state(const S &state, const simhost_batch &batch, std::size_t lane) {
    std::size_t k = 0;
    std::apply([&](const auto &...slot) { ((batch.states[k++][lane] = state.*slot.member), ...); }, S::slots);
}

/* Prepares outputs: a value that the model does not write is not a number, which the host reports. */
template <class Out> void prepare_outputs(Out &out, const simhost_batch &batch, std::size_t lane) {
    std::size_t k = 0;
    const auto prepare = [&](auto &value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
            value = std::numeric_limits<double>::quiet_NaN();
        else
            read(value, batch.outputs[k], batch, lane);
        k++;
    };
    std::apply([&](const auto &...m) { (prepare(out.*m.member), ...); }, Out::ports);
}

/* Writes the values of scope instance. Those of other scopes were written in place. */
template <class Out> void write_outputs(const Out &out, const simhost_batch &batch, std::size_t lane) {
    std::size_t k = 0;
    const auto write = [&](const auto &value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) batch.outputs[k][lane] = value;
        k++;
    };
    std::apply([&](const auto &...m) { (write(out.*m.member), ...); }, Out::ports);
}

/* Passes the state and the memory of a lane, or one of them, or nothing, to a function. */
template <class... Rest> struct Kept;
template <> struct Kept<> {
    template <class F> static void pass(const simhost_batch &, std::size_t, F f) { f(); }
};
template <class A> struct Kept<A> {
    template <class F> static void pass(const simhost_batch &batch, std::size_t lane, F f) {
        if constexpr (Has_slots<A>::value) {
            A state{};
            read_state(state, batch, lane);
            f(state);
            write_state(state, batch, lane);
        } else {
            f(*static_cast<A *>(batch.memories[lane]));
        }
    }
};
template <class S, class Memory> struct Kept<S, Memory> {
    template <class F> static void pass(const simhost_batch &batch, std::size_t lane, F f) {
        auto &memory = *static_cast<Memory *>(batch.memories[lane]);
        Kept<S>::pass(batch, lane, [&](S &state) { f(state, memory); });
    }
};

/* Calls a body for each lane of a batch. An exception is a fault of its lane. */
template <class Body>
std::uint32_t for_lanes(const simhost_batch *batch, simhost_fault *fault, Body body) noexcept {
    std::size_t lane = batch->first;
    try {
        for (; lane < batch->first + batch->count; lane++) body(lane);
        return SIMHOST_FAULT_NONE;
    } catch (const StepTooLarge &error) {
        simhost_fail(fault, SIMHOST_FAULT_STEP_TOO_LARGE, lane, error.what());
        fault->suggested_dt = error.suggested_dt;
        return SIMHOST_FAULT_STEP_TOO_LARGE;
    } catch (const std::exception &error) {
        return simhost_fail(fault, SIMHOST_FAULT_PANIC, lane, error.what());
    } catch (...) {
        return simhost_fail(fault, SIMHOST_FAULT_PANIC, lane, "an exception without a text");
    }
}

/* The classes in the signature of a phase. */
template <class F> struct Signature;
template <class M, class I, class O, class... Rest>
struct Signature<void (M::*)(const I &, O &, const Step &, Rest &...) const> {
    using In = I;
    using Out = O;
    template <auto Phase>
    static std::uint32_t call(const void *handle, const simhost_batch *batch, simhost_fault *fault) noexcept {
        const M &model = *static_cast<const M *>(handle);
        return for_lanes(batch, fault, [&](std::size_t lane) {
            In in{};
            Out out{};
            read_inputs(model, in, *batch, lane);
            prepare_outputs(out, *batch, lane);
            const Step step(*batch, lane);
            Kept<Rest...>::pass(*batch, lane, [&](auto &...kept) { (model.*Phase)(in, out, step, kept...); });
            write_outputs(out, *batch, lane);
        });
    }
};

/* The static tables of a phase, to which its descriptor points. */
template <class In, class Out> struct PhaseTables {
    static constexpr auto inputs = descs<simhost_port_desc>(In::ports);
    static constexpr auto outputs = descs<simhost_port_desc>(Out::ports);
};

template <class In, class Out> constexpr simhost_phase phase_of(std::string_view id, simhost_call_fn call) {
    using T = PhaseTables<In, Out>;
    return {(std::uint32_t)sizeof(simhost_phase), 0, text(id), {T::inputs.data(), T::inputs.size()},
            {T::outputs.data(), T::outputs.size()}, call};
}
template <auto Phase> constexpr simhost_phase phase(std::string_view id) {
    using S = Signature<decltype(Phase)>;
    return phase_of<typename S::In, typename S::Out>(id, S::template call<Phase>);
}

/* Appends the phase `rates`, if the model has one. */
template <class M, class... P> constexpr auto with_rates(P... phases) {
    if constexpr (Has_rates<M>::value)
        return list<simhost_phase>(phases..., phase<&M::rates>("rates"));
    else
        return list<simhost_phase>(phases...);
}

template <class M> struct OfFriction {
    static constexpr auto phases = with_rates<M>(phase<&M::force>("force"));
};
template <class M> struct OfController {
    static constexpr auto phases = with_rates<M>(phase<&M::control>("control"));
};
template <class M> struct OfActuator {
    static constexpr auto phases = with_rates<M>(phase<&M::actuate>("actuate"));
};
template <class M> struct OfSuspension {
    static constexpr auto phases = list<simhost_phase>(phase<&M::kinematics>("kinematics"));
};
template <class M> struct OfSensor {
    static constexpr auto phases = list<simhost_phase>(phase<&M::aim>("aim"), phase<&M::read>("read"));
};
template <class M> struct OfDynamics {
    static constexpr simhost_phase motor() {
        static_assert(Has_drive<M>::value + Has_wrench<M>::value + Has_motion<M>::value == 1,
                      "a dynamics class has one of the phases drive, wrench and motion");
        if constexpr (Has_drive<M>::value) return phase<&M::drive>("drive");
        else if constexpr (Has_wrench<M>::value) return phase<&M::wrench>("wrench");
        else return phase<&M::motion>("motion");
    }
    static constexpr auto phases = with_rates<M>(motor(), phase<&M::measure>("measure"));
};

/* ---- Environments: one state for the whole world ---- */

struct NoPorts {
    static constexpr std::tuple<> ports{};
};
struct PointPorts {
    static constexpr auto ports = simhost::ports(
        simhost::port(&Point::x, "x", "m", "x of the point, world frame"),
        simhost::port(&Point::y, "y", "m", "y of the point, world frame"),
        simhost::port(&Point::z, "z", "m", "height of the point, world frame"));
};
struct WindPorts {
    static constexpr auto ports = simhost::ports(
        simhost::port(&Wind::x, "wind_x", "m/s", "velocity of the air along the x axis, world frame"),
        simhost::port(&Wind::y, "wind_y", "m/s", "velocity of the air along the y axis, world frame"),
        simhost::port(&Wind::z, "wind_z", "m/s", "upward velocity of the air, world frame"));
};
struct SurfacePorts {
    static constexpr auto ports = simhost::ports(
        simhost::port(&Surface::mu, "mu", "1", "friction coefficient, negative for none"),
        simhost::port(&Surface::c_rr, "c_rr", "1", "rolling resistance, negative for none"));
};
struct Gravity {
    double value;
};
struct GravityPorts {
    static constexpr auto ports =
        simhost::ports(simhost::port(&Gravity::value, "gravity", "m/s^2", "gravity, negative for none"));
};

/* Calls a function of an environment with the state and the memory of the world, if it has them. */
template <class M, class F, class... A>
auto ask(const void *handle, const simhost_batch &batch, bool writes, F function, const A &...arguments) {
    const M &model = *static_cast<const M *>(handle);
    const auto with_memory = [&](auto &...state) {
        if constexpr (Has_memory_type<M>::value)
            return (model.*function)(arguments..., state..., *static_cast<typename M::Memory *>(batch.memories[0]));
        else
            return (model.*function)(arguments..., state...);
    };
    if constexpr (Has_state<M>::value) {
        typename M::State state{};
        read_state(state, batch, 0);
        if constexpr (std::is_void_v<decltype(with_memory(state))>) {
            with_memory(state);
            if (writes) write_state(state, batch, 0);
        } else {
            return with_memory(state);
        }
    } else {
        (void)writes;
        return with_memory();
    }
}

template <class M> struct OfEnvironment {
    static Point point(const simhost_batch &batch, std::size_t lane) {
        return {batch.inputs[0][lane], batch.inputs[1][lane], batch.inputs[2][lane]};
    }
    static std::uint32_t update(const void *handle, const simhost_batch *batch, simhost_fault *fault) noexcept {
        return for_lanes(batch, fault, [&](std::size_t lane) {
            ask<M>(handle, *batch, true, &M::update, Step(*batch, lane));
        });
    }
    static std::uint32_t wind(const void *handle, const simhost_batch *batch, simhost_fault *fault) noexcept {
        return for_lanes(batch, fault, [&](std::size_t lane) {
            const Wind wind = ask<M>(handle, *batch, false, &M::wind, point(*batch, lane), Step(*batch, lane));
            batch->outputs[0][lane] = wind.x;
            batch->outputs[1][lane] = wind.y;
            batch->outputs[2][lane] = wind.z;
        });
    }
    static std::uint32_t surface(const void *handle, const simhost_batch *batch, simhost_fault *fault) noexcept {
        return for_lanes(batch, fault, [&](std::size_t lane) {
            const Surface found = ask<M>(handle, *batch, false, &M::surface, point(*batch, lane), Step(*batch, lane));
            batch->outputs[0][lane] = found.mu;
            batch->outputs[1][lane] = found.c_rr;
        });
    }
    static std::uint32_t gravity(const void *handle, const simhost_batch *batch, simhost_fault *fault) noexcept {
        return for_lanes(batch, fault, [&](std::size_t lane) {
            batch->outputs[0][lane] = ask<M>(handle, *batch, false, &M::gravity, Step(*batch, lane));
        });
    }
    template <class... P> static constexpr auto and_gravity(P... phases) {
        if constexpr (Has_gravity<M>::value)
            return list<simhost_phase>(phases..., phase_of<NoPorts, GravityPorts>("gravity", gravity));
        else
            return list<simhost_phase>(phases...);
    }
    template <class... P> static constexpr auto and_surface(P... phases) {
        if constexpr (Has_surface<M>::value)
            return and_gravity(phases..., phase_of<PointPorts, SurfacePorts>("surface", surface));
        else
            return and_gravity(phases...);
    }
    template <class... P> static constexpr auto and_wind(P... phases) {
        if constexpr (Has_wind<M>::value)
            return and_surface(phases..., phase_of<PointPorts, WindPorts>("wind", wind));
        else
            return and_surface(phases...);
    }
    static constexpr auto phases = and_wind(phase_of<NoPorts, NoPorts>("update", update));
};

} // namespace detail

/* ---- Fleets: one call for all vehicles ------------------------------------------------------- */

/* The vehicles of a fleet in a call: their inputs, the outputs, and the states if there are any. */
template <class In, class Out, class State = void> class Fleet {
public:
    Fleet(const void *model, const simhost_batch &batch, void (*read)(const void *, In &, const simhost_batch &, std::size_t))
        : model_(model), batch_(batch), read_(read) {}
    std::size_t size() const { return batch_.count; }
    /* Returns the inputs of a vehicle. */
    In input(std::size_t k) const {
        In in{};
        read_(model_, in, batch_, lane(k));
        return in;
    }
    /* Returns the state of a vehicle. */
    template <class S = State> S state(std::size_t k) const {
        S state{};
        detail::read_state(state, batch_, lane(k));
        return state;
    }
    /* Sets the outputs of a vehicle, and its state. */
    void set(std::size_t k, const Out &out) { detail::write_outputs(out, batch_, lane(k)); }
    template <class S> void set(std::size_t k, const Out &out, const S &state) {
        set(k, out);
        detail::write_state(state, batch_, lane(k));
    }
    /* Returns the memory of a vehicle. */
    template <class Memory> Memory &memory(std::size_t k) const {
        return *static_cast<Memory *>(batch_.memories[lane(k)]);
    }
    /* Returns the step as vehicle k sees it, to ask for its surroundings and its random numbers. */
    Step step(std::size_t k) const { return Step(batch_, lane(k)); }

private:
    std::size_t lane(std::size_t k) const { return batch_.first + k; }
    const void *model_;
    const simhost_batch &batch_;
    void (*read_)(const void *, In &, const simhost_batch &, std::size_t);
};

namespace SIMHOST_HIDDEN detail {

template <class F> struct FleetSignature;
template <class M, class I, class O, class S>
struct FleetSignature<void (M::*)(Fleet<I, O, S> &) const> {
    static void read_lane(const void *handle, I &in, const simhost_batch &batch, std::size_t lane) {
        read_inputs(*static_cast<const M *>(handle), in, batch, lane);
    }
    static std::uint32_t call(const void *handle, const simhost_batch *batch, simhost_fault *fault) noexcept {
        const auto body = [&] {
            for (std::size_t lane = batch->first; lane < batch->first + batch->count; lane++) {
                O out{};
                prepare_outputs(out, *batch, lane);
                write_outputs(out, *batch, lane);
            }
            Fleet<I, O, S> vehicles(handle, *batch, read_lane);
            static_cast<const M *>(handle)->command(vehicles);
            return SIMHOST_FAULT_NONE;
        };
        return simhost_guard(fault, body);
    }
    static constexpr simhost_phase phase() { return phase_of<I, O>("command", call); }
};
template <class M> struct OfFleet {
    static constexpr auto phases = list<simhost_phase>(FleetSignature<decltype(&M::command)>::phase());
};

} // namespace detail

/* ---- Observers: functions between steps ------------------------------------------------------ */

/* Takes the patterns of the quantities that an observer reads. */
class Selection {
public:
    Selection(void *sink, simhost_write_fn write) : sink_(sink), write_(write) {}
    void add(const std::string &pattern) { simhost_write_text(sink_, write_, (pattern + "\n").c_str()); }

private:
    void *sink_;
    simhost_write_fn write_;
};

/* The start of a run. */
class Start {
public:
    explicit Start(const simhost_run_start &start)
        : name(start.name.data, start.name.len), folder(start.folder.data, start.folder.len), time(start.time),
          dt(start.dt), period(start.period), seed(start.seed), quantities(start.quantities) {}
    std::string name;                  /* name of the observer in the world, unique */
    std::string folder;                /* absolute path of the output folder, or empty */
    double time, dt, period;           /* start, length of a step, and time between samples, s */
    std::uint64_t seed;                /* seed of the run */
    simhost_observed_slice quantities; /* the selected quantities */
    /* Returns the index of the first value of a quantity in samples. Throws if it was not selected. */
    std::size_t find(const std::string &quantity) const {
        for (std::size_t k = 0; k < quantities.len; k++)
            if (quantity == detail::view(quantities.data[k].name)) return quantities.data[k].first;
        throw std::invalid_argument("missing quantity `" + quantity + "`");
    }
};

/* The values of all selected quantities at one instant. */
struct Sample {
    std::uint64_t step; /* number of completed steps */
    double time;        /* time after these steps, s */
    simhost_f64_slice values;
    explicit Sample(const simhost_sample &sample) : step(sample.step), time(sample.time), values(sample.values) {}
    double operator[](std::size_t index) const { return values.data[index]; }
};

namespace SIMHOST_HIDDEN detail {

/* Returns whether a name refers to a file inside a folder. */
inline bool stays_in_folder(const std::string &name) {
    if (name.empty() || name.find_first_of(std::string_view("\\:\n\0", 4)) != std::string::npos) return false;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string part = name.substr(begin, end - begin);
        if (part.empty() || part == "." || part == "..") return false;
        begin = end + 1;
    }
    return true;
}

/* Returns whether the run writes a file of this name itself: its manifest lists its files, one per line. */
inline bool is_of_run(const std::string &folder, const std::string &name) {
    std::ifstream manifest(folder + "/manifest.json");
    bool listed = name == "manifest.json", in_list = false;
    for (std::string line; !listed && std::getline(manifest, line);) {
        if (in_list && line.find(']') != std::string::npos) break;
        listed = in_list && line.find('"' + name + '"') != std::string::npos;
        in_list = in_list || line.find("\"files\": [") != std::string::npos;
    }
    return listed;
}

} // namespace detail

/* The end of a run. */
class End {
public:
    End(const simhost_run_end &end, const std::string &folder, void *sink, simhost_write_fn write)
        : reason(end.reason), text(end.text.data, end.text.len), last(end.last), folder_(folder), sink_(sink),
          write_(write) {}
    std::uint32_t reason; /* one of SIMHOST_END_* */
    std::string text;     /* the reason in words; empty at the end of the duration */
    Sample last;          /* the last state */
    /* Writes a file in the folder of the run, or replaces one. A run without a folder writes none. Throws if the
     * name leaves the folder or belongs to a file of the run, such as trajectory.csv. */
    void write(const std::string &name, const std::string &contents) {
        if (!detail::stays_in_folder(name))
            throw std::invalid_argument("`" + name +
                                        "` is not a file in the output folder; expected a name such as metrics.csv");
        if (folder_.empty()) return;
        if (detail::is_of_run(folder_, name))
            throw std::invalid_argument("`" + name + "` is a file of the run; expected another name");
        const std::string path = folder_ + "/" + name;
        std::remove(path.c_str()); /* a link must not lead to another file */
        std::ofstream file(path, std::ios::binary);
        file << contents;
        if (!file.flush()) throw std::runtime_error("cannot write " + name);
        report(name);
    }
    /* Reports a file that the observer has written itself. */
    void report(const std::string &name) { simhost_write_text(sink_, write_, (name + "\n").c_str()); }

private:
    std::string folder_;
    void *sink_;
    simhost_write_fn write_;
};

namespace SIMHOST_HIDDEN detail {

template <class M> struct OfObserver {
    struct Recorder {
        typename M::Run run;
        std::string folder;
    };
    static const M &of(const void *handle) { return *static_cast<const M *>(handle); }
    static std::uint32_t select(const void *handle, void *sink, simhost_write_fn write, simhost_fault *fault) noexcept {
        return simhost_guard(fault, [&] {
            Selection selection(sink, write);
            of(handle).select(selection);
            return SIMHOST_FAULT_NONE;
        });
    }
    static std::uint32_t start(const void *handle, const simhost_run_start *begin, void **memory,
                               simhost_fault *fault) noexcept {
        const auto body = [&] {
            const Start start(*begin);
            *memory = new Recorder{of(handle).start(start), start.folder};
            return SIMHOST_FAULT_NONE;
        };
        return simhost_guard(fault, body, SIMHOST_FAULT_REFUSED);
    }
    static std::uint32_t step(const void *handle, void *memory, const simhost_sample *sample, std::uint32_t *stop,
                              void *sink, simhost_write_fn write, simhost_fault *fault) noexcept {
        return simhost_guard(fault, [&] {
            const std::optional<std::string> reason =
                of(handle).step(static_cast<Recorder *>(memory)->run, Sample(*sample));
            if (reason) {
                simhost_write_text(sink, write, reason->c_str());
                *stop = 1;
            }
            return SIMHOST_FAULT_NONE;
        });
    }
    static std::uint32_t end(const void *handle, void *memory, const simhost_run_end *run, void *sink,
                             simhost_write_fn write, simhost_fault *fault) noexcept {
        const auto body = [&] {
            auto &recorder = *static_cast<Recorder *>(memory);
            End end(*run, recorder.folder, sink, write);
            of(handle).end(recorder.run, end);
            return SIMHOST_FAULT_NONE;
        };
        return simhost_guard(fault, body, SIMHOST_FAULT_REFUSED);
    }
    static void destroy(void *memory) noexcept { delete static_cast<Recorder *>(memory); }
    static constexpr simhost_observer_table table = SIMHOST_OBSERVER_TABLE(select, start, step, end, destroy);
    static constexpr std::array<simhost_phase, 0> phases{};
};

/* ---- Creation, memory and further tables ---- */

/* Reads a value that the host has checked against the declaration. */
inline void assign(double &field, const simhost_value &value, const simhost_param_desc &) { field = value.number; }
inline void assign(long &field, const simhost_value &value, const simhost_param_desc &) { field = long(value.number); }
inline void assign(bool &field, const simhost_value &value, const simhost_param_desc &) { field = value.number != 0.0; }
inline void assign(std::string &field, const simhost_value &value, const simhost_param_desc &) {
    field = view(value.text);
}
inline void assign(TextFile &field, const simhost_value &value, const simhost_param_desc &) {
    if (value.items.len != 2) throw std::invalid_argument("a file has a path and contents");
    field.path = view(value.items.data[0].text);
    field.text = view(value.items.data[1].text);
}
inline void assign(BinaryFile &field, const simhost_value &value, const simhost_param_desc &) {
    if (value.items.len != 2) throw std::invalid_argument("a file has a path and contents");
    field.path = view(value.items.data[0].text);
    const std::string_view bytes = view(value.items.data[1].text);
    field.bytes.assign(bytes.begin(), bytes.end());
}
template <std::size_t N>
void assign(std::array<double, N> &field, const simhost_value &value, const simhost_param_desc &) {
    if (value.items.len != N) throw std::invalid_argument("a list has another length");
    for (std::size_t k = 0; k < N; k++) field[k] = value.items.data[k].number;
}
template <class Field> void assign_params(Field &, const simhost_value_slice &);
template <class Field>
void assign(Field &field, const simhost_value &value, const simhost_param_desc &desc) {
    if constexpr (std::is_enum_v<Field>) {
        for (std::size_t k = 0; k < desc.choices.len; k++)
            if (view(desc.choices.data[k]) == view(value.text)) field = Field(k);
    } else {
        assign_params(field, value.items);
    }
}
template <class T> void assign(std::optional<T> &field, const simhost_value &value, const simhost_param_desc &desc) {
    if (value.tag == SIMHOST_VALUE_NONE) return field.reset();
    assign(field.emplace(), value, desc);
}
template <class T> void assign(std::vector<T> &field, const simhost_value &value, const simhost_param_desc &desc) {
    field.clear();
    for (std::size_t k = 0; k < value.items.len; k++) assign(field.emplace_back(), value.items.data[k], desc);
}
/* Sets the members of a class with `params`. Without a value a member keeps its initial one. */
template <class Owner> void assign_params(Owner &owner, const simhost_value_slice &values) {
    if (values.len != std::tuple_size_v<std::decay_t<decltype(Owner::params)>>)
        throw std::invalid_argument("another number of parameters is declared");
    std::size_t k = 0;
    const auto one = [&](const auto &param) {
        const simhost_value &value = values.data[k++];
        if (value.tag != SIMHOST_VALUE_NONE) assign(owner.*param.member, value, param.desc);
    };
    std::apply([&](const auto &...param) { (one(param), ...); }, Owner::params);
}

template <class M>
std::uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) noexcept {
    const auto make = [&] {
        auto model = std::make_unique<M>();
        if constexpr (Has_params<M>::value) assign_params(*model, values);
        if constexpr (Has_prepare<M>::value) model->prepare();
        *handle = model.release();
        return SIMHOST_FAULT_NONE;
    };
    return simhost_guard(fault, make, SIMHOST_FAULT_REFUSED);
}

template <class M> void destroy(void *handle) noexcept { delete static_cast<M *>(handle); }

template <class M> std::size_t capacity(const void *handle) noexcept {
    return static_cast<const M *>(handle)->rays();
}

template <class M>
std::uint32_t arrange(const void *handle, simhost_wheel_geometry *wheels, std::size_t count,
                      simhost_fault *fault) noexcept {
    const auto body = [&] {
        static_cast<const M *>(handle)->arrange(Wheels{wheels, count});
        return SIMHOST_FAULT_NONE;
    };
    return simhost_guard(fault, body, SIMHOST_FAULT_REFUSED);
}

template <class M> struct MemoryTable {
    using Memory = typename M::Memory;
    static std::uint32_t create(const void *handle, void **memory, simhost_fault *fault) noexcept {
        const auto body = [&] {
            if constexpr (Has_memory<M>::value)
                *memory = new Memory(static_cast<const M *>(handle)->memory());
            else
                *memory = new Memory();
            (void)handle;
            return SIMHOST_FAULT_NONE;
        };
        return simhost_guard(fault, body, SIMHOST_FAULT_REFUSED);
    }
    static void destroy(void *memory) noexcept { delete static_cast<Memory *>(memory); }
    static std::uint32_t save(const void *memory, void *sink, simhost_write_fn write, simhost_fault *fault) noexcept {
        return simhost_guard(fault, [&] {
            Writer to(sink, write);
            static_cast<const Memory *>(memory)->save(to);
            return SIMHOST_FAULT_NONE;
        });
    }
    static std::uint32_t load(const void *, std::uint32_t schema, simhost_byte_slice bytes, void **memory,
                              simhost_fault *fault) noexcept {
        const auto body = [&] {
            Reader from(bytes);
            auto loaded = std::make_unique<Memory>(Memory::load(schema, from));
            if (from.left() > 0) throw std::invalid_argument("the bytes of a memory go on behind its end");
            *memory = loaded.release();
            return SIMHOST_FAULT_NONE;
        };
        return simhost_guard(fault, body, SIMHOST_FAULT_REFUSED);
    }
    static constexpr simhost_memory_table table = {sizeof(simhost_memory_table), 0, create, destroy, save, load};
};

template <class M> struct MigrateTable {
    static std::uint32_t migrate(const void *handle, std::uint32_t schema, simhost_str_slice names,
                                 simhost_f64_slice values, double *slots, simhost_fault *fault) noexcept {
        const auto body = [&] {
            typename M::State state{};
            std::size_t k = 0;
            std::apply([&](const auto &...slot) { ((state.*slot.member = slots[k++]), ...); }, M::State::slots);
            static_cast<const M *>(handle)->migrate(schema, OldState{names, values}, state);
            k = 0;
            std::apply([&](const auto &...slot) { ((slots[k++] = state.*slot.member), ...); }, M::State::slots);
            return SIMHOST_FAULT_NONE;
        };
        return simhost_guard(fault, body, SIMHOST_FAULT_REFUSED);
    }
    static constexpr simhost_migrate_table table = {sizeof(simhost_migrate_table), 0, migrate};
};

template <class M> struct SpatialTable {
    static std::uint32_t is_spatial(const void *handle) noexcept {
        return static_cast<const M *>(handle)->spatial() ? 1 : 0;
    }
    static constexpr simhost_spatial_table table = {sizeof(simhost_spatial_table), 0, is_spatial};
};

template <class M> struct ImagesTable {
    static void images(const void *handle, void *sink, simhost_image_fn write) noexcept {
        Images images(sink, write);
        static_cast<const M *>(handle)->images(images);
    }
    static constexpr simhost_images_table table = {sizeof(simhost_images_table), 0, images};
};

template <class M> struct AliasesTable {
    static constexpr simhost_aliases_table table = {
        sizeof(simhost_aliases_table), 0, {M::aliases.data(), M::aliases.size()}};
};

/* Shows that an exception becomes a fault. */
inline std::uint32_t panic(simhost_fault *fault) noexcept {
    return simhost_guard(fault, []() -> std::uint32_t { throw std::runtime_error("a fault on demand"); });
}
inline constexpr simhost_selftest_table selftest = {sizeof(simhost_selftest_table), 0, panic};

/* Returns the table with an id, or null. */
template <class M> const void *ability(simhost_str id) noexcept {
    const std::string_view name = view(id);
    if (name == SIMHOST_SELFTEST_ABILITY) return &selftest;
    if constexpr (Has_memory_type<M>::value)
        if (name == SIMHOST_MEMORY_ABILITY) return &MemoryTable<M>::table;
    if constexpr (Has_migrate<M>::value)
        if (name == SIMHOST_MIGRATE_ABILITY) return &MigrateTable<M>::table;
    if constexpr (Has_spatial<M>::value)
        if (name == SIMHOST_SPATIAL_ABILITY) return &SpatialTable<M>::table;
    if constexpr (Has_images<M>::value)
        if (name == SIMHOST_IMAGES_ABILITY) return &ImagesTable<M>::table;
    if constexpr (Has_aliases<M>::value)
        if (name == SIMHOST_ALIASES_ABILITY) return &AliasesTable<M>::table;
    if constexpr (Has_select<M>::value)
        if (name == SIMHOST_OBSERVER_ABILITY) return &OfObserver<M>::table;
    return nullptr;
}

/* The static tables of a model, to which its descriptor points. */
template <class M> struct ModelTables {
    static constexpr auto params() {
        if constexpr (Has_params<M>::value) return descs<simhost_param_desc>(M::params);
        else return std::array<simhost_param_desc, 0>{};
    }
    static constexpr auto states() {
        if constexpr (Has_state<M>::value) return descs<simhost_state_desc>(M::State::slots);
        else return std::array<simhost_state_desc, 0>{};
    }
    static constexpr auto param_descs = params();
    static constexpr auto state_descs = states();
};

template <class M, class Phases>
constexpr simhost_model model(std::uint32_t kind, const Phases &phases, std::string_view id,
                              std::string_view doc) {
    using T = ModelTables<M>;
    simhost_model made{};
    made.size = (std::uint32_t)sizeof(simhost_model);
    made.kind = kind;
    made.id = text(id);
    made.doc = text(doc);
    made.params = {T::param_descs.data(), T::param_descs.size()};
    made.states = {T::state_descs.data(), T::state_descs.size()};
    made.phases = {phases.data(), phases.size()};
    made.create = create<M>;
    made.destroy = destroy<M>;
    made.ability = ability<M>;
    if constexpr (Has_version<M>::value) made.version = text(M::version);
    if constexpr (Has_flags<M>::value) made.flags = M::flags;
    if (kind == SIMHOST_KIND_FLEET) made.flags |= SIMHOST_MODEL_FLAG_WHOLE_BATCH;
    if constexpr (Has_schema<M>::value) made.schema = M::schema;
    if constexpr (Has_commands<M>::value) made.commands = {M::commands.data(), M::commands.size()};
    if constexpr (Has_wheels<M>::value) made.wheels = {M::wheels.data(), M::wheels.size()};
    if constexpr (Has_chassis<M>::value) made.chassis = &M::chassis;
    if constexpr (Has_rays<M>::value) made.capacity = capacity<M>;
    if constexpr (Has_arrange<M>::value) made.arrange = arrange<M>;
    return made;
}

/* Returns whether a text can be part of a full class name. */
constexpr bool is_name(std::string_view text) {
    for (const char c : text)
        if (c == ' ' || c == '/' || c == '\t' || c == '\n') return false;
    return !text.empty();
}

/* Returns the models of a plugin. Those without a version have that of the plugin. */
template <class... M>
constexpr auto plugin_models(std::string_view vendor, std::string_view name, std::string_view version, M... models) {
    require(is_name(vendor) && is_name(name) && is_name(version), "vendor, name and version are words");
    std::array<simhost_model, sizeof...(M)> made{models...};
    for (auto &model : made) {
        require(is_name(view(model.id)), "the name of a class is a word");
        if (model.version.len == 0) model.version = text(version);
    }
    return made;
}
template <std::size_t... K>
constexpr auto refs(const simhost_model *models, std::index_sequence<K...>) {
    return std::array<simhost_model_ref, sizeof...(K)>{&models[K]...};
}

} // namespace detail

/* ---- Suspensions: one axle of each vehicle ---- */

/* The inputs of a suspension: travel of both wheels and of the rack, and what the ground does to the wheels. */
struct AxleMotion {
    double travel_left, travel_right, travel_rate_left, travel_rate_right, rack, fx_left, fx_right,
        fy_left, fy_right, fz_left, fz_right, mx_left, mx_right, mz_left, mz_right, shaft_torque_left,
        shaft_torque_right, half_track, wheel_radius;
    static constexpr auto ports = simhost::ports(
        simhost::port(&AxleMotion::travel_left, "travel_left", "m",
                      "travel of the left wheel centre against the body from its position at rest"),
        simhost::port(&AxleMotion::travel_right, "travel_right", "m",
                      "travel of the right wheel centre against the body from its position at rest"),
        simhost::port(&AxleMotion::travel_rate_left, "travel_rate_left", "m/s",
                      "rate of change of the travel of the left wheel"),
        simhost::port(&AxleMotion::travel_rate_right, "travel_rate_right", "m/s",
                      "rate of change of the travel of the right wheel"),
        simhost::port(&AxleMotion::rack, "rack", "m",
                      "travel of the steering rack from its position at rest"),
        simhost::port(&AxleMotion::fx_left, "fx_left", "N",
                      "forward force of the ground on the left wheel"),
        simhost::port(&AxleMotion::fx_right, "fx_right", "N",
                      "forward force of the ground on the right wheel"),
        simhost::port(&AxleMotion::fy_left, "fy_left", "N",
                      "leftward force of the ground on the left wheel"),
        simhost::port(&AxleMotion::fy_right, "fy_right", "N",
                      "leftward force of the ground on the right wheel"),
        simhost::port(&AxleMotion::fz_left, "fz_left", "N",
                      "upward force of the ground on the left wheel"),
        simhost::port(&AxleMotion::fz_right, "fz_right", "N",
                      "upward force of the ground on the right wheel"),
        simhost::port(&AxleMotion::mx_left, "mx_left", "N·m",
                      "overturning moment of the ground on the left wheel"),
        simhost::port(&AxleMotion::mx_right, "mx_right", "N·m",
                      "overturning moment of the ground on the right wheel"),
        simhost::port(&AxleMotion::mz_left, "mz_left", "N·m",
                      "aligning moment of the ground on the left wheel"),
        simhost::port(&AxleMotion::mz_right, "mz_right", "N·m",
                      "aligning moment of the ground on the right wheel"),
        simhost::port(&AxleMotion::shaft_torque_left, "shaft_torque_left", "N·m",
                      "torque of a drive shaft from the body on the left wheel"),
        simhost::port(&AxleMotion::shaft_torque_right, "shaft_torque_right", "N·m",
                      "torque of a drive shaft from the body on the right wheel"),
        simhost::port(&AxleMotion::half_track, "half_track", "m",
                      "distance of the wheel centres at rest from the middle of the vehicle"),
        simhost::port(&AxleMotion::wheel_radius, "wheel_radius", "m",
                      "distance of the wheel centres at rest from the ground"));
};

/* The outputs of a suspension. */
struct AxleKinematics {
    double camber_left, camber_right, toe_left, toe_right, track_left, track_right, longitudinal_left,
        longitudinal_right, caster_left, caster_right, spring_left, spring_right, motion_ratio_left,
        motion_ratio_right, jacking_left, jacking_right, roll_centre_kinematic, roll_centre_constructed;
    static constexpr auto ports = simhost::ports(
        simhost::port(&AxleKinematics::camber_left, "camber_left", "rad",
                      "camber of the left wheel"),
        simhost::port(&AxleKinematics::camber_right, "camber_right", "rad",
                      "camber of the right wheel"),
        simhost::port(&AxleKinematics::toe_left, "toe_left", "rad",
                      "toe of the left wheel"),
        simhost::port(&AxleKinematics::toe_right, "toe_right", "rad",
                      "toe of the right wheel"),
        simhost::port(&AxleKinematics::track_left, "track_left", "m",
                      "outboard displacement of the left contact point from its position at rest"),
        simhost::port(&AxleKinematics::track_right, "track_right", "m",
                      "outboard displacement of the right contact point from its position at rest"),
        simhost::port(&AxleKinematics::longitudinal_left, "longitudinal_left", "m",
                      "forward displacement of the left wheel centre from its position at rest"),
        simhost::port(&AxleKinematics::longitudinal_right, "longitudinal_right", "m",
                      "forward displacement of the right wheel centre from its position at rest"),
        simhost::port(&AxleKinematics::caster_left, "caster_left", "rad",
                      "caster angle of the left wheel"),
        simhost::port(&AxleKinematics::caster_right, "caster_right", "rad",
                      "caster angle of the right wheel"),
        simhost::port(&AxleKinematics::spring_left, "spring_left", "m",
                      "compression of the left spring from its length at rest"),
        simhost::port(&AxleKinematics::spring_right, "spring_right", "m",
                      "compression of the right spring from its length at rest"),
        simhost::port(&AxleKinematics::motion_ratio_left, "motion_ratio_left", "1",
                      "compression of the left spring per travel of its wheel"),
        simhost::port(&AxleKinematics::motion_ratio_right, "motion_ratio_right", "1",
                      "compression of the right spring per travel of its wheel"),
        simhost::port(&AxleKinematics::jacking_left, "jacking_left", "N",
                      "upward force on the body that the left links transmit from the forces of the ground"),
        simhost::port(&AxleKinematics::jacking_right, "jacking_right", "N",
                      "upward force on the body that the right links transmit from the forces of the ground"),
        simhost::port(&AxleKinematics::roll_centre_kinematic, "roll_centre_kinematic", "m",
                      "height above the ground of the kinematic roll centre"),
        simhost::port(&AxleKinematics::roll_centre_constructed, "roll_centre_constructed", "m",
                      "height above the ground of the constructed roll centre"));
};

/* A class of each kind: its name in class="..." and its description. */
template <class M> constexpr simhost_model friction(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_FRICTION, detail::OfFriction<M>::phases, id, doc);
}
template <class M> constexpr simhost_model dynamics(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_DYNAMICS, detail::OfDynamics<M>::phases, id, doc);
}
template <class M> constexpr simhost_model controller(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_CONTROLLER, detail::OfController<M>::phases, id, doc);
}
template <class M> constexpr simhost_model sensor(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_SENSOR, detail::OfSensor<M>::phases, id, doc);
}
template <class M> constexpr simhost_model actuator(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_ACTUATOR, detail::OfActuator<M>::phases, id, doc);
}
/* A suspension has the function void kinematics(const AxleMotion &, AxleKinematics &, const Step &) const, or one
 * with its own classes of ports. A lane is a vehicle, and a call computes one axle of each. */
template <class M> constexpr simhost_model suspension(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_SUSPENSION, detail::OfSuspension<M>::phases, id, doc);
}
/* An environment has one state for the whole world. `update` advances it once per step; the other functions
 * can be left out. They read the state and must not change the memory:
 *
 *     void update(const Step &, State &) const;
 *     Wind wind(const Point &, const Step &, const State &) const;
 *     Surface surface(const Point &, const Step &, const State &) const;
 *     double gravity(const Step &, const State &) const;        m/s², negative for that of the world
 */
template <class M> constexpr simhost_model environment(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_ENVIRONMENT, detail::OfEnvironment<M>::phases, id, doc);
}
/* A fleet has the function void command(Fleet<In, Out> &) const, or Fleet<In, Out, State>, and `commands`. */
template <class M> constexpr simhost_model fleet(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_FLEET, detail::OfFleet<M>::phases, id, doc);
}
/* An observer has a class Run and the functions
 *
 *     void select(Selection &) const;
 *     Run start(const Start &) const;
 *     std::optional<std::string> step(Run &, const Sample &) const;   a text ends the run, with the flag STOPS
 *     void end(Run &, End &) const;
 */
template <class M> constexpr simhost_model observer(std::string_view id, std::string_view doc) {
    return detail::model<M>(SIMHOST_KIND_OBSERVER, detail::OfObserver<M>::phases, id, doc);
}

} // namespace simhost

/* Exports a plugin: vendor, name, version, and one or more classes. Once per library, outside of any
 * namespace. */
#define SIMHOST_PLUGIN(vendor, name, version, ...)                                              \
    static constexpr auto simhost_models =                                                      \
        simhost::detail::plugin_models(vendor, name, version, __VA_ARGS__);                     \
    static constexpr auto simhost_model_refs = simhost::detail::refs(                           \
        simhost_models.data(), std::make_index_sequence<simhost_models.size()>{});              \
    constexpr simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR(vendor),            \
        SIMHOST_STR(name), SIMHOST_STR(version), {simhost_model_refs.data(),                    \
        simhost_model_refs.size()}}

#endif
