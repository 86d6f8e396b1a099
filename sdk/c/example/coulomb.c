/*
 * Coulomb friction: the ground opposes the slip of the contact point with what stops it within the
 * step, and with mu times the normal force at most. `mu_override` of the ground goes first.
 *
 * cc -std=c99 -O2 -ffp-contract=off -shared -fPIC -I.. -o c_coulomb.so coulomb.c -lm
 */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

enum { VX, VY, SPIN, NORMAL_FORCE, RADIUS, INERTIA, GRAVITY, MU_OVERRIDE }; /* order of `inputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    double *mu = values.len == 1 ? malloc(sizeof *mu) : NULL;
    if (mu == NULL) return fault->code = SIMHOST_FAULT_REFUSED;
    *mu = values.data[0].number;
    *handle = mu;
    return SIMHOST_FAULT_NONE;
}

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double ground = in[MU_OVERRIDE][i], r = in[RADIUS][i], n = in[NORMAL_FORCE][i];
        const double limit = (ground >= 0.0 ? ground : *(const double *)handle) * n;
        /* along the rolling direction the wheel yields too: m I / (I + m r^2) */
        const double gravity = in[GRAVITY][i], inertia = in[INERTIA][i];
        const double mass = gravity > 0.0 ? n / gravity : 0.0; /* a wheel in the air yields at once */
        const double mass_x = mass * inertia / (inertia + mass * r * r);
        const double fx = -mass_x * (in[VX][i] - in[SPIN][i] * r) / batch->dt;
        const double fy = -mass * in[VY][i] / batch->dt;
        const double size = sqrt(fx * fx + fy * fy), scale = size > limit ? limit / size : 1.0;
        batch->outputs[0][i] = scale * fx;
        batch->outputs[1][i] = scale * fy;
        batch->outputs[2][i] = -r * scale * fx;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc inputs[] = {
    SIMHOST_PORT("vx", "m/s", "forward", 0), SIMHOST_PORT("vy", "m/s", "leftward", 0),
    SIMHOST_PORT("spin", "rad/s", "spin", 0), SIMHOST_PORT("normal_force", "N", "load", 0),
    SIMHOST_PORT("radius", "m", "radius", 0), SIMHOST_PORT("inertia", "kg·m²", "inertia", 0),
    SIMHOST_PORT("gravity", "m/s²", "gravity", 0), SIMHOST_PORT("mu_override", "1", "ground", -1)};
static const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force to the left", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
static const simhost_phase phases[] = {{sizeof(simhost_phase), 0, SIMHOST_STR("force"),
    SIMHOST_SLICE(inputs), SIMHOST_SLICE(outputs), force}};
static const simhost_param_desc params[] = {{sizeof(simhost_param_desc), SIMHOST_PARAM_NUMBER, 0, 0,
    SIMHOST_STR("mu"), SIMHOST_EMPTY, SIMHOST_STR("Friction coefficient. A higher value makes wheels slip later."),
    SIMHOST_STR("1"), 1.0, 0.0, 10.0, SIMHOST_NUMBER(0.8), SIMHOST_EMPTY, SIMHOST_EMPTY}};
static const simhost_model coulomb = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 0,
    SIMHOST_STR("c_coulomb"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Coulomb friction."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases),
    create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("example", "coulomb", "0.1.0", coulomb);
