/* The library of the FMUs of the tests, for FMI 2.0 and 3.0.
 *
 * Values by reference: 0 and 1 are inputs, 2 is a gain. A step of h seconds sets 3 = -gain * input 0, 4 = -gain * input 1,
 * 5 += h * input 0, 6 += h, 7 = 0, 8 = 1 / (gain - 13), and 9 += 1, an integer.
 *
 * For model exchange, 5 is a state with the rate gain * (input 0 - 5), and every 0.25 s, it jumps by input 1 and 9 += 1. The
 * library for it is compiled with -DEXCHANGE, and has no functions for steps.
 *
 * With a gain of 14, a step aborts, with 15 it ends the process, with 16 it does not return, and with 17 it prints. Input 0
 * aborts above 700.
 *
 * With -DFORGETS, a state is accepted and not restored. With -DDIES, the library aborts when it is loaded. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "token-1"
enum { OK, DISCARD = 2, ERROR };

typedef struct {
    double value[10];
    double time;
    double next; /* time of the next event */
    int mode;    /* 0: events, 1: continuous time */
} State;

typedef void (*Log2)(void *, const char *, int, const char *, const char *, ...);
typedef void (*Log3)(void *, int, const char *, const char *);
typedef struct {
    Log2 log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *finished;
    void *environment;
} Callbacks;

#ifdef DIES
__attribute__((constructor)) static void die(void) { abort(); }
#endif

/* Returns a value that an input or parameter is set to. */
static double checked(unsigned reference, double value) {
    if (reference == 0 && value > 700) abort();
    return value;
}

static State *begin(const char *token) {
    if (strcmp(token, TOKEN) != 0) return NULL;
    State *state = calloc(1, sizeof *state);
    if (state) state->value[2] = 1, state->next = 0.25;
    return state;
}

#ifndef EXCHANGE
#define TYPE 1
static int step(State *s, double time, double h) {
    double *v = s->value, difference = time - s->time;
    if (v[2] == 14) abort();
    if (v[2] == 15) exit(3);
    while (v[2] == 16) s->next += 1;
    if (v[2] == 17) puts("a step"), fflush(stdout);
    if (difference > 1e-9 || difference < -1e-9) return ERROR;
    v[3] = -v[2] * v[0];
    v[4] = -v[2] * v[1];
    v[5] += h * v[0];
    v[6] += h;
    v[8] = 1 / (v[2] - 13);
    v[9] += 1;
    s->time = time + h;
    return h > 0.5 ? DISCARD : OK;
}
#else
#define TYPE 0
/* Calls in the wrong mode are errors. */
static int change(State *s, int from, int to) {
    if (s->mode != from) return ERROR;
    s->mode = to;
    return OK;
}
static void update(State *s) {
    if (s->time < s->next) return;
    s->value[5] += s->value[1];
    s->value[9] += 1;
    s->next += 0.25;
}
static int numbers(double *to, size_t n, double value) {
    if (n != 1) return ERROR;
    *to = value;
    return OK;
}
static int set_time(State *s, double time) { return s->mode == 1 ? s->time = time, OK : ERROR; }
static double rate(const State *s) { return s->value[2] * (s->value[0] - s->value[5]); }
#define EXCHANGES(v, rates)                                                                                            \
    int fmi##v##EnterEventMode(void *s) { return change(s, 1, 0); }                                                    \
    int fmi##v##EnterContinuousTimeMode(void *s) { return change(s, 0, 1); }                                           \
    int fmi##v##SetTime(void *s, double time) { return set_time(s, time); }                                            \
    int fmi##v##SetContinuousStates(void *s, const double *x, size_t n) {                                              \
        if (n != 1 || ((State *)s)->mode != 1) return ERROR;                                                           \
        ((State *)s)->value[5] = *x;                                                                                   \
        return OK;                                                                                                     \
    }                                                                                                                  \
    int fmi##v##GetContinuousStates(void *s, double *x, size_t n) { return numbers(x, n, ((State *)s)->value[5]); }    \
    int fmi##v##rates(void *s, double *to, size_t n) { return numbers(to, n, rate(s)); }
EXCHANGES(2, GetDerivatives)
EXCHANGES(3, GetContinuousStateDerivatives)
typedef struct { int needs, ends, nominals, states, has_next; double next; } EventInfo;
int fmi2NewDiscreteStates(void *s, EventInfo *info) {
    if (((State *)s)->mode != 0) return ERROR;
    update(s);
    *info = (EventInfo){.has_next = 1, .next = ((State *)s)->next};
    return OK;
}
int fmi3UpdateDiscreteStates(void *s, bool *needs, bool *ends, bool *nominals, bool *states, bool *has_next, double *next) {
    if (((State *)s)->mode != 0) return ERROR;
    update(s);
    *needs = *ends = *nominals = *states = false;
    *has_next = true;
    *next = ((State *)s)->next;
    return OK;
}
int fmi2CompletedIntegratorStep(void *s, int keeps, int *event, int *ends) {
    (void)s, (void)keeps;
    *event = *ends = 0;
    return OK;
}
int fmi3CompletedIntegratorStep(void *s, bool keeps, bool *event, bool *ends) {
    (void)s, (void)keeps;
    *event = *ends = false;
    return OK;
}
#endif

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const Callbacks *calls, int visible,
                      int logging) {
    (void)name, (void)visible, (void)logging;
    State *state = type == TYPE && strncmp(resources, "file:///", 8) == 0 ? begin(guid) : NULL;
    if (!state) calls->log(calls->environment, name, ERROR, "error", "wrong token");
    return state;
}
void fmi2FreeInstance(void *s) { free(s); }
int fmi2SetupExperiment(void *s, int a, double b, double start, int c, double d) {
    (void)a, (void)b, (void)c, (void)d;
    ((State *)s)->time = start;
    return OK;
}
int fmi2EnterInitializationMode(void *s) { (void)s; return OK; }
int fmi2ExitInitializationMode(void *s) { (void)s; return OK; }
#ifndef EXCHANGE
int fmi2DoStep(void *s, double time, double h, int keeps) { (void)keeps; return step(s, time, h); }
#endif

