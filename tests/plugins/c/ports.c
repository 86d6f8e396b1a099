/* A plugin with a model of every kind, whose ports are macros. All outputs are 0, except that the
 * sensor returns the sum of the spins of all wheels. */
#include "simhost_plugin.h"

#include <stdlib.h>

#define WHEEL(name, unit) SIMHOST_WHEEL_PORT(name, unit, "of a wheel")
#define ONE(name, unit) SIMHOST_PORT(name, unit, "of a lane", 0.0)
#define RAY(name, unit) SIMHOST_RAY_PORT(name, unit, "of a ray")
#define PUBLISHED(name, unit) SIMHOST_PUBLISHED_PORT(name, unit, "published")
#define PUBLISHED_WHEEL(name, unit) SIMHOST_PUBLISHED_WHEEL_PORT(name, unit, "published")
#define REQUIRED(name, unit) SIMHOST_REQUIRED_PORT(name, unit, "required")
#define REQUIRED_WHEEL(name, unit) SIMHOST_REQUIRED_WHEEL_PORT(name, unit, "required")
#define KEYED(flags, name, unit, key, key_unit, scale)                                            \
    { (uint32_t)sizeof(simhost_port_desc), SIMHOST_SCOPE_INSTANCE, (flags), 0, SIMHOST_STR(name), \
      SIMHOST_STR(unit), SIMHOST_STR("set by the world file"), 0.0, SIMHOST_STR(key),             \
      SIMHOST_STR(key_unit), (scale) }

#ifndef FORCE_IN
#define FORCE_IN ONE("vx", "m/s"), ONE("vy", "m/s"), ONE("spin", "rad/s"), ONE("torque", "Nm")
#endif
#ifndef FORCE_OUT
#define FORCE_OUT ONE("fx", "N"), ONE("fy", "N"), ONE("spin_torque", "N*m")
#endif
#ifndef DRIVE_IN
#define DRIVE_IN ONE("push", "N·m"), ONE("vx", "m/s"), WHEEL("radius", "m")
#endif
#ifndef DRIVE_OUT
#define DRIVE_OUT WHEEL("torque", "N·m"), WHEEL("steer", "rad")
#endif
#ifndef MEASURE_IN
#define MEASURE_IN WHEEL("spin", "rad/s")
#endif
#ifndef MEASURE_OUT
#define MEASURE_OUT ONE("odometry_vx", "m/s"), ONE("load", "N"), PUBLISHED_WHEEL("slip", "1")
#endif
#ifndef CONTROL_IN
#define CONTROL_IN ONE("vx", "m/s"), ONE("load", "N"), WHEEL("spin", "rad/s"), \
    KEYED(SIMHOST_PORT_FLAG_COMMAND, "speed", "m/s", "speed", "km/h", 1.0 / 3.6)
#endif
#ifndef CONTROL_OUT
#define CONTROL_OUT ONE("push", "Nm"), PUBLISHED("error", "m/s")
#endif
#ifndef AIM_IN
#define AIM_IN WHEEL("wheel_steer", "rad")
#endif
#ifndef AIM_OUT
#define AIM_OUT ONE("max_range", "m"), RAY("angle", "rad")
#endif
#ifndef READ_IN
#define READ_IN WHEEL("spin", "rad/s"), RAY("range", "m"), ONE("odometry_vx", "m/s")
#endif
#ifndef READ_OUT
#define READ_OUT ONE("sum", "rad/s")
#endif
#ifndef COMMAND_PORT
#define COMMAND_PORT "speed"
#endif

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
    *handle = malloc(1);
    return SIMHOST_FAULT_NONE;
}

static size_t capacity(const void *handle) {
    (void)handle;
    return 2;
}

/* Writes zeros to all outputs. */
static uint32_t clear(const simhost_port_desc *ports, size_t count, const simhost_batch *batch) {
    for (size_t o = 0; o < count; o++)
        for (size_t i = batch->first; i < batch->first + batch->count; i++) {
            if (ports[o].scope == SIMHOST_SCOPE_INSTANCE) batch->outputs[o][i] = 0.0;
            for (size_t w = 0; ports[o].scope == SIMHOST_SCOPE_WHEEL && w < batch->wheels; w++)
                batch->outputs[o][w * batch->wheel_stride + i] = 0.0;
            for (size_t r = 0; ports[o].scope == SIMHOST_SCOPE_RAY && r < batch->rays; r++)
                batch->outputs[o][i * batch->rays + r] = 0.0;
        }
    return SIMHOST_FAULT_NONE;
}

