/* Properties of a servo with stiction. */
#include "simhost_test.h"

#include <math.h>

static const double TIME_CONSTANT = 0.2, THRESHOLD = 0.01;

/* Returns a servo at 0 with a command. */
static simhost_test servo(double command, double dt) {
    simhost_test made = simhost_test_of(0, 0);
    simhost_test_param(&made, "time_constant", TIME_CONSTANT);
    simhost_test_param(&made, "threshold", THRESHOLD);
    simhost_test_set(&made, "command", 0, command);
    made.dt = dt;
    return made;
}

/* Makes a step and returns the position. */
static double step(simhost_test *servo) {
    SIMHOST_CHECK(simhost_test_call(servo, "actuate") == SIMHOST_FAULT_NONE);
    servo->time += servo->dt;
    return simhost_test_get(servo, "value", 0);
}

/* Returns the position after some steps of `dt` seconds towards a command. */
static double after(double command, double dt, int count) {
    simhost_test moving = servo(command, dt);
    double position = 0.0;
    for (int k = 0; k < count; k++) position = step(&moving);
    simhost_test_end(&moving);
    return position;
}

static void it_arrives_and_never_overshoots(void) {
    simhost_test moving = servo(1.0, 0.005);
    double before = 0.0, position = 0.0;
    for (int k = 0; k < 1000; k++, before = position) {
        position = step(&moving);
        SIMHOST_CHECK(position >= before && position <= 1.0);
    }
    SIMHOST_CHECK(1.0 - position <= THRESHOLD);
    simhost_test_end(&moving);
}

int main(void) {
    /* it follows with its time constant */
    SIMHOST_CHECK(fabs(after(1.0, TIME_CONSTANT / 50.0, 50) - (1.0 - exp(-1.0))) < 1e-9);
    it_arrives_and_never_overshoots();
    /* it rests near the command */
    SIMHOST_CHECK(after(0.9 * THRESHOLD, 0.005, 3) == 0.0);
    /* left and right are mirror images */
    SIMHOST_CHECK(after(0.5, 0.005, 50) == -after(-0.5, 0.005, 50));
    /* half steps give the same position */
    SIMHOST_CHECK(fabs(after(1.0, 0.02, 10) - after(1.0, 0.01, 20)) < 1e-9);
    return simhost_test_failures != 0;
}
