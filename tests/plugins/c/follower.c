/* A controller that reads a sensor, a sensor with readings of both scopes, and a sensor that reads another
 * one. Macros change the ports
 * and make mistakes. */
#include "instances.h"
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

#ifndef CONTROL_IN
#define CONTROL_IN SIMHOST_ARRAY_PORT("ranges", "m", "ranges of a scan"), \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_OPTIONAL, "level", "V", "battery", 12.0)
#endif
#ifndef RELAY_IN
#define RELAY_IN SIMHOST_ARRAY_PORT("ranges", "m", "ranges of a scan"), \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_OPTIONAL, "level", "V", "battery", 12.0)
#endif
#ifndef DRIVE_IN
#define DRIVE_IN SIMHOST_PORT("push", "N·m", "torque", 0.0)
#endif
#ifndef READ_OUT
#define READ_OUT SIMHOST_RAY_PORT("ranges", "m", "distances"), \
    SIMHOST_PORT("level", "V", "battery", 0.0)
#endif

static size_t rays(const void *handle) { return (size_t)((const double *)handle)[0]; }

/* Publishes the number of ranges, the smallest one, the age, and the level. */
static uint32_t control(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        size_t count = simhost_reading_count(batch, 0, i);
        const double *ranges = simhost_reading(batch, 0, i);
        double age = simhost_reading_age(batch, 0, i), nearest = 100.0;
#ifdef BEYOND
        count = batch->arrays[0].capacity;
#endif
        for (size_t k = 0; k < count; k++) nearest = fmin(nearest, ranges[k]);
#ifdef EMPTY
        nearest = nearest * (double)count / (double)count;
#endif
#ifdef TIRED
        if (age > 0.145 && age < 1.0) return simhost_fail(fault, SIMHOST_FAULT_PANIC, i, "too old");
#endif
        batch->outputs[0][i] = 0.1;
        batch->outputs[1][i] = (double)count;
        batch->outputs[2][i] = nearest;
        batch->outputs[3][i] = fmin(age, 1000.0);
        batch->outputs[4][i] = batch->inputs[1][i];
    }
    return SIMHOST_FAULT_NONE;
}

static uint32_t drive(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        for (size_t w = 0; w < batch->wheels; w++) {
            batch->outputs[0][w * batch->wheel_stride + i] = batch->inputs[0][i];
            batch->outputs[1][w * batch->wheel_stride + i] = 0.0;
        }
    return SIMHOST_FAULT_NONE;
}

static uint32_t measure(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) batch->outputs[0][i] = 0.0;
    return SIMHOST_FAULT_NONE;
}

static uint32_t aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        for (size_t r = 0; r < batch->rays; r++)
            batch->outputs[0][i * batch->rays + r] = 0.1 * (double)r;
    return SIMHOST_FAULT_NONE;
}

/* Returns the ranges and a level that falls; does not work from the time `until` on. */
static uint32_t sample(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double until = ((const double *)handle)[1];
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        if (batch->time > until) return simhost_fail(fault, SIMHOST_FAULT_PANIC, i, "blind");
        for (size_t r = 0; r < batch->rays; r++) {
            const double range = batch->inputs[0][i * batch->rays + r];
            batch->outputs[0][i * batch->rays + r] = isfinite(range) ? range : 50.0;
        }
        batch->outputs[1][i] = 10.0 - batch->time;
    }
    return SIMHOST_FAULT_NONE;
}

/* Returns the smallest range, the age and the number of the ranges, and twice the level. */
static uint32_t relay_sample(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        double near = 100.0;
        for (size_t k = 0; k < simhost_reading_count(batch, 0, i); k++)
            near = fmin(near, simhost_reading(batch, 0, i)[k]);
        batch->outputs[0][i] = near;
        batch->outputs[1][i] = fmin(simhost_reading_age(batch, 0, i), 1000.0);
        batch->outputs[2][i] = (double)simhost_reading_count(batch, 0, i);
        batch->outputs[3][i] = 2.0 * batch->inputs[1][i];
    }
    return SIMHOST_FAULT_NONE;
}

static uint32_t relay_aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)batch, (void)fault;
    return SIMHOST_FAULT_NONE;
}

