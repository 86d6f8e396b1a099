/* Instances of the models in plugins of the tests. */
#ifndef INSTANCES_H
#define INSTANCES_H
#include "simhost_plugin.h"

#include <stdlib.h>

/* Creates an instance without parameters, which `destroy_nothing` destroys. */
static inline uint32_t create_nothing(simhost_value_slice values, void **handle, simhost_fault *fault) {
    static int one;
    (void)values, (void)fault;
    *handle = &one;
    return SIMHOST_FAULT_NONE;
}

static inline void destroy_nothing(void *handle) { (void)handle; }

/* Creates an instance that holds the first two numbers, which `free` destroys. */
static inline uint32_t create_pair(simhost_value_slice values, void **handle, simhost_fault *fault) {
    double *copy = malloc(2 * sizeof *copy);
    (void)fault;
    copy[0] = values.len > 0 ? values.data[0].number : 0.0;
    copy[1] = values.len > 1 ? values.data[1].number : 0.0;
    *handle = copy;
    return SIMHOST_FAULT_NONE;
}
#endif
