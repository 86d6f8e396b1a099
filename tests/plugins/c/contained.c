/* Models that end, block or confuse the host, for tests. Most classes have one function that misbehaves in
 * the way of `BAD`: each library is built with one definition of it. */
#define _GNU_SOURCE
#include "simhost_plugin.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef BAD
#define BAD
#endif
#ifndef VENDOR
#define VENDOR "bad"
#endif

static volatile int zero;
static volatile double sink, batch_time;

/* does not return, and leaves the processor to other tests */
static void loop(void) {
    while (zero == 0)
        usleep(1000);
}

static int overflow(int depth) {
    volatile char much[4096];
    much[0] = (char)depth;
    return zero == 0 ? overflow(depth + 1) + much[0] : 0;
}

static void crash(void) { *(volatile int *)(intptr_t)(8 + zero) = 1; }

static void *crash_there(void *nothing) {
    crash();
    return nothing;
}

/* Crashes when the process ends, after a call that asked for it. */
static int crashes_at_end;
__attribute__((destructor)) static void crash_at_end(void) {
    if (crashes_at_end) crash();
}

/* Runs a function on a thread of its own, on which no call is in progress. */
static void on_a_thread(void *(*there)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, there, NULL) == 0)
        pthread_join(thread, NULL);
}

/* Overwrites memory of the host that begins far from the outputs, until a page is not mapped. */
static double *volatile batch_outputs;
static void damage_host(double *from) {
    for (double *at = from + (1 << 14);; at++)
        *at = 1e300;
}

/* Takes memory, MiB after MiB. */
static void eat(int mebibytes) {
    for (int i = 0; i < mebibytes; i++) {
        memset(malloc(1 << 20), i, 1 << 20);
        usleep(500);
    }
}

/* Overwrites this library in place, and frees the pages that the system has cached of it. */
#ifndef LIBRARY
#define LIBRARY ""
#endif
static void overwrite(void) {
    FILE *file = fopen(LIBRARY, "r+b");
    if (file == NULL)
        return;
    for (int i = 0; i < 4000; i++)
        fputc(0xcc, file);
    fclose(file);
    if (truncate(LIBRARY, 4000) != 0)
        abort();
}

#ifdef DEFINES_HELPER
const char *helper(void) { return "help from beside"; }
#endif
#ifdef BESIDE
const char *BESIDE(void);
static void beside(void) { fprintf(stderr, "%s\n", BESIDE()); }
#endif

/* Ends the process that tries the library. */
static void end_probe(void) {
    char words[256] = "";
    FILE *file = fopen("/proc/self/cmdline", "rb");
    const size_t count = file == NULL ? 0 : fread(words, 1, sizeof words - 1, file);
    for (size_t i = 0; i + 5 < count; i++)
        if (memcmp(words + i, "probe", 6) == 0)
            exit(3);
    if (file != NULL)
        fclose(file);
}

/* uses every function for all definitions of BAD */
static void bad(void) {
    (void)loop, (void)crash, (void)overflow, (void)crash_there;
    (void)on_a_thread, (void)damage_host, (void)overwrite, (void)eat, (void)end_probe;
    BAD;
}

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    (void)values, (void)fault;
    *handle = malloc(1);
    return SIMHOST_FAULT_NONE;
}

static uint32_t bad_create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    bad();
    return create(values, handle, fault);
}

static void bad_destroy(void *handle) {
    free(handle);
    bad();
}

/* No force, and no torque. */
static uint32_t zeros(const simhost_batch *batch, size_t outputs, size_t values) {
    for (size_t o = 0; o < outputs; o++)
        for (size_t v = 0; v < values; v++)
            for (size_t i = batch->first; i < batch->first + batch->count; i++)
                batch->outputs[o][v * batch->wheel_stride + i] = 0.0;
    return SIMHOST_FAULT_NONE;
}

static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    return zeros(batch, 3, 1);
}

static uint32_t bad_force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    batch_time = batch->time;
    batch_outputs = batch->outputs[0];
    if (batch->time >= 0.5)
        bad();
    return force(handle, batch, fault);
}

#ifdef ON_LOAD
__attribute__((constructor)) static void on_load(void) { ON_LOAD; }
#endif

/* Faults unless numbers are rounded to the nearest one, and small ones are kept. */
static uint32_t probe(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    volatile double small = 1e-310, one = 1.0, tiny = 1e-17;
    const int is_standard = small * 0.5 != 0.0 && one + tiny == 1.0 && -one - tiny == -1.0;
    fault->lane = batch->first;
    force(handle, batch, fault);
    return is_standard ? SIMHOST_FAULT_NONE : SIMHOST_FAULT_REFUSED;
}

