/* Properties of a controller that drives to a point. */
#include "simhost_test.h"

#include <math.h>

static const double SPEED_GAIN = 0.8, TURN_GAIN = 2.0, MAX_SPEED = 1.5, MAX_TURN = 1.0;

typedef struct { double vx, vy, omega; } twist;

/* Returns the twist at the origin, heading along x, for a goal. */
static twist towards(double x, double y) {
    simhost_test pilot = simhost_test_of(0, 0);
    simhost_test_param(&pilot, "speed_gain", SPEED_GAIN);
    simhost_test_param(&pilot, "turn_gain", TURN_GAIN);
    simhost_test_param(&pilot, "max_speed", MAX_SPEED);
    simhost_test_param(&pilot, "max_turn", MAX_TURN);
    simhost_test_set(&pilot, "goal_x", 0, x);
    simhost_test_set(&pilot, "goal_y", 0, y);
    SIMHOST_CHECK(simhost_test_call(&pilot, "control") == SIMHOST_FAULT_NONE);
    const twist made = { simhost_test_get(&pilot, "twist_vx", 0),
                         simhost_test_get(&pilot, "twist_vy", 0),
                         simhost_test_get(&pilot, "twist_omega", 0) };
    simhost_test_end(&pilot);
    return made;
}

static void at_the_goal_it_stands_still(void) {
    const twist still = towards(0.0, 0.0);
    SIMHOST_CHECK(still.vx == 0.0 && still.vy == 0.0 && still.omega == 0.0);
}

static void gains_act_near_the_goal(void) {
    SIMHOST_CHECK(fabs(towards(0.5, 0.0).vx - 0.5 * SPEED_GAIN) < 1e-12);
    SIMHOST_CHECK(fabs(towards(1.0, 0.1).omega - atan2(0.1, 1.0) * TURN_GAIN) < 1e-12);
}

static void it_saturates_far_away(void) {
    SIMHOST_CHECK(towards(1e6, 0.0).vx == MAX_SPEED);
    SIMHOST_CHECK(towards(0.0, 1e6).omega == MAX_TURN);
    SIMHOST_CHECK(towards(0.0, -1e6).omega == -MAX_TURN);
}

static void no_goal_exceeds_the_limits(double x, double y) {
    const twist left = towards(x, y), right = towards(x, -y);
    SIMHOST_CHECK(fabs(left.vx) <= MAX_SPEED && fabs(left.omega) <= MAX_TURN);
    /* left and right are mirror images, except for a goal straight behind */
    SIMHOST_CHECK(y == 0.0 || (left.vx == right.vx && left.omega == -right.omega));
}

int main(void) {
    static const double places[] = {-1e9, -3.0, 0.0, 1e-9, 3.0, 1e9};
    at_the_goal_it_stands_still();
    gains_act_near_the_goal();
    it_saturates_far_away();
    for (int x = 0; x < 6; x++)
        for (int y = 0; y < 6; y++) no_goal_exceeds_the_limits(places[x], places[y]);
    return simhost_test_failures != 0;
}
