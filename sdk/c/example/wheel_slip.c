/*
 * A sensor that measures how fast the wheels of a vehicle slip along their rolling direction. Its inputs
 * have one value per wheel: wheel `w` of lane `i` is at [w * wheel_stride + i]. Vehicles of one call have the
 * same number of wheels, and a sensor that is not on a vehicle has none.
 *
 * cc -std=c99 -O2 -ffp-contract=off -shared -fPIC -I.. -o c_wheel_slip.so wheel_slip.c -lm
 */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

enum { SPIN, RADIUS, WHEEL_VX, WHEEL_VY, WHEEL_STEER }; /* as in `inputs` */
enum { LARGEST_SLIP, SLIPPING };                        /* as in `outputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    double *threshold = values.len == 1 ? malloc(sizeof *threshold) : NULL;
    if (threshold == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "1 value and memory are needed");
    *threshold = values.data[0].number;
    *handle = threshold;
    return SIMHOST_FAULT_NONE;
}

/* A sensor without rays has nothing to aim. */
static uint32_t aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)batch, (void)fault;
    return SIMHOST_FAULT_NONE;
}

static uint32_t read_wheels(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double threshold = *(const double *)handle;
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        double largest = 0.0, slipping = 0.0;
        for (size_t wheel = 0; wheel < batch->wheels; wheel++) {
            const size_t at = wheel * batch->wheel_stride + i;
            const double rolling = in[WHEEL_VX][at] * cos(in[WHEEL_STEER][at]) +
                                   in[WHEEL_VY][at] * sin(in[WHEEL_STEER][at]);
            const double slip = fabs(in[SPIN][at] * in[RADIUS][at] - rolling);
            largest = fmax(largest, slip);
            slipping += slip > threshold;
        }
        batch->outputs[LARGEST_SLIP][i] = largest;
        batch->outputs[SLIPPING][i] = slipping;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {SIMHOST_PARAM("threshold", "m/s",
    "Velocity from which a wheel counts as slipping. A higher value counts fewer wheels.", 0.1, 0.0, 100.0)};
static const simhost_port_desc inputs[] = {
    SIMHOST_WHEEL_PORT("spin", "rad/s", "wheel spin, positive when rolling forwards"),
    SIMHOST_WHEEL_PORT("radius", "m", "rolling radius"),
    SIMHOST_WHEEL_PORT("wheel_vx", "m/s", "forward velocity of the wheel centre"),
    SIMHOST_WHEEL_PORT("wheel_vy", "m/s", "leftward velocity of the wheel centre"),
    SIMHOST_WHEEL_PORT("wheel_steer", "rad", "steering angle, counter-clockwise")};
static const simhost_port_desc outputs[] = {
    SIMHOST_PUBLISHED_PORT("largest_slip", "m/s", "largest velocity at which a wheel slips"),
    SIMHOST_PUBLISHED_PORT("slipping", "1", "number of wheels that slip faster than the threshold")};
static const simhost_phase phases[] = {
    {sizeof(simhost_phase), 0, SIMHOST_STR("aim"), SIMHOST_EMPTY, SIMHOST_EMPTY, aim},
    SIMHOST_PHASE("read", inputs, outputs, read_wheels)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_SENSOR, 0, 0,
    SIMHOST_STR("c_wheel_slip"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Slip of the wheels."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases),
    create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("example", "wheel_slip", "0.1.0", model);
