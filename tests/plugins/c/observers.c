/* Observers for tests: one that is sound, one for each test of the validator that fails it, and some that
 * misbehave in one function in the way of `BAD`. */
#define _GNU_SOURCE
#include "simhost_plugin.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef BAD
#define BAD return simhost_fail(fault, SIMHOST_FAULT_PANIC, 0, "out of ideas")
#endif

static volatile int zero;
static volatile double sink_of_values;

/* does not return, and leaves the processor to other tests */
static void loop(void) {
    while (zero == 0) usleep(1000);
}

static void crash(void) { *(volatile int *)(intptr_t)(8 + zero) = 1; }

/* uses every function for all definitions of BAD */
static uint32_t bad(simhost_fault *fault) {
    (void)loop, (void)crash, (void)fault;
    BAD;
    return SIMHOST_FAULT_NONE;
}

/* The memory of a run: the folder, the sum of all values, and the number of samples. */
typedef struct { char folder[512], name[64]; double sum, dt; uint64_t count; } kept;

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    double *made = malloc(sizeof *made);
    if (values.len != 1 || made == NULL) {
        free(made);
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 1 value");
    }
    *made = values.data[0].number;
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

#define SELECT(id, code)                                                                                  \
    static uint32_t id(const void *handle, void *sink, simhost_write_fn write, simhost_fault *fault) {    \
        (void)handle, (void)fault;                                                                        \
        code;                                                                                             \
        simhost_write_text(sink, write, "*/pose\nworld/time\n");                                          \
        return SIMHOST_FAULT_NONE;                                                                        \
    }
#define START(id, code)                                                                                   \
    static uint32_t id(const void *handle, const simhost_run_start *run, void **memory,                   \
                         simhost_fault *fault) {                                                          \
        kept *made = calloc(1, sizeof *made);                                                             \
        (void)handle, (void)fault;                                                                        \
        snprintf(made->folder, sizeof made->folder, "%.*s", (int)run->folder.len, run->folder.data);      \
        snprintf(made->name, sizeof made->name, "%.*s", (int)run->name.len, run->name.data);              \
        made->dt = run->dt;                                                                               \
        *memory = made;                                                                                   \
        code;                                                                                             \
        return SIMHOST_FAULT_NONE;                                                                        \
    }
#define STEP(id, code)                                                                                    \
    static uint32_t id(const void *handle, void *memory, const simhost_sample *sample, uint32_t *stop,    \
                       void *sink, simhost_write_fn write, simhost_fault *fault) {                        \
        kept *run = memory;                                                                               \
        const double limit = *(const double *)handle;                                                     \
        const size_t len = sample->values.len;                                                            \
        const double *values = sample->values.data;                                                       \
        (void)fault, (void)values, (void)limit, (void)stop, (void)sink, (void)write;                      \
        for (size_t k = 0; k < len; k++) run->sum += values[k];                                           \
        run->count++;                                                                                     \
        code;                                                                                             \
        return SIMHOST_FAULT_NONE;                                                                        \
    }
#define END(id, code)                                                                                     \
    static uint32_t id(const void *handle, void *memory, const simhost_run_end *end, void *sink,          \
                       simhost_write_fn write, simhost_fault *fault) {                                    \
        kept *run = memory;                                                                               \
        (void)handle, (void)fault, (void)end, (void)sink, (void)write, (void)run;                         \
        code;                                                                                             \
        return SIMHOST_FAULT_NONE;                                                                        \
    }

/* Writes the sum of a run, with more text, into a file of its folder. */
static void write_sum(const kept *run, const char *folder, const char *name, const char *text) {
    char path[1200];
    FILE *file;
    if (run->folder[0] == 0) return;
    snprintf(path, sizeof path, "%s%s", folder, name);
    file = fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "%.17g %llu %s\n", run->sum, (unsigned long long)run->count, text);
    fclose(file);
}

static char described[256];

static const char *reason_of(const simhost_run_end *end) {
    snprintf(described, sizeof described, "%u %.*s at %g", end->reason, (int)end->text.len, end->text.data,
             end->last.time);
    return described;
}

#define IN_FOLDER(name)                                             \
    do {                                                            \
        char folder[600];                                           \
        snprintf(folder, sizeof folder, "%s/", run->folder);        \
        write_sum(run, folder, name, reason_of(end));               \
    } while (0)

static int selections, order;
static double shared;

SELECT(select_all, )
SELECT(select_other, if (selections++ % 2) simhost_write_text(sink, write, "world/gravity\n"))
START(start, )
STEP(step, if (sample->time > limit) {
    simhost_write_text(sink, write, "time is up");
    *stop = 1;
})
STEP(changes, ((double *)(uintptr_t)values)[0] = 7.0)
STEP(reads_beside, if (run->count == 3) sink_of_values += values[len + 40])
STEP(counts_calls, if (++order % 61 == 60) {
    simhost_write_text(sink, write, "time is up");
    *stop = 1;
})
STEP(shares, shared = values[0]; run->sum = shared)
STEP(without_reason, if (run->count > 5) *stop = 1)
STEP(divides, int k = (int)fmin(fmax(values[0], -1e9), 1e9); if (values[0] != values[0]) crash();
     sink_of_values += k)
