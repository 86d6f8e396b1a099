/* Environments, each of which fails one test of the validator. Included by bad.c. */
#include <math.h>

/* Each phase calls WHAT with its outputs, the state of the world and the lane. */
#define ENVIRONMENT_PHASE(name, what)                                                            \
    static uint32_t name(const void *handle, const simhost_batch *batch, simhost_fault *fault) { \
        double *const *out = batch->outputs, *wet = batch->states[0];                            \
        (void)handle, (void)fault, (void)out, (void)wet;                                         \
        for (size_t i = batch->first; i < batch->first + batch->count; i++) { what; }            \
        return SIMHOST_FAULT_NONE;                                                               \
    }
ENVIRONMENT_PHASE(gets_wet, wet[i] = fmin(wet[i] + 0.1 * batch->dt, 1.0))
ENVIRONMENT_PHASE(gets_wet_per_step, wet[i] += 0.001)
ENVIRONMENT_PHASE(soaks, out[0][i] = 0.8 - 0.4 * wet[0]; out[1][i] = -1.0)
ENVIRONMENT_PHASE(soaks_by_wheel, out[0][i] = 0.8 - 0.4 * wet[i]; out[1][i] = -1.0)
ENVIRONMENT_PHASE(dries, wet[0] *= 0.99; out[0][i] = 0.8; out[1][i] = -1.0)
ENVIRONMENT_PHASE(in_percent, out[0][i] = 80.0; out[1][i] = -1.0)

static const simhost_state_desc weather[] = {SIMHOST_STATE("wet", "1", "share of wet ground", 0)};
static const simhost_port_desc point_ports[] = {SIMHOST_POINT_PORTS};
static const simhost_port_desc surface_ports[] = {SIMHOST_SURFACE_PORTS};
#define ENVIRONMENT(name, update, surface)                                                       \
    static const simhost_phase name##_phases[] = {SIMHOST_UPDATE_PHASE(update),                   \
        SIMHOST_PHASE("surface", point_ports, surface_ports, surface)};                           \
    static const simhost_model name##_model = {sizeof(simhost_model), SIMHOST_KIND_ENVIRONMENT,   \
        0, 0, SIMHOST_STR(#name), SIMHOST_STR("1.0.0"), SIMHOST_STR("Weather for tests."),        \
        SIMHOST_EMPTY, SIMHOST_SLICE(weather), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,                \
        SIMHOST_SLICE(name##_phases), create_bare, free, NULL, NULL, NULL}
ENVIRONMENT(good_environment, gets_wet, soaks);
ENVIRONMENT(lane_environment, gets_wet, soaks_by_wheel);
ENVIRONMENT(environment_state, gets_wet, dries);
ENVIRONMENT(environment_range, gets_wet, in_percent);
ENVIRONMENT(environment_halving_dt, gets_wet_per_step, soaks);

#define ENVIRONMENTS                                                                 \
    &good_environment_model, &lane_environment_model, &environment_state_model,      \
        &environment_range_model, &environment_halving_dt_model
