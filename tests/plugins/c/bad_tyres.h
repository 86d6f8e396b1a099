/* Tyres with other declarations than those of bad.c. */

/* A tyre that declares to be time-invariant, and reads the time. */
PHASES(time_invariant, PHASE("force", SIMHOST_SLICE(tyre_inputs), SIMHOST_SLICE(tyre_outputs), by_time));
static const simhost_model time_invariant_model = {sizeof(simhost_model), SIMHOST_KIND_FRICTION,
    SIMHOST_MODEL_FLAG_TIME_INVARIANT, 0, SIMHOST_STR("time_invariant"), SIMHOST_STR("1.0.0"),
    SIMHOST_STR(DOC), SIMHOST_SLICE(tyre_params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(time_invariant_phases), create, free, NULL, NULL, NULL};

/* A tyre with a state that starts as NaN. */
static const simhost_state_desc unknown_state[] = {SIMHOST_STATE("wear", "1", "wear", 0.0 / 0.0)};
PHASES(starts_unknown, PHASE("force", SIMHOST_SLICE(tyre_inputs), SIMHOST_SLICE(tyre_outputs), good));
static const simhost_model starts_unknown_model = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 0,
    SIMHOST_STR("starts_unknown"), SIMHOST_STR("1.0.0"), SIMHOST_STR(DOC), SIMHOST_SLICE(tyre_params),
    SIMHOST_SLICE(unknown_state), SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(starts_unknown_phases), create, free, NULL, NULL, NULL};

/* A tyre that reads a required file, which has to begin with `mu`. */
static uint32_t create_of_table(simhost_value_slice values, void **handle, simhost_fault *fault) {
    const simhost_value *file = values.data;
    if (values.len != 1 || file->items.len != 2 || file->items.data[1].text.len < 2 ||
        memcmp(file->items.data[1].text.data, "mu", 2) != 0)
        return refuse(fault, "expected a table");
    instance *made = calloc(1, sizeof *made);
    made->value = 0.8;
    *handle = made;
    return SIMHOST_FAULT_NONE;
}
static const simhost_param_desc table_params[] = {SIMHOST_FILE_PARAM("table", "Table of the tyre.")};
PHASES(needs_table, PHASE("force", SIMHOST_SLICE(tyre_inputs), SIMHOST_SLICE(tyre_outputs), good));
MODEL(needs_table, SIMHOST_KIND_FRICTION, SIMHOST_SLICE(table_params), SIMHOST_EMPTY, NULL,
      create_of_table, NULL);
