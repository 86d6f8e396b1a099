/* A controller that drives straight on and publishes what it perceives. Macros make mistakes. */
#include "instances.h"
#include "simhost_plugin.h"

#include <stdlib.h>
#include <string.h>

#ifndef FLAGS
#define FLAGS SIMHOST_MODEL_FLAG_PERCEIVES
#endif
#ifdef PLAIN
#define ASKS 0
#else
#define ASKS 1
#endif

#define CAPACITY 2

/* Writes what lane `i` perceives to the outputs from number 1 on. */
static void look(const simhost_batch *batch, size_t i) {
    const double x = batch->inputs[0][i], y = batch->inputs[1][i];
    simhost_ray rays[3] = {
        {{x, y, 0.3}, {1, 0, 0}, 50.0, SIMHOST_ENTITY_ALL, 0},
        {{x, y, 0.3}, {0, 2, 0}, 50.0, SIMHOST_ENTITY_WALL, 0},
        {{x, y, 9.0}, {0, 0, -3}, 50.0, SIMHOST_ENTITY_OWN | SIMHOST_ENTITY_GROUND, 0}};
    simhost_ray_hit hits[3];
    simhost_neighbour near[CAPACITY];
    simhost_neighbour_query query = {{x, y}, 20.0,
        SIMHOST_ENTITY_VEHICLE | SIMHOST_ENTITY_BLOCK | SIMHOST_ENTITY_ACTOR, 0};
    double point[3] = {x, y, 0.5}, *const *out = batch->outputs;
    simhost_surface_point ground = {0, {0, 0, 1}, -1, -1, 0};
    size_t total, used, lane = i;
    memset(hits, 0, sizeof hits);
#ifdef FIRST
    lane = batch->first;
#endif
#ifdef NULLED
    {
        const simhost_str id = SIMHOST_STR(SIMHOST_RAYS_SERVICE);
        const simhost_rays_service *service =
            (const simhost_rays_service *)batch->services->find(batch->services->context, id);
        service->cast(batch->services->context, lane, 3, rays, hits);
    }
#else
    simhost_cast(batch, lane, 3, rays, hits);
#endif
    total = simhost_find_neighbours(batch, lane, query, CAPACITY, near);
    simhost_find_surface(batch, 1, point, &ground);
    used = total < CAPACITY ? total : CAPACITY;
#ifdef BEYOND
    used = total;
#endif
    out[1][i] = hits[0].kind ? hits[0].range : -1.0;
    out[2][i] = hits[0].kind ? hits[0].entity : -1.0;
    out[3][i] = hits[0].normal[0];
    out[4][i] = hits[1].kind ? hits[1].range : -1.0;
    out[5][i] = hits[2].kind ? hits[2].range : -1.0;
    out[6][i] = (double)total;
    out[7][i] = used > 0 ? near[0].entity : -1.0;
    out[8][i] = used > 0 ? near[0].distance : -1.0;
    out[9][i] = used > 0 ? near[0].velocity[0] : 0;
    out[10][i] = used > 1 ? near[1].entity : -1.0;
    out[11][i] = used > 1 ? near[1].box_max[0] - near[1].box_min[0] : 0;
    out[12][i] = (double)(simhost_own_entity(batch, lane) + UINT32_C(1));
    out[13][i] = ground.mu;
    out[14][i] = ground.surface;
    out[15][i] = 0;
    for (size_t k = 0; k < used; k++) out[15][i] += near[k].distance;
}

static uint32_t control(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double *params = (const double *)handle;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        batch->outputs[0][i] = params[0];
        for (size_t k = 1; k < 16; k++) batch->outputs[k][i] = 0;
        if (ASKS) look(batch, i);
        if (batch->outputs[8][i] > 0 && batch->outputs[8][i] < params[1])
            return simhost_fail(fault, SIMHOST_FAULT_PANIC, i, "too near");
    }
    return SIMHOST_FAULT_NONE;
}

#define PUBLISHED(name, unit) SIMHOST_PUBLISHED_PORT(name, unit, "published")
static const simhost_port_desc control_in[] = {
    SIMHOST_PORT("x", "m", "position", 0.0), SIMHOST_PORT("y", "m", "position", 0.0)};
static const simhost_port_desc control_out[] = {SIMHOST_PORT("twist_vx", "m/s", "velocity", 0.0),
    PUBLISHED("ahead", "m"), PUBLISHED("ahead_entity", "1"), PUBLISHED("ahead_normal", "1"),
    PUBLISHED("left", "m"), PUBLISHED("own_top", "m"), PUBLISHED("total", "1"),
    PUBLISHED("first", "1"), PUBLISHED("first_distance", "m"), PUBLISHED("first_vx", "m/s"),
    PUBLISHED("second", "1"), PUBLISHED("second_length", "m"), PUBLISHED("own", "1"),
    PUBLISHED("mu", "1"), PUBLISHED("surface", "1"), PUBLISHED("sum", "m")};
static const simhost_phase phases[] = {SIMHOST_PHASE("control", control_in, control_out, control)};
static const simhost_param_desc params[] = {
    SIMHOST_PARAM("speed", "m/s", "forward velocity", 0.0, -9.0, 9.0),
    SIMHOST_PARAM("fear", "m", "distance at which it faults", 0.0, 0.0, 99.0)};
static const simhost_model seer = {.size = sizeof(simhost_model), .kind = SIMHOST_KIND_CONTROLLER,
    .flags = FLAGS, .id = SIMHOST_STR("seer"), .version = SIMHOST_STR("1.0.0"),
    .doc = SIMHOST_STR("Publishes what it perceives."), .params = SIMHOST_SLICE(params),
    .phases = SIMHOST_SLICE(phases), .create = create_pair, .destroy = free};
static const simhost_model *const models[] = {&seer};
SIMHOST_EXPORT const simhost_plugin simhost_plugin_v1 = {.head = SIMHOST_HEAD,
    .vendor = SIMHOST_STR("acme"), .name = SIMHOST_STR("seer"), .version = SIMHOST_STR("1.0.0"),
    .models = SIMHOST_SLICE(models)};
