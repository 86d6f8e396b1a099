/* Models with one defect each, for tests of the validator. The model `good` has no defect. They are in C
 * because the SDK excludes most of these defects. Macros put defects into the descriptor of the file. */
#define _GNU_SOURCE
#include "simhost_plugin.h"

#include <fenv.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef HEAD
#define HEAD SIMHOST_HEAD
#endif
#ifndef DOC
#define DOC "A tyre for tests."
#endif
#ifndef MORE_PARAMS
#define MORE_PARAMS
#endif
#ifndef DEFAULT
#define DEFAULT 0.8
#endif

typedef struct instance {
    double value;
    double hidden;
} instance;

static volatile double shared;
static volatile double calls;

static double limit(double x, double most) { return x > most ? most : x < -most ? -most : x; }

/* ---- Instances ---- */

static uint32_t refuse(simhost_fault *fault, const char *text) {
    memset(fault, 0, sizeof *fault);
    fault->code = SIMHOST_FAULT_REFUSED;
    fault->text_len = (uint32_t)strlen(text);
    memcpy(fault->text, text, fault->text_len);
    return SIMHOST_FAULT_REFUSED;
}

static uint32_t take(simhost_value_slice values, void **handle) {
    instance *made = calloc(1, sizeof *made);
    made->value = values.len > 0 ? values.data[0].number : 0.0;
    shared = made->value;
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    return values.len == 1 ? take(values, handle) : refuse(fault, "expected one value");
}

static uint32_t create_bare(simhost_value_slice values, void **handle, simhost_fault *fault) {
    return values.len == 0 ? take(values, handle) : refuse(fault, "expected no value");
}

static uint32_t create_any(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)fault;
    return take(values, handle);
}

static uint32_t create_leak(simhost_value_slice values, void **handle, simhost_fault *fault) {
    char *lost = malloc(1 << 16);
    memset(lost, 1, 1 << 16);
    shared = lost[7];
    return create(values, handle, fault);
}

/* ---- Memories ---- */

typedef struct memory {
    double sum;
    double count;
} memory;

static uint32_t memory_create(const void *handle, void **made, simhost_fault *fault) {
    (void)handle, (void)fault;
    *made = calloc(1, sizeof(memory));
    return SIMHOST_FAULT_NONE;
}

static uint32_t memory_save(const void *from, void *sink, simhost_write_fn write,
                            simhost_fault *fault) {
    (void)fault;
    write(sink, from, sizeof(memory));
    return SIMHOST_FAULT_NONE;
}

static uint32_t memory_load(const void *handle, uint32_t schema, simhost_byte_slice bytes,
                            void **made, simhost_fault *fault) {
    (void)handle, (void)schema;
    if (bytes.len != sizeof(memory))
        return refuse(fault, "expected 16 bytes");
    *made = malloc(sizeof(memory));
    memcpy(*made, bytes.data, sizeof(memory));
    return SIMHOST_FAULT_NONE;
}

static uint32_t load_half(const void *handle, uint32_t schema, simhost_byte_slice bytes, void **made,
                          simhost_fault *fault) {
    uint32_t code = memory_load(handle, schema, bytes, made, fault);
    if (code == SIMHOST_FAULT_NONE)
        ((memory *)*made)->count = 0.0;
    return code;
}

static uint32_t load_cut(const void *handle, uint32_t schema, simhost_byte_slice bytes, void **made,
                         simhost_fault *fault) {
    if (bytes.len < sizeof(memory))
        abort();
    return memory_load(handle, schema, bytes, made, fault);
}

static uint32_t load_pointer(const void *handle, uint32_t schema, simhost_byte_slice bytes,
                             void **made, simhost_fault *fault) {
    double first = 0.0;
    if (bytes.len == sizeof(memory))
        memcpy(&first, bytes.data, sizeof first);
    /* the saved memory is small */
    if (!(first > -1e6 && first < 1e6))
        shared = *(volatile const double *)(uintptr_t)8;
    return memory_load(handle, schema, bytes, made, fault);
}

