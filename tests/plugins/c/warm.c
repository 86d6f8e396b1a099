/*
 * A tyre whose heat starts from a parameter, and which gives up with a message that contains the heat
 * once it exceeds LIMIT. With -DKEY="other" the state starts from another parameter, and with -DLISTS
 * the model has required lists.
 */
#include "instances.h"
#include "simhost_plugin.h"

#include <math.h>
#include <stdio.h>

#ifndef KEY
#define KEY "ambient"
#endif
#ifndef LIMIT
#define LIMIT 1e300
#endif

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        double *heat = &batch->states[0][i];
        batch->outputs[0][i] = batch->outputs[1][i] = batch->outputs[2][i] = 0.0;
        if (*heat > LIMIT) {
            char text[64];
            snprintf(text, sizeof text, "the heat is %.0f", *heat);
            return simhost_fail(fault, SIMHOST_FAULT_PANIC, i, text);
        }
        *heat += 1.0;
    }
    return SIMHOST_FAULT_NONE;
}

#define REQUIRED(kind, key, children)                                                              \
    {sizeof(simhost_param_desc), kind, SIMHOST_PARAM_FLAG_REQUIRED, 0, SIMHOST_STR(key),           \
     SIMHOST_EMPTY, SIMHOST_STR("A list."), SIMHOST_STR("1"), 1.0, -INFINITY, INFINITY,            \
     SIMHOST_NO_VALUE, SIMHOST_EMPTY, children}
static const simhost_param_desc point[] = {REQUIRED(SIMHOST_PARAM_NUMBER, "x", SIMHOST_EMPTY)};
static const simhost_param_desc params[] = {
#ifdef LISTS
    REQUIRED(SIMHOST_PARAM_LIST, "numbers", SIMHOST_EMPTY),
    REQUIRED(SIMHOST_PARAM_LIST, "point", SIMHOST_SLICE(point)),
    {sizeof(simhost_param_desc), SIMHOST_PARAM_GROUP, 0, 0, SIMHOST_STR("centre"), SIMHOST_EMPTY,
     SIMHOST_STR("A group."), SIMHOST_STR("1"), 1.0, -INFINITY, INFINITY, SIMHOST_NO_VALUE,
     SIMHOST_EMPTY, SIMHOST_SLICE(point)},
#endif
    {sizeof(simhost_param_desc), SIMHOST_PARAM_NUMBER, 0, 0, SIMHOST_STR("ambient"), SIMHOST_EMPTY,
     SIMHOST_STR("Heat at the start."), SIMHOST_STR("kJ"), 1000.0, 0.0, 1000.0,
     SIMHOST_NUMBER(20.0), SIMHOST_EMPTY, SIMHOST_EMPTY},
    {sizeof(simhost_param_desc), SIMHOST_PARAM_TEXT, 0, 0, SIMHOST_STR("label"), SIMHOST_EMPTY,
     SIMHOST_STR("A text."), SIMHOST_STR("1"), 1.0, -INFINITY, INFINITY, SIMHOST_NO_VALUE,
     SIMHOST_EMPTY, SIMHOST_EMPTY}};
static const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force to the left", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
static const simhost_phase phases[] = {{sizeof(simhost_phase), 0, SIMHOST_STR("force"),
    SIMHOST_EMPTY, SIMHOST_SLICE(outputs), force}};
static const simhost_state_desc states[] = {
    SIMHOST_STATE_FROM("heat", "J", "heat of the tread", KEY)};
static const simhost_model warm = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 1,
    SIMHOST_STR("warm"), SIMHOST_STR("1.0.0"), SIMHOST_STR("Warms up."), SIMHOST_SLICE(params),
    SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases), create_nothing,
    destroy_nothing, NULL, NULL, NULL};
static const simhost_model_ref models[] = {&warm};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("test"), SIMHOST_STR("warm"),
    SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
