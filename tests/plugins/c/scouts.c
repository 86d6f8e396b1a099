/* A fleet whose vehicles stop in front of obstacles, and publish what they read and perceive. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

#ifndef RANGES
#define RANGES SIMHOST_ARRAY_PORT("range", "m", "ranges of a laser")
#endif
#ifndef FAILURE
#define FAILURE
#endif

enum { VX, COUNT, NEAREST, AGE, CLOSE, OWN };

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
    *handle = NULL;
    return SIMHOST_FAULT_NONE;
}

static uint32_t command(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const size_t count = simhost_reading_count(batch, 0, i);
        const double *range = simhost_reading(batch, 0, i);
        const simhost_neighbour_query circle = {{batch->inputs[1][i], batch->inputs[2][i]}, 4.0,
            SIMHOST_ENTITY_VEHICLE, 0};
        simhost_neighbour found[4];
        double nearest = 100.0;
        for (size_t k = 0; k < count; k++) nearest = fmin(nearest, range[k]);
        batch->outputs[VX][i] = fmin(1.0, nearest - 1.0);
        batch->outputs[COUNT][i] = (double)count;
        batch->outputs[NEAREST][i] = nearest;
        batch->outputs[AGE][i] = fmin(simhost_reading_age(batch, 0, i), 1000.0);
        batch->outputs[CLOSE][i] = (double)simhost_find_neighbours(batch, i, circle, 4, found);
        batch->outputs[OWN][i] = (double)simhost_own_entity(batch, i);
    }
    FAILURE;
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc inputs[] = {RANGES,
    SIMHOST_PORT("x", "m", "reference point, world frame", 0),
    SIMHOST_PORT("y", "m", "reference point, world frame", 0)};
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("vx", "m/s", "forward velocity", 0),
    SIMHOST_PUBLISHED_PORT("count", "1", "number of ranges"),
    SIMHOST_PUBLISHED_PORT("nearest", "m", "smallest range"),
    SIMHOST_PUBLISHED_PORT("age", "s", "age of the ranges, at most 1000 s"),
    SIMHOST_PUBLISHED_PORT("close", "1", "number of vehicles within 4 m"),
    SIMHOST_PUBLISHED_PORT("own", "1", "number of the vehicle")};
static const simhost_str twist[] = {SIMHOST_STR("vx"), SIMHOST_STR(""), SIMHOST_STR("")};
static const simhost_command_desc commands[] = {SIMHOST_COMMAND("twist", twist)};
static const simhost_phase phases[] = {SIMHOST_PHASE("command", inputs, outputs, command)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_FLEET,
    SIMHOST_MODEL_FLAG_WHOLE_BATCH | SIMHOST_MODEL_FLAG_PERCEIVES, 0, SIMHOST_STR("scouts"),
    SIMHOST_STR("0.1.0"), SIMHOST_STR("Stops in front of obstacles."), SIMHOST_EMPTY,
    SIMHOST_EMPTY, SIMHOST_SLICE(commands), SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases), create,
    free, NULL, NULL, NULL};
static const simhost_model_ref models[] = {&model};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("test"), SIMHOST_STR("scouts"),
    SIMHOST_STR("0.1.0"), SIMHOST_SLICE(models)};
