/* Properties of a fleet that gathers. */
#include "simhost_test.h"

#include <math.h>

static const double SPACING = 2.0, MAX_SPEED = 1.5, MAX_TURN = 1.0;

/* Returns a fleet of vehicles at these positions, which head along x, after one call. */
static simhost_test fleet_at(const double (*places)[2], size_t vehicles) {
    simhost_test fleet = simhost_test_of_fleet(0, vehicles);
    simhost_test_param(&fleet, "spacing", SPACING);
    simhost_test_param(&fleet, "max_speed", MAX_SPEED);
    simhost_test_param(&fleet, "max_turn", MAX_TURN);
    for (size_t i = 0; i < vehicles; i++) {
        simhost_test_set(&fleet, "x", i, places[i][0]);
        simhost_test_set(&fleet, "y", i, places[i][1]);
    }
    SIMHOST_CHECK(simhost_test_call(&fleet, "command") == SIMHOST_FAULT_NONE);
    return fleet;
}

static void vehicles_near_the_centre_stand_still(void) {
    static const double places[3][2] = {{0.0, 0.0}, {1.8, 0.0}, {0.0, 1.8}};
    simhost_test fleet = fleet_at(places, 3);
    for (size_t i = 0; i < 3; i++) {
        SIMHOST_CHECK(simhost_test_get(&fleet, "vx", i) == 0.0);
        SIMHOST_CHECK(simhost_test_get(&fleet, "omega", i) == 0.0);
    }
    simhost_test_end(&fleet);
}

static void vehicles_turn_and_drive_towards_the_centre(void) {
    static const double places[4][2] = {{-10.0, 0.0}, {10.0, 0.0}, {0.0, -10.0}, {0.0, 10.0}};
    simhost_test fleet = fleet_at(places, 4);
    SIMHOST_CHECK(simhost_test_get(&fleet, "vx", 0) == MAX_SPEED);
    SIMHOST_CHECK(simhost_test_get(&fleet, "omega", 0) == 0.0);
    SIMHOST_CHECK(simhost_test_get(&fleet, "vx", 1) < MAX_SPEED);
    SIMHOST_CHECK(simhost_test_get(&fleet, "omega", 2) > 0.0);
    SIMHOST_CHECK(simhost_test_get(&fleet, "omega", 3) < 0.0);
    for (size_t i = 0; i < 4; i++) SIMHOST_CHECK(simhost_test_get(&fleet, "distance", i) == 10.0);
    simhost_test_end(&fleet);
}

static void a_vehicle_that_is_not_enabled_does_not_move_the_centre(void) {
    static const double places[3][2] = {{0.0, 0.0}, {6.0, 0.0}, {1e3, 0.0}};
    simhost_test fleet = fleet_at(places, 3);
    simhost_test_set(&fleet, "enabled", 2, 0.0);
    SIMHOST_CHECK(simhost_test_call(&fleet, "command") == SIMHOST_FAULT_NONE);
    SIMHOST_CHECK(simhost_test_get(&fleet, "distance", 0) == 3.0);
    simhost_test_end(&fleet);
}

static void no_place_exceeds_the_limits(double x, double y) {
    const double places[2][2] = {{0.0, 0.0}, {x, y}};
    simhost_test fleet = fleet_at(places, 2);
    for (size_t i = 0; i < 2; i++) {
        SIMHOST_CHECK(fabs(simhost_test_get(&fleet, "vx", i)) <= MAX_SPEED);
        SIMHOST_CHECK(fabs(simhost_test_get(&fleet, "omega", i)) <= MAX_TURN);
    }
    simhost_test_end(&fleet);
}

int main(void) {
    static const double places[] = {-1e9, -3.0, 0.0, 1e-9, 3.0, 1e9};
    vehicles_near_the_centre_stand_still();
    vehicles_turn_and_drive_towards_the_centre();
    a_vehicle_that_is_not_enabled_does_not_move_the_centre();
    for (int x = 0; x < 6; x++)
        for (int y = 0; y < 6; y++) no_place_exceeds_the_limits(places[x], places[y]);
    return simhost_test_failures != 0;
}
