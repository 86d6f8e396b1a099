/* A cart whose wheels are driven one by one, a controller that drives them, and actuators that show
 * what they read, that fail, and that do not fit. Compile with -DMISTAKE=n for one that is wrong. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

#ifndef COMMAND_PORT
#define COMMAND_PORT SIMHOST_PORT("command", "1", "value before", 0)
#endif
#ifndef VALUE_PORT
#define VALUE_PORT SIMHOST_PORT("value", "1", "value after", 0)
#endif
#ifndef MORE_IN
#define MORE_IN
#endif
#ifndef MORE_OUT
#define MORE_OUT
#endif

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    double *made = malloc(sizeof *made);
    if (made == NULL || values.len > 1)
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected at most one value");
    *made = values.len == 1 ? values.data[0].number : 0.0;
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

#define LANES                                                                                     \
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
#define WHEELS for (size_t j = i; j < i + batch->wheels * batch->wheel_stride; j += batch->wheel_stride)

/* ---- Dynamics and controller ---- */

static uint32_t drive(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    LANES WHEELS {
        batch->outputs[0][j] = batch->inputs[0][j];
        batch->outputs[1][j] = batch->inputs[1][j];
    }
    return SIMHOST_FAULT_NONE;
}

static uint32_t nothing(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)batch, (void)fault;
    return SIMHOST_FAULT_NONE;
}

