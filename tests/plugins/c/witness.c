/*
 * Models of all kinds that only record how they are called. At the end of the process they write one line
 * for each function to the file in the variable WITNESS: number of calls, number of threads, maximum
 * number of simultaneous calls on one instance, calls from a thread that did not load the library, calls
 * during another function of the same instance that must not overlap, and calls in the wrong order.
 */
#include "simhost_plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CREATE, DESTROY, ARRANGE, CAPACITY, MEMORY, CONTROL, DRIVE, FORCE, MEASURE, RATES, AIM, READ, FUNCTIONS };
/* Vehicles of the test's smaller world, which form one table. A larger call is one of several. */
enum { VEHICLES = 100, WHEELS_IN_ALL = 2 * VEHICLES };
static const char *const NAMES[FUNCTIONS] = {"create", "destroy", "arrange", "capacity", "memory", "control",
                                             "drive", "force", "measure", "rates", "aim", "read"};

typedef struct { int running; } instance;
static struct { long calls, most, elsewhere, overlaps, unordered; pthread_t threads[64]; int seen; } of[FUNCTIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t loader;
static int last = MEASURE;        /* the last phase of the vehicles */

__attribute__((constructor)) static void begin(void) { loader = pthread_self(); }

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("WITNESS");
    FILE *file = path != NULL && of[FORCE].calls > 0 ? fopen(path, "w") : NULL;
    if (file == NULL) return;
    for (int f = 0; f < FUNCTIONS; f++)
        fprintf(file, "%s %ld %d %ld %ld %ld %ld\n", NAMES[f], of[f].calls, of[f].seen, of[f].most,
                of[f].elsewhere, of[f].overlaps, of[f].unordered);
    fclose(file);
}

/* Order in a step: control, drive, force, measure. Before the first step: measure once. */
static void order(int f) {
    if (f < CONTROL || f > MEASURE) return;
    const int next = last == MEASURE ? CONTROL : last + 1;
    of[f].unordered += f != last && f != next;
    last = f;
}

static void enter(int f, instance *made) {
    pthread_mutex_lock(&lock);
    const pthread_t self = pthread_self();
    int t = 0;
    while (t < of[f].seen && !pthread_equal(of[f].threads[t], self)) t++;
    if (t == of[f].seen && t < 64) of[f].threads[of[f].seen++] = self;
    of[f].calls++;
    of[f].elsewhere += !pthread_equal(self, loader);
    of[f].overlaps += made->running > 0 && f <= MEMORY;
    made->running++;
    if (made->running > of[f].most) of[f].most = made->running;
    order(f);
    pthread_mutex_unlock(&lock);
}

/* Waits up to 0.02 s for a second simultaneous call of a function. */
static void wait_for_another(int f) {
    const struct timespec millisecond = {0, 1000000};
    for (int k = 0; k < 20; k++) {
        pthread_mutex_lock(&lock);
        const long most = of[f].most;
        pthread_mutex_unlock(&lock);
        if (most > 1) return;
        nanosleep(&millisecond, NULL);
    }
}

static void leave(instance *made) {
    pthread_mutex_lock(&lock);
    made->running--;
    pthread_mutex_unlock(&lock);
}

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    instance *made = calloc(1, sizeof *made);
    (void)values, (void)fault;
    enter(CREATE, made);
    leave(made);
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static void destroy(void *handle) {
    enter(DESTROY, handle);
    free(handle);
}

static uint32_t arrange(const void *handle, simhost_wheel_geometry *wheels, size_t count,
                        simhost_fault *fault) {
    (void)wheels, (void)count, (void)fault;
    enter(ARRANGE, (instance *)handle);
    leave((instance *)handle);
    return SIMHOST_FAULT_NONE;
}

static size_t capacity(const void *handle) {
    enter(CAPACITY, (instance *)handle);
    leave((instance *)handle);
    return 2;
}

/* A phase that writes zeros to its outputs, of which those of `drive` have a value per wheel. */
static uint32_t phase(int f, size_t outputs, const void *handle, const simhost_batch *batch) {
    enter(f, (instance *)handle);
    if (f < AIM && batch->count > (f == FORCE || f == RATES ? WHEELS_IN_ALL : VEHICLES)) wait_for_another(f);
    for (size_t o = 0; o < outputs; o++)
        for (size_t i = batch->first; i < batch->first + batch->count; i++)
            for (size_t w = 0; w < (f == DRIVE ? batch->wheels : 1); w++)
                batch->outputs[o][w * batch->wheel_stride + i] = 0.0;
    leave((instance *)handle);
    return SIMHOST_FAULT_NONE;
}

#define PHASE(name, function, outputs)                                                           \
    static uint32_t name(const void *handle, const simhost_batch *batch, simhost_fault *fault) { \
        (void)fault;                                                                             \
        return phase(function, outputs, handle, batch);                                          \
    }
PHASE(control, CONTROL, 1)
PHASE(drive, DRIVE, 2)
PHASE(force, FORCE, 3)
PHASE(measure, MEASURE, 1)
PHASE(rates, RATES, 1)
PHASE(sample, READ, 1)

static uint32_t aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)fault;
    for (size_t i = 2 * batch->first; i < 2 * (batch->first + batch->count); i++) batch->outputs[6][i] = 0.0;
    return phase(AIM, 6, handle, batch);
}

