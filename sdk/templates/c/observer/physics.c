/* Properties of an observer that measures a distance. */
#include "simhost_test.h"

#include <math.h>

/* Returns the time at which an observer for 5 m ends the run of a vehicle on a straight line at an angle, at
 * 2 m/s, or -1. */
static double ends_at(double angle, double speed) {
    const double start[6] = {0};
    simhost_test odometer = simhost_test_of(0, 0);
    double found = -1.0;
    simhost_test_param(&odometer, "distance", 5.0);
    SIMHOST_CHECK(simhost_test_watch(&odometer, "robot/pose", 6) == SIMHOST_FAULT_NONE);
    SIMHOST_CHECK(simhost_test_sample(&odometer, 0.0, start, 6) == 0);
    for (int k = 1; k < 1000 && found < 0.0; k++) {
        const double time = 0.01 * k;
        const double pose[6] = {speed * time * cos(angle), speed * time * sin(angle), 0, angle, 0, 0};
        if (simhost_test_sample(&odometer, time, pose, 6)) found = time;
    }
    simhost_test_unwatch(&odometer);
    simhost_test_end(&odometer);
    return found;
}

static void the_distance_does_not_depend_on_the_direction(void) {
    SIMHOST_CHECK(fabs(ends_at(0.0, 2.0) - 2.5) < 0.011);
    SIMHOST_CHECK(fabs(ends_at(1.0, 2.0) - 2.5) < 0.011);
    SIMHOST_CHECK(fabs(ends_at(-2.5, 2.0) - 2.5) < 0.011);
}

static void a_vehicle_at_rest_does_not_end_the_run(void) {
    SIMHOST_CHECK(ends_at(0.0, 0.0) == -1.0);
}

int main(void) {
    the_distance_does_not_depend_on_the_direction();
    a_vehicle_at_rest_does_not_end_the_run();
    return simhost_test_failures > 0;
}
