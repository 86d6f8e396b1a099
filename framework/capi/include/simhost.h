/*
 * simhost as a library for C: simulations of ground vehicles and mobile robots. C99, usable from C++;
 * simhost.hpp has classes with exceptions.
 *
 * The library has one symbol, simhost_api, which returns a table of functions:
 *
 *     const simhost_functions *simhost = simhost_api(SIMHOST_API_VERSION);
 *     simhost_options options = simhost_options_default();
 *     simhost_session *session = NULL;
 *     options.path = "worlds/demo.world.xml";
 *     if (simhost->open(&options, &session) == SIMHOST_OK) {
 *         simhost->step(session, 1000, NULL);
 *     }
 *     simhost->close(&session);
 *
 * Units are SI: m, s, rad, kg, N. Frames are right-handed: x forwards, y to the left, angles
 * counter-clockwise. `worlds`, quantities, streams and parameters have the names that the command
 * `simhost quantities`, `simhost streams` and the book show.
 *
 * Results: functions return SIMHOST_OK or the code of an error. The handle keeps the last error with its text
 * and its position in a file: see `error`. If a call fails, what it writes is unchanged unless it says otherwise, and the
 * session is unchanged, apart from a step that fails: the session then only accepts reads, `reset`, `restore` and
 * `close`.
 *
 * Handles: `open` and `ensemble_open` write a handle even if they fail, so that its error can be read; it has to be
 * closed. Commands and quantities are numbers that are valid for one session or ensemble until it is closed.
 * The library refuses null, a handle of another type, zeroed memory, numbers of things that have been freed, and in
 * nearly all cases (4,095 of 4,096) numbers of another session. It cannot recognise a copy of a handle that has been
 * closed, or a pointer to memory that is not a handle and cannot be read: closing sets the variable of the caller
 * to null, so use one variable per handle.
 *
 * Threads: there is no global state. Different handles can be used by different threads at the same time; one
 * handle, with its numbers, by one thread at a time. A second call during the first one returns SIMHOST_BUSY. A
 * handle can move to another thread.
 *
 * Memory: the caller owns all buffers. Texts are UTF-8 and end with a zero byte. Functions that fill a buffer take its
 * capacity, and write the number of values (for texts without the zero byte) to `count`, which can be null. With a null
 * buffer and capacity 0, they only write the number and return SIMHOST_OK. If the buffer is too short, they return
 * SIMHOST_SHORT_BUFFER and write only the number.
 *
 * Structs start with their size, which the caller sets, so that a program works with later versions of
 * the library. The functions *_default at the end of this file set it.
 *
 * Panics: a defect of the library or of a plugin in Rust becomes SIMHOST_PANIC. The handle then only accepts
 * `error` and `close`. A crash of a plugin in C or C++ ends the program.
 */
#ifndef SIMHOST_H
#define SIMHOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants ------------------------------------------------------------------------------ */

/* Version of the table: changes only when a function or a struct changes. New functions are added at the end
 * of the table, whose size shows whether it has them. */
#define SIMHOST_API_VERSION UINT32_C(1)

/* Results of functions */
#define SIMHOST_OK 0
#define SIMHOST_ARGUMENT 1     /* a pointer is null, a text is not UTF-8, a number is out of range */
#define SIMHOST_HANDLE 2       /* a handle is null, of another type, freed, or of another session */
#define SIMHOST_SHORT_BUFFER 3 /* the buffer has too few places */
#define SIMHOST_BUSY 4         /* another call uses the handle; it keeps no error */
#define SIMHOST_PANIC 5        /* the library has a defect; the handle has to be closed */
#define SIMHOST_NOT_OPEN 6     /* `open` has failed for the handle */
#define SIMHOST_WORLD 7        /* the world has errors; `error` has the position of the first one */
#define SIMHOST_PLUGIN 8       /* a plugin folder cannot be read */
#define SIMHOST_UNKNOWN_NAME 9 /* a name does not exist; the text has the nearest one */
#define SIMHOST_INPUT 10       /* a value is not accepted */
#define SIMHOST_VARIATION 11   /* a difference between members cannot be read, or does not fit */
#define SIMHOST_SHAPE 12       /* a matrix or a mask has another size than is expected */
#define SIMHOST_MEMBER 13      /* the ensemble has fewer members */
#define SIMHOST_MEMORY 14      /* the members would take more memory than is allowed */
#define SIMHOST_FAULT 15       /* a model has faulted, and the world requests that this ends the run */
#define SIMHOST_DIVERGED 16    /* a body or a state has diverged */
#define SIMHOST_SNAPSHOT 17    /* a snapshot cannot be taken, read or restored */
#define SIMHOST_OUTPUT 18      /* a file cannot be written */
#define SIMHOST_FAILED 19      /* another error */

