/* Properties of a drive with a left and a right side. */
#include "simhost_test.h"

#include <math.h>

enum { WHEELS = 6 };

static simhost_test rover(void) {
    simhost_test made = simhost_test_of(0, WHEELS);
    for (size_t wheel = 0; wheel < WHEELS; wheel++) {
        simhost_test_set(&made, "radius", wheel, 0.2);
        simhost_test_set(&made, "wheel_y", wheel, made.model->wheels.data[wheel].y);
    }
    return made;
}

/* Compares two rovers with exchanged torques. */
static void left_and_right_are_mirror_images(double left, double right) {
    simhost_test one = rover(), other = rover();
    simhost_test_set(&one, "torque_left", 0, left);
    simhost_test_set(&one, "torque_right", 0, right);
    simhost_test_set(&other, "torque_left", 0, right);
    simhost_test_set(&other, "torque_right", 0, left);
    SIMHOST_CHECK(simhost_test_call(&one, "drive") == SIMHOST_FAULT_NONE);
    SIMHOST_CHECK(simhost_test_call(&other, "drive") == SIMHOST_FAULT_NONE);
    for (size_t wheel = 0; wheel < WHEELS; wheel++) {
        const double torque = simhost_test_get(&one, "torque", wheel);
        SIMHOST_CHECK(torque == simhost_test_get(&other, "torque", wheel ^ 1));
        /* the motor torque is limited, and wheels with a positive y are on the left */
        const double wanted = one.model->wheels.data[wheel].y > 0.0 ? left : right;
        SIMHOST_CHECK(torque == fmax(-20.0, fmin(wanted, 20.0)));
    }
    simhost_test_end(&one);
    simhost_test_end(&other);
}

/* Checks that the odometry of rolling wheels equals the motion. */
static void odometry(double vx, double omega) {
    simhost_test rolling = rover();
    for (size_t wheel = 0; wheel < WHEELS; wheel++) {
        const double y = rolling.model->wheels.data[wheel].y;
        simhost_test_set(&rolling, "spin", wheel, (vx - omega * y) / 0.2);
    }
    SIMHOST_CHECK(simhost_test_call(&rolling, "measure") == SIMHOST_FAULT_NONE);
    SIMHOST_CHECK(fabs(simhost_test_get(&rolling, "odometry_vx", 0) - vx) < 1e-12);
    SIMHOST_CHECK(fabs(simhost_test_get(&rolling, "odometry_omega", 0) - omega) < 1e-12);
    simhost_test_end(&rolling);
}

int main(void) {
    left_and_right_are_mirror_images(0.0, 0.0);
    left_and_right_are_mirror_images(3.0, -1.0);
    left_and_right_are_mirror_images(1e9, -1e9);
    odometry(0.0, 0.0);
    odometry(1.0, 0.0);
    odometry(-2.0, 0.5);
    return simhost_test_failures != 0;
}
