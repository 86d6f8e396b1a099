/* Servo with stiction: follows the command with a lag, dy/dt = (u - y)/T, and stays where it is while
 * the command is closer than a threshold. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double time_constant, threshold; } servo; /* parameters, in the order of `params` */

enum { COMMAND };  /* in the order of `inputs` */
enum { VALUE };    /* in the order of `outputs` */
enum { POSITION }; /* in the order of `states` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    servo *made = values.len == 2 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 2 values and enough memory");
    *made = (servo){ values.data[0].number, values.data[1].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t actuate(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const servo *self = handle;
    /* exact for a step of any length */
    const double share = 1.0 - exp(-batch->dt / self->time_constant);
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double position = batch->states[POSITION][i];
        const double distance = batch->inputs[COMMAND][i] - position;
        const double moved = fabs(distance) > self->threshold ? share * distance : 0.0;
        batch->states[POSITION][i] = position + moved;
        batch->outputs[VALUE][i] = position + moved;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("time_constant", "s", "Time constant. A higher value makes the servo slower.", 0.2, 1e-6, 100.0),
    SIMHOST_PARAM("threshold", "1", "Distance from the command within which the servo rests, in the unit of "
                  "the port. A higher value makes it less precise.", 0.01, 0.0, 1e6)};
/* the unit "1" fits a port of any unit */
static const simhost_port_desc inputs[] = {SIMHOST_ACTUATOR_INPUT("1")};
static const simhost_port_desc outputs[] = {SIMHOST_ACTUATOR_OUTPUT("1")};
static const simhost_state_desc states[] = {SIMHOST_STATE("position", "1", "position of the servo", 0.0)};
static const simhost_phase phases[] = {SIMHOST_PHASE("actuate", inputs, outputs, actuate)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_ACTUATOR, 0, 1,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Servo with stiction."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
