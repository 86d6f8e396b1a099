/* Properties of a friction model, whatever its parameters. */
#include "simhost_test.h"

#include <math.h>

static const double MU = 0.8, LOAD = 100.0;

typedef struct { double x, y, torque; } force;

/* Returns the force on a wheel that slides over the ground at (x, y), m/s, while it travels at `vx`, m/s. */
static force on_wheel(double vx, double x, double y, double load) {
    simhost_test tyre = simhost_test_of(0, 0);
    simhost_test_param(&tyre, "mu", MU);
    const double radius = 0.25;
    simhost_test_set(&tyre, "vx", 0, vx);
    simhost_test_set(&tyre, "vy", 0, y);
    simhost_test_set(&tyre, "spin", 0, (vx - x) / radius);
    simhost_test_set(&tyre, "radius", 0, radius);
    simhost_test_set(&tyre, "normal_force", 0, load);
    simhost_test_set(&tyre, "gravity", 0, 9.81);
    simhost_test_set(&tyre, "inertia", 0, 0.05);
    SIMHOST_CHECK(simhost_test_call(&tyre, "force") == SIMHOST_FAULT_NONE);
    const force made = { simhost_test_get(&tyre, "fx", 0), simhost_test_get(&tyre, "fy", 0),
                         simhost_test_get(&tyre, "spin_torque", 0) };
    simhost_test_end(&tyre);
    return made;
}

static void a_rolling_wheel_feels_no_force(void) {
    const force rolling = on_wheel(1.0, 0.0, 0.0, LOAD);
    SIMHOST_CHECK(rolling.x == 0.0 && rolling.y == 0.0);
}

static void sliding(double x, double y) {
    const force left = on_wheel(1.0, x, y, LOAD), right = on_wheel(1.0, x, -y, LOAD);
    /* it opposes the sliding and is at most mu times the normal load */
    SIMHOST_CHECK(left.x * x + left.y * y < 0.0);
    SIMHOST_CHECK(hypot(left.x, left.y) <= MU * LOAD * (1.0 + 1e-12));
    /* left and right are mirror images */
    SIMHOST_CHECK(left.x == right.x && left.y == -right.y && left.torque == right.torque);
}

static void a_sliding_wheel_grips(double load) {
    SIMHOST_CHECK(fabs(on_wheel(1.0, 30.0, 0.0, load).x) > 0.5 * MU * load);
    SIMHOST_CHECK(fabs(on_wheel(1.0, 0.0, 30.0, load).y) > 0.5 * MU * load);
}

static void numbers_are_finite(double vx, double x, double y, double load) {
    const force made = on_wheel(vx, x, y, load);
    SIMHOST_CHECK(isfinite(made.x) && isfinite(made.y) && isfinite(made.torque));
}

int main(void) {
    static const double directions[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.6, 0.8}, {-0.8, 0.6}};
    static const double speeds[] = {1e-6, 1e-3, 0.1, 1.0, 30.0};
    a_rolling_wheel_feels_no_force();
    a_sliding_wheel_grips(LOAD);
    a_sliding_wheel_grips(3.0 * LOAD);
    for (int d = 0; d < 6; d++)
        for (int s = 0; s < 5; s++)
            sliding(speeds[s] * directions[d][0], speeds[s] * directions[d][1]);
    for (int loaded = 0; loaded < 2; loaded++) {
        numbers_are_finite(0.0, 0.0, 0.0, loaded * LOAD);
        numbers_are_finite(1.0, 1.0, 0.5, loaded * LOAD);
        numbers_are_finite(0.0, -10.0, 0.0, loaded * LOAD);
    }
    return simhost_test_failures != 0;
}