#define TABLE(load) {sizeof(simhost_memory_table), 0, memory_create, free, memory_save, load}
static const simhost_memory_table good_table = TABLE(memory_load), half_table = TABLE(load_half),
                                  cut_table = TABLE(load_cut), pointer_table = TABLE(load_pointer);

static const void *answer(simhost_str id, const simhost_memory_table *table) {
    int is = id.len == strlen(SIMHOST_MEMORY_ABILITY) &&
             memcmp(id.data, SIMHOST_MEMORY_ABILITY, id.len) == 0;
    return is ? table : NULL;
}
static const void *has_good(simhost_str id) { return answer(id, &good_table); }
static const void *has_half(simhost_str id) { return answer(id, &half_table); }
static const void *has_cut(simhost_str id) { return answer(id, &cut_table); }
static const void *has_pointer(simhost_str id) { return answer(id, &pointer_table); }

static uint32_t panic(simhost_fault *fault) {
    (void)fault;
    abort();
}
static const struct {
    uint32_t size, reserved;
    uint32_t (*panic)(simhost_fault *);
} selftest = {16, 0, panic};
static const void *has_selftest(simhost_str id) {
    static const char name[] = "simhost.selftest/1";
    return id.len == sizeof name - 1 && memcmp(id.data, name, id.len) == 0 ? &selftest : NULL;
}

/* ---- Tyres ---- */

/* One lane: `v` and `w` are the sliding velocities, `N` is the load, `F` and `G` are the force. */
#define TYRE(name, body)                                                                         \
    static uint32_t name(const void *handle, const simhost_batch *batch, simhost_fault *fault) { \
        instance *self = (instance *)(uintptr_t)handle;                                          \
        (void)self, (void)fault;                                                                 \
        for (size_t i = batch->first; i < batch->first + batch->count; i++) {                    \
            double vx = batch->inputs[0][i], w = batch->inputs[1][i];                            \
            double v = vx - 0.2 * batch->inputs[2][i], N = batch->inputs[3][i];                  \
            double F = -limit(200.0 * v, self->value * N), G = -limit(200.0 * w, self->value * N);\
            (void)vx;                                                                            \
            body;                                                                                \
            batch->outputs[0][i] = F, batch->outputs[1][i] = G, batch->outputs[2][i] = -0.2 * F; \
        }                                                                                        \
        return SIMHOST_FAULT_NONE;                                                               \
    }

/* As a tyre, and `more` after the lanes. */
#define BATCH(name, more)                                                                        \
    static uint32_t name(const void *handle, const simhost_batch *batch, simhost_fault *fault) { \
        const size_t first = batch->first, end = first + batch->count;                           \
        good(handle, batch, fault);                                                              \
        (void)first, (void)end;                                                                  \
        more;                                                                                    \
        return SIMHOST_FAULT_NONE;                                                               \
    }

