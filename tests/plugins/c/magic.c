/* A friction model without force, for tests. Macros select its defects. */
#define _GNU_SOURCE
#include "simhost_plugin.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef VENDOR
#define VENDOR "acme"
#endif
#ifndef NAME
#define NAME "tyres"
#endif
#ifndef VERSION
#define VERSION "1.0.0"
#endif
#ifndef CLASS
#define CLASS "magic"
#endif
#ifndef KIND
#define KIND SIMHOST_KIND_FRICTION
#endif
#define PARAM(key, value, min, max)                                                             \
    {(uint32_t)sizeof(simhost_param_desc), SIMHOST_PARAM_NUMBER, 0, 0, SIMHOST_STR(key),        \
     SIMHOST_EMPTY, SIMHOST_STR("Height of the curve."), SIMHOST_STR("1"), 1.0, min, max,       \
     SIMHOST_NUMBER(value), SIMHOST_EMPTY, SIMHOST_EMPTY}
#ifndef PARAMS
#define PARAMS PARAM("mu", 0.8, 0.0, 2.0)
#endif
#ifndef PARAM_SLICE
#define PARAM_SLICE SIMHOST_SLICE(params)
#endif
#ifndef FORCE
#define FORCE force
#endif
#ifndef CREATE
#define CREATE create
#endif
#ifndef MODEL
#define MODEL &magic
#endif

#ifdef ON_LOAD
static void *idle(void *nothing) {
    sleep(60);
    return nothing;
}
static void begin_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, idle, NULL);
}
__attribute__((constructor)) static void on_load(void) {
    (void)begin_thread;
    ON_LOAD;
}
#endif
#ifdef ON_END
__attribute__((destructor)) static void on_end(void) { ON_END; }
#endif

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
#ifdef IN_CREATE
    IN_CREATE;
#endif
    *handle = malloc(1);
    return SIMHOST_FAULT_NONE;
}

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
#ifdef IN_CALL
    IN_CALL;
#endif
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->outputs[0][i] = batch->outputs[1][i] = batch->outputs[2][i] = 0.0;
    return SIMHOST_FAULT_NONE;
}

static const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force to the left", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
static const simhost_phase phases[] = {{sizeof(simhost_phase), 0, SIMHOST_STR("force"),
    SIMHOST_EMPTY, SIMHOST_SLICE(outputs), FORCE}};
static const simhost_param_desc params[] = {PARAMS};
static const simhost_model magic = {sizeof(simhost_model), KIND, 0, 0, SIMHOST_STR(CLASS),
    SIMHOST_STR(VERSION), SIMHOST_STR("No force at all."), PARAM_SLICE, SIMHOST_EMPTY,
    SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, SIMHOST_SLICE(phases), CREATE, free, NULL, NULL, NULL};
static const simhost_model_ref models[] = {MODEL};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR(VENDOR), SIMHOST_STR(NAME),
    SIMHOST_STR(VERSION), SIMHOST_SLICE(models)};
/* uses every item for all combinations of the macros */
const void *simhost_unused[] = {&magic, params, (const void *)force, (const void *)create};