/* The memory of a lane is empty. */
static uint32_t remember(const void *handle, void **memory, simhost_fault *fault) {
    (void)fault;
    enter(MEMORY, (instance *)handle);
    leave((instance *)handle);
    *memory = calloc(1, 1);
    return SIMHOST_FAULT_NONE;
}

static uint32_t save(const void *memory, void *sink, simhost_write_fn write, simhost_fault *fault) {
    (void)memory, (void)sink, (void)write, (void)fault;
    return SIMHOST_FAULT_NONE;
}

static uint32_t load(const void *handle, uint32_t schema, simhost_byte_slice bytes, void **memory,
                     simhost_fault *fault) {
    (void)schema, (void)bytes;
    return remember(handle, memory, fault);
}

static const void *ability(simhost_str id) {
    static const simhost_memory_table table = {sizeof table, 0, remember, free, save, load};
    return id.len == strlen(SIMHOST_MEMORY_ABILITY) && memcmp(id.data, SIMHOST_MEMORY_ABILITY, id.len) == 0 ? &table : NULL;
}

static const simhost_state_desc lag[] = {SIMHOST_STATE("lag", "1", "lag of the input", 0.0)};
static const simhost_port_desc lag_rate[] = {SIMHOST_PORT("lag", "1", "rate of change", 0)};
static const simhost_port_desc vx[] = {SIMHOST_PORT("vx", "m/s", "forwards", 0)};
static const simhost_port_desc push[] = {SIMHOST_PORT("push", "N·m", "torque", 0)};
static const simhost_port_desc torques[] = {SIMHOST_WHEEL_PORT("torque", "N·m", "torque"),
    SIMHOST_WHEEL_PORT("steer", "rad", "steering")};
static const simhost_port_desc spins[] = {SIMHOST_WHEEL_PORT("spin", "rad/s", "spin")};
static const simhost_port_desc seen[] = {SIMHOST_PUBLISHED_PORT("seen", "1", "nothing")};
static const simhost_port_desc forces[] = {SIMHOST_PORT("fx", "N", "forwards", 0),
    SIMHOST_PORT("fy", "N", "leftwards", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
static const simhost_port_desc fan[] = {SIMHOST_PORT("origin_x", "m", "origin", 0),
    SIMHOST_PORT("origin_y", "m", "origin", 0), SIMHOST_PORT("origin_z", "m", "origin", 0),
    SIMHOST_PORT("origin_yaw", "rad", "heading", 0), SIMHOST_PORT("max_range", "m", "reach", 0),
    SIMHOST_PORT("see_bodies", "1", "sees", 0), SIMHOST_RAY_PORT("angle", "rad", "angle")};
static const simhost_port_desc ranges[] = {SIMHOST_RAY_PORT("range", "m", "range")};
static const simhost_phase control_phases[] = {SIMHOST_PHASE("control", vx, push, control)};
static const simhost_phase drive_phases[] = {SIMHOST_PHASE("drive", push, torques, drive),
    SIMHOST_PHASE("measure", spins, seen, measure)};
static const simhost_phase force_phases[] = {SIMHOST_PHASE("force", vx, forces, force),
    SIMHOST_PHASE("rates", vx, lag_rate, rates)};
static const simhost_phase sensor_phases[] = {
    {sizeof(simhost_phase), 0, SIMHOST_STR("aim"), SIMHOST_EMPTY, SIMHOST_SLICE(fan), aim},
    SIMHOST_PHASE("read", ranges, seen, sample)};
static const simhost_wheel_desc wheels[] = {SIMHOST_WHEEL("l_wheel", 0, 0.5), SIMHOST_WHEEL("r_wheel", 0, -0.5)};
static const double polygon[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
static const simhost_chassis_desc chassis = {sizeof(simhost_chassis_desc), 0, 10.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};

#define MODEL(name, kind, states, wheels, chassis, phases, arrange, capacity, ability)                           \
    static const simhost_model name = {sizeof(simhost_model), kind, 0, 0, SIMHOST_STR("witness"), \
        SIMHOST_STR("1.0.0"), SIMHOST_STR("Remembers calls."), SIMHOST_EMPTY, states,             \
        SIMHOST_EMPTY, wheels, chassis, SIMHOST_SLICE(phases), create, destroy, arrange, capacity, ability}
#define NO_WHEELS SIMHOST_EMPTY
#define WHEELS SIMHOST_SLICE(wheels)
MODEL(friction, SIMHOST_KIND_FRICTION, SIMHOST_SLICE(lag), NO_WHEELS, NULL, force_phases, NULL, NULL, ability);
MODEL(dynamics, SIMHOST_KIND_DYNAMICS, SIMHOST_EMPTY, WHEELS, &chassis, drive_phases, arrange, NULL, NULL);
MODEL(controller, SIMHOST_KIND_CONTROLLER, SIMHOST_EMPTY, NO_WHEELS, NULL, control_phases, NULL, NULL, NULL);
MODEL(sensor, SIMHOST_KIND_SENSOR, SIMHOST_EMPTY, NO_WHEELS, NULL, sensor_phases, NULL, capacity, NULL);
static const simhost_model_ref models[] = {&friction, &dynamics, &controller, &sensor};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("faulty"),
    SIMHOST_STR("witness"), SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
