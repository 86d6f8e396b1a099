/* A controller that brakes as hard as the wheels allow: it lets the pressure go while a wheel slips by more
 * than 15 %, and builds it up otherwise. Its state is the torque of all brakes together. */
#include "instances.h"
#include "simhost_plugin.h"

#include <math.h>

#define BUILDS_UP 6e3  /* N·m/s */
#define LETS_GO 30e3   /* N·m/s */
#define SLOW 1.0       /* m/s, below which slips say little */

static uint32_t control(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        double least = 0.0;
        for (size_t w = 0; w < batch->wheels; w++) {
            const size_t at = w * batch->wheel_stride + i;
            const double speed = batch->inputs[2][at];
            const double slip = (batch->inputs[0][at] * batch->inputs[1][at] - speed) / fmax(speed, SLOW);
            least = fmin(least, slip);
        }
        const double rate = least < -0.15 ? -LETS_GO : BUILDS_UP;
        batch->states[0][i] = fmin(fmax(batch->states[0][i] + batch->dt * rate, 0.0), 3e3);
        for (size_t o = 0; o < 3; o++) batch->outputs[o][i] = 0.0;
        batch->outputs[3][i] = batch->states[0][i];
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc inputs[] = {SIMHOST_WHEEL_PORT("spin", "rad/s", "spin"),
    SIMHOST_WHEEL_PORT("radius", "m", "radius"),
    SIMHOST_WHEEL_PORT("wheel_vx", "m/s", "speed of the wheel centre")};
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("torque_front_left", "N·m", "torque", 0.0),
    SIMHOST_PORT("torque_front_right", "N·m", "torque", 0.0),
    SIMHOST_PORT("steer", "rad", "steering angle", 0.0),
    SIMHOST_PORT("brake_torque", "N·m", "torque of all brakes", 0.0)};
static const simhost_phase phases[] = {SIMHOST_PHASE("control", inputs, outputs, control)};
static const simhost_state_desc states[] = {SIMHOST_STATE("pressure", "N·m", "torque", 0.0)};
static const simhost_model anti_lock = {sizeof(simhost_model), SIMHOST_KIND_CONTROLLER, 0, 0,
    SIMHOST_STR("anti_lock"), SIMHOST_STR("1.0.0"), SIMHOST_STR("Keeps wheels from locking."),
    SIMHOST_EMPTY, SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases),
    create_nothing, destroy_nothing, NULL, NULL, NULL};
static const simhost_model_ref models[] = {&anti_lock};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("tests"),
    SIMHOST_STR("anti_lock"), SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
