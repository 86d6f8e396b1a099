/* Drives to a place and stops there. Only the proportional part works: the rest is the exercise. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double kp, ki, kd, max_torque; } gains; /* in the order of `params` */

enum { GOAL, X, SPEED };            /* in the order of `inputs` */
enum { TORQUE_LEFT, TORQUE_RIGHT }; /* in the order of `outputs` */
enum { SUM };                       /* in the order of `states` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    gains *made = values.len == 4 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 4 values and enough memory");
    *made = (gains){ values.data[0].number, values.data[1].number, values.data[2].number,
                     values.data[3].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t control(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const gains *self = handle;
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double error = in[GOAL][i] - in[X][i];
        const double wanted = self->kp * error;
        const double given = fmax(-self->max_torque, fmin(wanted, self->max_torque));
        batch->outputs[TORQUE_LEFT][i] = given;
        batch->outputs[TORQUE_RIGHT][i] = given;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("kp", "N", "Torque for an error of 1 m.", 4.0, 0.0, 1e6),
    SIMHOST_PARAM("ki", "N/s", "Torque for an error of 1 m that lasts 1 s.", 1.0, 0.0, 1e6),
    SIMHOST_PARAM("kd", "N·s", "Torque against a speed of 1 m/s.", 8.0, 0.0, 1e6),
    SIMHOST_PARAM("max_torque", "N·m", "Largest torque of each wheel.", 10.0, 0.0, 1e6)};
static const simhost_port_desc inputs[] = {
    SIMHOST_COMMAND_PORT("goal", "m", "place to go to", "goal"),
    SIMHOST_PORT("x", "m", "reference point, world frame", 0),
    SIMHOST_PORT("odometry_vx", "m/s", "forward velocity measured at the wheels", 0)};
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("torque_left", "N·m", "torque on each left wheel, positive forwards", 0),
    SIMHOST_PORT("torque_right", "N·m", "torque on each right wheel, positive forwards", 0)};
static const simhost_state_desc states[] = {
    SIMHOST_STATE("sum", "m·s", "integral of the error", 0.0)};
static const simhost_str goal[] = {SIMHOST_STR("goal")};
static const simhost_command_desc commands[] = {SIMHOST_COMMAND("pid_goal", goal)};
static const simhost_phase phases[] = {SIMHOST_PHASE("control", inputs, outputs, control)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_CONTROLLER, 0, 0,
    SIMHOST_STR("pid"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Drives to a place."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), SIMHOST_SLICE(commands), SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("class", "pid", "0.1.0", model);