#ifdef EXCHANGE
void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                   void *environment, Log3 log) {
    (void)name, (void)visible, (void)logging;
#else
void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                  bool events, bool early, const unsigned *needed, size_t count, void *environment, Log3 log,
                                  void *update) {
    (void)name, (void)visible, (void)logging, (void)events, (void)early, (void)needed, (void)count, (void)update;
#endif
    State *state = resources[0] == '/' ? begin(token) : NULL;
    if (!state) log(environment, ERROR, "error", "wrong token");
    return state;
}
void fmi3FreeInstance(void *s) { free(s); }
int fmi3EnterInitializationMode(void *s, bool a, double b, double start, bool c, double d) {
    (void)a, (void)b, (void)c, (void)d;
    ((State *)s)->time = start;
    return OK;
}
int fmi3ExitInitializationMode(void *s) { (void)s; return OK; }
#ifndef EXCHANGE
int fmi3DoStep(void *s, double time, double h, bool keeps, bool *events, bool *ends, bool *early, double *last) {
    (void)keeps;
    *events = *ends = *early = false;
    *last = time + h;
    return step(s, time, h);
}
#endif

#define ACCESS(two, three, type)                                                                                       \
    int fmi2Get##two(void *s, const unsigned *r, size_t n, type *to) {                                                 \
        for (size_t k = 0; k < n; k++) to[k] = (type)((State *)s)->value[r[k]];                                        \
        return OK;                                                                                                     \
    }                                                                                                                  \
    int fmi2Set##two(void *s, const unsigned *r, size_t n, const type *from) {                                         \
        for (size_t k = 0; k < n; k++) ((State *)s)->value[r[k]] = checked(r[k], from[k]);                             \
        return OK;                                                                                                     \
    }                                                                                                                  \
    int fmi3Get##three(void *s, const unsigned *r, size_t n, type *to, size_t m) {                                     \
        return m == n ? fmi2Get##two(s, r, n, to) : ERROR;                                                             \
    }                                                                                                                  \
    int fmi3Set##three(void *s, const unsigned *r, size_t n, const type *from, size_t m) {                             \
        return m == n ? fmi2Set##two(s, r, n, from) : ERROR;                                                           \
    }
ACCESS(Real, Float64, double)
ACCESS(Integer, Int32, int)
int fmi2GetBoolean(void *s, const unsigned *r, size_t n, int *to) { return fmi2GetInteger(s, r, n, to); }
int fmi2SetBoolean(void *s, const unsigned *r, size_t n, const int *to) { return fmi2SetInteger(s, r, n, to); }
int fmi2SetString(void) { return ERROR; }
int fmi3SetString(void) { return ERROR; }
int fmi3GetFloat32(void) { return ERROR; }
int fmi3SetFloat32(void) { return ERROR; }
int fmi3GetInt64(void) { return ERROR; }
int fmi3SetInt64(void) { return ERROR; }
int fmi3GetBoolean(void) { return ERROR; }
int fmi3SetBoolean(void) { return ERROR; }

int fmi2GetFMUstate(void *s, void **to) {
    *to = malloc(sizeof(State));
    memcpy(*to, s, sizeof(State));
    return OK;
}
int fmi2SetFMUstate(void *s, void *from) {
#ifndef FORGETS
    memcpy(s, from, sizeof(State));
#else
    ((State *)s)->time = ((State *)from)->time;
#endif
    return OK;
}
int fmi2FreeFMUstate(void *s, void **state) { (void)s; free(*state); *state = NULL; return OK; }
int fmi2SerializedFMUstateSize(void *s, void *state, size_t *size) {
    (void)s, (void)state;
    *size = sizeof(State);
    return OK;
}
int fmi2SerializeFMUstate(void *s, void *state, unsigned char *to, size_t size) {
    (void)s;
    memcpy(to, state, size);
    return OK;
}
int fmi2DeSerializeFMUstate(void *s, const unsigned char *from, size_t size, void **to) {
    (void)s;
    if (size != sizeof(State)) return ERROR;
    *to = malloc(size);
    memcpy(*to, from, size);
    return OK;
}
int fmi3GetFMUState(void *s, void **to) { return fmi2GetFMUstate(s, to); }
int fmi3SetFMUState(void *s, void *from) { return fmi2SetFMUstate(s, from); }
int fmi3FreeFMUState(void *s, void **state) { return fmi2FreeFMUstate(s, state); }
int fmi3SerializedFMUStateSize(void *s, void *state, size_t *size) { return fmi2SerializedFMUstateSize(s, state, size); }
int fmi3SerializeFMUState(void *s, void *state, unsigned char *to, size_t n) { return fmi2SerializeFMUstate(s, state, to, n); }
int fmi3DeserializeFMUState(void *s, const unsigned char *from, size_t n, void **to) {
    return fmi2DeSerializeFMUstate(s, from, n, to);
}