#define PHASE(name)                                                                              \
    static uint32_t name(const void *handle, const simhost_batch *batch, simhost_fault *fault) { \
        (void)handle, (void)fault;                                                               \
        return clear(name##_out, sizeof name##_out / sizeof *name##_out, batch);                 \
    }

static const simhost_port_desc force_in[] = {FORCE_IN}, force_out[] = {FORCE_OUT};
static const simhost_port_desc drive_in[] = {DRIVE_IN}, drive_out[] = {DRIVE_OUT};
static const simhost_port_desc measure_in[] = {MEASURE_IN}, measure_out[] = {MEASURE_OUT};
static const simhost_port_desc control_in[] = {CONTROL_IN}, control_out[] = {CONTROL_OUT};
static const simhost_port_desc aim_in[] = {AIM_IN}, aim_out[] = {AIM_OUT};
static const simhost_port_desc sample_in[] = {READ_IN}, sample_out[] = {READ_OUT};
PHASE(force)
PHASE(drive)
PHASE(measure)
PHASE(control)
PHASE(aim)

static uint32_t sample(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        batch->outputs[0][i] = 0.0;
        for (size_t w = 0; w < batch->wheels; w++)
            batch->outputs[0][i] += batch->inputs[0][w * batch->wheel_stride + i];
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_phase friction_phases[] = {SIMHOST_PHASE("force", force_in, force_out, force)};
static const simhost_phase dynamics_phases[] = {
    SIMHOST_PHASE("drive", drive_in, drive_out, drive),
    SIMHOST_PHASE("measure", measure_in, measure_out, measure)};
static const simhost_phase controller_phases[] = {
    SIMHOST_PHASE("control", control_in, control_out, control)};
static const simhost_phase sensor_phases[] = {
    SIMHOST_PHASE("aim", aim_in, aim_out, aim), SIMHOST_PHASE("read", sample_in, sample_out, sample)};
static const simhost_wheel_desc wheels[] = {SIMHOST_WHEEL("l_wheel", 0, 0.5),
    SIMHOST_WHEEL("r_wheel", 0, -0.5), SIMHOST_WHEEL("caster", 0.4, 0)};
static const double polygon[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
static const simhost_chassis_desc chassis = {
    sizeof(simhost_chassis_desc), 0, 10.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};
static const simhost_str speed[] = {SIMHOST_STR(COMMAND_PORT)};
static const simhost_command_desc commands[] = {SIMHOST_COMMAND("go", speed)};

#define MODEL(name, kind, commands, wheels, chassis, phases, capacity)                       \
    static const simhost_model name = {sizeof(simhost_model), kind, 0, 0, SIMHOST_STR(#name), \
        SIMHOST_STR("1.0.0"), SIMHOST_STR("Ports."), SIMHOST_EMPTY, SIMHOST_EMPTY, commands,  \
        wheels, chassis, SIMHOST_SLICE(phases), create, free, NULL, capacity, NULL}
#define NONE SIMHOST_EMPTY
MODEL(tyre, SIMHOST_KIND_FRICTION, NONE, NONE, NULL, friction_phases, NULL);
MODEL(tricycle, SIMHOST_KIND_DYNAMICS, NONE, SIMHOST_SLICE(wheels), &chassis, dynamics_phases, NULL);
MODEL(pilot, SIMHOST_KIND_CONTROLLER, SIMHOST_SLICE(commands), NONE, NULL, controller_phases, NULL);
MODEL(probe, SIMHOST_KIND_SENSOR, NONE, NONE, NULL, sensor_phases, capacity);
static const simhost_model_ref models[] = {&tyre, &tricycle, &pilot, &probe};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("faulty"),
    SIMHOST_STR("ports"), SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