STEP(leaks, sink_of_values += *(double *)memset(malloc(4096), 1, 4096))
STEP(keeps_shared, shared += values[0]; run->sum = shared)
END(end_run, if (run->folder[0] != 0) {
    char name[80];
    snprintf(name, sizeof name, "%s.txt", run->name);
    IN_FOLDER(name);
    simhost_write_text(sink, write, name);
})
END(end_silently, IN_FOLDER("hidden.txt"))
END(end_elsewhere, simhost_write_text(sink, write, "../elsewhere.txt"))
END(needs_a_sample, if (run->count == 0) crash())

/* functions that misbehave; those of a step after a while */
SELECT(bad_select, return bad(fault))
START(bad_start, return bad(fault))
STEP(bad_step, if (run->count * run->dt > 0.505) return bad(fault))
END(bad_end, return bad(fault))
static void bad_destroy(void *memory) {
    simhost_fault fault;
    free(memory);
    (void)bad(&fault);
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("limit", "s", "Time at which the run ends.", 1e9, 0.0, 1e9)};

#define OBSERVER(id, flags, select, start, step, end, destroy)                                            \
    static const simhost_observer_table id##_table =                                                      \
        SIMHOST_OBSERVER_TABLE(select, start, step, end, destroy);                                        \
    static const void *id##_ability(simhost_str id_of) {                                                  \
        return simhost_str_is(id_of, SIMHOST_OBSERVER_ABILITY) ? &id##_table : NULL;                      \
    }                                                                                                     \
    static const simhost_model id##_model = {sizeof(simhost_model), SIMHOST_KIND_OBSERVER, flags, 0,      \
        SIMHOST_STR(#id), SIMHOST_STR("1.0.0"), SIMHOST_STR("An observer."), SIMHOST_SLICE(params),       \
        SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_EMPTY, create, free, NULL, NULL,       \
        id##_ability}
#define STOPS SIMHOST_MODEL_FLAG_STOPS

OBSERVER(good, STOPS, select_all, start, step, end_run, free);
OBSERVER(observer_select, 0, select_other, start, step, end_run, free);
OBSERVER(observer_values, 0, select_all, start, changes, end_run, free);
OBSERVER(reads, 0, select_all, start, reads_beside, end_run, free);
OBSERVER(observer_repeat, STOPS, select_all, start, counts_calls, end_run, free);
OBSERVER(observer_runs_independent, 0, select_all, start, keeps_shared, end_run, free);
OBSERVER(observer_stops, STOPS, select_all, start, without_reason, end_run, free);
OBSERVER(without_flag, 0, select_all, start, counts_calls, end_run, free);
OBSERVER(observer_short_runs, 0, select_all, start, shares, needs_a_sample, free);
OBSERVER(observer_nonfinite, 0, select_all, start, divides, end_run, free);
OBSERVER(observer_memory, 0, select_all, start, leaks, end_run, free);
OBSERVER(observer_files, 0, select_all, start, shares, end_silently, free);
OBSERVER(elsewhere, 0, select_all, start, shares, end_elsewhere, free);
OBSERVER(in_select, STOPS, bad_select, start, step, end_run, free);
OBSERVER(in_start, STOPS, select_all, bad_start, step, end_run, free);
OBSERVER(in_step, STOPS, select_all, start, bad_step, end_run, free);
OBSERVER(in_end, STOPS, select_all, start, step, bad_end, free);
OBSERVER(in_destroy, STOPS, select_all, start, step, end_run, bad_destroy);

/* An observer without a table. */
static const simhost_model no_table_model = {sizeof(simhost_model), SIMHOST_KIND_OBSERVER, 0, 0,
    SIMHOST_STR("no_table"), SIMHOST_STR("1.0.0"), SIMHOST_STR("An observer."), SIMHOST_SLICE(params),
    SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_EMPTY, create, free, NULL, NULL, NULL};

static const simhost_model_ref models[] = {&good_model, &observer_select_model, &observer_values_model,
    &reads_model, &observer_repeat_model, &observer_runs_independent_model, &observer_stops_model,
    &without_flag_model, &observer_short_runs_model, &observer_nonfinite_model, &observer_memory_model,
    &observer_files_model, &elsewhere_model, &in_select_model, &in_start_model, &in_step_model,
    &in_end_model, &in_destroy_model, &no_table_model};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("bad"), SIMHOST_STR("observers"),
    SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