static uint32_t push(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    LANES {
        double torque = batch->inputs[0][i];
        WHEELS batch->outputs[0][j] = torque, torque += 0.5;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc drive_in[] = {
    SIMHOST_WHEEL_PORT("wheel_torque", "N·m", "torque of a wheel"),
    {sizeof(simhost_port_desc), SIMHOST_SCOPE_WHEEL, 0, 0, SIMHOST_STR("angle"), SIMHOST_STR("rad"),
     SIMHOST_STR("steering of a wheel"), 0.0, SIMHOST_STR("angle"), SIMHOST_STR("rad"), 1.0}};
static const simhost_port_desc drive_out[] = {
    SIMHOST_WHEEL_PORT("torque", "N·m", "torque"), SIMHOST_WHEEL_PORT("steer", "rad", "steering")};
static const simhost_port_desc push_in[] = {SIMHOST_COMMAND_PORT("push", "N·m", "torque", "push")};
static const simhost_port_desc push_out[] = {
    SIMHOST_WHEEL_PORT("wheel_torque", "N·m", "torque of a wheel")};
static const simhost_wheel_desc wheels[] = {
    SIMHOST_WHEEL("l_wheel", 0.0, 0.5), SIMHOST_WHEEL("r_wheel", 0.0, -0.5)};
static const double polygon[] = {-0.5, -0.5, 0.5, -0.5, 0.0, 0.5};
static const simhost_chassis_desc chassis = {
    sizeof(simhost_chassis_desc), 0, 20.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};
static const simhost_phase cart_phases[] = {SIMHOST_PHASE("drive", drive_in, drive_out, drive),
    {sizeof(simhost_phase), 0, SIMHOST_STR("measure"), SIMHOST_EMPTY, SIMHOST_EMPTY, nothing}};
static const simhost_phase pusher_phases[] = {SIMHOST_PHASE("control", push_in, push_out, push)};

/* ---- Actuators ---- */

/* Adds the spin of the wheel, and shows it with the speed of the vehicle. */
static uint32_t sees(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    LANES {
        batch->outputs[0][i] = batch->inputs[0][i];
        batch->outputs[1][i] = batch->inputs[1][i];
        batch->outputs[2][i] = batch->inputs[2][i];
    }
    return SIMHOST_FAULT_NONE;
}

static uint32_t ends(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle;
    LANES {
        if (batch->time > 0.5 && batch->inputs[0][i] > 0.2)
            return simhost_fail(fault, SIMHOST_FAULT_PANIC, i, "the fuse has blown");
        batch->states[0][i] += 1.0;
        batch->outputs[0][i] = batch->inputs[0][i];
    }
    return SIMHOST_FAULT_NONE;
}

static uint32_t not_a_number(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    LANES batch->outputs[0][i] = batch->time > 0.5 ? NAN : batch->inputs[0][i];
    return SIMHOST_FAULT_NONE;
}

/* dy/dt = u - y, integrated by the host. */
static uint32_t slow(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    LANES batch->outputs[0][i] = batch->states[0][i];
    return SIMHOST_FAULT_NONE;
}

static uint32_t slow_rates(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    LANES batch->outputs[0][i] = batch->inputs[0][i] - batch->states[0][i];
    return SIMHOST_FAULT_NONE;
}

/* Adds noise. */
static uint32_t noisy(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    LANES batch->outputs[0][i] =
        batch->inputs[0][i] + 0.1 * simhost_random_uniform(batch->streams[i], 0);
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc in[] = {COMMAND_PORT MORE_IN};
static const simhost_port_desc out[] = {VALUE_PORT MORE_OUT};
static const simhost_port_desc sees_in[] = {SIMHOST_PORT("command", "N·m", "value before", 0),
    SIMHOST_PORT("spin", "rad/s", "spin of the wheel", 0), SIMHOST_PORT("vx", "m/s", "speed", 0)};
static const simhost_port_desc sees_out[] = {SIMHOST_PORT("value", "N·m", "value after", 0),
    SIMHOST_PUBLISHED_PORT("seen_spin", "rad/s", "spin of the wheel"),
    SIMHOST_PUBLISHED_PORT("seen_vx", "m/s", "speed")};
static const simhost_state_desc calls[] = {
    SIMHOST_STATE_OF(SIMHOST_STATE_KIND_COUNTER, "calls", "1", "calls so far", 0)};
static const simhost_state_desc level[] = {SIMHOST_STATE("level", "1", "output", 0)};
static const simhost_port_desc level_out[] = {SIMHOST_PORT("level", "1", "rate", 0)};
static const simhost_phase sees_phases[] = {SIMHOST_PHASE("actuate", sees_in, sees_out, sees)};
static const simhost_phase fuse_phases[] = {SIMHOST_PHASE("actuate", in, out, ends)};
static const simhost_phase nan_phases[] = {SIMHOST_PHASE("actuate", in, out, not_a_number)};
static const simhost_phase noisy_phases[] = {SIMHOST_PHASE("actuate", in, out, noisy)};
static const simhost_phase slow_phases[] = {SIMHOST_PHASE("actuate", in, out, slow),
    SIMHOST_PHASE("rates", in, level_out, slow_rates)};

#define MODEL(name, kind, flags, states, wheels, chassis)                                         \
    static const simhost_model name##_model = {sizeof(simhost_model), kind, flags, 0,             \
        SIMHOST_STR(#name), SIMHOST_STR("1.0.0"), SIMHOST_STR("A model."), SIMHOST_EMPTY, states, \
        SIMHOST_EMPTY, wheels, chassis, SIMHOST_SLICE(name##_phases), create, free, NULL, NULL, NULL}
MODEL(cart, SIMHOST_KIND_DYNAMICS, 0, SIMHOST_EMPTY, SIMHOST_SLICE(wheels), &chassis);
MODEL(pusher, SIMHOST_KIND_CONTROLLER, 0, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL);
MODEL(sees, SIMHOST_KIND_ACTUATOR, 0, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL);
MODEL(fuse, SIMHOST_KIND_ACTUATOR, 0, SIMHOST_SLICE(calls), SIMHOST_EMPTY, NULL);
MODEL(nan, SIMHOST_KIND_ACTUATOR, 0, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL);
MODEL(noisy, SIMHOST_KIND_ACTUATOR, SIMHOST_MODEL_FLAG_RANDOM, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL);
MODEL(slow, SIMHOST_KIND_ACTUATOR, 0, SIMHOST_SLICE(level), SIMHOST_EMPTY, NULL);

static const simhost_model_ref models[] = {&cart_model, &pusher_model, &sees_model, &fuse_model,
    &nan_model, &noisy_model, &slow_model};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("test"), SIMHOST_STR("test"),
    SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
