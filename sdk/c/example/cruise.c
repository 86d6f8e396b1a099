/*
 * A cruise control for a differential drive: one PI controller for the speed that the wheels measure and
 * one for the yaw rate. The integrals are states, which the host stores, so they are part of a snapshot.
 *
 * cc -std=c99 -O2 -ffp-contract=off -shared -fPIC -I.. -o c_cruise.so cruise.c -lm
 */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double gain, integral_gain, max_torque; } regulator; /* as in `params` */

enum { SPEED, TURN, ODOMETRY_VX, ODOMETRY_OMEGA, TRACK }; /* as in `inputs` */
enum { TORQUE_LEFT, TORQUE_RIGHT };                       /* as in `outputs` */
enum { WAY, ANGLE };                                      /* as in `states` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    regulator *made = values.len == 3 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "3 values and memory are needed");
    *made = (regulator){ values.data[0].number, values.data[1].number, values.data[2].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

/* The PI controller of one side. The integral does not change while the motor is at its limit. */
static double torque(const regulator *self, double error, double integral, double *step) {
    const double wanted = self->gain * error + self->integral_gain * integral;
    const double given = fmax(-self->max_torque, fmin(wanted, self->max_torque));
    if (given != wanted && wanted * error > 0.0) *step = 0.0;
    return given;
}

static uint32_t control(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const regulator *self = handle;
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        double *way = &batch->states[WAY][i], *angle = &batch->states[ANGLE][i];
        const double half = 0.5 * in[TRACK][i];
        const double speed = in[SPEED][i] - in[ODOMETRY_VX][i];
        const double turn = half * (in[TURN][i] - in[ODOMETRY_OMEGA][i]);
        double step = batch->dt; /* 0 when a motor is at its limit */
        batch->outputs[TORQUE_LEFT][i] = torque(self, speed - turn, *way - *angle, &step);
        batch->outputs[TORQUE_RIGHT][i] = torque(self, speed + turn, *way + *angle, &step);
        *way += step * speed;
        *angle += step * turn;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("gain", "N·s", "Torque for an error of 1 m/s. A higher value follows the setpoint more closely.", 20.0, 0.0, 1e6),
    SIMHOST_PARAM("integral_gain", "N", "Torque for an error of 1 m. A higher value removes a lasting error sooner.", 5.0, 0.0, 1e6),
    SIMHOST_PARAM("max_torque", "N·m", "Maximum torque of one side. A higher value allows more acceleration.", 50.0, 0.0, 1e6)};
static const simhost_port_desc inputs[] = {
    SIMHOST_COMMAND_PORT("cruise_speed", "m/s", "commanded forward velocity", "speed"),
    SIMHOST_COMMAND_PORT("cruise_turn", "rad/s", "commanded yaw rate", "turn"),
    SIMHOST_PORT("odometry_vx", "m/s", "forward velocity measured at the wheels", 0),
    SIMHOST_PORT("odometry_omega", "rad/s", "yaw rate measured at the wheels", 0),
    SIMHOST_PORT("track", "m", "distance between the sides", 0)};
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("torque_left", "N·m", "torque on each left wheel, positive forwards", 0),
    SIMHOST_PORT("torque_right", "N·m", "torque on each right wheel, positive forwards", 0)};
static const simhost_state_desc states[] = {
    SIMHOST_STATE("way", "m", "integral of the error in speed", 0.0),
    SIMHOST_STATE("angle", "m", "integral of the error in yaw rate, at the wheels", 0.0)};
static const simhost_str cruise[] = {SIMHOST_STR("cruise_speed"), SIMHOST_STR("cruise_turn")};
static const simhost_command_desc commands[] = {SIMHOST_COMMAND("cruise", cruise)};
static const simhost_phase phases[] = {SIMHOST_PHASE("control", inputs, outputs, control)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_CONTROLLER, 0, 0,
    SIMHOST_STR("c_cruise"), SIMHOST_STR("0.1.0"), SIMHOST_STR("A cruise control."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), SIMHOST_SLICE(commands), SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("example", "cruise", "0.1.0", model);
