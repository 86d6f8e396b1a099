/*
 * The library behind embed.m:
 *
 *     cc -shared -fPIC -Iframework/capi/include framework/capi/examples/matlab.c \
 *         -Ltarget/release -lsimhost -Wl,-rpath,target/release -o libsimhost_m.so
 */
#include "matlab.h"

#include "simhost.h"

void *simhost_m_open(const char *path) {
    const simhost_functions *api = simhost_api(SIMHOST_API_VERSION);
    simhost_options options = simhost_options_default();
    simhost_session *session = NULL;
    options.path = path;
    if (api != NULL && api->open(&options, &session) != SIMHOST_OK) {
        api->close(&session);
    }
    return session;
}

int simhost_m_run(void *session, double time) {
    return simhost_api(SIMHOST_API_VERSION)->run_until(session, time, NULL);
}

int simhost_m_read(void *session, const char *patterns, double *values, unsigned long count) {
    const simhost_functions *api = simhost_api(SIMHOST_API_VERSION);
    simhost_quantities quantities = 0;
    int32_t code = api->quantities_find(session, patterns, &quantities, NULL);
    if (code == SIMHOST_OK) {
        code = api->quantities_read(session, quantities, values, count, NULL);
        api->quantities_free(session, quantities);
    }
    return code;
}

void simhost_m_close(void *session) {
    simhost_session *own = session;
    simhost_api(SIMHOST_API_VERSION)->close(&own);
}
