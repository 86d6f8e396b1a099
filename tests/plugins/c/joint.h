/* Vehicles with a joint, whose angle `phi` changes its sign in the mirror image, which its name does not say. */

#define JOINT(name, left, right)                                                                 \
    static uint32_t name##_drive(const void *handle, const simhost_batch *batch,                 \
                                 simhost_fault *fault) {                                         \
        (void)handle, (void)fault;                                                               \
        for (size_t i = batch->first; i < batch->first + batch->count; i++) {                    \
            const size_t j = batch->wheel_stride + i;                                            \
            const double l = batch->inputs[0][i], r = batch->inputs[1][i];                       \
            const double phi = batch->states[0][i];                                              \
            batch->outputs[0][i] = left, batch->outputs[0][j] = right;                           \
            batch->outputs[1][i] = batch->outputs[1][j] = 0.0;                                   \
        }                                                                                        \
        return SIMHOST_FAULT_NONE;                                                               \
    }                                                                                            \
    PHASES(name,                                                                                 \
           PHASE("drive", SIMHOST_SLICE(vehicle_inputs), SIMHOST_SLICE(vehicle_outputs),         \
                 name##_drive),                                                                  \
           PHASE("measure", SIMHOST_EMPTY, SIMHOST_SLICE(bent), bends));                         \
    static const simhost_model name##_model = {sizeof(simhost_model), SIMHOST_KIND_DYNAMICS, 0, 0, \
        SIMHOST_STR(#name), SIMHOST_STR("1.0.0"), SIMHOST_STR(DOC), SIMHOST_EMPTY,               \
        SIMHOST_SLICE(joint_state), SIMHOST_EMPTY, SIMHOST_SLICE(wheels), &chassis,              \
        SIMHOST_SLICE(name##_phases), create_bare, free, NULL, NULL, NULL}

static uint32_t bends(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->outputs[0][i] = 2.0 * batch->states[0][i];
    return SIMHOST_FAULT_NONE;
}
static const simhost_port_desc bent[] = {SIMHOST_PUBLISHED_PORT("bend", "rad", "bend of the vehicle")};
static const simhost_state_desc joint_state[] = {
    SIMHOST_STATE("phi", "rad", "angle of the joint", 0.1)};

JOINT(good_joint, l * (1.0 + phi), r * (1.0 - phi));
JOINT(lame_joint, l * (1.0 + phi), r * (1.0 - 2.0 * phi));
