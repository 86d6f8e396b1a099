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
 */
#ifndef SIMHOST_PLUGIN_HPP
#define SIMHOST_PLUGIN_HPP

#include "simhost_plugin.h"

#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

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
    /* Time from the sample to the start of the step, s: infinite before the first one. */
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

/* The step and the lane of a call. */
struct Step {
    double time;                      /* start of the step, s */
    double dt;                        /* length of the step, s */
    std::size_t lane;                 /* number of the lane */
    std::uint64_t key;                /* key of the random stream of the lane, 0 without one */
    const simhost_services *services; /* services of the host, or null */
    /* Returns the random stream of the lane: of a sensor, or of a model with the flag RANDOM. */
    Random random() const { return Random(key); }
};

/* Thrown by a phase that cannot take a step of this length: a step that works, s. */
struct StepTooLarge : std::runtime_error {
    StepTooLarge(const std::string &text, double dt) : std::runtime_error(text), suggested_dt(dt) {}
    double suggested_dt;
};

/* ---- Declarations ---------------------------------------------------------------------------- */

constexpr simhost_str text(std::string_view text) { return {text.data(), text.size()}; }

namespace detail {

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
template <class Owner, class Field> using Port = Member<Owner, Field, simhost_port_desc>;
template <class Owner, class Field> using Param = Member<Owner, Field, simhost_param_desc>;
template <class Owner> using State = Member<Owner, double, simhost_state_desc>;

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

template <class Field, class Owner>
constexpr auto param(Field Owner::*member, std::uint32_t kind, std::string_view key,
                     std::string_view unit, std::string_view doc, simhost_value value, double min,
                     double max, double scale) {
    require(min <= max, "the range of a parameter is empty");
    require(!(value.number < min || value.number > max), "a default is out of range");
    return Param<Owner, Field>{
        member,
        {(std::uint32_t)sizeof(simhost_param_desc), kind, 0, 0, text(key), SIMHOST_EMPTY, text(doc),
         text(unit), scale, min, max, value, SIMHOST_EMPTY, SIMHOST_EMPTY}};
}

constexpr simhost_value number(double number, std::uint32_t tag = SIMHOST_VALUE_NUMBER) {
    return {tag, 0, number, SIMHOST_STR(""), SIMHOST_EMPTY};
}

constexpr double INFINITE = std::numeric_limits<double>::infinity();

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
/* The ports of a phase, in any order. */
template <class... P> constexpr auto ports(P... members) { return detail::table(members...); }

/* A parameter: its member, key, unit, description, default, smallest and largest value. */
template <class Owner>
constexpr auto number(double Owner::*member, std::string_view key, std::string_view unit,
                      std::string_view doc, double value, double min = -detail::INFINITE,
                      double max = detail::INFINITE) {
    return detail::param(member, SIMHOST_PARAM_NUMBER, key, unit, doc, detail::number(value), min,
                         max, 1.0);
}
/* An angle in degrees in the world file, and in radians in the model. */
template <class Owner>
constexpr auto degrees(double Owner::*member, std::string_view key, std::string_view doc,
                       double value, double min = -detail::INFINITE,
                       double max = detail::INFINITE) {
    return detail::param(member, SIMHOST_PARAM_NUMBER, key, "deg", doc, detail::number(value), min,
                         max, 3.14159265358979323846 / 180.0);
}
template <class Owner>
constexpr auto integer(long Owner::*member, std::string_view key, std::string_view doc, long value,
                       long min, long max) {
    return detail::param(member, SIMHOST_PARAM_INTEGER, key, "1", doc, detail::number(double(value)),
                         double(min), double(max), 1.0);
}
template <class Owner>
constexpr auto boolean(bool Owner::*member, std::string_view key, std::string_view doc,
                       bool value) {
    return detail::param(member, SIMHOST_PARAM_BOOL, key, "1", doc,
                         detail::number(value, SIMHOST_VALUE_BOOL), 0.0, 1.0, 1.0);
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
/* The states of a model: `slots` of its class State, which phases take as their last argument. */
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

namespace detail {

/* Presence of optional members of a model. */
#define SIMHOST_HAS(what)                                                       \
    template <class M, class = void> struct Has_##what : std::false_type {};    \
    template <class M>                                                          \
    struct Has_##what<M, std::void_t<decltype(&M::what)>> : std::true_type {};
SIMHOST_HAS(params)
SIMHOST_HAS(commands)
SIMHOST_HAS(wheels)
SIMHOST_HAS(outline)
SIMHOST_HAS(chassis)
SIMHOST_HAS(flags)
SIMHOST_HAS(schema)
SIMHOST_HAS(prepare)
SIMHOST_HAS(rays)
SIMHOST_HAS(drive)
SIMHOST_HAS(wrench)
SIMHOST_HAS(motion)
SIMHOST_HAS(measure)
SIMHOST_HAS(rates)
#undef SIMHOST_HAS
template <class M, class = void> struct Has_state : std::false_type {};
template <class M> struct Has_state<M, std::void_t<typename M::State>> : std::true_type {};

/* The classes in the signature of a phase. */
template <class F> struct Signature;
template <class M, class I, class O> struct Signature<void (M::*)(const I &, O &, const Step &) const> {
    using Model = M;
    using In = I;
    using Out = O;
    static constexpr bool has_state = false;
};
template <class M, class I, class O, class S>
struct Signature<void (M::*)(const I &, O &, const Step &, S &) const> {
    using Model = M;
    using In = I;
    using Out = O;
    using State = S;
    static constexpr bool has_state = true;
};

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

template <class Field, class Columns>
void read_at(Field &field, Columns columns, std::size_t k, const simhost_batch &batch,
             std::size_t lane) {
    if constexpr (std::is_same_v<Field, Reading>)
        field = Reading(batch, k, lane);
    else
        read(field, columns[k], batch, lane);
}

template <class Owner, class Table, class Columns>
void read_all(Owner &owner, const Table &members, Columns columns, const simhost_batch &batch,
              std::size_t lane) {
    std::size_t k = 0;
    std::apply([&](const auto &...m) { (read_at(owner.*m.member, columns, k++, batch, lane), ...); },
               members);
}

/* Writes the values of scope instance. Those of other scopes were written in place. */
template <class Owner, class Table>
void write_all(const Owner &owner, const Table &members, double *const *columns, std::size_t lane) {
    std::size_t k = 0;
    const auto write = [&](const auto &value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) columns[k][lane] = value;
        k++;
    };
    std::apply([&](const auto &...m) { (write(owner.*m.member), ...); }, members);
}

/* Prepares outputs: a value that the model does not write is not a number, which the host reports. */
template <class Owner, class Table>
void prepare_outputs(Owner &owner, const Table &members, const simhost_batch &batch,
                     std::size_t lane) {
    std::size_t k = 0;
    const auto prepare = [&](auto &value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>)
            value = std::numeric_limits<double>::quiet_NaN();
        else
            read(value, batch.outputs[k], batch, lane);
        k++;
    };
    std::apply([&](const auto &...m) { (prepare(owner.*m.member), ...); }, members);
}

template <auto Phase> void call_lane(const void *handle, const simhost_batch &batch, std::size_t lane) {
    using S = Signature<decltype(Phase)>;
    const auto &model = *static_cast<const typename S::Model *>(handle);
    typename S::In in{};
    typename S::Out out{};
    read_all(in, S::In::ports, batch.inputs, batch, lane);
    prepare_outputs(out, S::Out::ports, batch, lane);
    const Step step{batch.time, batch.dt, lane, batch.streams ? batch.streams[lane] : 0, batch.services};
    if constexpr (S::has_state) {
        typename S::State state{};
        read_all(state, S::State::slots, batch.states, batch, lane);
        (model.*Phase)(in, out, step, state);
        write_all(state, S::State::slots, batch.states, lane);
    } else {
        (model.*Phase)(in, out, step);
    }
    write_all(out, S::Out::ports, batch.outputs, lane);
}

template <auto Phase>
std::uint32_t call(const void *handle, const simhost_batch *batch, simhost_fault *fault) noexcept {
    std::size_t lane = batch->first;
    try {
        for (; lane < batch->first + batch->count; lane++) call_lane<Phase>(handle, *batch, lane);
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

inline void take(double &field, const simhost_value &value) { field = value.number; }
inline void take(long &field, const simhost_value &value) { field = long(value.number); }
inline void take(bool &field, const simhost_value &value) { field = value.number != 0.0; }

template <class M>
std::uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) noexcept {
    const auto make = [&] {
        auto model = std::make_unique<M>();
        if constexpr (Has_params<M>::value) {
            if (values.len != std::tuple_size_v<std::decay_t<decltype(M::params)>>)
                throw std::invalid_argument("another number of parameters is declared");
            std::size_t k = 0;
            std::apply([&](const auto &...p) { (take((*model).*p.member, values.data[k++]), ...); },
                       M::params);
        }
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

/* The static tables of a model, to which its descriptor points. */
template <auto Phase> struct PhaseTables {
    using S = Signature<decltype(Phase)>;
    static constexpr auto inputs = descs<simhost_port_desc>(S::In::ports);
    static constexpr auto outputs = descs<simhost_port_desc>(S::Out::ports);
};

template <auto Phase> constexpr simhost_phase phase(std::string_view id) {
    using T = PhaseTables<Phase>;
    return {(std::uint32_t)sizeof(simhost_phase), 0, text(id), {T::inputs.data(), T::inputs.size()},
            {T::outputs.data(), T::outputs.size()}, call<Phase>};
}

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

template <class M, class Phases>
constexpr simhost_model model(std::uint32_t kind, const Phases &phases, std::string_view id,
                              std::string_view doc) {
    using T = ModelTables<M>;
    simhost_model made{};
    made.size = (std::uint32_t)sizeof(simhost_model);
    made.kind = kind;
    made.id = text(id);
    made.version = text("0.1.0");
    made.doc = text(doc);
    made.params = {T::param_descs.data(), T::param_descs.size()};
    made.states = {T::state_descs.data(), T::state_descs.size()};
    made.phases = {phases.data(), phases.size()};
    made.create = create<M>;
    made.destroy = destroy<M>;
    if constexpr (Has_flags<M>::value) made.flags = M::flags;
    if constexpr (Has_schema<M>::value) made.schema = M::schema;
    if constexpr (Has_commands<M>::value) made.commands = {M::commands.data(), M::commands.size()};
    if constexpr (Has_wheels<M>::value) made.wheels = {M::wheels.data(), M::wheels.size()};
    if constexpr (Has_chassis<M>::value) made.chassis = &M::chassis;
    if constexpr (Has_rays<M>::value) made.capacity = capacity<M>;
    return made;
}

template <std::size_t... K>
constexpr auto refs(const simhost_model *models, std::index_sequence<K...>) {
    return std::array<simhost_model_ref, sizeof...(K)>{&models[K]...};
}

} // namespace detail

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

} // namespace simhost

/* Exports a plugin: vendor, name, version, and one or more classes. Once per library, outside of any
 * namespace. */
#define SIMHOST_PLUGIN(vendor, name, version, ...)                                              \
    static constexpr simhost_model simhost_models[] = {__VA_ARGS__};                            \
    static constexpr auto simhost_model_refs = simhost::detail::refs(                           \
        simhost_models,                                                                         \
        std::make_index_sequence<sizeof(simhost_models) / sizeof(simhost_models[0])>{});        \
    constexpr simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR(vendor),            \
        SIMHOST_STR(name), SIMHOST_STR(version), {simhost_model_refs.data(),                    \
        simhost_model_refs.size()}}

#endif
