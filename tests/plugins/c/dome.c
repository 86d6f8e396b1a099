/* A sensor in C whose rays leave the plane: straight ahead, 45 degrees down, and straight down. It gives
 * points with the class of what they meet. With FLAT its instances stay in the plane. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RAYS 3

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
    *handle = malloc(1);
    return SIMHOST_FAULT_NONE;
}

static size_t rays(const void *handle) {
    (void)handle;
    return RAYS;
}

static const double elevations[RAYS] = {0.0, -0.78539816339744831, -1.5707963267948966};

static uint32_t aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        batch->outputs[0][i] = 1.5;
        for (size_t r = 0; r < RAYS; r++) {
            batch->outputs[1][i * RAYS + r] = 0.0;
            batch->outputs[2][i * RAYS + r] = elevations[r];
        }
    }
    return SIMHOST_FAULT_NONE;
}

static uint32_t sample(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        for (size_t r = 0; r < RAYS; r++) {
            const size_t at = i * RAYS + r;
            const double range = batch->inputs[0][at], elevation = batch->inputs[3][at];
            const double reach = isfinite(range) ? range : 0.0;
            batch->outputs[0][at] = reach * cos(elevation);
            batch->outputs[1][at] = 0.0;
            batch->outputs[2][at] = reach * sin(elevation);
            batch->outputs[3][at] = batch->inputs[1][at];
            batch->outputs[4][at] = batch->inputs[2][at];
        }
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc aim_in[] = {SIMHOST_PORT("yaw", "rad", "heading", 0.0)};
static const simhost_port_desc aim_out[] = {SIMHOST_PORT("origin_z", "m", "height", 0.0),
    SIMHOST_RAY_PORT("angle", "rad", "azimuth"), SIMHOST_RAY_PORT("elevation", "rad", "elevation")};
static const simhost_port_desc sample_in[] = {SIMHOST_RAY_PORT("range", "m", "exact range"),
    SIMHOST_RAY_PORT("cos_incidence", "1", "incidence"), SIMHOST_RAY_PORT("class", "1", "class"),
    SIMHOST_RAY_PORT("elevation", "rad", "elevation")};
static const simhost_port_desc sample_out[] = {SIMHOST_RAY_PORT("x", "m", "point"),
    SIMHOST_RAY_PORT("y", "m", "point"), SIMHOST_RAY_PORT("z", "m", "point"),
    SIMHOST_RAY_PORT("facing", "1", "cosine of incidence"), SIMHOST_RAY_PORT("class", "1", "class")};
static const simhost_phase phases[] = {SIMHOST_PHASE("aim", aim_in, aim_out, aim),
    SIMHOST_PHASE("read", sample_in, sample_out, sample)};

#ifdef FLAT
static uint32_t is_spatial(const void *handle) {
    (void)handle;
    return 0;
}
static const simhost_spatial_table spatial = {sizeof spatial, 0, is_spatial};
static const void *ability(simhost_str id) {
    const char name[] = SIMHOST_SPATIAL_ABILITY;
    return id.len == sizeof name - 1 && memcmp(id.data, name, id.len) == 0 ? &spatial : NULL;
}
#else
#define ability NULL
#endif

static const simhost_model dome = {sizeof(simhost_model), SIMHOST_KIND_SENSOR, 0, 0,
    SIMHOST_STR("dome"), SIMHOST_STR("1.0.0"), SIMHOST_STR("Looks ahead and down."), SIMHOST_EMPTY,
    SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases), create, free, NULL, rays,
    ability};
static const simhost_model_ref models[] = {&dome};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("acme"), SIMHOST_STR("dome"),
    SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