TYRE(good, )
BATCH(writes_inputs, for (size_t i = first; i < end; i++) ((double *)batch->inputs[3])[i] *= 0.5)
BATCH(writes_before, batch->outputs[0][(ptrdiff_t)first - 1] = 0.0)
BATCH(reads_after, for (size_t i = first; i < end; i++) shared += batch->inputs[0][i + 40])
BATCH(rounds, fesetround(FE_UPWARD))
static uint32_t writes_two(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const instance *self = handle;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        batch->outputs[0][i] = -limit(200.0 * batch->inputs[0][i], self->value * batch->inputs[3][i]);
        batch->outputs[1][i] = 0.0;
    }
    return SIMHOST_FAULT_NONE;
}
TYRE(drags, F -= 3.0 * v; G -= 3.0 * w)
TYRE(drags_more, F -= 30.0 * v; G -= 30.0 * w)
TYRE(pushes, F += 3.0 * v)
TYRE(crashes, if (batch->dt > 0.0) abort())
TYRE(remembers, memory *m = batch->memories[i]; m->sum += 0.001 * w; m->count += 1.0)
TYRE(divides, F = F / self->value * self->value)
TYRE(global, F *= 1.0 + shared)
TYRE(races, shared = vx; for (int k = 0; k < 20; k++) sched_yield(); F += shared - vx)
TYRE(zero_step, if (!(batch->dt > 0.0)) abort())
TYRE(unwinds, while (vx > 10.0) vx -= 1.0; F += 0.0 * vx)
TYRE(nan_backwards, if (vx < 0.0) F = 0.0 / 0.0 * vx)
TYRE(allocates, void *volatile p = malloc(24); free(p))
TYRE(prints, printf("slip %f\n", v))
TYRE(hides, self->hidden += 1e-3; F += self->hidden)
TYRE(counts, calls += 1.0; F += 1e-6 * calls)
TYRE(by_second, F += 1e-9 * (double)(time(NULL) % 1000))
TYRE(late, if (batch->time > 1.5) F = 0.0 / 0.0)
TYRE(by_first, if (batch->first > 0) F *= 1.0 + 1e-12)
TYRE(by_count, if (batch->count >= 4) F *= 1.0 + 1e-12)
TYRE(creeps, F += 3.0)
TYRE(drives, F = -F)
TYRE(one_sided, G = -limit(200.0 * (w > 0.0 ? w : 0.5 * w), 0.8 * N))
TYRE(grips, F = -200.0 * v)
TYRE(switches, F = v > 0.0 ? -0.8 * N : v < 0.0 ? 0.8 * N : 0.0)
TYRE(by_load, F = F * N / N)
TYRE(by_step, F *= 200.0 * batch->dt)
TYRE(by_time, if (batch->time > 2.0) F *= 0.5)
BATCH(writes_far, for (ptrdiff_t k = 1; k <= 64; k++) batch->outputs[0][(ptrdiff_t)first - k] = 0.5)

#define IN(name, unit) SIMHOST_PORT(name, unit, "what a tyre reads", 0)
#ifndef VX
#define VX "vx"
#endif
static const simhost_port_desc tyre_inputs[] = {
    IN(VX, "m/s"), IN("vy", "m/s"), IN("spin", "rad/s"), IN("normal_force", "N")};
static const simhost_port_desc tyre_outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force to the left", 0),
    SIMHOST_PORT("spin_torque", "N·m", "torque about the axle", 0)};
#define NUMBER(key, unit, value, most)                                                       \
    {(uint32_t)sizeof(simhost_param_desc), SIMHOST_PARAM_NUMBER, 0, 0, SIMHOST_STR(key),     \
     SIMHOST_EMPTY, SIMHOST_STR("More of it and there is more."), SIMHOST_STR(unit), 1.0,    \
     0.0, most, SIMHOST_NUMBER(value), SIMHOST_EMPTY, SIMHOST_EMPTY}
static const simhost_param_desc tyre_params[] = {NUMBER("mu", "1", DEFAULT, 2.0) MORE_PARAMS};

#define PHASE(id, inputs, outputs, call) \
    {sizeof(simhost_phase), 0, SIMHOST_STR(id), inputs, outputs, call}
