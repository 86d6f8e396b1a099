/* Properties of a ranging sensor. */
#include "simhost_test.h"

#include <math.h>

enum { RANGERS = 5 };
static const double REACH = 4.0, SPREAD = 1.5707963267948966; /* 90 degrees */

typedef struct { double speed, nearest, echo[RANGERS]; } readings;

/* Returns a sample of a scene with this noise and the random stream of a key. */
static readings sample(double noise, double third, uint64_t key) {
    const double ranges[RANGERS] = {1.0, 2.0, third, 3.0, 0.5};
    simhost_test sonar = simhost_test_of(0, 0);
    readings made;
    simhost_test_param(&sonar, "noise", noise);
    sonar.key = key;
    simhost_test_set(&sonar, "vx", 0, 3.0);
    simhost_test_set(&sonar, "vy", 0, 4.0);
    for (size_t ray = 0; ray < RANGERS; ray++) simhost_test_set(&sonar, "range", ray, ranges[ray]);
    SIMHOST_CHECK(simhost_test_call(&sonar, "read") == SIMHOST_FAULT_NONE);
    made.speed = simhost_test_get(&sonar, "ground_speed", 0);
    made.nearest = simhost_test_get(&sonar, "nearest", 0);
    for (size_t ray = 0; ray < RANGERS; ray++)
        made.echo[ray] = simhost_test_get(&sonar, "echo", ray);
    simhost_test_end(&sonar);
    return made;
}

static void without_noise_readings_are_exact(void) {
    const readings exact = sample(0.0, INFINITY, 1);
    SIMHOST_CHECK(exact.speed == 5.0 && exact.nearest == 0.5);
    SIMHOST_CHECK(exact.echo[0] == 1.0 && exact.echo[2] == REACH);
}

static void draws_repeat_with_the_key_and_differ_without(void) {
    const readings one = sample(0.02, 2.5, 1), same = sample(0.02, 2.5, 1), other = sample(0.02, 2.5, 2);
    SIMHOST_CHECK(memcmp(&one, &same, sizeof one) == 0);
    SIMHOST_CHECK(one.speed != other.speed && one.echo[0] != other.echo[0]);
}

static void an_echo_more_changes_no_other_reading(void) {
    const readings without = sample(0.02, INFINITY, 1), with = sample(0.02, 2.5, 1);
    SIMHOST_CHECK(without.echo[3] == with.echo[3] && without.speed == with.speed);
}

static void every_reading_is_within_reach(uint64_t key) {
    const readings noisy = sample(3.0, INFINITY, key);
    for (size_t ray = 0; ray < RANGERS; ray++)
        SIMHOST_CHECK(noisy.echo[ray] >= 0.0 && noisy.echo[ray] <= REACH);
}

static void rays_are_a_fan_that_is_symmetric(void) {
    simhost_test sonar = simhost_test_of(0, 0);
    SIMHOST_CHECK(simhost_test_call(&sonar, "aim") == SIMHOST_FAULT_NONE);
    SIMHOST_CHECK(sonar.rays == RANGERS);
    SIMHOST_CHECK(fabs(simhost_test_get(&sonar, "angle", 0) + 0.5 * SPREAD) < 1e-12);
    for (size_t ray = 0; ray < RANGERS; ray++) {
        const double left = simhost_test_get(&sonar, "angle", RANGERS - 1 - ray);
        SIMHOST_CHECK(fabs(left + simhost_test_get(&sonar, "angle", ray)) < 1e-12);
    }
    simhost_test_end(&sonar);
}

int main(void) {
    without_noise_readings_are_exact();
    draws_repeat_with_the_key_and_differ_without();
    an_echo_more_changes_no_other_reading();
    for (uint64_t key = 0; key < 100; key++) every_reading_is_within_reach(key);
    rays_are_a_fan_that_is_symmetric();
    return simhost_test_failures != 0;
}
