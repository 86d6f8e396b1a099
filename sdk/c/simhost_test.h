/*
 * Test support for models in C: creates a model with parameters as in a world file and calls it as
 * the host does: one lane at a time, or all vehicles of a fleet. C99; link the test with the source of
 * the plugin.
 *
 *     simhost_test tyre = simhost_test_of(0, 0);        the first model of the plugin, no wheels
 *     simhost_test_param(&tyre, "mu", 0.5);
 *     simhost_test_set(&tyre, "vy", 0, 2.0);            input, wheel or place, value
 *     SIMHOST_CHECK(simhost_test_call(&tyre, "force") == SIMHOST_FAULT_NONE);
 *     SIMHOST_CHECK(simhost_test_get(&tyre, "fy", 0) < 0.0);
 *     simhost_test_end(&tyre);
 *
 * Texts and choices are set with simhost_test_text; other parameters than numbers keep their defaults. simhost_test_of_fleet creates a fleet; its inputs,
 * outputs and states then take the index of a vehicle.
 */
#ifndef SIMHOST_TEST_H
#define SIMHOST_TEST_H

#include "simhost_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest numbers of phases, of ports, parameters or states, and of wheels, rays or vehicles. A test that needs
 * more defines them before it includes this file. */
#ifndef SIMHOST_TEST_PHASES
#define SIMHOST_TEST_PHASES 4
#endif
#ifndef SIMHOST_TEST_PORTS
#define SIMHOST_TEST_PORTS 32
#endif
#ifndef SIMHOST_TEST_VALUES
#define SIMHOST_TEST_VALUES 32
#endif

/* One lane of a model, or the vehicles of a fleet. `key`, `time`, `dt`, `count` and `age` can be set at
 * any time. */
typedef struct simhost_test {
    const simhost_model *model;
    void *handle;        /* created by the first call */
    uint32_t wheels;     /* wheels of the vehicle */
    size_t rays;         /* rays of the sensor, known after the first call */
    size_t vehicles;     /* vehicles of a fleet, or 0 */
    uint64_t key;        /* key of the random stream */
    double time, dt;     /* start and length of the step, s */
    double count, age;   /* number of values of all inputs of scope array, and their age, s */
    simhost_fault fault; /* fault of the last call */
    void *run;           /* memory of the run of an observer */
    uint64_t step;       /* number of samples of that run */
    void *memories[SIMHOST_TEST_VALUES]; /* of the lane, or of each vehicle of a fleet */
    simhost_value params[SIMHOST_TEST_PORTS];
    double states[SIMHOST_TEST_PORTS];
    double fleet_states[SIMHOST_TEST_PORTS][SIMHOST_TEST_VALUES];
    double inputs[SIMHOST_TEST_PHASES][SIMHOST_TEST_PORTS][SIMHOST_TEST_VALUES];
    double outputs[SIMHOST_TEST_PHASES][SIMHOST_TEST_PORTS][SIMHOST_TEST_VALUES];
} simhost_test;

/* Number of failed checks, from which main derives its exit code. */
static int simhost_test_failures = 0;

