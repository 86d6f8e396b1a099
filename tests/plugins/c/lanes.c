/* A tyre and a controller whose parameters differ between lanes, as a stranger writes them, with a place
 * for mistakes. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

#ifndef MU
#define MU SIMHOST_LANE_PARAM("mu", "1", "Coefficient of friction. More of it and it slides less.", 0.8, 0.0, 2.0)
#endif
#ifndef MU_PORT
#define MU_PORT SIMHOST_PARAMETER_PORT("mu", "1", "coefficient of friction of the lane")
#endif
#ifndef MORE_OUT
#define MORE_OUT
#endif
#ifndef FAULT_ABOVE
#define FAULT_ABOVE 9.0
#endif

enum { VX, VY, SPIN, NORMAL_FORCE, RADIUS, MU_IN };

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    if (values.len != 1) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected one value");
    if (values.data[0].number == 1.25)
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "no tyre has a mu of 1.25");
    double *mu = malloc(sizeof *mu);
    *mu = values.data[0].number;
    *handle = mu;
    return SIMHOST_FAULT_NONE;
}

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double *const *in = batch->inputs;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double mu = simhost_param(batch, MU_IN, i, *(const double *)handle);
        if (mu > FAULT_ABOVE && batch->time > 0.095)
            return simhost_fail(fault, SIMHOST_FAULT_PANIC, i, "too much grip");
        const double limit = mu * in[NORMAL_FORCE][i];
        const double fx = -200.0 * (in[VX][i] - in[SPIN][i] * in[RADIUS][i]);
        const double fy = -200.0 * in[VY][i];
        const double size = sqrt(fx * fx + fy * fy), scale = size > limit ? limit / size : 1.0;
        batch->outputs[0][i] = scale * fx;
        batch->outputs[1][i] = scale * fy;
        batch->outputs[2][i] = -in[RADIUS][i] * scale * fx;
        batch->states[0][i] += batch->dt * size;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc inputs[] = {
    SIMHOST_PORT("vx", "m/s", "forward", 0), SIMHOST_PORT("vy", "m/s", "leftward", 0),
    SIMHOST_PORT("spin", "rad/s", "spin", 0), SIMHOST_PORT("normal_force", "N", "load", 0),
    SIMHOST_PORT("radius", "m", "radius", 0), MU_PORT};
static const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force to the left", 0),
    SIMHOST_PORT("spin_torque", "N·m", "torque about the axle", 0) MORE_OUT};
static const simhost_phase phases[] = {SIMHOST_PHASE("force", inputs, outputs, force)};
static const simhost_param_desc params[] = {MU};
static const simhost_state_desc states[] = {
    SIMHOST_STATE_FROM("wear", "1", "starts from the coefficient", "mu")};
static const simhost_model tyre = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 1,
    SIMHOST_STR("lane_tyre"), SIMHOST_STR("1.0.0"), SIMHOST_STR("A tyre for tests."),
    SIMHOST_SLICE(params), SIMHOST_SLICE(states), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
static const simhost_model_ref models[] = {&tyre};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("faulty"),
    SIMHOST_STR("lanes"), SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
