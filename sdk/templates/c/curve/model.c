/* Measured curve of an actuator: its output is a function of the command, from a file. */
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y; } point;
typedef struct { size_t count; point points[]; } curve;

enum { COMMAND }; /* in the order of `inputs` */
enum { VALUE };   /* in the order of `outputs` */

/* Reads the lines of a text into at most `most` points. Returns their number, or 0 after an error. */
static size_t parse(const char *text, point *points, size_t most) {
    size_t count = 0;
    while (*text != 0) {
        char *end;
        if (count == most) return 0;
        points[count].x = strtod(text, &end);
        if (end == text || *end != ',') return 0;
        text = end + 1;
        points[count].y = strtod(text, &end);
        if (end == text || !isfinite(points[count].x) || !isfinite(points[count].y)) return 0;
        if (count > 0 && points[count].x <= points[count - 1].x) return 0;
        count++;
        while (*end == ' ' || *end == '\r' || *end == '\n') end++;
        text = end;
    }
    return count;
}

/* The host has read the file: the value of the parameter is its path and its contents. */
static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    if (values.len != 1 || values.data[0].items.len != 2)
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected a file");
    const simhost_str contents = values.data[0].items.data[1].text;
    /* a line has at least four characters */
    const size_t most = contents.len / 4 + 1;
    char *text = malloc(contents.len + 1);
    curve *made = malloc(sizeof *made + most * sizeof(point));
    if (text == NULL || made == NULL) {
        free(text), free(made);
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "out of memory");
    }
    if (contents.len > 0) memcpy(text, contents.data, contents.len);
    text[contents.len] = 0;
    made->count = parse(text, made->points, most);
    free(text);
    if (made->count == 0) {
        free(made);
        return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0,
                            "expected lines with a command, a comma and a value, with rising commands");
    }
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

/* Linear between the points, and level beyond them. */
static double value(const curve *self, double command) {
    size_t after = 0;
    while (after < self->count && self->points[after].x < command) after++;
    if (after == 0) return self->points[0].y;
    if (after == self->count) return self->points[after - 1].y;
    const point low = self->points[after - 1], high = self->points[after];
    return low.y + (high.y - low.y) * (command - low.x) / (high.x - low.x);
}

static uint32_t actuate(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->outputs[VALUE][i] = value(handle, batch->inputs[COMMAND][i]);
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_FILE_PARAM("curve", "Curve: lines with a command and a value, separated by a comma, with rising commands.")};
/* the unit "1" fits a port of any unit */
static const simhost_port_desc inputs[] = {SIMHOST_ACTUATOR_INPUT("1")};
static const simhost_port_desc outputs[] = {SIMHOST_ACTUATOR_OUTPUT("1")};
static const simhost_phase phases[] = {SIMHOST_PHASE("actuate", inputs, outputs, actuate)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_ACTUATOR, 0, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Measured curve of an actuator."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
