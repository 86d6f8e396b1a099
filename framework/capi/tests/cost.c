/*
 * Prints the times of calls of `step` through the library, ns: with one step, and with none, whose difference to Rust shows
 * between the noise of the machine. The least of several rounds. Usage: cost WORLD CALLS
 */
#define _POSIX_C_SOURCE 199309L
#include "simhost.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Returns the least time of a call with a number of steps, ns. */
static double measure(const simhost_functions *api, simhost_session *session, uint64_t steps, long calls) {
    double least = 1e300;
    int round;
    for (round = 0; round < 50; ++round) {
        const double began = now();
        double each;
        long call;
        for (call = 0; call < calls; ++call) {
            if (api->step(session, steps, NULL) != SIMHOST_OK) {
                exit(1);
            }
        }
        each = (now() - began) / (double)calls;
        least = each < least ? each : least;
    }
    return least;
}

int main(int count, char **arguments) {
    const simhost_functions *api = simhost_api(SIMHOST_API_VERSION);
    simhost_options options = simhost_options_default();
    simhost_session *session = NULL;
    const long calls = count == 3 ? atol(arguments[2]) : 0;
    if (api == NULL || calls <= 0) {
        return 2;
    }
    options.path = arguments[1];
    if (api->open(&options, &session) != SIMHOST_OK) {
        return 1;
    }
    printf("%.1f %.1f\n", measure(api, session, 1, calls), measure(api, session, 0, calls));
    api->close(&session);
    return 0;
}