#define PHASES(name, ...) static const simhost_phase name##_phases[] = {__VA_ARGS__}
#define MODEL(name, kind, params, wheels, chassis, create, ability)                             \
    static const simhost_model name##_model = {sizeof(simhost_model), kind, 0, 0,               \
        SIMHOST_STR(#name), SIMHOST_STR("1.0.0"), SIMHOST_STR(DOC), params, SIMHOST_EMPTY,      \
        SIMHOST_EMPTY, wheels, chassis, SIMHOST_SLICE(name##_phases), create, free, NULL, NULL, \
        ability}
#define FRICTION(name, force, create, ability)                                                   \
    PHASES(name, PHASE("force", SIMHOST_SLICE(tyre_inputs), SIMHOST_SLICE(tyre_outputs), force)); \
    MODEL(name, SIMHOST_KIND_FRICTION, SIMHOST_SLICE(tyre_params), SIMHOST_EMPTY, NULL, create,  \
          ability)

FRICTION(good, good, create, NULL);
FRICTION(good_memory, remembers, create, has_good);
FRICTION(param_unknown_rejected, good, create_any, NULL);
FRICTION(param_fuzz_bounds, divides, create, NULL);
FRICTION(create_destroy_1000, good, create_leak, NULL);
FRICTION(two_instances_independent, global, create, NULL);
FRICTION(instances_parallel, races, create, NULL);
FRICTION(step_zero_dt, zero_step, create, NULL);
FRICTION(step_nonfinite_input, unwinds, create, NULL);
FRICTION(step_output_finite, nan_backwards, create, NULL);
FRICTION(outputs_written, writes_two, create, NULL);
FRICTION(inputs_unchanged, writes_inputs, create, NULL);
FRICTION(lanes_of_the_call, writes_before, create, NULL);
FRICTION(column_bounds, reads_after, create, NULL);
FRICTION(float_control, rounds, create, NULL);
FRICTION(crashes, crashes, create, NULL);
FRICTION(no_alloc_in_step, allocates, create, NULL);
FRICTION(no_stdout, prints, create, NULL);
FRICTION(state_roundtrip, remembers, create, has_half);
FRICTION(state_truncated, remembers, create, has_cut);
FRICTION(state_random_bytes, remembers, create, has_pointer);
FRICTION(state_resume_bitwise, hides, create, NULL);
FRICTION(determinism_repeat, counts, create, NULL);
FRICTION(determinism_process, by_second, create, NULL);
FRICTION(late, late, create, NULL);
FRICTION(determinism_thread_count, by_first, create, NULL);
FRICTION(batch_equals_scalar, by_count, create, NULL);
FRICTION(panic_contained, good, create, has_selftest);
FRICTION(friction_zero_slip, creeps, create, NULL);
FRICTION(friction_opposes_slip, drives, create, NULL);
FRICTION(friction_mirror, one_sided, create, NULL);
FRICTION(friction_limit, grips, create, NULL);
FRICTION(friction_continuous, switches, create, NULL);
FRICTION(friction_no_nan, by_load, create, NULL);
FRICTION(friction_halving_dt, by_step, create, NULL);
FRICTION(writes_far, writes_far, create, NULL);

#include "bad_tyres.h"

/* Tyres that declare a viscous resistance of 3 N·s/m. */
static const simhost_param_desc viscous_params[] = {
    NUMBER("mu", "1", 0.8, 2.0), NUMBER("drag", "N·s/m", 3.0, 100.0)};
static uint32_t create_two(simhost_value_slice values, void **handle, simhost_fault *fault) {
    return values.len == 2 ? take(values, handle) : refuse(fault, "expected two values");
}
#define VISCOUS(name, force)                                                                     \
    PHASES(name, PHASE("force", SIMHOST_SLICE(tyre_inputs), SIMHOST_SLICE(tyre_outputs), force)); \
    MODEL(name, SIMHOST_KIND_FRICTION, SIMHOST_SLICE(viscous_params), SIMHOST_EMPTY, NULL,       \
          create_two, NULL)
VISCOUS(good_drag, drags);
VISCOUS(too_much_drag, drags_more);
VISCOUS(drag_forwards, pushes);

/* Tyres whose coefficient of friction differs between lanes. One of them reads what `create` received. */
TYRE(reads_lanes, const double mu = simhost_param(batch, 4, i, self->value);
     F = -limit(200.0 * v, mu * N); G = -limit(200.0 * w, mu * N))
static const simhost_param_desc lane_params[] = {
    SIMHOST_LANE_PARAM("mu", "1", "More of it and it slides less.", 0.8, 0.0, 2.0)};
static const simhost_port_desc lane_inputs[] = {
    IN("vx", "m/s"), IN("vy", "m/s"), IN("spin", "rad/s"), IN("normal_force", "N"),
    SIMHOST_PARAMETER_PORT("mu", "1", "coefficient of the lane")};
#define OF_LANES(name, force)                                                                    \
    PHASES(name, PHASE("force", SIMHOST_SLICE(lane_inputs), SIMHOST_SLICE(tyre_outputs), force)); \
    MODEL(name, SIMHOST_KIND_FRICTION, SIMHOST_SLICE(lane_params), SIMHOST_EMPTY, NULL, create,  \
          NULL)
OF_LANES(good_lanes, reads_lanes);
OF_LANES(parameters_per_lane, good);

/* ---- Vehicles: two wheels; wheel w of a lane is at [w * stride + i] ---- */

#define VEHICLE(name, left, right)                                                              \
    static uint32_t name(const void *handle, const simhost_batch *batch, simhost_fault *fault) { \
        (void)handle, (void)fault;                                                               \
        for (size_t i = batch->first; i < batch->first + batch->count; i++) {                    \
            size_t j = batch->wheel_stride + i;                                                  \
            double l = batch->inputs[0][i], r = batch->inputs[1][i];                             \
            double spin_l = batch->inputs[2][i], spin_r = batch->inputs[2][j];                   \
            (void)spin_l, (void)spin_r;                                                          \
            batch->outputs[0][i] = left, batch->outputs[0][j] = right;                           \
            batch->outputs[1][i] = batch->outputs[1][j] = 0.0;                                   \
        }                                                                                        \
        return SIMHOST_FAULT_NONE;                                                               \
    }
VEHICLE(speeds_up, l + 0.5 * spin_l, r + 0.5 * spin_r)
VEHICLE(pulls, 2.0 * l, r)
VEHICLE(per_step, l / batch->dt, r / batch->dt)

static uint32_t nothing(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)batch, (void)fault;
    return SIMHOST_FAULT_NONE;
}