#define PUBLISHED(name, unit) SIMHOST_PUBLISHED_PORT(name, unit, "published")
static const simhost_port_desc control_in[] = {CONTROL_IN};
static const simhost_port_desc control_out[] = {SIMHOST_PORT("push", "N·m", "torque", 0.0),
    PUBLISHED("count", "1"), PUBLISHED("nearest", "m"), PUBLISHED("age", "s"), PUBLISHED("power", "V")};
static const simhost_port_desc drive_in[] = {DRIVE_IN};
static const simhost_port_desc drive_out[] = {SIMHOST_WHEEL_PORT("torque", "N·m", "torque"),
    SIMHOST_WHEEL_PORT("steer", "rad", "angle")};
static const simhost_port_desc measure_in[] = {SIMHOST_WHEEL_PORT("spin", "rad/s", "spin")};
static const simhost_port_desc measure_out[] = {PUBLISHED("nothing", "1")};
static const simhost_port_desc aim_in[] = {SIMHOST_PORT("x", "m", "position", 0.0)};
static const simhost_port_desc aim_out[] = {SIMHOST_RAY_PORT("angle", "rad", "direction")};
static const simhost_port_desc sample_in[] = {SIMHOST_RAY_PORT("range", "m", "exact range")};
static const simhost_port_desc sample_out[] = {READ_OUT};

static const simhost_phase control_phases[] = {
    SIMHOST_PHASE("control", control_in, control_out, control)};
static const simhost_phase drive_phases[] = {SIMHOST_PHASE("drive", drive_in, drive_out, drive),
    SIMHOST_PHASE("measure", measure_in, measure_out, measure)};
static const simhost_phase sensor_phases[] = {
    SIMHOST_PHASE("aim", aim_in, aim_out, aim), SIMHOST_PHASE("read", sample_in, sample_out, sample)};
static const simhost_port_desc relay_in[] = {RELAY_IN};
static const simhost_port_desc relay_out[] = {SIMHOST_PORT("near", "m", "smallest range", 0.0),
    SIMHOST_PORT("seen_age", "s", "age of the ranges", 0.0), SIMHOST_PORT("seen", "1", "number of ranges", 0.0),
    SIMHOST_PORT("doubled", "V", "twice the level", 0.0)};
static const simhost_phase relay_phases[] = {
    {sizeof(simhost_phase), 0, SIMHOST_STR("aim"), SIMHOST_EMPTY, SIMHOST_EMPTY, relay_aim},
    SIMHOST_PHASE("read", relay_in, relay_out, relay_sample)};
static const simhost_param_desc params[] = {
    SIMHOST_PARAM("rays", "1", "number of rays", 5.0, 1.0, 1000.0),
    SIMHOST_PARAM("until", "s", "time of the last sample", 1e9, 0.0, 1e9)};
static const simhost_wheel_desc wheels[] = {SIMHOST_WHEEL("l_wheel", 0, 0.5),
    SIMHOST_WHEEL("r_wheel", 0, -0.5), SIMHOST_WHEEL("caster", 0.4, 0)};
static const double polygon[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
static const simhost_chassis_desc chassis = {
    sizeof(simhost_chassis_desc), 0, 10.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};

#define MODEL(name, kind, params, wheels, chassis, phases, rays)                              \
    static const simhost_model name = {sizeof(simhost_model), kind, 0, 0, SIMHOST_STR(#name), \
        SIMHOST_STR("1.0.0"), SIMHOST_STR("Reads a sensor."), params, SIMHOST_EMPTY,          \
        SIMHOST_EMPTY, wheels, chassis, SIMHOST_SLICE(phases), create_pair, free, NULL, rays, NULL}
#define NONE SIMHOST_EMPTY
MODEL(follower, SIMHOST_KIND_CONTROLLER, NONE, NONE, NULL, control_phases, NULL);
MODEL(cart, SIMHOST_KIND_DYNAMICS, NONE, SIMHOST_SLICE(wheels), &chassis, drive_phases, NULL);
MODEL(eye, SIMHOST_KIND_SENSOR, SIMHOST_SLICE(params), NONE, NULL, sensor_phases, rays);
MODEL(relay, SIMHOST_KIND_SENSOR, NONE, NONE, NULL, relay_phases, NULL);
static const simhost_model_ref models[] = {&follower, &cart, &eye, &relay};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("acme"),
    SIMHOST_STR("follower"), SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
