/* Properties of a servo of second order. */
#include "simhost_test.h"

#include <math.h>

static const double FREQUENCY = 15.0, DT = 1e-3, PI = 3.14159265358979323846;

/* Makes a step from the states by Heun's method, in place of the integration by the host. */
static double step(simhost_test *servo) {
    double before[2], rates[2][2];
    for (int k = 0; k < 2; k++) before[k] = servo->states[k];
    for (int stage = 0; stage < 2; stage++) {
        SIMHOST_CHECK(simhost_test_call(servo, "rates") == SIMHOST_FAULT_NONE);
        rates[stage][0] = simhost_test_get(servo, "position", 0);
        rates[stage][1] = simhost_test_get(servo, "velocity", 0);
        for (int k = 0; k < 2; k++)
            servo->states[k] = before[k] + DT * (stage == 0 ? rates[0][k] : 0.5 * (rates[0][k] + rates[1][k]));
    }
    SIMHOST_CHECK(simhost_test_call(servo, "actuate") == SIMHOST_FAULT_NONE);
    return simhost_test_get(servo, "value", 0);
}

/* Returns the highest position within some steps from rest towards a command, and the last one in `end`. */
static double highest(double damping, double command, int steps, double *end) {
    simhost_test servo = simhost_test_of(0, 0);
    double most = 0.0;
    simhost_test_param(&servo, "frequency", FREQUENCY);
    simhost_test_param(&servo, "damping", damping);
    simhost_test_set(&servo, "command", 0, command);
    for (int k = 0; k < steps; k++) most = fmax(most, *end = step(&servo));
    simhost_test_end(&servo);
    return most;
}

/* exp(-pi z/sqrt(1 - z^2)): Franklin, Powell, Emami-Naeini, Feedback Control of Dynamic Systems. */
static void it_overshoots_as_its_damping_says(double damping) {
    double end;
    const double expected = 1.0 + exp(-PI * damping / sqrt(1.0 - damping * damping));
    SIMHOST_CHECK(fabs(highest(damping, 1.0, 2000, &end) - expected) < 2e-3);
    SIMHOST_CHECK(fabs(end - 1.0) < 0.01);
}

/* Half a period after the start it is at twice the command. */
static void without_damping_it_swings_with_its_frequency(void) {
    double end;
    highest(0.0, 1.0, (int)(PI / FREQUENCY / DT + 0.5), &end);
    SIMHOST_CHECK(fabs(end - 2.0) < 1e-3);
}

static void left_and_right_are_mirror_images(void) {
    double left, right;
    highest(0.7, 0.5, 200, &left);
    highest(0.7, -0.5, 200, &right);
    SIMHOST_CHECK(left == -right && left > 0.4);
}

int main(void) {
    it_overshoots_as_its_damping_says(0.2);
    it_overshoots_as_its_damping_says(0.7);
    without_damping_it_swings_with_its_frequency();
    left_and_right_are_mirror_images();
    return simhost_test_failures != 0;
}
