/* A row of ultrasonic rangers at the front, and the speed over ground. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double rangers, spread, max_range, noise; } sonar; /* in the order of `params`, SI */

enum { ORIGIN_X, ORIGIN_Y, ORIGIN_Z, ORIGIN_YAW, MAX_RANGE, SEE_BODIES, ANGLE }; /* `aim_outputs` */
enum { VX, VY, RANGE };                                                          /* `read_inputs` */
enum { GROUND_SPEED, NEAREST, ECHO };                                            /* `read_outputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    sonar *made = values.len == 4 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 4 values and enough memory");
    *made = (sonar){ floor(values.data[0].number), values.data[1].number, values.data[2].number,
                     values.data[3].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static size_t capacity(const void *handle) {
    return (size_t)((const sonar *)handle)->rangers;
}

static uint32_t aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const sonar *self = handle;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double fan[] = { 0.5, 0.0, 0.3, 0.0, self->max_range, 1.0 };
        for (size_t k = ORIGIN_X; k <= SEE_BODIES; k++) batch->outputs[k][i] = fan[k];
        /* a column of scope ray holds all rays of the first lane, then of the second, ... */
        for (size_t ray = 0; ray < batch->rays; ray++)
            batch->outputs[ANGLE][i * batch->rays + ray] =
                self->spread * ((double)ray / (self->rangers - 1.0) - 0.5);
    }
    return SIMHOST_FAULT_NONE;
}

/* Returns a random number with mean 0 and standard deviation 1: the sum of twelve uniform numbers minus six. */
static double draw(uint64_t key, uint64_t *count) {
    double sum = -6.0;
    for (int k = 0; k < 12; k++) sum += simhost_random_uniform(key, (*count)++);
    return sum;
}

static uint32_t sample(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const sonar *self = handle;
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        double nearest = self->max_range;
        uint64_t count = 0;
        for (size_t at = i * batch->rays; at < (i + 1) * batch->rays; at++) {
            /* one random number per ranger, so that a missing echo does not change the other readings */
            const double noisy = in[RANGE][at] + self->noise * draw(batch->streams[i], &count);
            const double echo = fmax(0.0, fmin(noisy, self->max_range));
            batch->outputs[ECHO][at] = echo;
            nearest = fmin(nearest, echo);
        }
        const double speed = sqrt(in[VX][i] * in[VX][i] + in[VY][i] * in[VY][i]);
        batch->outputs[GROUND_SPEED][i] = speed + self->noise * draw(batch->streams[i], &count);
        batch->outputs[NEAREST][i] = nearest;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("rangers", "1", "Number of rangers.", 5.0, 2.0, 32.0),
    SIMHOST_DEGREE_PARAM("spread", "Angle between the outermost rangers.", 90.0, 1.0, 360.0),
    SIMHOST_PARAM("max_range", "m", "Largest range. Objects beyond it give no echo.", 4.0, 0.1, 100.0),
    SIMHOST_PARAM("noise", "m", "Standard deviation of the ranges, m, and of the speed, m/s.",
                  0.02, 0.0, 10.0)};
static const simhost_port_desc aim_outputs[] = {
    SIMHOST_PORT("origin_x", "m", "origin of the fan ahead of the reference point", 0),
    SIMHOST_PORT("origin_y", "m", "origin of the fan left of the reference point", 0),
    SIMHOST_PORT("origin_z", "m", "origin of the fan above the ground", 0),
    SIMHOST_PORT("origin_yaw", "rad", "heading of the fan in the vehicle frame", 0),
    SIMHOST_PORT("max_range", "m", "reach", 0),
    SIMHOST_PORT("see_bodies", "1", "1 when vehicles and movable blocks are seen", 0),
    SIMHOST_RAY_PORT("angle", "rad", "angle from the heading of the fan")};
static const simhost_port_desc read_inputs[] = {SIMHOST_PORT("vx", "m/s", "forward velocity", 0),
    SIMHOST_PORT("vy", "m/s", "leftward velocity", 0),
    SIMHOST_RAY_PORT("range", "m", "distance to the first contour, infinite for none")};
static const simhost_port_desc read_outputs[] = {
    SIMHOST_PORT("ground_speed", "m/s", "speed over ground", 0),
    SIMHOST_PORT("nearest", "m", "nearest echo, or max_range without an echo", 0),
    SIMHOST_RAY_PORT("echo", "m", "distance, or max_range without an echo")};
static const simhost_phase phases[] = {
    {sizeof(simhost_phase), 0, SIMHOST_STR("aim"), SIMHOST_EMPTY, SIMHOST_SLICE(aim_outputs), aim},
    SIMHOST_PHASE("read", read_inputs, read_outputs, sample)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_SENSOR, 0, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Ultrasonic rangers at the front."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases),
    create, free, NULL, capacity, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
