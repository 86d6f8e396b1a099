/* Ends the run when a vehicle has driven a distance, and writes the distance and the time to a file. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char pose[128], name[128]; double distance; } odometer; /* name and parameters */
typedef struct { size_t first; int begun; double x, y, distance; char path[1024], file[160]; } trip;

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    odometer *made = values.len == 2 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 2 values and enough memory");
    snprintf(made->name, sizeof made->name, "%.*s", (int)values.data[0].text.len, values.data[0].text.data);
    snprintf(made->pose, sizeof made->pose, "%.100s/pose", made->name);
    made->distance = values.data[1].number;
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t select_pose(const void *handle, void *sink, simhost_write_fn write, simhost_fault *fault) {
    (void)fault;
    simhost_write_text(sink, write, ((const odometer *)handle)->pose);
    return SIMHOST_FAULT_NONE;
}

static uint32_t start(const void *handle, const simhost_run_start *run, void **memory, simhost_fault *fault) {
    trip *made = calloc(1, sizeof *made);
    size_t k = 0;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "no memory");
    while (k < run->quantities.len && !simhost_str_is(run->quantities.data[k].name, ((const odometer *)handle)->pose)) k++;
    if (k == run->quantities.len) {
        free(made);
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "the pose of the vehicle is missing");
    }
    made->first = run->quantities.data[k].first;
    snprintf(made->file, sizeof made->file, "%.*s.csv", (int)run->name.len, run->name.data);
    snprintf(made->path, sizeof made->path, "%.*s", (int)run->folder.len, run->folder.data);
    *memory = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t step(const void *handle, void *memory, const simhost_sample *sample, uint32_t *stop, void *sink,
                     simhost_write_fn write, simhost_fault *fault) {
    const odometer *self = handle;
    trip *now = memory;
    const double x = sample->values.data[now->first], y = sample->values.data[now->first + 1];
    (void)fault;
    if (now->begun) now->distance += sqrt((x - now->x) * (x - now->x) + (y - now->y) * (y - now->y));
    now->x = x, now->y = y, now->begun = 1;
    if (now->distance >= self->distance) {
        char reason[200];
        snprintf(reason, sizeof reason, "%s has driven %g m", self->name, self->distance);
        simhost_write_text(sink, write, reason);
        *stop = 1;
    }
    return SIMHOST_FAULT_NONE;
}

static uint32_t end(const void *handle, void *memory, const simhost_run_end *run, void *sink,
                    simhost_write_fn write, simhost_fault *fault) {
    const trip *now = memory;
    char path[1200];
    FILE *file;
    (void)handle;
    if (now->path[0] == 0) return SIMHOST_FAULT_NONE; /* a run without output */
    snprintf(path, sizeof path, "%s/%s", now->path, now->file);
    file = fopen(path, "w");
    if (file == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "cannot write its file");
    fprintf(file, "distance_m,time_s\n%.17g,%.17g\n", now->distance, run->last.time);
    fclose(file);
    simhost_write_text(sink, write, now->file);
    return SIMHOST_FAULT_NONE;
}

static const simhost_observer_table table = SIMHOST_OBSERVER_TABLE(select_pose, start, step, end, free);

static const void *ability(simhost_str id) {
    return simhost_str_is(id, SIMHOST_OBSERVER_ABILITY) ? &table : NULL;
}

static const simhost_param_desc params[] = {
    SIMHOST_TEXT_PARAM("vehicle", "Name of the vehicle.", "robot"),
    SIMHOST_PARAM("distance", "m", "Distance to drive. A larger value makes the run longer.", 10.0, 0.01, 1e6)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_OBSERVER, SIMHOST_MODEL_FLAG_STOPS, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Ends the run after a distance."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_EMPTY,
    create, free, NULL, NULL, ability};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
