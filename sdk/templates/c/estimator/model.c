/* Pose from the encoders of two driven wheels and a gyroscope, both sensors of the same vehicle. The
 * distance comes from the wheels. The yaw rate is a weighted mean: w rate_gyro + (1 - w) rate_wheels,
 * rate_wheels = R (right - left)/b. */
#include "simhost_math.h"
#include "simhost_plugin.h"

#include <stdlib.h>

typedef struct { double wheel_radius, track, gyro_weight; } estimator; /* in the order of `params` */

enum { VELOCITY, ANGULAR_VELOCITY_Z, SAMPLE_PERIOD }; /* in the order of `inputs` */
enum { X, Y, YAW };                                   /* in the order of `outputs` and of `states` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    estimator *made = values.len == 3 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 3 values and enough memory");
    *made = (estimator){ values.data[0].number, values.data[1].number, values.data[2].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t sample(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const estimator *self = handle;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        double *const *pose = batch->states;
        /* before the first samples the vehicle is taken to rest */
        if (simhost_reading_count(batch, VELOCITY, i) >= 2) {
            const double *wheels = simhost_reading(batch, VELOCITY, i);
            const double dt = batch->inputs[SAMPLE_PERIOD][i];
            const double way = 0.5 * self->wheel_radius * (wheels[0] + wheels[1]) * dt;
            const double of_wheels = self->wheel_radius * (wheels[1] - wheels[0]) / self->track;
            const double of_gyro = simhost_reading_count(batch, ANGULAR_VELOCITY_Z, i) > 0
                                       ? simhost_reading(batch, ANGULAR_VELOCITY_Z, i)[0]
                                       : of_wheels;
            const double turn = (self->gyro_weight * of_gyro + (1.0 - self->gyro_weight) * of_wheels) * dt;
            /* heading in the middle of the interval, so that an arc is exact to second order */
            const double heading = pose[YAW][i] + 0.5 * turn;
            pose[X][i] += way * simhost_cos(heading);
            pose[Y][i] += way * simhost_sin(heading);
            pose[YAW][i] += turn;
        }
        for (size_t k = X; k <= YAW; k++) batch->outputs[k][i] = pose[k][i];
    }
    return SIMHOST_FAULT_NONE;
}

/* a sensor without rays has no outputs of `aim` that the host reads */
static uint32_t aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)batch, (void)fault;
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("wheel_radius", "m", "Rolling radius of both wheels. A higher value makes the estimated way longer.",
                  0.2, 1e-3, 10.0),
    SIMHOST_PARAM("track", "m", "Distance between the wheels. A higher value makes the yaw rate of the wheels smaller.",
                  0.4, 1e-3, 10.0),
    SIMHOST_PARAM("gyro_weight", "1", "Weight of the gyroscope. A higher value makes slip matter less, and the bias "
                  "of the gyroscope more.", 0.98, 0.0, 1.0)};
static const simhost_port_desc inputs[] = {
    SIMHOST_ARRAY_PORT("velocity", "rad/s", "speeds of the left and the right wheel, of encoders"),
    SIMHOST_ARRAY_PORT("angular_velocity_z", "rad/s", "yaw rate, of an imu"),
    SIMHOST_PORT("sample_period", "s", "time between two samples of this sensor", 0.1)};
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("estimated_x", "m", "position ahead of the start", 0),
    SIMHOST_PORT("estimated_y", "m", "position to the left of the start", 0),
    SIMHOST_PORT("estimated_yaw", "rad", "yaw, positive counter-clockwise, not wrapped", 0)};
static const simhost_state_desc states[] = {SIMHOST_STATE("x", "m", "position ahead", 0.0),
    SIMHOST_STATE("y", "m", "position to the left", 0.0), SIMHOST_STATE("yaw", "rad", "yaw", 0.0)};
static const simhost_phase phases[] = {
    {sizeof(simhost_phase), 0, SIMHOST_STR("aim"), SIMHOST_EMPTY, SIMHOST_EMPTY, aim},
    SIMHOST_PHASE("read", inputs, outputs, sample)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_SENSOR, 0, 1,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Pose from encoders and a gyroscope."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