/* ---- Numbers in a fault ---- */

static uint32_t wrong_lane(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle;
    static const uint64_t lanes[] = {99, (uint64_t)-1, (uint64_t)1 << 63, 0};
    zeros(batch, 3, 1);
    fault->code = 77;
    fault->text_len = (uint32_t)-1;
    fault->suggested_dt = 0.0 / (double)zero;
    memset(fault->text, 0xff, sizeof fault->text);
    fault->lane = lanes[batch->count % 4];
    return 77;
}

static uint32_t wrong_step(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    zeros(batch, 3, 1);
    (void)handle;
    fault->lane = batch->first + batch->count;
    fault->suggested_dt = 1.0 / (double)zero;
    return SIMHOST_FAULT_STEP_TOO_LARGE;
}

/* ---- Memories ---- */

static uint32_t remember(const void *handle, void **memory, simhost_fault *fault) {
    (void)handle, (void)fault;
    *memory = calloc(1, 1);
    return SIMHOST_FAULT_NONE;
}

static uint32_t bad_remember(const void *handle, void **memory, simhost_fault *fault) {
    bad();
    return remember(handle, memory, fault);
}

static uint32_t save(const void *memory, void *to, simhost_write_fn write, simhost_fault *fault) {
    (void)fault;
    write(to, memory, 1);
    return SIMHOST_FAULT_NONE;
}

static uint32_t save_much(const void *memory, void *to, simhost_write_fn write, simhost_fault *fault) {
    (void)fault;
    write(to, memory, (size_t)-1);
    write(to, memory, (size_t)1 << 62);
    write(to, NULL, 5);
    return SIMHOST_FAULT_NONE;
}

static uint32_t load(const void *handle, uint32_t schema, simhost_byte_slice bytes, void **memory,
                     simhost_fault *fault) {
    (void)schema, (void)bytes;
    return remember(handle, memory, fault);
}

#define TABLE(name, size, create, save)                                                          \
    static const void *name(simhost_str id) {                                                    \
        static const simhost_memory_table table = {size, 0, create, free, save, load};           \
        int is = id.len == strlen(SIMHOST_MEMORY_ABILITY) &&                                     \
                 memcmp(id.data, SIMHOST_MEMORY_ABILITY, id.len) == 0;                           \
        return is ? &table : NULL;                                                               \
    }
TABLE(bad_memory, sizeof table, bad_remember, save)
TABLE(much_memory, sizeof table, remember, save_much)
TABLE(short_table, 8, remember, save)
TABLE(null_table, sizeof table, NULL, save)

static const void *bad_ability(simhost_str id) {
    (void)id;
    bad();
    return NULL;
}

static const void *crooked_table(simhost_str id) {
    (void)id;
    static const char text[64] = "no table";
    return text + 1;
}

/* ---- Wheels, rays and outputs ---- */

static uint32_t bad_arrange(const void *handle, simhost_wheel_geometry *wheels, size_t count,
                            simhost_fault *fault) {
    (void)handle, (void)fault, (void)wheels, (void)count;
    bad();
    return SIMHOST_FAULT_NONE;
}

#define PLACE(name, statement)                                                                   \
    static uint32_t name(const void *handle, simhost_wheel_geometry *wheels, size_t count,       \
                         simhost_fault *fault) {                                                 \
        (void)handle, (void)fault, (void)count;                                                  \
        statement;                                                                               \
        return SIMHOST_FAULT_NONE;                                                               \
    }
PLACE(arrange_nan, wheels[1].y = 0.0 / (double)zero)
PLACE(arrange_flat, wheels[0].radius = 0.0)
PLACE(arrange_far, wheels[0].x = 1e300)

static size_t bad_capacity(const void *handle) {
    (void)handle;
    bad();
    return 1;
}
static size_t endless_capacity(const void *handle) { return handle != NULL ? (size_t)-1 / 8 : 0; }
static size_t growing_capacity(const void *handle) {
    static size_t rays;
    return handle != NULL ? ++rays : 0;
}
static size_t one_ray(const void *handle) { return handle != NULL; }

static uint32_t drive(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    return zeros(batch, 2, batch->wheels);
}

static uint32_t nothing(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)batch, (void)fault;
    return SIMHOST_FAULT_NONE;
}

/* Every number of the fan is `EXTREME`. */
#ifndef EXTREME
#define EXTREME 0.0
#endif
static uint32_t aim(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t o = 0; o < 6; o++)
        for (size_t i = batch->first; i < batch->first + batch->count; i++)
            batch->outputs[o][i] = EXTREME;
    for (size_t i = batch->first * batch->rays; i < (batch->first + batch->count) * batch->rays; i++)
        batch->outputs[6][i] = EXTREME;
    return SIMHOST_FAULT_NONE;
}

