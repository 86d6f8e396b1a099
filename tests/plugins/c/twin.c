/* An actuator that multiplies its command by GAIN. With UNIQUE its tables have a symbol that the loader of Linux
 * binds to the first library of the process which has it, as GCC does with the statics of a C++ template. */
#include "simhost_plugin.h"

#include <stdlib.h>

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values;
    *handle = malloc(1);
    return *handle != NULL ? SIMHOST_FAULT_NONE : simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "no memory");
}

static uint32_t actuate(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->outputs[0][i] = GAIN * batch->inputs[0][i];
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc inputs[] = {SIMHOST_ACTUATOR_INPUT("1")};
static const simhost_port_desc outputs[] = {SIMHOST_ACTUATOR_OUTPUT("1")};
extern const simhost_phase twin_phases[1];
const simhost_phase twin_phases[1] = {SIMHOST_PHASE("actuate", inputs, outputs, actuate)};
#ifdef UNIQUE
__asm__(".type twin_phases, %gnu_unique_object");
#endif
/* the address comes from the loader, as that of a symbol of another file does */
static simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_ACTUATOR, 0, 1,
    SIMHOST_STR(NAME), SIMHOST_STR("0.1.0"), SIMHOST_STR("Multiplies a command."),
    SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    {twin_phases, 1}, create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("acme", NAME, "0.1.0", model);
