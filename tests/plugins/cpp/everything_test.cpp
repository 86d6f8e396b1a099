/* The test support of C calls a class with texts, choices, memory and values per vehicle. */
#include "simhost_test.h"

int main() {
    simhost_test model = simhost_test_of(0, 0);
    simhost_test_param(&model, "needed", 1.0);
    simhost_test_text(&model, "word", "longword");
    simhost_test_text(&model, "law", "square");
    for (int k = 0; k < 25; k++) {
        simhost_test_set(&model, "x", 0, k);
        SIMHOST_CHECK(simhost_test_call(&model, "control") == SIMHOST_FAULT_NONE);
    }
    SIMHOST_CHECK(simhost_test_get(&model, "oldest", 0) == 14.0);
    SIMHOST_CHECK(simhost_test_get(&model, "text", 0) == 8.0);
    SIMHOST_CHECK(simhost_test_get(&model, "law", 0) == 1.0);
    simhost_test_end(&model);
    return simhost_test_failures != 0;
}
