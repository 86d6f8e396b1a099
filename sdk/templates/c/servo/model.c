/* Servo of second order, whose motion the host integrates:
 * d2y/dt2 = w^2 (u - y) - 2 z w dy/dt. */
#include "simhost_plugin.h"

#include <stdlib.h>

typedef struct { double frequency, damping; } servo; /* parameters, in the order of `params` */

enum { COMMAND };            /* in the order of `inputs` */
enum { VALUE };              /* in the order of `outputs` */
enum { POSITION, VELOCITY }; /* in the order of `states` and of `rate_outputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    servo *made = values.len == 2 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 2 values and enough memory");
    *made = (servo){ values.data[0].number, values.data[1].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t actuate(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->outputs[VALUE][i] = batch->states[POSITION][i];
    return SIMHOST_FAULT_NONE;
}

/* Returns the rates of change of the states. The host integrates them by the classical Runge-Kutta
 * method. */
static uint32_t rates(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const servo *self = handle;
    const double w = self->frequency;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double position = batch->states[POSITION][i], velocity = batch->states[VELOCITY][i];
        const double pull = w * w * (batch->inputs[COMMAND][i] - position);
        batch->outputs[POSITION][i] = velocity;
        batch->outputs[VELOCITY][i] = pull - 2.0 * self->damping * w * velocity;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("frequency", "rad/s", "Natural frequency. A higher value makes the servo faster.",
                  15.0, 0.1, 1000.0),
    SIMHOST_PARAM("damping", "1", "Damping ratio. A higher value makes the servo overshoot less.", 0.7, 0.0, 10.0)};
/* the unit "1" fits a port of any unit */
static const simhost_port_desc inputs[] = {SIMHOST_ACTUATOR_INPUT("1")};
static const simhost_port_desc outputs[] = {SIMHOST_ACTUATOR_OUTPUT("1")};
static const simhost_port_desc rate_outputs[] = {
    SIMHOST_PORT("position", "1/s", "rate of the position", 0.0),
    SIMHOST_PORT("velocity", "1/s^2", "rate of the velocity", 0.0)};
static const simhost_state_desc states[] = {SIMHOST_STATE("position", "1", "position of the servo", 0.0),
    SIMHOST_STATE("velocity", "1/s", "velocity of the servo", 0.0)};
static const simhost_phase phases[] = {SIMHOST_PHASE("actuate", inputs, outputs, actuate),
    SIMHOST_PHASE("rates", inputs, rate_outputs, rates)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_ACTUATOR, 0, 1,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Servo of second order."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
