/* Properties of an estimator of the pose. */
#include "simhost_test.h"

#include <math.h>

static const double RADIUS = 0.2, TRACK = 0.4, PERIOD = 0.01;

typedef struct { double x, y, yaw; } pose;

/* Returns the pose after some samples with `wheels` readings of the wheels, and a yaw rate. */
static pose after(int samples, double weight, size_t wheels, double left, double right, double gyro) {
    simhost_test estimator = simhost_test_of(0, 0);
    simhost_test_param(&estimator, "wheel_radius", RADIUS);
    simhost_test_param(&estimator, "track", TRACK);
    simhost_test_param(&estimator, "gyro_weight", weight);
    simhost_test_set(&estimator, "velocity", 0, left);
    simhost_test_set(&estimator, "velocity", 1, right);
    simhost_test_set(&estimator, "angular_velocity_z", 0, gyro);
    simhost_test_set(&estimator, "sample_period", 0, PERIOD);
    estimator.count = (double)wheels;
    for (int k = 0; k < samples; k++)
        SIMHOST_CHECK(simhost_test_call(&estimator, "read") == SIMHOST_FAULT_NONE);
    const pose made = {simhost_test_get(&estimator, "estimated_x", 0),
                       simhost_test_get(&estimator, "estimated_y", 0),
                       simhost_test_get(&estimator, "estimated_yaw", 0)};
    simhost_test_end(&estimator);
    return made;
}

static void straight_ahead_it_adds_the_way_of_the_wheels(void) {
    const pose end = after(100, 0.98, 2, 5.0, 5.0, 0.0);
    SIMHOST_CHECK(fabs(end.x - 5.0 * RADIUS) < 1e-12 && end.y == 0.0 && end.yaw == 0.0);
}

/* 1 m/s and 0.5 rad/s are a circle of 2 m. */
static void a_quarter_of_a_circle_ends_at_its_radius(void) {
    const pose end = after(314, 0.98, 2, 4.5, 5.5, 0.5);
    SIMHOST_CHECK(fabs(end.x - 2.0) < 0.02 && fabs(end.y - 2.0) < 0.02);
    SIMHOST_CHECK(fabs(end.yaw - 1.57) < 1e-9);
}

static void the_weight_decides_between_gyroscope_and_wheels(void) {
    SIMHOST_CHECK(fabs(after(100, 1.0, 2, 4.0, 6.0, 0.2).yaw - 0.2) < 1e-12);
    SIMHOST_CHECK(fabs(after(100, 0.0, 2, 4.0, 6.0, 0.2).yaw - 1.0) < 1e-12);
    SIMHOST_CHECK(fabs(after(100, 0.25, 2, 4.0, 6.0, 0.2).yaw - 0.8) < 1e-12);
}

static void left_and_right_are_mirror_images(void) {
    const pose left = after(150, 0.98, 2, 4.0, 6.0, 0.9), right = after(150, 0.98, 2, 6.0, 4.0, -0.9);
    SIMHOST_CHECK(left.x == right.x && left.y == -right.y && left.yaw == -right.yaw);
}

static void without_a_sample_it_stays_where_it_is(void) {
    const pose end = after(10, 0.98, 0, 4.0, 6.0, 0.5);
    SIMHOST_CHECK(end.x == 0.0 && end.y == 0.0 && end.yaw == 0.0);
}

int main(void) {
    straight_ahead_it_adds_the_way_of_the_wheels();
    a_quarter_of_a_circle_ends_at_its_radius();
    the_weight_decides_between_gyroscope_and_wheels();
    left_and_right_are_mirror_images();
    without_a_sample_it_stays_where_it_is();
    return simhost_test_failures != 0;
}