static uint32_t sample(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->outputs[0][i] = EXTREME;
    return SIMHOST_FAULT_NONE;
}

/* Asks the host for the ground at a point that is none. */
static uint32_t asks(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const simhost_str id = SIMHOST_STR(SIMHOST_GROUND_SERVICE);
    const simhost_ground_service *ground =
        batch->services->find(batch->services->context, id);
    const double at[3] = {EXTREME, EXTREME, EXTREME};
    double height = 0.0;
    if (ground != NULL)
        ground->query(batch->services->context, 1, at, at + 1, at + 2, &height, NULL, NULL);
    sink = height;
    return force(handle, batch, fault);
}

/* Sets outputs of vehicles, and two of wheels behind them, to numbers without bounds. */
static void exceed(const simhost_batch *batch, size_t own) {
    for (size_t o = 0; o < own; o++)
        for (size_t i = batch->first; i < batch->first + batch->count; i++)
            batch->outputs[o][i] = EXTREME;
    for (size_t w = 0; w < batch->wheels; w++)
        for (size_t i = batch->first; i < batch->first + batch->count; i++)
            batch->outputs[own][w * batch->wheel_stride + i] =
                batch->outputs[own + 1][w * batch->wheel_stride + i] = EXTREME;
}

static uint32_t wrench(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    exceed(batch, 3);
    return SIMHOST_FAULT_NONE;
}

static uint32_t motion(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    exceed(batch, 6);
    return SIMHOST_FAULT_NONE;
}

static uint32_t extreme_force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    (void)handle, (void)fault;
    for (size_t o = 0; o < 3; o++)
        for (size_t i = batch->first; i < batch->first + batch->count; i++)
            batch->outputs[o][i] = EXTREME;
    for (size_t i = batch->first; i < batch->first + batch->count; i++)
        batch->states[0][i] = EXTREME;
    return SIMHOST_FAULT_NONE;
}

/* ---- Declarations ---- */

#define PORT(name, unit) SIMHOST_PORT(name, unit, "a quantity", 0)
#define WHEEL_PORT(name, unit) SIMHOST_WHEEL_PORT(name, unit, "a quantity of a wheel")
static const simhost_port_desc vx[] = {PORT("vx", "m/s")};
static const simhost_port_desc forces[] = {
    PORT("fx", "N"), PORT("fy", "N"), PORT("spin_torque", "N·m")};
static const simhost_port_desc torques[] = {WHEEL_PORT("torque", "N·m"), WHEEL_PORT("steer", "rad")};
static const simhost_port_desc wrenches[] = {PORT("force_x", "N"), PORT("force_y", "N"),
    PORT("moment", "N·m"), WHEEL_PORT("spin", "rad/s"), WHEEL_PORT("steer", "rad")};
static const simhost_port_desc motions[] = {PORT("x", "m"), PORT("y", "m"), PORT("yaw", "rad"),
    PORT("vx", "m/s"), PORT("vy", "m/s"), PORT("omega", "rad/s"), WHEEL_PORT("spin", "rad/s"),
    WHEEL_PORT("steer", "rad")};
static const simhost_port_desc fan[] = {PORT("origin_x", "m"), PORT("origin_y", "m"),
    PORT("origin_z", "m"), PORT("origin_yaw", "rad"), PORT("max_range", "m"), PORT("see_bodies", "1"),
    SIMHOST_RAY_PORT("angle", "rad", "angle of a ray")};
static const simhost_port_desc ranges[] = {SIMHOST_RAY_PORT("range", "m", "range of a ray")};
static const simhost_port_desc seen[] = {PORT("seen", "1")};
static const simhost_state_desc states[] = {SIMHOST_STATE("wear", "1", "wear of the tyre", 0.0)};

static const simhost_wheel_desc wheels[] = {
    SIMHOST_WHEEL("l_wheel", 0, 0.5), SIMHOST_WHEEL("r_wheel", 0, -0.5)};