/* Reasons for the end of a run */
#define SIMHOST_ENDED_REACHED UINT32_C(0)  /* all steps are done */
#define SIMHOST_ENDED_PAUSED UINT32_C(1)   /* the session is paused */
#define SIMHOST_ENDED_STOPPED UINT32_C(2)  /* an input has ended the run */
#define SIMHOST_ENDED_OBSERVER UINT32_C(3) /* an observer of the world has ended the run */

/* Ends of members of an ensemble */
#define SIMHOST_MEMBER_RUNNING 0
#define SIMHOST_MEMBER_DURATION 1 /* it has reached the duration of the world */
#define SIMHOST_MEMBER_FAULT 2    /* a model has faulted */
#define SIMHOST_MEMBER_DIVERGED 3 /* a body or a state has diverged */
#define SIMHOST_MEMBER_OBSERVER 4 /* an observer has ended the run */
#define SIMHOST_MEMBER_OTHER 5    /* the engine that casts rays has failed */

/* Lists of `names` */
#define SIMHOST_NAMES_VEHICLES UINT32_C(0)
#define SIMHOST_NAMES_QUANTITIES UINT32_C(1)
#define SIMHOST_NAMES_STREAMS UINT32_C(2)
#define SIMHOST_NAMES_INPUTS UINT32_C(3)
#define SIMHOST_NAMES_PARAMETERS UINT32_C(4)

/* simhost_options.log_level: events of this level and all more severe ones */
#define SIMHOST_LOG_OFF UINT32_C(0)
#define SIMHOST_LOG_ERROR UINT32_C(1)
#define SIMHOST_LOG_WARN UINT32_C(2)
#define SIMHOST_LOG_INFO UINT32_C(3)
#define SIMHOST_LOG_DEBUG UINT32_C(4)
#define SIMHOST_LOG_TRACE UINT32_C(5)

/* simhost_options.allow: bits of what a world may do. FMUs and commands run with the permissions of the program. */
#define SIMHOST_ALLOW_FMU UINT32_C(1)   /* run the code of FMUs, in this process */
#define SIMHOST_ALLOW_SHELL UINT32_C(2) /* run the commands of $(...) */

/* Capacity of a buffer for a hash: 32 hexadecimal digits and a zero byte. */
#define SIMHOST_HASH_CAPACITY 33

/* ---- Handles -------------------------------------------------------------------------------- */

/* One simulation that runs. */
typedef struct simhost_session simhost_session;
/* The complete state of a session, independent of the session. */
typedef struct simhost_snapshot simhost_snapshot;
/* One world many times, with differences. */
typedef struct simhost_ensemble simhost_ensemble;
/* Number of a command of a session; 0 is none. */
typedef uint64_t simhost_command;
/* Number of selected quantities of a session or an ensemble; 0 is none. */
typedef uint64_t simhost_quantities;

/* ---- Structs -------------------------------------------------------------------------------- */

/* Takes a line of the log. It is called during calls of the session, on any of its threads, but not on two
 * at once. Calls of the session in it return SIMHOST_BUSY. */
typedef void (*simhost_log)(void *user, const char *line);

/* The world of a session, and how it is simulated. */
typedef struct simhost_options {
    size_t size;                       /* sizeof(simhost_options) */
    const char *path;                  /* world file; with `text`, a file that need not exist */
    const char *text;                  /* text of the world file, or null */
    const uint64_t *seed;              /* seed of all random numbers, or null: the seed of the world */
    const char *const *plugin_folders; /* folders of plugins */
    size_t plugin_folder_count;
    const char *out;    /* folder for the record of the session, or null */
    const char *compat; /* profile of another simulator, such as mvsim, or null */
    simhost_log log;    /* takes the log, or null */
    void *log_user;     /* first argument of `log` */
    uint32_t threads;   /* number of threads; 0 counts as 1. Results do not depend on it. */
    uint32_t log_level; /* SIMHOST_LOG_* */
    uint32_t force;     /* 1: write to `out` even if it has files that no run has written */
    uint32_t lenient;   /* 1: unknown elements of the world file are warnings */
    uint32_t allow;     /* SIMHOST_ALLOW_*: what the world may do; nothing by default */
    uint32_t reserved;  /* 0 */
} simhost_options;

