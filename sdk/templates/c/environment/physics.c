/* Properties of a squall. */
#include "simhost_test.h"

#include <math.h>

static const double START = 1.0, SPEED = 12.0, DURATION = 4.0, WET_MU = 0.3;

static simhost_test squall(void) {
    simhost_test made = simhost_test_of(0, 0);
    simhost_test_param(&made, "start", START);
    simhost_test_param(&made, "speed", SPEED);
    simhost_test_param(&made, "duration", DURATION);
    simhost_test_param(&made, "wet_mu", WET_MU);
    return made;
}

/* Returns the wind along y at a time. */
static double wind(double time) {
    simhost_test model = squall();
    model.time = time;
    SIMHOST_CHECK(simhost_test_call(&model, "wind") == SIMHOST_FAULT_NONE);
    const double made = simhost_test_get(&model, "wind_y", 0);
    SIMHOST_CHECK(simhost_test_get(&model, "wind_x", 0) == 0.0);
    simhost_test_end(&model);
    return made;
}

/* Returns the friction coefficient after so many steps of 0.1 s. */
static double mu(int steps) {
    simhost_test model = squall();
    model.dt = 0.1;
    for (int step = 0; step < steps; step++) {
        model.time = 0.1 * step;
        SIMHOST_CHECK(simhost_test_call(&model, "update") == SIMHOST_FAULT_NONE);
    }
    SIMHOST_CHECK(simhost_test_call(&model, "surface") == SIMHOST_FAULT_NONE);
    const double made = simhost_test_get(&model, "mu", 0);
    simhost_test_end(&model);
    return made;
}

int main(void) {
    /* the gust rises and falls */
    SIMHOST_CHECK(wind(0.5 * START) == 0.0);
    SIMHOST_CHECK(fabs(wind(START + 0.5 * DURATION) - SPEED) < 1e-9);
    SIMHOST_CHECK(wind(START + DURATION) == 0.0);
    /* the ground keeps its friction until it rains */
    SIMHOST_CHECK(mu(10) < 0.0);
    SIMHOST_CHECK(mu(20) < 0.8 && mu(20) > WET_MU);
    SIMHOST_CHECK(fabs(mu(100) - WET_MU) < 1e-12);
    return simhost_test_failures != 0;
}
