/* Properties of a measured curve. */
#include "simhost_test.h"

#include <math.h>

static const char *const CURVE = "-1, -0.5\n0, 0\n2, 3\n";

/* Calls an actuator with a file of this text. Returns the code, and the value in `value`. */
static uint32_t call(const char *text, double command, double *value) {
    simhost_test actuator = simhost_test_of(0, 0);
    const simhost_value file[] = {SIMHOST_TEXT("curve.csv"),
        {SIMHOST_VALUE_TEXT, 0, 0.0, {text, strlen(text)}, SIMHOST_EMPTY}};
    const simhost_value items = {SIMHOST_VALUE_ITEMS, 0, 0.0, SIMHOST_STR(""), SIMHOST_SLICE(file)};
    actuator.params[0] = items;
    simhost_test_set(&actuator, "command", 0, command);
    const uint32_t code = simhost_test_call(&actuator, "actuate");
    if (code == SIMHOST_FAULT_NONE) *value = simhost_test_get(&actuator, "value", 0);
    simhost_test_end(&actuator);
    return code;
}

static double value(const char *text, double command) {
    double found = NAN;
    SIMHOST_CHECK(call(text, command, &found) == SIMHOST_FAULT_NONE);
    return found;
}

static int is_refused(const char *text) {
    double none;
    return call(text, 0.0, &none) == SIMHOST_FAULT_REFUSED;
}

int main(void) {
    /* it goes through the points of the file */
    SIMHOST_CHECK(value(CURVE, -1.0) == -0.5 && value(CURVE, 0.0) == 0.0 && value(CURVE, 2.0) == 3.0);
    /* it is linear between them and level beyond them */
    SIMHOST_CHECK(fabs(value(CURVE, 1.0) - 1.5) < 1e-12 && fabs(value(CURVE, -0.5) + 0.25) < 1e-12);
    SIMHOST_CHECK(value(CURVE, 9.0) == 3.0 && value(CURVE, -9.0) == -0.5 && value("5, 7", 0.0) == 7.0);
    /* what is no curve is refused */
    SIMHOST_CHECK(is_refused("zero, 0\n") && is_refused("1, 1\n0, 0\n") && is_refused("") && is_refused("1 2\n"));
    return simhost_test_failures != 0;
}