/* The members of an ensemble. */
typedef struct simhost_ensemble_options {
    size_t size;                   /* sizeof(simhost_ensemble_options) */
    size_t members;                /* number of members */
    const char *const *variations; /* differences, such as "robot/friction/mu=uniform:0.3:1.0" */
    size_t variation_count;
    uint64_t max_memory; /* memory that the members may take, bytes; 0: 8 GiB */
} simhost_ensemble_options;

/* The last error of a handle. The texts are valid until the next call with the handle that fails, or to its end. */
typedef struct simhost_error {
    size_t size;      /* sizeof(simhost_error) */
    const char *text; /* with all errors of a world; empty if no call has failed */
    const char *file; /* file of the first error; null if it has no position */
    int32_t code;     /* SIMHOST_* */
    uint32_t line;    /* counted from 1; 0 without a position */
    uint32_t column;  /* counted from 1; 0 without a position */
    uint32_t reserved;
} simhost_error;

/* Time and size of a session. */
typedef struct simhost_status {
    size_t size;     /* sizeof(simhost_status) */
    double time;     /* simulated time, s */
    double dt;       /* time step, s */
    double duration; /* duration of the world, s; NaN if it has none */
    uint64_t steps;  /* number of completed steps */
    uint64_t seed;   /* seed of all random numbers */
    size_t vehicles; /* number of vehicles */
} simhost_status;

/* A value of selected quantities. The texts are valid until the quantities are freed, or to the end of the handle. */
typedef struct simhost_quantity {
    size_t size;             /* sizeof(simhost_quantity) */
    const char *name;        /* such as "robot/pose[0]" */
    const char *unit;        /* such as "m"; "1" for a pure number */
    const char *description; /* meaning, sign convention and frame */
} simhost_quantity;

/* A sample of a stream of the type Odometry or VehicleOdometry. */
typedef struct simhost_odometry {
    size_t size;     /* sizeof(simhost_odometry) */
    double time;     /* simulated time, s */
    double pose[6];  /* x, y, z, m; yaw, pitch, roll, rad */
    double twist[3]; /* forward and leftward velocity, m/s; yaw rate, rad/s; frame of the vehicle */
} simhost_odometry;

/* ---- Functions ------------------------------------------------------------------------------ */