#define WHEEL_PORT(name, unit)                                                             \
    {(uint32_t)sizeof(simhost_port_desc), SIMHOST_SCOPE_WHEEL, 0, 0, SIMHOST_STR(name),    \
     SIMHOST_STR(unit), SIMHOST_STR("of a wheel"), 0.0, SIMHOST_STR(""), SIMHOST_STR(""), 1.0}
static const simhost_port_desc vehicle_inputs[] = {IN("torque_left", "N·m"),
    IN("torque_right", "N·m"), WHEEL_PORT("spin", "rad/s")};
static const simhost_port_desc vehicle_outputs[] = {
    WHEEL_PORT("torque", "N·m"), WHEEL_PORT("steer", "rad")};
static const simhost_wheel_desc wheels[] = {
    {sizeof(simhost_wheel_desc), 0, SIMHOST_STR("l_wheel"), 0.0, 0.5},
    {sizeof(simhost_wheel_desc), 0, SIMHOST_STR("r_wheel"), 0.0, -0.5}};
static const double polygon[] = {-0.5, -0.5, 0.5, -0.5, 0.0, 0.5};
static const simhost_chassis_desc chassis = {
    sizeof(simhost_chassis_desc), 0, 20.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};
#define DYNAMICS(name, drive)                                                                   \
    PHASES(name,                                                                                 \
           PHASE("drive", SIMHOST_SLICE(vehicle_inputs), SIMHOST_SLICE(vehicle_outputs), drive), \
           PHASE("measure", SIMHOST_EMPTY, SIMHOST_EMPTY, nothing));                             \
    MODEL(name, SIMHOST_KIND_DYNAMICS, SIMHOST_EMPTY, SIMHOST_SLICE(wheels), &chassis,           \
          create_bare, NULL)
DYNAMICS(dynamics_no_energy, speeds_up);
DYNAMICS(dynamics_mirror, pulls);
DYNAMICS(dynamics_halving_dt, per_step);

#include "joint.h"

/* ---- Sensors and controllers ---- */

#define LANES(name, value)                                                                       \
    static uint32_t name(const void *handle, const simhost_batch *batch, simhost_fault *fault) { \
        (void)handle, (void)fault;                                                               \
        for (size_t i = batch->first; i < batch->first + batch->count; i++)                      \
            {                                                                                    \
                value;                                                                           \
            }                                                                                    \
        return SIMHOST_FAULT_NONE;                                                               \
    }
