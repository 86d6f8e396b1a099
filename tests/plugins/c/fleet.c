/* A fleet that keeps its vehicles abreast: each drives faster the further it is behind the mean. Macros
 * turn it into a fleet that does not fit or that fails. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef INPUT
#define INPUT SIMHOST_PORT("x", "m", "reference point, world frame", 0)
#endif
#ifndef OMEGA
#define OMEGA SIMHOST_PORT("omega", "rad/s", "yaw rate", 0)
#endif
#ifndef VALUES
#define VALUES {SIMHOST_STR("vx"), SIMHOST_STR(""), SIMHOST_STR("omega")}
#endif
#ifndef KIND
#define KIND "twist"
#endif
#ifndef COMMANDS
#define COMMANDS SIMHOST_SLICE(commands)
#endif
#ifndef ID
#define ID "abreast"
#endif
#ifndef FAILURE /* a statement at the end of a call */
#define FAILURE
#endif

typedef struct { double speed, gain; } abreast; /* in the order of `params` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    abreast *made = values.len == 2 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 2 values");
    if (values.data[1].number > 5.0) {
        free(made);
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "gain is too large for this fleet");
    }
    *made = (abreast){values.data[0].number, values.data[1].number};
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t command(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const abreast *self = handle;
    const double *x = batch->inputs[0], *enabled = batch->inputs[1];
    const size_t end = batch->first + batch->count;
    double mean = 0.0, count = 0.0;
    (void)fault;
    for (size_t i = batch->first; i < end; i++)
        if (enabled[i] != 0.0) {
            mean += x[i];
            count += 1.0;
        }
    mean = count > 0.0 ? mean / count : 0.0;
    for (size_t i = batch->first; i < end; i++) {
        batch->outputs[0][i] = self->speed + self->gain * (mean - x[i]);
        batch->outputs[1][i] = 0.0;
        batch->outputs[2][i] = mean - x[i];
        batch->states[0][i] += 1.0;
    }
    FAILURE;
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("speed", "m/s", "Speed of the fleet.", 1.0, -10.0, 10.0),
    SIMHOST_PARAM("gain", "1/s", "Speed per metre behind the mean. A larger value closes gaps sooner.", 0.5, 0.0, 10.0)};
static const simhost_port_desc inputs[] = {INPUT,
    SIMHOST_PORT("enabled", "1", "0 after a model of the vehicle has faulted", 1)};
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("vx", "m/s", "forward velocity", 0), OMEGA,
    SIMHOST_PUBLISHED_PORT("behind", "m", "distance behind the mean")};
static const simhost_state_desc states[] = {
    SIMHOST_STATE_OF(SIMHOST_STATE_KIND_COUNTER, "calls", "1", "number of calls", 0.0)};
static const simhost_str twist[] = VALUES;
static const simhost_command_desc commands[] = {SIMHOST_COMMAND(KIND, twist)};
static const simhost_phase phases[] = {SIMHOST_PHASE("command", inputs, outputs, command)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_FLEET, 0, 0,
    SIMHOST_STR(ID), SIMHOST_STR("0.1.0"), SIMHOST_STR("Keeps vehicles abreast."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), COMMANDS, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};

/* Friction that fails after a second. */
static uint32_t bursts(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        for (int k = 0; k < 3; k++) batch->outputs[k][i] = 0.0;
    if (batch->time < 1.0) return SIMHOST_FAULT_NONE;
    return simhost_fail(fault, SIMHOST_FAULT_PANIC, batch->first, "the tyre burst");
}
static uint32_t create_bare(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
    *handle = NULL;
    return SIMHOST_FAULT_NONE;
}
static const simhost_port_desc speed[] = {SIMHOST_PORT("vx", "m/s", "velocity of the wheel", 0)};
static const simhost_port_desc force[] = {SIMHOST_PORT("fx", "N", "force", 0),
    SIMHOST_PORT("fy", "N", "force", 0), SIMHOST_PORT("spin_torque", "N·m", "torque", 0)};
static const simhost_phase friction_phases[] = {SIMHOST_PHASE("force", speed, force, bursts)};
static const simhost_model friction = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 0,
    SIMHOST_STR("bursts"), SIMHOST_STR("0.1.0"), SIMHOST_STR("A tyre that bursts."), SIMHOST_EMPTY,
    SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(friction_phases), create_bare,
    free, NULL, NULL, NULL};
static const simhost_model_ref models[] = {&model, &friction};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("test"), SIMHOST_STR("fleet"),
    SIMHOST_STR("0.1.0"), SIMHOST_SLICE(models)};
