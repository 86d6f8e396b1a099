/*
 * Prints the time of fmi2DoStep and that of a step of a session, ns: the least of several rounds. Each doStep is one step,
 * with an input set before it and an output read after it. The session gets the same command once, so that both move alike.
 * Usage: cost LIBRARY RESOURCES GUID WORLD CALLS OUTPUT, with the value reference of an output; the first input has 1
 */
#define _POSIX_C_SOURCE 200809L
#include "simhost.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *(*instantiate_function)(const char *, int, const char *, const char *, const void *, int, int);
typedef int (*simple_function)(void *);
typedef int (*setup_function)(void *, int, double, double, int, double);
typedef int (*step_function)(void *, double, double, int);
typedef int (*get_function)(void *, const unsigned *, size_t, double *);
typedef int (*set_function)(void *, const unsigned *, size_t, const double *);

struct callbacks {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *allocate;
    void *release;
    void *finished;
    void *environment;
};

/* Messages are formats of printf. */
static void print_message(void *environment, const char *name, int status, const char *category, const char *format, ...) {
    va_list arguments;
    (void)environment;
    fprintf(stderr, "%s %d %s: ", name, status, category);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Copies the address of a function, which C does not convert from that of an object. */
static void find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "no function %s\n", name);
        exit(1);
    }
    memcpy(function, &found, sizeof found);
}

static double through_fmu(char **arguments, long calls) {
    const struct callbacks callbacks = {print_message, NULL, NULL, NULL, NULL};
    const unsigned input = 1;
    const unsigned output = (unsigned)atol(arguments[6]);
    const double speed = 0.5;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    instantiate_function instantiate;
    simple_function enter;
    simple_function leave;
    setup_function setup;
    step_function step;
    get_function get;
    set_function set;
    void *instance;
    double least = 1e300;
    long done = 0;
    int round;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    find(library, "fmi2Instantiate", &instantiate);
    find(library, "fmi2SetupExperiment", &setup);
    find(library, "fmi2EnterInitializationMode", &enter);
    find(library, "fmi2ExitInitializationMode", &leave);
    find(library, "fmi2DoStep", &step);
    find(library, "fmi2GetReal", &get);
    find(library, "fmi2SetReal", &set);
    /* 1 is co-simulation */
    instance = instantiate("cost", 1, arguments[3], arguments[2], &callbacks, 0, 0);
    if (instance == NULL || setup(instance, 0, 0.0, 0.0, 0, 0.0) != 0 || enter(instance) != 0 || leave(instance) != 0) {
        exit(1);
    }
    for (round = 0; round < 20; ++round) {
        const double began = now();
        double each;
        long call;
        for (call = 0; call < calls; ++call) {
            double value;
            if (set(instance, &input, 1, &speed) != 0 || step(instance, (double)done * 0.005, 0.005, 1) != 0 ||
                get(instance, &output, 1, &value) != 0) {
                exit(1);
            }
            ++done;
        }
        each = (now() - began) / (double)calls;
        least = each < least ? each : least;
    }
    return least;
}

static double through_session(const char *path, long calls) {
    const simhost_functions *api = simhost_api(SIMHOST_API_VERSION);
    simhost_options options = simhost_options_default();
    simhost_session *session = NULL;
    const double twist[3] = {0.5, 0.0, 0.0};
    simhost_command command = 0;
    size_t width = 0;
    double least = 1e300;
    int round;
    options.path = path;
    if (api->open(&options, &session) != SIMHOST_OK ||
        api->command_find(session, "robot", "twist", &command, &width) != SIMHOST_OK || width != 3 ||
        api->command(session, command, twist, width) != SIMHOST_OK) {
        exit(1);
    }
    for (round = 0; round < 20; ++round) {
        const double began = now();
        double each;
        long call;
        for (call = 0; call < calls; ++call) {
            if (api->step(session, 1, NULL) != SIMHOST_OK) {
                exit(1);
            }
        }
        each = (now() - began) / (double)calls;
        least = each < least ? each : least;
    }
    api->close(&session);
    return least;
}

int main(int count, char **arguments) {
    if (count != 7) {
        return 2;
    }
    {
        const long calls = atol(arguments[5]);
        printf("%.0f %.0f\n", through_fmu(arguments, calls), through_session(arguments[4], calls));
    }
    return 0;
}
