/* Friction that rises with slip up to mu: mu(s) = mu s / (s + slip_half). */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double mu, slip_half; } tyre; /* parameters, in the order of `params` */

enum { VX, VY, SPIN, NORMAL_FORCE, GRAVITY, RADIUS, INERTIA, MU_OVERRIDE }; /* in the order of `inputs` */
enum { FX, FY, SPIN_TORQUE };                                               /* in the order of `outputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    tyre *made = values.len == 2 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "2 values and memory are needed");
    *made = (tyre){ values.data[0].number, values.data[1].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const tyre *self = handle;
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double radius = in[RADIUS][i], rim = in[SPIN][i] * radius, load = in[NORMAL_FORCE][i];
        /* sliding speed divided by the larger of rolling and travelling speed */
        const double x = in[VX][i] - rim, y = in[VY][i], sliding = sqrt(x * x + y * y);
        const double slip = sliding / fmax(fmax(fabs(in[VX][i]), fabs(rim)), 0.1);
        /* a friction coefficient of the ground has precedence */
        const double mu = in[MU_OVERRIDE][i] >= 0.0 ? in[MU_OVERRIDE][i] : self->mu;
        const double grip = mu * slip / (slip + self->slip_half) * load / fmax(sliding, 1e-9);
        /* at most the force that stops the sliding within the step, of the rim and of the mass */
        const double fx = -fmin(grip, in[INERTIA][i] / (radius * radius) / batch->dt) * x;
        batch->outputs[FX][i] = fx;
        batch->outputs[FY][i] = -fmin(grip, load / in[GRAVITY][i] / batch->dt) * y;
        batch->outputs[SPIN_TORQUE][i] = -radius * fx;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("mu", "1", "Friction coefficient. A higher value gives more grip.", 0.8, 0.0, 3.0),
    SIMHOST_PARAM("slip_half", "1", "Slip at half the grip. A higher value gives a softer response.", 0.05, 1e-3, 1.0)};
static const simhost_port_desc inputs[] = {
    SIMHOST_PORT("vx", "m/s", "forwards", 0), SIMHOST_PORT("vy", "m/s", "leftwards", 0),
    SIMHOST_PORT("spin", "rad/s", "spin", 0), SIMHOST_PORT("normal_force", "N", "load", 0),
    SIMHOST_PORT("gravity", "m/s²", "gravity", 0), SIMHOST_PORT("radius", "m", "radius", 0),
    SIMHOST_PORT("inertia", "kg·m²", "inertia", 0), SIMHOST_PORT("mu_override", "1", "ground", -1)};
static const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force leftwards", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
static const simhost_phase phases[] = {SIMHOST_PHASE("force", inputs, outputs, force)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Friction that rises with slip."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases),
    create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
