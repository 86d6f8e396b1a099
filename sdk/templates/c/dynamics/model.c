/* A rover with six wheels, three per side, and one torque per side. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

enum { TORQUE_LEFT, TORQUE_RIGHT };               /* in the order of `drive_inputs` */
enum { TORQUE, STEER };                           /* in the order of `drive_outputs` */
enum { SPIN, RADIUS, WHEEL_Y };                   /* in the order of `measure_inputs` */
enum { VX, VY, OMEGA, TRACK, WHEEL_RADIUS };      /* in the order of `measure_outputs` */
enum { MIDDLE_LEFT = 2, MIDDLE_RIGHT = 3 };       /* in the order of `wheels`: even indices are on the left */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    double *max_torque = values.len == 1 ? malloc(sizeof *max_torque) : NULL;
    if (max_torque == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "1 values and memory are needed");
    *max_torque = values.data[0].number;
    *handle = max_torque;
    return SIMHOST_FAULT_NONE;
}

static uint32_t drive(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double max_torque = *(const double *)handle;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        for (size_t wheel = 0; wheel < batch->wheels; wheel++) {
            const double wanted = batch->inputs[wheel % 2 == 0 ? TORQUE_LEFT : TORQUE_RIGHT][i];
            /* a column of scope wheel holds the first wheel of all lanes, then the second, ... */
            const size_t at = wheel * batch->wheel_stride + i;
            batch->outputs[TORQUE][at] = fmax(-max_torque, fmin(wanted, max_torque));
            batch->outputs[STEER][at] = 0.0;
        }
    return SIMHOST_FAULT_NONE;
}

static uint32_t measure(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double *const *in = batch->inputs;
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const size_t left = MIDDLE_LEFT * batch->wheel_stride + i;
        const size_t right = MIDDLE_RIGHT * batch->wheel_stride + i;
        const double track = in[WHEEL_Y][left] - in[WHEEL_Y][right];
        double speeds[2] = { 0.0, 0.0 }; /* mean rolling speeds, left and right */
        for (size_t wheel = 0; wheel < batch->wheels; wheel++) {
            const size_t at = wheel * batch->wheel_stride + i;
            speeds[wheel % 2] += in[SPIN][at] * in[RADIUS][at] / 3.0;
        }
        batch->outputs[VX][i] = 0.5 * (speeds[0] + speeds[1]);
        batch->outputs[VY][i] = 0.0;
        batch->outputs[OMEGA][i] = (speeds[1] - speeds[0]) / track;
        batch->outputs[TRACK][i] = track;
        batch->outputs[WHEEL_RADIUS][i] = in[RADIUS][left];
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {SIMHOST_PARAM("max_wheel_torque", "N·m",
    "Maximum torque at one wheel. A higher value allows more acceleration.", 20.0, 0.0, 1e4)};
static const simhost_wheel_desc wheels[] = {
    SIMHOST_WHEEL("front_left", 0.5, 0.4), SIMHOST_WHEEL("front_right", 0.5, -0.4),
    SIMHOST_WHEEL("middle_left", 0.0, 0.4), SIMHOST_WHEEL("middle_right", 0.0, -0.4),
    SIMHOST_WHEEL("rear_left", -0.5, 0.4), SIMHOST_WHEEL("rear_right", -0.5, -0.4)};
static const double polygon[] = {-0.6, -0.3, 0.6, -0.3, 0.6, 0.3, -0.6, 0.3};
static const simhost_chassis_desc chassis = {
    sizeof(simhost_chassis_desc), 0, 40.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};
/* the controllers twist_pid and raw drive ports of these names */
static const simhost_port_desc drive_inputs[] = {
    SIMHOST_PORT("torque_left", "N·m", "torque on each left wheel, positive forwards", 0),
    SIMHOST_PORT("torque_right", "N·m", "torque on each right wheel, positive forwards", 0)};
static const simhost_port_desc drive_outputs[] = {
    SIMHOST_WHEEL_PORT("torque", "N·m", "motor and brake torque, positive forwards"),
    SIMHOST_WHEEL_PORT("steer", "rad", "steering angle: none")};
static const simhost_port_desc measure_inputs[] = {SIMHOST_WHEEL_PORT("spin", "rad/s", "wheel spin"),
    SIMHOST_WHEEL_PORT("radius", "m", "rolling radius"),
    SIMHOST_WHEEL_PORT("wheel_y", "m", "position left of the reference point")};
static const simhost_port_desc measure_outputs[] = {
    SIMHOST_PORT("odometry_vx", "m/s", "forward velocity measured at the wheels", 0),
    SIMHOST_PORT("odometry_vy", "m/s", "leftward velocity measured at the wheels, always 0", 0),
    SIMHOST_PORT("odometry_omega", "rad/s", "yaw rate measured at the wheels", 0),
    SIMHOST_PUBLISHED_PORT("track", "m", "distance between the middle wheels"),
    SIMHOST_PUBLISHED_PORT("wheel_radius", "m", "rolling radius")};
static const simhost_phase phases[] = {SIMHOST_PHASE("drive", drive_inputs, drive_outputs, drive),
    SIMHOST_PHASE("measure", measure_inputs, measure_outputs, measure)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_DYNAMICS, 0, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("A rover on six wheels."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_SLICE(wheels), &chassis,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
