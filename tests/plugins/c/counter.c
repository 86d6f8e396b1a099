/*
 * Friction that counts its calls in a state. With -DSPEAK the first call fails with a message that
 * contains the count, and with -DCRASH it crashes. With -DRENAMED the state has another name, with -DVERSION="2.0.0" the plugin has
 * another version, and with -DPADDING only the file differs.
 */
#include "instances.h"
#include "simhost_plugin.h"

#include <stdio.h>

#ifndef VERSION
#define VERSION "0.1.0"
#endif

#ifdef RENAMED
#define SLOT "count"
#else
#define SLOT "calls"
#endif

#ifdef PADDING
const char padding[] = "another file";
#endif

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
#ifdef SPEAK
        fault->code = SIMHOST_FAULT_PANIC;
        fault->lane = i;
        fault->text_len = (uint32_t)snprintf((char *)fault->text, sizeof fault->text,
                                             "I remember %.0f calls", batch->states[0][i]);
        return fault->code;
#else
#ifdef CRASH
        *(volatile int *)0 = 1;
#endif
        (void)fault;
        batch->states[0][i] += 1.0;
        batch->outputs[0][i] = batch->outputs[1][i] = batch->outputs[2][i] = 0.0;
#endif
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force to the left", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
static const simhost_phase phases[] = {{sizeof(simhost_phase), 0, SIMHOST_STR("force"),
    SIMHOST_EMPTY, SIMHOST_SLICE(outputs), force}};
static const simhost_state_desc states[] = {
    SIMHOST_STATE_OF(SIMHOST_STATE_KIND_COUNTER, SLOT, "1", "number of calls", 0.0)};
static const simhost_model counter = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 1,
    SIMHOST_STR("counter"), SIMHOST_STR(VERSION), SIMHOST_STR("Counts its calls."),
    SIMHOST_EMPTY, SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases),
    create_nothing, destroy_nothing, NULL, NULL, NULL};
static const simhost_model_ref models[] = {&counter};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("tests"),
    SIMHOST_STR("counter"), SIMHOST_STR(VERSION), SIMHOST_SLICE(models)};
