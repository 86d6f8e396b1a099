/* Friction that throws the expression THROWN after one second. */
#include "simhost_plugin.h"

#include <stdexcept>

static int handle_of_all;

static uint32_t create(simhost_value_slice, void **handle, simhost_fault *) {
    *handle = &handle_of_all;
    return SIMHOST_FAULT_NONE;
}

static void destroy(void *) {}

static uint32_t force(const void *, const simhost_batch *batch, simhost_fault *fault) {
    return simhost_guard(fault, [&] {
        if (batch->time >= 1.0) throw THROWN;
        for (size_t i = batch->first; i < batch->first + batch->count; i++)
            for (size_t k = 0; k < 3; k++) batch->outputs[k][i] = 0.0;
        return SIMHOST_FAULT_NONE;
    });
}

static const simhost_port_desc inputs[] = {SIMHOST_PORT("vx", "m/s", "forwards", 0)};
static const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force leftwards", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
static const simhost_phase phases[] = {SIMHOST_PHASE("force", inputs, outputs, force)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 0,
    SIMHOST_STR("throws"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Throws."), SIMHOST_EMPTY, SIMHOST_EMPTY,
    SIMHOST_EMPTY, SIMHOST_EMPTY, nullptr, SIMHOST_SLICE(phases), create, destroy, nullptr, nullptr,
    nullptr};
static const simhost_model_ref models[] = {&model};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("faulty"),
    SIMHOST_STR("throws"), SIMHOST_STR("0.1.0"), SIMHOST_SLICE(models)};
