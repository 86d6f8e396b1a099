/* Properties of trailing arms. */
#include "simhost_test.h"

#include <math.h>

static const double ARM = 0.5, RADIUS = 0.3;

/* Returns an output for a travel, m, and a force forwards, N, of one side. */
static double found(const char *output, const char *travel, double m, const char *force, double newtons) {
    simhost_test axle = simhost_test_of(0, 0);
    simhost_test_param(&axle, "arm", ARM);
    simhost_test_set(&axle, "wheel_radius", 0, RADIUS);
    simhost_test_set(&axle, travel, 0, m);
    simhost_test_set(&axle, force, 0, newtons);
    SIMHOST_CHECK(simhost_test_call(&axle, "kinematics") == SIMHOST_FAULT_NONE);
    const double value = simhost_test_get(&axle, output, 0);
    simhost_test_end(&axle);
    return value;
}

int main(void) {
    /* at rest nothing moves and no force acts */
    SIMHOST_CHECK(found("longitudinal_left", "travel_left", 0.0, "fx_left", 0.0) == 0.0);
    SIMHOST_CHECK(found("jacking_left", "travel_left", 0.0, "fx_left", 0.0) == 0.0);
    /* the wheel stays on its circle */
    const double x = found("longitudinal_left", "travel_left", 0.1, "fx_left", 0.0) - ARM;
    SIMHOST_CHECK(fabs(x * x + 0.01 - ARM * ARM) < 1e-12);
    /* braking pulls the body down */
    const double brakes = found("jacking_left", "travel_left", 0.0, "fx_left", -1000.0);
    SIMHOST_CHECK(fabs(brakes + 1000.0 * RADIUS / ARM) < 1e-9);
    /* left and right are mirror images */
    SIMHOST_CHECK(found("longitudinal_left", "travel_left", 0.05, "fx_left", 0.0) ==
                  found("longitudinal_right", "travel_right", 0.05, "fx_right", 0.0));
    return simhost_test_failures != 0;
}