LANES(at_its_own_rate, if ((long)(batch->time * 50.0) % 2 == 0) batch->outputs[0][i] = 1.0)
LANES(without_noise, batch->outputs[0][i] = 1.0)
LANES(explodes, double x = batch->inputs[0][i]; for (int k = 0; k < 8; k++) x *= x;
      batch->outputs[0][i] = x)
LANES(unlimited, batch->outputs[0][i] = 100.0 * batch->inputs[0][i])

static const simhost_port_desc reading[] = {SIMHOST_PORT("reading", "m", "a distance", 0)};
static const simhost_param_desc noise[] = {NUMBER("noise_std", "m", 0.1, 2.0)};
#define SENSOR(name, read)                                                               \
    PHASES(name, PHASE("aim", SIMHOST_EMPTY, SIMHOST_EMPTY, nothing),                     \
           PHASE("read", SIMHOST_EMPTY, SIMHOST_SLICE(reading), read));                   \
    MODEL(name, SIMHOST_KIND_SENSOR, SIMHOST_SLICE(noise), SIMHOST_EMPTY, NULL, create, NULL)
SENSOR(sensor_rate, at_its_own_rate);
SENSOR(sensor_seed, without_noise);

static const simhost_port_desc command[] = {IN("command_vx", "m/s")};
static const simhost_port_desc motor[] = {SIMHOST_PORT("torque_left", "N·m", "torque", 0)};
static const simhost_param_desc most[] = {NUMBER("max_torque", "N·m", 10.0, 100.0)};
#define CONTROLLER(name, control)                                                               \
    PHASES(name, PHASE("control", SIMHOST_SLICE(command), SIMHOST_SLICE(motor), control));       \
    MODEL(name, SIMHOST_KIND_CONTROLLER, SIMHOST_SLICE(most), SIMHOST_EMPTY, NULL, create, NULL)
CONTROLLER(controller_finite, explodes);
CONTROLLER(controller_saturation, unlimited);
LANES(scales, batch->outputs[0][i] = batch->inputs[0][i] * 200.0 * batch->dt)
CONTROLLER(controller_halving_dt, scales);

/* A reading that is unknown, which its description does not mention. */
LANES(knows_nothing, batch->outputs[0][i] = 0.0 / (batch->dt - batch->dt))
static const simhost_port_desc unknown_reading[] = {SIMHOST_UNKNOWN_PORT("reading", "m", "a distance")};
PHASES(good_unknown, PHASE("aim", SIMHOST_EMPTY, SIMHOST_EMPTY, nothing),
       PHASE("read", SIMHOST_EMPTY, SIMHOST_SLICE(unknown_reading), knows_nothing));
MODEL(good_unknown, SIMHOST_KIND_SENSOR, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, create_bare, NULL);

/* ---- Actuators ---- */

LANES(grows, double *y = &batch->states[0][i]; *y -= 2.1 * (*y - batch->inputs[0][i]);
      batch->outputs[0][i] = *y)
LANES(jumps, double *y = &batch->states[0][i]; *y += 0.1 * (batch->inputs[0][i] - *y);
      batch->outputs[0][i] = *y)

static const simhost_port_desc before[] = {SIMHOST_PORT("command", "1", "value before", 0)};
static const simhost_port_desc after[] = {SIMHOST_PORT("value", "1", "value after", 0)};
static const simhost_state_desc position[] = {SIMHOST_STATE("position", "1", "position", 0)};
#define ACTUATOR(name, actuate)                                                                  \
    PHASES(name, PHASE("actuate", SIMHOST_SLICE(before), SIMHOST_SLICE(after), actuate));         \
    static const simhost_model name##_model = {sizeof(simhost_model), SIMHOST_KIND_ACTUATOR, 0, 0, \
        SIMHOST_STR(#name), SIMHOST_STR("1.0.0"), SIMHOST_STR(DOC), SIMHOST_EMPTY,               \
        SIMHOST_SLICE(position), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(name##_phases), \
        create_bare, free, NULL, NULL, NULL}
ACTUATOR(actuator_finite, explodes);
ACTUATOR(actuator_stable, grows);
ACTUATOR(actuator_halving_dt, jumps);

/* An actuator that rejects heavy vehicles, which it knows in its first step only. */
static uint32_t carries(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        if (batch->inputs[1][i] > 30.0) {
            const uint32_t code = refuse(fault, "the vehicle is too heavy");
            fault->lane = i;
            return code;
        }
        batch->outputs[0][i] = batch->inputs[0][i];
    }
    return SIMHOST_FAULT_NONE;
}
static const simhost_port_desc before_and_mass[] = {
    SIMHOST_PORT("command", "1", "value before", 0), SIMHOST_PORT("mass", "kg", "mass", 0)};
