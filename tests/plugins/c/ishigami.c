/* The function of Ishigami as an environment: f = sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1. It crashes where x1 is CRASH. */
#include "simhost_plugin.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>

#ifndef CRASH
#define CRASH 100.0
#endif

typedef struct { double x1, x2, x3; } point; /* as in `params` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    point *made = values.len == 3 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "3 values and memory are needed");
    *made = (point){values.data[0].number, values.data[1].number, values.data[2].number};
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static uint32_t update(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const point *at = handle;
    const double wave = sin(at->x2), square = at->x3 * at->x3;
    (void)fault;
    if (at->x1 == CRASH) raise(SIGSEGV);
    batch->outputs[0][0] = sin(at->x1) * (1.0 + 0.1 * square * square) + 7.0 * wave * wave;
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("x1", "rad", "First argument. A higher value is further along the wave.", 0.0, -4.0, 4.0),
    SIMHOST_PARAM("x2", "rad", "Second argument. A higher value is further along the wave.", 0.0, -4.0, 4.0),
    SIMHOST_PARAM("x3", "rad", "Third argument. A higher value raises the wave of the first one.", 0.0, -4.0, 4.0)};
static const simhost_port_desc outputs[] = {SIMHOST_PUBLISHED_PORT("f", "1", "value of the function")};
static const simhost_phase phases[] = {
    {(uint32_t)sizeof(simhost_phase), 0, SIMHOST_STR("update"), SIMHOST_EMPTY, SIMHOST_SLICE(outputs), update}};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_ENVIRONMENT, 0, 0,
    SIMHOST_STR("ishigami"), SIMHOST_STR("1.0.0"), SIMHOST_STR("The function of Ishigami."), SIMHOST_SLICE(params),
    SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("test", "ishigami", "1.0.0", model);
