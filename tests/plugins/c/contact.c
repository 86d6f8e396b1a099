/*
 * Models that read what the host computes on demand. The tyre publishes its inputs, a dynamics class
 * leans its wheels and drives them, and a controller publishes sums over the wheels.
 */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
    *handle = malloc(1);
    return SIMHOST_FAULT_NONE;
}

/* Name and unit of every quantity on demand. */
#define QUANTITIES(P)                                                                          \
    P("wheel_angle", "rad"), P("wheel_fx", "N"), P("wheel_fy", "N"), P("camber", "rad"),       \
    P("camber_rate", "rad/s"), P("contact_normal_x", "1"), P("contact_normal_y", "1"),         \
    P("contact_normal_z", "1"), P("surface", "1")
#define IN(name, unit) SIMHOST_REQUIRED_PORT(name, unit, "read")
#define OUT(name, unit) SIMHOST_PUBLISHED_PORT("read_" name, unit, "published")
enum { ON_DEMAND = 9, VX = ON_DEMAND, SPIN, RADIUS, NORMAL_FORCE, FX = 0, FY, SPIN_TORQUE, READ };

static const simhost_port_desc force_in[] = {QUANTITIES(IN),
    SIMHOST_PORT("vx", "m/s", "forwards", 0), SIMHOST_PORT("spin", "rad/s", "forwards", 0),
    SIMHOST_PORT("radius", "m", "rolling radius", 0), SIMHOST_PORT("normal_force", "N", "load", 0)};
static const simhost_port_desc force_out[] = {SIMHOST_PORT("fx", "N", "forwards", 0),
    SIMHOST_PORT("fy", "N", "leftwards", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0),
    QUANTITIES(OUT)};

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double *const *in = batch->inputs;
    double *const *out = batch->outputs;
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double slip = in[SPIN][i] * in[RADIUS][i] - in[VX][i];
        out[FX][i] = in[NORMAL_FORCE][i] * fmax(-0.8, fmin(slip, 0.8));
        out[FY][i] = 0.0;
        out[SPIN_TORQUE][i] = -in[RADIUS][i] * out[FX][i];
        for (size_t k = 0; k < ON_DEMAND; k++) out[READ + k][i] = in[k][i];
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc drive_out[] = {SIMHOST_WHEEL_PORT("torque", "N·m", "torque"),
    SIMHOST_WHEEL_PORT("steer", "rad", "steering"), SIMHOST_WHEEL_PORT("camber", "rad", "camber"),
    SIMHOST_WHEEL_PORT("camber_rate", "rad/s", "rate of the camber")};
static const simhost_port_desc measure_in[] = {
    SIMHOST_REQUIRED_WHEEL_PORT("camber", "rad", "camber")};
static const simhost_port_desc measure_out[] = {
    SIMHOST_PUBLISHED_PORT("lean", "rad", "sum of the camber")};

static uint32_t drive(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const double outputs[2][4] = {{0.4, 0.0, 0.1, 0.01}, {0.4, 0.0, -0.2, 0.02}};
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        for (size_t w = 0; w < 2; w++)
            for (size_t k = 0; k < 4; k++)
                batch->outputs[k][w * batch->wheel_stride + i] = outputs[w][k];
    return SIMHOST_FAULT_NONE;
}

/* Publishes the sums of the inputs over the wheels. */
static uint32_t sums(const simhost_batch *batch, size_t ports) {
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        for (size_t k = 0; k < ports; k++) {
            batch->outputs[k][i] = 0.0;
            for (size_t w = 0; w < batch->wheels; w++)
                batch->outputs[k][i] += batch->inputs[k][w * batch->wheel_stride + i];
        }
    return SIMHOST_FAULT_NONE;
}

static uint32_t measure(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    return sums(batch, 1);
}

static const simhost_port_desc control_in[] = {
    SIMHOST_REQUIRED_WHEEL_PORT("wheel_angle", "rad", "angle"),
    SIMHOST_REQUIRED_WHEEL_PORT("wheel_fx", "N", "force"),
    SIMHOST_REQUIRED_WHEEL_PORT("contact_normal_z", "1", "normal")};
static const simhost_port_desc control_out[] = {SIMHOST_PUBLISHED_PORT("angle", "rad", "angles"),
    SIMHOST_PUBLISHED_PORT("force", "N", "forces"), SIMHOST_PUBLISHED_PORT("normal", "1", "normals")};

static uint32_t control(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    return sums(batch, 3);
}

static const simhost_phase friction_phases[] = {SIMHOST_PHASE("force", force_in, force_out, force)};
static const simhost_phase dynamics_phases[] = {
    {sizeof(simhost_phase), 0, SIMHOST_STR("drive"), SIMHOST_EMPTY, SIMHOST_SLICE(drive_out), drive},
    SIMHOST_PHASE("measure", measure_in, measure_out, measure)};
static const simhost_phase controller_phases[] = {
    SIMHOST_PHASE("control", control_in, control_out, control)};
static const simhost_wheel_desc wheels[] = {
    SIMHOST_WHEEL("l_wheel", 0, 0.5), SIMHOST_WHEEL("r_wheel", 0, -0.5)};
static const double polygon[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
static const simhost_chassis_desc chassis = {
    sizeof(simhost_chassis_desc), 0, 10.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};

#define MODEL(name, kind, wheels, chassis, phases)                                               \
    static const simhost_model name = {sizeof(simhost_model), kind, 0, 0, SIMHOST_STR(#name),     \
        SIMHOST_STR("1.0.0"), SIMHOST_STR("Contact."), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, \
        wheels, chassis, SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL}
MODEL(contact, SIMHOST_KIND_FRICTION, SIMHOST_EMPTY, NULL, friction_phases);
MODEL(leaning, SIMHOST_KIND_DYNAMICS, SIMHOST_SLICE(wheels), &chassis, dynamics_phases);
MODEL(summing, SIMHOST_KIND_CONTROLLER, SIMHOST_EMPTY, NULL, controller_phases);
static const simhost_model_ref models[] = {&contact, &leaning, &summing};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("test"),
    SIMHOST_STR("contact"), SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