/* Reports the location of a failed condition and continues. */
#define SIMHOST_CHECK(condition)                                                    \
    do {                                                                            \
        if (!(condition)) {                                                         \
            simhost_test_failures++;                                                \
            fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                           \
    } while (0)

/* Ends a test that uses a name which the model does not have. */
static inline void simhost_test_missing(const char *what, const char *name) {
    fprintf(stderr, "unknown %s `%s`\n", what, name);
    exit(2);
}

/* Ends a test that would need a longer array. */
static inline void simhost_test_fits(const char *what, size_t count, size_t most) {
    if (count <= most) return;
    fprintf(stderr, "%zu %s, expected at most %zu: define larger SIMHOST_TEST_… before the #include\n", count,
            what, most);
    exit(2);
}

static inline int simhost_test_is(simhost_str text, const char *name) {
    return strlen(name) == text.len && memcmp(text.data, name, text.len) == 0;
}

/* Sets the states that start from parameter number `p`, if it has a value. */
static inline void simhost_test_start(simhost_test *test, size_t p) {
    const simhost_state_slice states = test->model->states;
    const simhost_str key = test->model->params.data[p].key;
    if (test->params[p].tag != SIMHOST_VALUE_NUMBER) return;
    for (size_t s = 0; s < states.len; s++)
        if (states.data[s].initial_key.len == key.len && key.len > 0 &&
            memcmp(states.data[s].initial_key.data, key.data, key.len) == 0)
            test->states[s] = test->params[p].number;
}

/* Returns model number `index` of the plugin with default parameters and steps of 5 ms. */
static inline simhost_test simhost_test_of(size_t index, uint32_t wheels) {
    simhost_test test;
    memset(&test, 0, sizeof test);
    test.model = simhost_plugin_v1.models.data[index];
    test.wheels = wheels;
    test.dt = 0.005;
    simhost_test_fits("parameters", test.model->params.len, SIMHOST_TEST_PORTS);
    simhost_test_fits("states", test.model->states.len, SIMHOST_TEST_PORTS);
    simhost_test_fits("phases", test.model->phases.len, SIMHOST_TEST_PHASES);
    simhost_test_fits("wheels", wheels, SIMHOST_TEST_VALUES);
    for (size_t p = 0; p < test.model->phases.len; p++) {
        simhost_test_fits("inputs", test.model->phases.data[p].inputs.len, SIMHOST_TEST_PORTS);
        simhost_test_fits("outputs", test.model->phases.data[p].outputs.len, SIMHOST_TEST_PORTS);
    }
    for (size_t p = 0; p < test.model->params.len; p++) {
        test.params[p] = test.model->params.data[p].default_value;
        test.params[p].number *= test.model->params.data[p].scale;
    }
    for (size_t s = 0; s < test.model->states.len; s++)
        test.states[s] = test.model->states.data[s].initial;
    for (size_t p = 0; p < test.model->params.len; p++) simhost_test_start(&test, p);
    for (size_t p = 0; p < test.model->phases.len; p++) {
        const simhost_port_slice ports = test.model->phases.data[p].inputs;
        for (size_t i = 0; i < ports.len; i++)
            for (size_t at = 0; at < SIMHOST_TEST_VALUES; at++)
                test.inputs[p][i][at] = ports.data[i].default_value;
    }
    return test;
}

/* Returns fleet number `index` of the plugin with `vehicles` vehicles, at most SIMHOST_TEST_VALUES. */
static inline simhost_test simhost_test_of_fleet(size_t index, size_t vehicles) {
    simhost_test test = simhost_test_of(index, 0);
    if (vehicles == 0) simhost_test_missing("number of", "vehicles");
    simhost_test_fits("vehicles", vehicles, SIMHOST_TEST_VALUES);
    test.vehicles = vehicles;
    return test;
}

/* Sets a parameter in the unit of the world file, before the first call. */
static inline void simhost_test_param(simhost_test *test, const char *key, double number) {
    const simhost_param_slice params = test->model->params;
    size_t p = 0;
    while (p < params.len && !simhost_test_is(params.data[p].key, key)) p++;
    if (p == params.len) simhost_test_missing("parameter", key);
    test->params[p].tag = SIMHOST_VALUE_NUMBER;
    test->params[p].number = number * params.data[p].scale;
    simhost_test_start(test, p);
}

/* Sets a text or a choice, which has to outlive the test. */
static inline void simhost_test_text(simhost_test *test, const char *key, const char *text) {
    const simhost_param_slice params = test->model->params;
    size_t p = 0;
    while (p < params.len && !simhost_test_is(params.data[p].key, key)) p++;
    if (p == params.len) simhost_test_missing("parameter", key);
    test->params[p].tag = SIMHOST_VALUE_TEXT;
    test->params[p].text.data = text;
    test->params[p].text.len = strlen(text);
}

/* Sets an input in all phases that have it; `at` is a wheel, a ray, a vehicle or a place in a reading,
 * or 0. */
static inline void simhost_test_set(simhost_test *test, const char *name, size_t at, double value) {
    int found = 0;
    simhost_test_fits("values", at + 1, SIMHOST_TEST_VALUES);
    for (size_t p = 0; p < test->model->phases.len; p++) {
        const simhost_port_slice ports = test->model->phases.data[p].inputs;
        for (size_t i = 0; i < ports.len; i++)
            if (simhost_test_is(ports.data[i].name, name)) {
                test->inputs[p][i][at] = value;
                found = 1;
            }
    }
    if (!found) simhost_test_missing("input", name);
}

/* Returns an output of the last call of its phase; `at` is a wheel, ray or vehicle, or 0. */
static inline double simhost_test_get(const simhost_test *test, const char *name, size_t at) {
    simhost_test_fits("values", at + 1, SIMHOST_TEST_VALUES);
    for (size_t p = 0; p < test->model->phases.len; p++) {
        const simhost_port_slice ports = test->model->phases.data[p].outputs;
        for (size_t o = 0; o < ports.len; o++)
            if (simhost_test_is(ports.data[o].name, name)) return test->outputs[p][o][at];
    }
    simhost_test_missing("output", name);
    return 0.0;
}

/* Returns a pointer to a state slot. */
static inline double *simhost_test_state(simhost_test *test, const char *name) {
    for (size_t s = 0; s < test->model->states.len; s++)
        if (simhost_test_is(test->model->states.data[s].name, name)) return &test->states[s];
    simhost_test_missing("state", name);
    return NULL;
}

/* Returns a pointer to a state slot of a vehicle of a fleet, after the first call. */
static inline double *simhost_test_state_of(simhost_test *test, const char *name, size_t vehicle) {
    simhost_test_fits("vehicles", vehicle + 1, SIMHOST_TEST_VALUES);
    for (size_t s = 0; s < test->model->states.len; s++)
        if (simhost_test_is(test->model->states.data[s].name, name))
            return &test->fleet_states[s][vehicle];
    simhost_test_missing("state", name);
    return NULL;
}

/* Returns the functions of the memory of a model, or null. */
static inline const simhost_memory_table *simhost_test_memory(const simhost_test *test) {
    const simhost_str id = SIMHOST_STR(SIMHOST_MEMORY_ABILITY);
    return test->model->ability == NULL ? NULL : (const simhost_memory_table *)test->model->ability(id);
}

/* Creates the instance with the parameters set so far and returns the code of create. */
static inline uint32_t simhost_test_make(simhost_test *test) {
    const simhost_value_slice values = { test->params, test->model->params.len };
    const uint32_t code = test->model->create(values, &test->handle, &test->fault);
    if (code == SIMHOST_FAULT_NONE && test->model->capacity != NULL)
        test->rays = test->model->capacity(test->handle);
    simhost_test_fits("rays", test->rays, SIMHOST_TEST_VALUES);
    for (size_t s = 0; s < SIMHOST_TEST_PORTS; s++)
        for (size_t i = 0; i < test->vehicles; i++) test->fleet_states[s][i] = test->states[s];
    if (code == SIMHOST_FAULT_NONE && simhost_test_memory(test) != NULL)
        for (size_t i = 0; i == 0 || i < test->vehicles; i++) {
            const simhost_memory_table *table = simhost_test_memory(test);
            const uint32_t made = table->create(test->handle, &test->memories[i], &test->fault);
            if (made != SIMHOST_FAULT_NONE) return made;
        }
    return code;
}

/* Calls a phase and returns its code. The first call creates the instance. */
static inline uint32_t simhost_test_call(simhost_test *test, const char *id) {
    const double *inputs[SIMHOST_TEST_PORTS];
    double *outputs[SIMHOST_TEST_PORTS], *states[SIMHOST_TEST_PORTS];
    uint64_t keys[SIMHOST_TEST_VALUES];
    simhost_array_port arrays[SIMHOST_TEST_PORTS];
    simhost_batch batch;
    size_t p = 0;
    while (p < test->model->phases.len && !simhost_test_is(test->model->phases.data[p].id, id)) p++;
    if (p == test->model->phases.len) simhost_test_missing("phase", id);
    if (test->handle == NULL) {
        const uint32_t code = simhost_test_make(test);
        if (code != SIMHOST_FAULT_NONE) return code;
    }
    for (size_t k = 0; k < SIMHOST_TEST_PORTS; k++) {
        inputs[k] = test->inputs[p][k];
        arrays[k].size = (uint32_t)sizeof arrays[k];
        arrays[k].reserved = 0;
        arrays[k].capacity = arrays[k].stride = SIMHOST_TEST_VALUES;
        arrays[k].counts = &test->count;
        arrays[k].ages = &test->age;
        outputs[k] = test->outputs[p][k];
        states[k] = test->vehicles > 0 ? test->fleet_states[k] : &test->states[k];
    }
    /* each vehicle of a fleet has a stream of its own */
    keys[0] = test->key;
    for (size_t i = 0; i < test->vehicles; i++) keys[i] = simhost_random_bits(test->key, i);
    memset(&batch, 0, sizeof batch);
    batch.size = (uint32_t)sizeof batch;
    batch.wheels = test->wheels;
    batch.count = test->vehicles > 0 ? test->vehicles : 1;
    batch.wheel_stride = batch.count;
    batch.rays = test->rays;
    batch.time = test->time;
    batch.dt = test->dt;
    batch.inputs = inputs;
    batch.outputs = outputs;
    batch.states = states;
    batch.streams = keys;
    batch.arrays = arrays;
    batch.memories = simhost_test_memory(test) == NULL ? NULL : test->memories;
    return test->model->phases.data[p].call(test->handle, &batch, &test->fault);
}

/* ---- Observers: runs without a world, and without files ---- */

/* Returns the table of an observer. */
static inline const simhost_observer_table *simhost_test_observer(const simhost_test *test) {
    const simhost_str id = SIMHOST_STR(SIMHOST_OBSERVER_ABILITY);
    const void *table = test->model->ability == NULL ? NULL : test->model->ability(id);
    if (table == NULL) simhost_test_missing("ability", SIMHOST_OBSERVER_ABILITY);
    return (const simhost_observer_table *)table;
}

static inline void simhost_test_ignore(void *sink, const uint8_t *data, size_t len) {
    (void)sink, (void)data, (void)len;
}

/* Begins a run with one quantity of up to SIMHOST_TEST_VALUES values, and returns the code of start. */
static inline uint32_t simhost_test_watch(simhost_test *test, const char *quantity, size_t count) {
    simhost_str units[SIMHOST_TEST_VALUES];
    const simhost_str unit = SIMHOST_STR("1");
    simhost_observed observed;
    simhost_run_start start;
    if (test->handle == NULL) {
        const uint32_t code = simhost_test_make(test);
        if (code != SIMHOST_FAULT_NONE) return code;
    }
    simhost_test_fits("values", count, SIMHOST_TEST_VALUES);
    for (size_t k = 0; k < count; k++) units[k] = unit;
    memset(&observed, 0, sizeof observed);
    observed.size = (uint32_t)sizeof observed;
    observed.name.data = quantity, observed.name.len = strlen(quantity);
    observed.units.data = units, observed.units.len = count;
    memset(&start, 0, sizeof start);
    start.size = (uint32_t)sizeof start;
    start.quantities.data = &observed, start.quantities.len = 1;
    start.name.data = "test", start.name.len = 4;
    start.dt = test->dt;
    test->step = 0;
    return simhost_test_observer(test)->start(test->handle, &start, &test->run, &test->fault);
}

/* Takes a sample and returns 1 if the observer ends the run. A fault counts as a failed check. */
static inline int simhost_test_sample(simhost_test *test, double time, const double *values, size_t count) {
    simhost_sample sample;
    uint32_t stop = 0;
    memset(&sample, 0, sizeof sample);
    sample.size = (uint32_t)sizeof sample;
    sample.step = test->step++;
    sample.time = time;
    sample.values.data = values, sample.values.len = count;
    SIMHOST_CHECK(simhost_test_observer(test)->step(test->handle, test->run, &sample, &stop, NULL,
                                                    simhost_test_ignore, &test->fault) == SIMHOST_FAULT_NONE);
    return stop != 0;
}

/* Destroys the run. */
static inline void simhost_test_unwatch(simhost_test *test) {
    simhost_test_observer(test)->destroy(test->run);
    test->run = NULL;
}

/* Destroys the instance and its memories. */
static inline void simhost_test_end(simhost_test *test) {
    for (size_t i = 0; i < SIMHOST_TEST_VALUES; i++)
        if (test->memories[i] != NULL) simhost_test_memory(test)->destroy(test->memories[i]);
    memset(test->memories, 0, sizeof test->memories);
    if (test->handle != NULL) test->model->destroy(test->handle);
    test->handle = NULL;
}

#endif
