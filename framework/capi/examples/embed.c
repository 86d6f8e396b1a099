/*
 * Simulates a world, drives a robot in it and reads what comes out, as docs/examples/embed.rs does.
 *
 * From the folder of the repository, after `cargo build --release -p simhost-capi`:
 *
 *     cc -std=c99 -Iframework/capi/include framework/capi/examples/embed.c \
 *         -Ltarget/release -lsimhost -Wl,-rpath,target/release -o embed
 *     ./embed worlds/demo.world.xml
 */
#include "simhost.h"

#include <stdio.h>

static const simhost_functions *api;

/* Prints the error of the session, and returns the exit status. */
static int failed(simhost_session *session) {
    simhost_error error = simhost_error_default();
    api->error(session, &error);
    fprintf(stderr, "%s: %s\n", api->code_name(error.code), error.text);
    api->close(&session);
    return 1;
}

int main(int count, char **arguments) {
    simhost_options options = simhost_options_default();
    simhost_session *session = NULL;
    simhost_session *copy = NULL;
    simhost_command twist;
    const double ahead[3] = {1.0, 0.0, 0.0};
    const double turn[3] = {0.5, 0.0, 0.6};
    double time = 0.0;
    double time_of_copy = 0.0;
    int second;

    api = simhost_api(SIMHOST_API_VERSION);
    if (api == NULL || count != 2) {
        fprintf(stderr, "expected a library of version %u and the path of a world\n", (unsigned)SIMHOST_API_VERSION);
        return 1;
    }
    options.path = arguments[1];
    if (api->open(&options, &session) != SIMHOST_OK ||
        api->command_find(session, "robot", "twist", &twist, NULL) != SIMHOST_OK ||
        api->command(session, twist, ahead, 3) != SIMHOST_OK) {
        return failed(session);
    }
    for (second = 1; second <= 4; ++second) {
        simhost_odometry odometry = simhost_odometry_default();
        simhost_odometry truth = simhost_odometry_default();
        if (api->run_until(session, second, NULL) != SIMHOST_OK ||
            api->latest_odometry(session, "robot/odometry", &odometry) != SIMHOST_OK ||
            api->latest_odometry(session, "robot/ground_truth", &truth) != SIMHOST_OK) {
            return failed(session);
        }
        printf("%d s: at %6.3f, %6.3f m; odometry says %6.3f, %6.3f m\n", second, truth.pose[0],
               truth.pose[1], odometry.pose[0], odometry.pose[1]);
        /* turn away from the wall */
        if (second == 2 && api->command(session, twist, turn, 3) != SIMHOST_OK) {
            return failed(session);
        }
    }

    /* the state can be copied, and the copy does not disturb the original */
    if (api->fork(session, &copy) != SIMHOST_OK) {
        return failed(session);
    }
    if (api->set_parameter(copy, "robot/controller/KP", "5") != SIMHOST_OK ||
        api->run_until(copy, 6.0, NULL) != SIMHOST_OK) {
        api->close(&session);
        return failed(copy);
    }
    api->time(session, &time);
    api->time(copy, &time_of_copy);
    printf("the copy has reached %g s, the original is at %g s\n", time_of_copy, time);
    api->close(&copy);
    api->close(&session);
    return 0;
}