typedef struct simhost_functions {
    size_t size; /* size of the table of this library */
    /* Version of the library, such as "0.1.0". */
    const char *version;
    /* Returns a few words about a code, as a static text; for any number. */
    const char *(*code_name)(int32_t code);

    /* Opens a world. Writes a handle even if it fails, for `error` and `close`; null only if this returns
     * SIMHOST_ARGUMENT because `session` is null. */
    int32_t (*open)(const simhost_options *options, simhost_session **session);
    /* Ends a session as `finish` does, frees it, and sets the variable to null. A null session is no error. */
    int32_t (*close)(simhost_session **session);
    /* Writes the last error of the session, also if its last call has succeeded. */
    int32_t (*error)(simhost_session *session, simhost_error *error);
    /* Ends the run of the observers and completes all files. A later step begins again. */
    int32_t (*finish)(simhost_session *session);
    int32_t (*status)(simhost_session *session, simhost_status *status);
    /* Simulated time, s. */
    int32_t (*time)(simhost_session *session, double *time);
    /* Takes steps. `ended` gets one of SIMHOST_ENDED_*, and can be null. */
    int32_t (*step)(simhost_session *session, uint64_t steps, uint32_t *ended);
    /* Steps until the last step that ends at `time`, s, or before. */
    int32_t (*run_until)(simhost_session *session, double time, uint32_t *ended);
    /* Copies the session. The copy continues from the present state, without files and log; it has its own commands
     * and quantities. Writes null if it fails. */
    int32_t (*fork)(simhost_session *session, simhost_session **copy);
    /* Writes 128 bits over the results as 32 hexadecimal digits; capacity SIMHOST_HASH_CAPACITY. */
    int32_t (*result_hash)(simhost_session *session, char *hash, size_t capacity);

    /* Writes the names of a list, SIMHOST_NAMES_*, with a line feed between them. */
    int32_t (*names)(simhost_session *session, uint32_t list, char *names, size_t capacity, size_t *length);

    /* Finds a command of a vehicle, such as "robot", "twist". `width` gets the number of its values, and can be null. */
    int32_t (*command_find)(simhost_session *session, const char *vehicle, const char *kind,
                            simhost_command *command, size_t *width);
    /* Sets the values of a command from the next step on. */
    int32_t (*command)(simhost_session *session, simhost_command command, const double *values, size_t count);

    /* Selects quantities by patterns, one per line, such as "robot/pose" or "car/wheel/?/spin". `width` gets the
     * number of their values, and can be null. */
    int32_t (*quantities_find)(simhost_session *session, const char *patterns, simhost_quantities *quantities,
                               size_t *width);
    /* Describes the value with an index, from 0. */
    int32_t (*quantities_describe)(simhost_session *session, simhost_quantities quantities, size_t index,
                                   simhost_quantity *quantity);
    /* Reads the present values. Values of removed entities, and readings before their first sample, are NaN. */
    int32_t (*quantities_read)(simhost_session *session, simhost_quantities quantities, double *values,
                               size_t capacity, size_t *count);
    int32_t (*quantities_free)(simhost_session *session, simhost_quantities quantities);

    /* Reads a stream of the type Odometry or VehicleOdometry now, such as "robot/odometry". */
    int32_t (*latest_odometry)(simhost_session *session, const char *stream, simhost_odometry *odometry);
    /* Reads the numbers of a field of a stream now, such as "robot/odometry", "position". */
    int32_t (*latest_numbers)(simhost_session *session, const char *stream, const char *field, double *numbers,
                              size_t capacity, size_t *count);
    /* Reads a stream now as the CDR of its ROS 2 message, with the encapsulation header. */
    int32_t (*latest_cdr)(simhost_session *session, const char *stream, uint8_t *bytes, size_t capacity,
                          size_t *count);
    /* Writes the name and the definition of the ROS 2 message of a stream. */
    int32_t (*stream_definition)(simhost_session *session, const char *stream, char *definition,
                                 size_t capacity, size_t *length);
    /* Sends a message in CDR to an input stream. It acts from the next step on. */
    int32_t (*send_cdr)(simhost_session *session, const char *stream, const uint8_t *bytes, size_t count);

    /* Writes the value of a parameter, such as "robot/controller/KP", as in a world file. */
    int32_t (*parameter)(simhost_session *session, const char *name, char *value, size_t capacity, size_t *length);
    /* Sets a parameter to a value as in a world file. Models keep their states. */
    int32_t (*set_parameter)(simhost_session *session, const char *name, const char *value);
    /* Sets a state of a model, or the spin of a wheel, by the name of its quantity. */
    int32_t (*set_state)(simhost_session *session, const char *name, double value);
    /* Moves a vehicle, or a block as block/NAME, to x, y, m, and yaw, rad, at rest. */
    int32_t (*set_pose)(simhost_session *session, const char *entity, const double pose[3]);
    /* Sets a velocity: forward, leftward, m/s, and yaw rate, rad/s, frame of the entity. */
    int32_t (*set_velocity)(simhost_session *session, const char *entity, const double velocity[3]);
    /* Adds the entities of a fragment of a world file. */
    int32_t (*add)(simhost_session *session, const char *fragment);
    /* Removes a vehicle, or a block or an actor as block/NAME or actor/NAME. */
    int32_t (*remove)(simhost_session *session, const char *entity);
    /* Returns to the start of the world with a seed, or with the present one if `seed` is null. */
    int32_t (*reset)(simhost_session *session, const uint64_t *seed);

    /* Takes a snapshot. Writes null if it fails. */
    int32_t (*snapshot)(simhost_session *session, simhost_snapshot **snapshot);
    /* Returns to a snapshot of the same world, also of another session. */
    int32_t (*restore)(simhost_session *session, simhost_snapshot *snapshot);
    /* Writes a snapshot as bytes. */
    int32_t (*snapshot_bytes)(simhost_snapshot *snapshot, uint8_t *bytes, size_t capacity, size_t *count);
    /* Reads a snapshot from bytes. Writes a handle even if it fails, for `snapshot_error` and `snapshot_free`. */
    int32_t (*snapshot_from_bytes)(const uint8_t *bytes, size_t count, simhost_snapshot **snapshot);
    /* Writes 128 bits over the state as 32 hexadecimal digits; capacity SIMHOST_HASH_CAPACITY. */
    int32_t (*snapshot_hash)(simhost_snapshot *snapshot, char *hash, size_t capacity);
    /* Writes the last error of a snapshot. */
    int32_t (*snapshot_error)(simhost_snapshot *snapshot, simhost_error *error);
    /* Frees a snapshot, and sets the variable to null. A null snapshot is no error. */
    int32_t (*snapshot_free)(simhost_snapshot **snapshot);

    /* Opens a world with many members. Writes a handle even if it fails. */
    int32_t (*ensemble_open)(const simhost_options *options, const simhost_ensemble_options *members,
                             simhost_ensemble **ensemble);
    /* Frees an ensemble, and sets the variable to null. A null ensemble is no error. */
    int32_t (*ensemble_close)(simhost_ensemble **ensemble);
    /* Writes the last error of an ensemble. */
    int32_t (*ensemble_error)(simhost_ensemble *ensemble, simhost_error *error);
    /* Number of members. */
    int32_t (*ensemble_members)(simhost_ensemble *ensemble, size_t *members);
    /* Takes steps with those members whose byte in `mask` is not 0; with all of them if `mask` is null and `count` 0.
     * Members that have ended stand still. A step that fails ends its member, and is no error. */
    int32_t (*ensemble_step)(simhost_ensemble *ensemble, uint64_t steps, const uint8_t *mask, size_t count);
    /* Steps until `time`, s, with all members that have not ended. */
    int32_t (*ensemble_run_until)(simhost_ensemble *ensemble, double time);
    /* Number of values per member of a command, such as "robot/cmd_vel". */
    int32_t (*ensemble_command_width)(simhost_ensemble *ensemble, const char *input, size_t *width);
    /* Sets a command of all members: members × width values, member by member. */
    int32_t (*ensemble_set)(simhost_ensemble *ensemble, const char *input, const double *values, size_t count);
    /* Puts the members of a mask back to their starts. `seeds` has one per member, or is null. */
    int32_t (*ensemble_reset)(simhost_ensemble *ensemble, const uint8_t *mask, const uint64_t *seeds, size_t count);
    /* Selects quantities by patterns, one per line. `width` gets the number of values per member, and can be null. */
    int32_t (*ensemble_select)(simhost_ensemble *ensemble, const char *patterns, simhost_quantities *quantities,
                               size_t *width);
    /* Describes the value of a member with an index, from 0. */
    int32_t (*ensemble_describe)(simhost_ensemble *ensemble, simhost_quantities quantities, size_t index,
                                 simhost_quantity *quantity);
    /* Fills a matrix: members × width values, member by member. `count` is their number. */
    int32_t (*ensemble_read)(simhost_ensemble *ensemble, simhost_quantities quantities, double *values,
                             size_t count);
    int32_t (*ensemble_read_f32)(simhost_ensemble *ensemble, simhost_quantities quantities, float *values,
                                 size_t count);
    /* Writes for each member why it stands still, SIMHOST_MEMBER_*. */
    int32_t (*ensemble_ended)(simhost_ensemble *ensemble, uint8_t *ends, size_t capacity, size_t *count);
    /* Result hash of a member, the same as for a session with the same calls. */
    int32_t (*ensemble_result_hash)(simhost_ensemble *ensemble, size_t member, char *hash, size_t capacity);
    /* Copies a member to a session. Writes null if it fails. */
    int32_t (*ensemble_session)(simhost_ensemble *ensemble, size_t member, simhost_session **session);
} simhost_functions;

/* Returns the table of a version, SIMHOST_API_VERSION, as static data; null if the library does not have it. */
extern const simhost_functions *simhost_api(uint32_t version);

/* ---- Initial values ------------------------------------------------------------------------- */

/* Declares a function that returns a struct with its size and zeros. */
#define SIMHOST_DEFAULT(type)                 \
    static inline type type##_default(void) { \
        type value;                           \
        char *byte = (char *)&value;          \
        size_t left;                          \
        for (left = sizeof value; left > 0; --left) { \
            *byte++ = 0;                      \
        }                                     \
        value.size = sizeof value;            \
        return value;                         \
    }

/* simhost_options_default(), simhost_error_default() and so on. */
SIMHOST_DEFAULT(simhost_options)
SIMHOST_DEFAULT(simhost_ensemble_options)
SIMHOST_DEFAULT(simhost_error)
SIMHOST_DEFAULT(simhost_status)
SIMHOST_DEFAULT(simhost_quantity)
SIMHOST_DEFAULT(simhost_odometry)

#undef SIMHOST_DEFAULT

#ifdef __cplusplus
}
#endif

#endif