PHASES(good_only_light,
       PHASE("actuate", SIMHOST_SLICE(before_and_mass), SIMHOST_SLICE(after), carries));
MODEL(good_only_light, SIMHOST_KIND_ACTUATOR, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, create_bare, NULL);

/* ---- Controllers that read a sensor ---- */

static double mean(const double *values, size_t count) {
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) sum += values[k];
    return sum / (double)count;
}
#define COUNT simhost_reading_count(batch, 0, i)
LANES(averages, batch->outputs[0][i] = COUNT > 0 ? mean(simhost_reading(batch, 0, i), COUNT) : 0.0)
LANES(averages_nothing, batch->outputs[0][i] = mean(simhost_reading(batch, 0, i), COUNT))
LANES(averages_all,
      batch->outputs[0][i] = mean(simhost_reading(batch, 0, i), batch->arrays[0].capacity))

static const simhost_port_desc scan[] = {SIMHOST_ARRAY_PORT("ranges", "m", "ranges")};
#define READER(name, control)                                                                   \
    PHASES(name, PHASE("control", SIMHOST_SLICE(scan), SIMHOST_SLICE(motor), control));          \
    MODEL(name, SIMHOST_KIND_CONTROLLER, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, create_bare, NULL)
READER(good_reader, averages);
READER(reading_empty, averages_nothing);
READER(reading_count, averages_all);

#include "bad_environment.h"
#include "bad_fleet.h"

static const simhost_model_ref models[] = {&good_model, &good_fleet_model,
    &fleet_finite_model, &fleet_saturation_model, &good_memory_model,
    &param_unknown_rejected_model, &param_fuzz_bounds_model, &create_destroy_1000_model,
    &two_instances_independent_model, &instances_parallel_model, &step_zero_dt_model,
    &step_nonfinite_input_model, &step_output_finite_model,
    &outputs_written_model, &inputs_unchanged_model, &lanes_of_the_call_model, &column_bounds_model,
    &float_control_model, &crashes_model, &good_lanes_model, &parameters_per_lane_model,
    &good_drag_model, &too_much_drag_model,
    &drag_forwards_model, &no_alloc_in_step_model,
    &no_stdout_model, &state_roundtrip_model, &state_truncated_model, &state_random_bytes_model,
    &state_resume_bitwise_model, &determinism_repeat_model, &determinism_process_model, &late_model,
    &determinism_thread_count_model,
    &batch_equals_scalar_model, &panic_contained_model, &friction_zero_slip_model,
    &friction_opposes_slip_model, &friction_mirror_model, &friction_limit_model,
    &friction_continuous_model, &friction_no_nan_model, &dynamics_no_energy_model,
    &dynamics_mirror_model, &dynamics_halving_dt_model, &sensor_rate_model, &sensor_seed_model,
    &controller_finite_model, &controller_saturation_model, &actuator_finite_model,
    &actuator_stable_model, &actuator_halving_dt_model, &good_reader_model, &reading_empty_model,
    &reading_count_model, &friction_halving_dt_model, &writes_far_model, &time_invariant_model,
    &starts_unknown_model, &needs_table_model, &good_joint_model, &lame_joint_model,
    &controller_halving_dt_model, &good_unknown_model, &good_only_light_model,
    &fleet_halving_dt_model, ENVIRONMENTS};
const simhost_plugin simhost_plugin_v1 = {HEAD, SIMHOST_STR("bad"), SIMHOST_STR("bad"),
    SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
