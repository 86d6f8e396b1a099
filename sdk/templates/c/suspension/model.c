/* Trailing arms: a wheel moves on a circle about a bearing in front of it, so that braking lifts the wheel
 * and keeps the rear of the vehicle down. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double arm, motion_ratio; } arms; /* parameters, in the order of `params` */

enum { TRAVEL_LEFT, TRAVEL_RIGHT, FX_LEFT, FX_RIGHT, WHEEL_RADIUS }; /* in the order of `inputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    arms *made = values.len == 2 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "2 values and memory are needed");
    *made = (arms){ values.data[0].number, values.data[1].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t kinematics(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const arms *self = handle;
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        for (size_t output = 0; output < SIMHOST_AXLE_OUTPUTS; output++) batch->outputs[output][i] = 0.0;
        for (int side = 0; side < 2; side++) {
            const double most = 0.99 * self->arm;
            const double z = fmax(-most, fmin(most, in[TRAVEL_LEFT + side][i]));
            const double x = -sqrt(self->arm * self->arm - z * z);
            /* the carrier turns by 1/x per travel, and the force works along the path of the contact point */
            const double forward = (in[WHEEL_RADIUS][i] - z) / x;
            batch->outputs[SIMHOST_AXLE_LONGITUDINAL + side][i] = x + self->arm;
            batch->outputs[SIMHOST_AXLE_SPRING + side][i] = self->motion_ratio * in[TRAVEL_LEFT + side][i];
            batch->outputs[SIMHOST_AXLE_MOTION_RATIO + side][i] = self->motion_ratio;
            batch->outputs[SIMHOST_AXLE_JACKING + side][i] = -forward * in[FX_LEFT + side][i];
        }
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("arm", "m", "Length of the arm. A higher value gives less anti-lift.", 0.5, 1e-3, 10.0),
    SIMHOST_PARAM("motion_ratio", "1", "Compression of the spring per travel. A higher value makes the axle "
                  "stiffer.", 0.8, 1e-3, 10.0)};
static const simhost_port_desc inputs[] = {
    SIMHOST_PORT("travel_left", "m", "travel", 0), SIMHOST_PORT("travel_right", "m", "travel", 0),
    SIMHOST_PORT("fx_left", "N", "force forwards", 0), SIMHOST_PORT("fx_right", "N", "force forwards", 0),
    SIMHOST_PORT("wheel_radius", "m", "radius", 0)};
static const simhost_port_desc outputs[] = {SIMHOST_AXLE_PORTS};
static const simhost_phase phases[] = {SIMHOST_PHASE("kinematics", inputs, outputs, kinematics)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_SUSPENSION, 0, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Trailing arms."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases),
    create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
