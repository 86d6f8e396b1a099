/* A squall: a gust along the world y axis, and rain that makes the ground slippery. */
#include "simhost_math.h"
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double start, speed, duration, wet_mu; } squall; /* in the order of `params` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    squall *made = values.len == 4 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 4 values and enough memory");
    *made = (squall){ values.data[0].number, values.data[1].number, values.data[2].number,
                      values.data[3].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

/* Advances the state of the world, which has one lane. */
static uint32_t update(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const squall *self = handle;
    double *wet = batch->states[0];
    (void)fault;
    if (batch->time >= self->start) wet[0] = fmin(wet[0] + batch->dt / 2.0, 1.0);
    return SIMHOST_FAULT_NONE;
}

/* Returns the wind at the vehicles. */
static uint32_t blow(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const squall *self = handle;
    const double phase = (batch->time - self->start) / self->duration;
    /* the 1-cosine gust of aviation rules, CS 25.341(a)(2) */
    const double gust = phase < 0.0 || phase >= 1.0
        ? 0.0 : 0.5 * self->speed * (1.0 - simhost_cos(6.283185307179586 * phase));
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        batch->outputs[0][i] = 0.0;
        batch->outputs[1][i] = gust;
        batch->outputs[2][i] = 0.0;
    }
    return SIMHOST_FAULT_NONE;
}

/* Returns the ground below the wheels. All lanes have the state of the world, at index 0. */
static uint32_t wet_ground(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const squall *self = handle;
    const double wet = batch->states[0][0];
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        batch->outputs[0][i] = wet > 0.0 ? 0.8 + wet * (self->wet_mu - 0.8) : -1.0;
        batch->outputs[1][i] = -1.0;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("start", "s", "Time at which the squall arrives. A larger value delays it.", 2.0, 0.0, 1e6),
    SIMHOST_PARAM("speed", "m/s", "Largest speed of the gust. A larger value pushes vehicles further aside.", 20.0, 0.0, 100.0),
    SIMHOST_PARAM("duration", "s", "Duration of the gust. A larger value pushes vehicles for longer.", 2.0, 0.001, 1e6),
    SIMHOST_PARAM("wet_mu", "1", "Friction coefficient of wet ground. A smaller value makes vehicles slide more.", 0.4, 0.0, 2.0)};
static const simhost_state_desc states[] = {
    SIMHOST_STATE("wet", "1", "share of the ground that is wet, which grows to 1 within two seconds", 0.0)};
static const simhost_port_desc point[] = {SIMHOST_POINT_PORTS};
static const simhost_port_desc wind[] = {SIMHOST_WIND_PORTS};
static const simhost_port_desc surface[] = {SIMHOST_SURFACE_PORTS};
static const simhost_phase phases[] = {SIMHOST_UPDATE_PHASE(update),
    SIMHOST_PHASE("wind", point, wind, blow), SIMHOST_PHASE("surface", point, surface, wet_ground)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_ENVIRONMENT, 0, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("A squall: a gust, and rain."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
