/* Fleets with one defect each, for bad.c: one call has all vehicles. */

static uint32_t leads(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    double mean = 0.0;
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        mean += batch->inputs[0][i] / (double)batch->count;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->outputs[0][i] = 1.0 / (mean - batch->inputs[0][i]);
    return SIMHOST_FAULT_NONE;
}
LANES(stays, const instance *self = handle; batch->outputs[0][i] = limit(batch->inputs[0][i], self->value))

static const simhost_port_desc place[] = {IN("x", "m")};
static const simhost_port_desc speed[] = {SIMHOST_PORT("vx", "m/s", "velocity", 0)};
static const simhost_param_desc fastest[] = {NUMBER("max_speed", "m/s", 10.0, 100.0)};
static const simhost_str twist[] = {SIMHOST_STR("vx"), SIMHOST_STR(""), SIMHOST_STR("")};
static const simhost_command_desc twists[] = {SIMHOST_COMMAND("twist", twist)};
#define FLEET(name, command)                                                                    \
    PHASES(name, PHASE("command", SIMHOST_SLICE(place), SIMHOST_SLICE(speed), command));          \
    static const simhost_model name##_model = {sizeof(simhost_model), SIMHOST_KIND_FLEET,         \
        SIMHOST_MODEL_FLAG_WHOLE_BATCH, 0, SIMHOST_STR(#name), SIMHOST_STR("1.0.0"),              \
        SIMHOST_STR("A fleet for tests."), SIMHOST_SLICE(fastest), SIMHOST_EMPTY,                 \
        SIMHOST_SLICE(twists), SIMHOST_EMPTY, NULL, SIMHOST_SLICE(name##_phases), create, free,    \
        NULL, NULL, NULL}
FLEET(good_fleet, stays);
FLEET(fleet_finite, leads);
FLEET(fleet_saturation, unlimited);
LANES(scaled, batch->outputs[0][i] = batch->inputs[0][i] * batch->dt)
FLEET(fleet_halving_dt, scaled);
