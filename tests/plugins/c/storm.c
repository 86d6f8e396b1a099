/* An environment that fails after half a second: FAILS decides how. Its published output is the time. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

#ifndef FAILS
#define FAILS return simhost_fail(fault, SIMHOST_FAULT_PANIC, i, "the mast broke")
#endif

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
    *handle = malloc(1);
    return SIMHOST_FAULT_NONE;
}

static uint32_t update(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    batch->states[0][0] += 1.0;
    batch->outputs[0][0] = batch->time;
    return SIMHOST_FAULT_NONE;
}

static uint32_t blow(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        batch->outputs[0][i] = 10.0;
        batch->outputs[1][i] = batch->outputs[2][i] = 0.0;
        if (batch->states[0][0] > 50.0) { FAILS; }
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_state_desc states[] = {SIMHOST_STATE_OF(
    SIMHOST_STATE_KIND_COUNTER, "steps", "1", "number of steps", 0.0)};
static const simhost_port_desc clocks[] = {SIMHOST_PUBLISHED_PORT("clock", "s", "time of the step")};
static const simhost_port_desc point[] = {SIMHOST_POINT_PORTS}, wind[] = {SIMHOST_WIND_PORTS};
static const simhost_phase phases[] = {
    {(uint32_t)sizeof(simhost_phase), 0, SIMHOST_STR("update"), SIMHOST_EMPTY, SIMHOST_SLICE(clocks), update},
    SIMHOST_PHASE("wind", point, wind, blow)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_ENVIRONMENT, 0, 0,
    SIMHOST_STR("storm"), SIMHOST_STR("1.0.0"), SIMHOST_STR("A storm."), SIMHOST_EMPTY,
    SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases), create, free,
    NULL, NULL, NULL};
static const simhost_model_ref models[] = {&model};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("test"), SIMHOST_STR("storm"),
    SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