static const double polygon[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
static const simhost_chassis_desc chassis = {
    sizeof(simhost_chassis_desc), 0, 10.0, 0.1, 0.5, SIMHOST_SLICE(polygon)};

#define MODEL(name, kind, states, wheels, chassis, create, destroy, arrange, capacity, ability)  \
    static const simhost_model name##_model = {sizeof(simhost_model), kind, 0, 0,                \
        SIMHOST_STR(#name), SIMHOST_STR("1.0.0"), SIMHOST_STR("A model for tests."), SIMHOST_EMPTY,       \
        states, SIMHOST_EMPTY, wheels, chassis, SIMHOST_SLICE(name##_phases), create, destroy, arrange,   \
        capacity, ability};
#define FRICTION(name, force, create, destroy, ability)                                          \
    static const simhost_phase name##_phases[] = {SIMHOST_PHASE("force", vx, forces, force)};    \
    MODEL(name, SIMHOST_KIND_FRICTION, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, create, destroy,      \
          NULL, NULL, ability)
#define DYNAMICS(name, id, outputs, drive, arrange)                                              \
    static const simhost_phase name##_phases[] = {                                               \
        {sizeof(simhost_phase), 0, SIMHOST_STR(id), SIMHOST_EMPTY, SIMHOST_SLICE(outputs), drive},        \
        {sizeof(simhost_phase), 0, SIMHOST_STR("measure"), SIMHOST_EMPTY, SIMHOST_EMPTY, nothing}};                \
    MODEL(name, SIMHOST_KIND_DYNAMICS, SIMHOST_EMPTY, SIMHOST_SLICE(wheels), &chassis, create, free,      \
          arrange, NULL, NULL)
#define SENSOR(name, capacity)                                                                   \
    static const simhost_phase name##_phases[] = {                                               \
        {sizeof(simhost_phase), 0, SIMHOST_STR("aim"), SIMHOST_EMPTY, SIMHOST_SLICE(fan), aim},           \
        SIMHOST_PHASE("read", ranges, seen, sample)};                                              \
    MODEL(name, SIMHOST_KIND_SENSOR, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, create, free, NULL, capacity, NULL)

FRICTION(in_create, force, bad_create, free, NULL)
FRICTION(in_destroy, force, create, bad_destroy, NULL)
FRICTION(in_force, bad_force, create, free, NULL)
FRICTION(in_memory, force, create, free, bad_memory)
FRICTION(in_ability, force, create, free, bad_ability)
FRICTION(probe, probe, create, free, NULL)
FRICTION(wrong_lane, wrong_lane, create, free, NULL)
FRICTION(wrong_step, wrong_step, create, free, NULL)
FRICTION(much_memory, force, create, free, much_memory)
FRICTION(short_table, force, create, free, short_table)
FRICTION(null_table, force, create, free, null_table)
FRICTION(crooked_table, force, create, free, crooked_table)
FRICTION(asks, asks, create, free, NULL)
static const simhost_phase extreme_force_phases[] = {
    SIMHOST_PHASE("force", vx, forces, extreme_force)};
MODEL(extreme_force, SIMHOST_KIND_FRICTION, SIMHOST_SLICE(states), SIMHOST_EMPTY, NULL, create, free,
      NULL, NULL, NULL)
DYNAMICS(in_arrange, "drive", torques, drive, bad_arrange)
DYNAMICS(arrange_nan, "drive", torques, drive, arrange_nan)
DYNAMICS(arrange_flat, "drive", torques, drive, arrange_flat)
DYNAMICS(arrange_far, "drive", torques, drive, arrange_far)
DYNAMICS(extreme_wrench, "wrench", wrenches, wrench, NULL)
DYNAMICS(extreme_motion, "motion", motions, motion, NULL)
static const simhost_phase silent_phases[] = {
    {sizeof(simhost_phase), 0, SIMHOST_STR("control"), SIMHOST_EMPTY, SIMHOST_EMPTY, nothing}};
MODEL(silent, SIMHOST_KIND_CONTROLLER, SIMHOST_EMPTY, SIMHOST_EMPTY, NULL, create, free, NULL, NULL, NULL)
SENSOR(in_capacity, bad_capacity)
SENSOR(endless_capacity, endless_capacity)
SENSOR(growing_capacity, growing_capacity)
SENSOR(extreme_rays, one_ray)

static const simhost_model_ref models[] = {&in_create_model, &in_destroy_model, &in_force_model,
    &in_memory_model, &in_ability_model, &probe_model, &wrong_lane_model, &wrong_step_model, &much_memory_model,
    &short_table_model, &null_table_model, &crooked_table_model, &asks_model, &extreme_force_model,
    &in_arrange_model, &arrange_nan_model, &arrange_flat_model, &arrange_far_model,
    &extreme_wrench_model, &extreme_motion_model, &silent_model, &in_capacity_model, &endless_capacity_model,
    &growing_capacity_model, &extreme_rays_model};
const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR(VENDOR), SIMHOST_STR("contained"),
    SIMHOST_STR("1.0.0"), SIMHOST_SLICE(models)};
