/*
 * The boundary between the simhost host and its models: C99, usable from C++17.
 *
 * A plugin is a shared library with one data symbol, `simhost_plugin_v1`, of type simhost_plugin, or a
 * WebAssembly module (simhost_module.c).
 * The host accepts it in three steps: magic, then epoch, then fingerprint. A descriptor is static,
 * immutable data, so a host reads it without running code of the plugin.
 *
 * Units are SI. Frames are right-handed: x forwards, y to the left, angles counter-clockwise.
 *
 * Threads: every function can be called from any thread. simhost_phase.call of all phases can run on
 * several threads at the same time with one handle, on lanes that do not overlap. create and destroy
 * never overlap with another call on the same handle.
 *
 * Determinism: compile with -ffp-contract=off and without -ffast-math, keep nothing outside the
 * state columns, and draw random numbers from simhost_batch.streams only. The sine function differs
 * between C libraries, so a run is the same on every machine only if a model restricts itself to +,
 * -, *, / and sqrt.
 *
 * Exceptions and longjmp must not leave a function of a plugin, because an exception that passes
 * through C ends the program. In C++, simhost_guard (at the end) turns exceptions into faults.
 */
#ifndef SIMHOST_PLUGIN_H
#define SIMHOST_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants ------------------------------------------------------------------------------ */

/* First eight bytes of every descriptor, "simhost\0" read as little-endian; the same in every
 * epoch. */
#define SIMHOST_MAGIC UINT64_C(0x0074736f686d6973)
/* Epoch of the structs below: changes only when a struct changes. */
#define SIMHOST_EPOCH UINT32_C(1)
/* Hash of the layout of the structs below on a target with 64-bit pointers, and in a WebAssembly module. */
#define SIMHOST_FINGERPRINT_64 UINT64_C(0xbf04de6ba29cdb12)
#define SIMHOST_FINGERPRINT_WASM UINT64_C(0x3376d8b52900af2f)

#if UINTPTR_MAX == UINT64_MAX
#define SIMHOST_FINGERPRINT SIMHOST_FINGERPRINT_64
#elif defined(__wasm32__)
#define SIMHOST_FINGERPRINT SIMHOST_FINGERPRINT_WASM
#else
#error "simhost_plugin.h knows the fingerprint of targets with 64-bit pointers and of wasm32 only"
#endif

/* simhost_model.kind */
#define SIMHOST_KIND_FRICTION UINT32_C(1)   /* force between a wheel and the ground */
#define SIMHOST_KIND_DYNAMICS UINT32_C(2)   /* from actuators to wheel torques and steering */
#define SIMHOST_KIND_CONTROLLER UINT32_C(3) /* from commands and measurements to actuators */
#define SIMHOST_KIND_SENSOR UINT32_C(4)     /* from the scene and the vehicle to readings */
#define SIMHOST_KIND_ACTUATOR UINT32_C(5)   /* between a controller and an input of the dynamics */
#define SIMHOST_KIND_ENVIRONMENT UINT32_C(6) /* wind, ground and gravity of a world */
#define SIMHOST_KIND_FLEET UINT32_C(7)      /* from the state of many vehicles to their commands */
#define SIMHOST_KIND_OBSERVER UINT32_C(8)   /* reads quantities of a run and can end it */
#define SIMHOST_KIND_SUSPENSION UINT32_C(9) /* links between body and wheels of an axle */

/* simhost_port_desc.scope, simhost_state_desc.scope */
#define SIMHOST_SCOPE_INSTANCE UINT32_C(0) /* one value per lane */
#define SIMHOST_SCOPE_WHEEL UINT32_C(1)    /* one value per wheel of a lane */
#define SIMHOST_SCOPE_RAY UINT32_C(2)      /* one value per ray of a lane */
#define SIMHOST_SCOPE_ARRAY UINT32_C(3)    /* as many as the last reading has: simhost_array_port */

/* simhost_state_desc.kind: how the value changes over time */
#define SIMHOST_STATE_KIND_CONTINUOUS UINT32_C(0) /* continuously: the host can extrapolate it */
#define SIMHOST_STATE_KIND_DISCRETE UINT32_C(1)   /* in jumps, such as a gear or a flag */
#define SIMHOST_STATE_KIND_COUNTER UINT32_C(2)    /* counts events in whole numbers */
#define SIMHOST_STATE_KIND_ANGLE UINT32_C(3)      /* continuously, rad, modulo a full turn */

/* simhost_value.tag */
#define SIMHOST_VALUE_NONE UINT32_C(0)   /* no value and no default */
#define SIMHOST_VALUE_NUMBER UINT32_C(1) /* a number in `number` */
#define SIMHOST_VALUE_BOOL UINT32_C(2)   /* 0 or 1 in `number` */
#define SIMHOST_VALUE_TEXT UINT32_C(3)   /* a text, a choice or a path in `text` */
#define SIMHOST_VALUE_ITEMS UINT32_C(4)  /* a list or a group in `items` */

/* simhost_param_desc.kind */
#define SIMHOST_PARAM_NUMBER UINT32_C(1)  /* a real number */
#define SIMHOST_PARAM_INTEGER UINT32_C(2) /* an integer */
#define SIMHOST_PARAM_BOOL UINT32_C(3)    /* true, false, 1 or 0 */
#define SIMHOST_PARAM_TEXT UINT32_C(4)    /* free text */
#define SIMHOST_PARAM_CHOICE UINT32_C(5)  /* one of the names in `choices` */
#define SIMHOST_PARAM_PATH UINT32_C(6)    /* the path of a file, relative to the world file */
#define SIMHOST_PARAM_LIST UINT32_C(7)    /* numbers separated by spaces or commas */
#define SIMHOST_PARAM_GROUP UINT32_C(8)   /* an element with parameters of its own */
/* A text file, relative to the world file. The host reads it: `items` holds two texts, the absolute
 * path and the contents. */
#define SIMHOST_PARAM_FILE UINT32_C(9)
/* A file of any content, relative to the world file. The host reads it: `items` holds the absolute path
 * as a text, and the bytes in `text`, which need not be UTF-8. */
#define SIMHOST_PARAM_BINARY_FILE UINT32_C(10)
#define SIMHOST_PARAM_WORDS UINT32_C(11) /* words separated by spaces or commas: `items` holds texts */
/* Paths of files as of SIMHOST_PARAM_BINARY_FILE, separated by spaces or commas: each item is like the
 * value of such a parameter, or no value for `-`. */
#define SIMHOST_PARAM_BINARY_FILES UINT32_C(12)

/* simhost_param_desc.flags */
#define SIMHOST_PARAM_FLAG_REQUIRED UINT32_C(1)  /* the world file has to give it */
#define SIMHOST_PARAM_FLAG_ABOVE_MIN UINT32_C(2) /* `min` itself is excluded */
#define SIMHOST_PARAM_FLAG_BELOW_MAX UINT32_C(4) /* `max` itself is excluded */
/* A number that can differ between the lanes of one instance: each phase that depends on it reads it
 * as an input with SIMHOST_PORT_FLAG_PARAMETER. */
#define SIMHOST_PARAM_FLAG_PER_LANE UINT32_C(8)

/* simhost_port_desc.flags */
/* A published output: it needs no reader and is a quantity of its own. On an input: nothing has to
 * provide it, because its default is a sensible value. */
#define SIMHOST_PORT_FLAG_OPTIONAL UINT32_C(1)
#define SIMHOST_PORT_FLAG_COMMAND UINT32_C(2)  /* an input that only commands and the world file set */
#define SIMHOST_PORT_FLAG_REQUIRED UINT32_C(4) /* an input without a default */
/* An input with the values of the parameter of this name that has SIMHOST_PARAM_FLAG_PER_LANE, in the
 * unit of the model. The column is null in a call whose lanes all have the values that `create`
 * received; otherwise all inputs with this flag have columns. */
#define SIMHOST_PORT_FLAG_PARAMETER UINT32_C(8)
/* A reading of a sensor that can be unknown, which is NaN. Without this flag, NaN is a fault of the sensor,
 * and so is an infinite reading of scope instance or wheel. */
#define SIMHOST_PORT_FLAG_UNKNOWN UINT32_C(16)

/* simhost_wheel_desc.flags */
#define SIMHOST_WHEEL_FLAG_PLACED_BY_MODEL UINT32_C(1) /* the model places it, not the world file */
#define SIMHOST_WHEEL_FLAG_REPEATED UINT32_C(2)        /* the element can be repeated */
/* The class steers the wheel. If it declares the input `steered` for wheels, those whose value is 0 are
 * fixed. */
#define SIMHOST_WHEEL_FLAG_STEERS UINT32_C(4)
#define SIMHOST_WHEEL_FLAG_SWIVELS UINT32_C(8) /* turns about its vertical axis by itself: a caster */

/* simhost_model.flags */
#define SIMHOST_MODEL_FLAG_HOLONOMIC UINT32_C(1)   /* the platform can move sideways */
#define SIMHOST_MODEL_FLAG_WHOLE_BATCH UINT32_C(2) /* lanes depend on each other: never split */
#define SIMHOST_MODEL_FLAG_RANDOM UINT32_C(4)      /* simhost_batch.streams is filled */
#define SIMHOST_MODEL_FLAG_PERCEIVES UINT32_C(8)   /* asks the host about the world around it */
#define SIMHOST_MODEL_FLAG_STOPS UINT32_C(16)      /* an observer that can end the run */
#define SIMHOST_MODEL_FLAG_JUMPS UINT32_C(32)      /* friction: the force jumps where the slip changes its sign */
/* The model computes the same at any time: simhost_batch.time is NaN, and members of an ensemble that are at
 * different steps share a batch. */
#define SIMHOST_MODEL_FLAG_TIME_INVARIANT UINT32_C(64)

/* Kinds of entities, as bits of simhost_ray.mask and simhost_neighbour_query.mask */
#define SIMHOST_ENTITY_VEHICLE UINT32_C(1) /* a vehicle */
#define SIMHOST_ENTITY_BLOCK UINT32_C(2)   /* a block */
#define SIMHOST_ENTITY_ACTOR UINT32_C(4)   /* an actor */
#define SIMHOST_ENTITY_WALL UINT32_C(8)    /* a wall or a vertical plane */
#define SIMHOST_ENTITY_MAP UINT32_C(16)    /* an occupancy map */
#define SIMHOST_ENTITY_GROUND UINT32_C(32) /* an elevation map, a horizontal plane, or level ground */
#define SIMHOST_ENTITY_OWN UINT32_C(64)    /* in a mask: the vehicle that carries the model */
#define SIMHOST_ENTITY_ALL UINT32_C(63)    /* every kind except SIMHOST_ENTITY_OWN */

/* simhost_fault.code, and what create, arrange and call return */
#define SIMHOST_FAULT_NONE UINT32_C(0)           /* no fault */
#define SIMHOST_FAULT_PANIC UINT32_C(1)          /* the model failed unexpectedly */
#define SIMHOST_FAULT_NON_FINITE UINT32_C(2)     /* the model returned a number that is not finite */
#define SIMHOST_FAULT_STEP_TOO_LARGE UINT32_C(3) /* the model cannot take a step of this length */
#define SIMHOST_FAULT_REFUSED UINT32_C(4)        /* the model rejects its parameters */

/* ---- Text, slices, values, parameters ------------------------------------------------------- */

/* UTF-8 text that outlives the library. It is not terminated and never null. */
typedef struct simhost_str {
    const char *data; /* first byte */
    size_t len;       /* length in bytes */
} simhost_str;

/* Declares a borrowed array. `data` is not read if `len` is 0. */
#define SIMHOST_DECLARE_SLICE(name, item) \
    typedef struct name {                 \
        item const *data;                 \
        size_t len;                       \
    } name

typedef struct simhost_value simhost_value;
typedef struct simhost_param_desc simhost_param_desc;
typedef struct simhost_port_desc simhost_port_desc;
typedef struct simhost_state_desc simhost_state_desc;
typedef struct simhost_command_desc simhost_command_desc;
typedef struct simhost_wheel_desc simhost_wheel_desc;
typedef struct simhost_services simhost_services;
typedef struct simhost_phase simhost_phase;
typedef struct simhost_model simhost_model;
typedef const simhost_model *simhost_model_ref;

SIMHOST_DECLARE_SLICE(simhost_f64_slice, double);
SIMHOST_DECLARE_SLICE(simhost_byte_slice, uint8_t);
SIMHOST_DECLARE_SLICE(simhost_str_slice, simhost_str);
SIMHOST_DECLARE_SLICE(simhost_value_slice, simhost_value);
SIMHOST_DECLARE_SLICE(simhost_param_slice, simhost_param_desc);
SIMHOST_DECLARE_SLICE(simhost_port_slice, simhost_port_desc);
SIMHOST_DECLARE_SLICE(simhost_state_slice, simhost_state_desc);
SIMHOST_DECLARE_SLICE(simhost_command_slice, simhost_command_desc);
SIMHOST_DECLARE_SLICE(simhost_wheel_slice, simhost_wheel_desc);
SIMHOST_DECLARE_SLICE(simhost_phase_slice, simhost_phase);
SIMHOST_DECLARE_SLICE(simhost_model_slice, simhost_model_ref);

/* The value of one parameter, as the host passes it to create. */
struct simhost_value {
    uint32_t tag;              /* one of SIMHOST_VALUE_* */
    uint32_t reserved;         /* zero */
    double number;             /* the number in SI units, or 0 or 1 for a boolean */
    simhost_str text;          /* the text, the name of a choice, or an absolute path */
    simhost_value_slice items; /* items of a list, or values of a group in declared order */
};

/* The declaration of one parameter. */
struct simhost_param_desc {
    uint32_t size;                /* size of this struct, bytes */
    uint32_t kind;                /* one of SIMHOST_PARAM_* */
    uint32_t flags;               /* bits SIMHOST_PARAM_FLAG_* */
    uint32_t count;               /* exact number of items of a list, 0 for any number */
    simhost_str key;              /* name of the child element or attribute */
    simhost_str_slice aliases;    /* other names that are accepted */
    simhost_str doc;              /* meaning, and the effect of a larger value */
    simhost_str unit;             /* unit in the world file; "1" for a pure number */
    double scale;                 /* factor from the unit of the world file to the model's */
    double min;                   /* smallest value allowed, in the unit of the world file */
    double max;                   /* largest value allowed, in the unit of the world file */
    simhost_value default_value;  /* value when the world file gives none, in its unit */
    simhost_str_slice choices;    /* names of a choice */
    simhost_param_slice children; /* parameters of a group */
};

/* ---- What a model declares ------------------------------------------------------------------ */

/* An input or output of a phase, wired by name when a world is loaded. */
struct simhost_port_desc {
    uint32_t size;        /* size of this struct, bytes */
    uint32_t scope;       /* one of SIMHOST_SCOPE_* */
    uint32_t flags;       /* bits SIMHOST_PORT_FLAG_* */
    uint32_t reserved;    /* zero */
    simhost_str name;     /* unique among the inputs or outputs of the phase */
    simhost_str unit;     /* SI unit; "1" for a pure number */
    simhost_str doc;      /* meaning, sign convention and frame */
    double default_value; /* value of an input that nothing provides, unless REQUIRED */
    simhost_str key;      /* name in the world file for an input that nothing drives, or empty */
    simhost_str key_unit; /* unit of that value */
    double key_scale;     /* factor from key_unit to unit */
};

/* A state slot: one number per lane that the host keeps between steps. */
struct simhost_state_desc {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t scope;    /* one of SIMHOST_SCOPE_* */
    uint32_t kind;     /* one of SIMHOST_STATE_KIND_* */
    uint32_t reserved; /* zero */
    simhost_str name;  /* unique within the model */
    simhost_str unit;  /* SI unit; "1" for a pure number */
    simhost_str doc;   /* meaning, sign convention and frame */
    double initial;    /* value at the start of a run, unless the parameter initial_key has a value */
    /* key of a number or integer among the parameters of the model, whose value in the unit of the
     * model is the one at the start of a run; or empty */
    simhost_str initial_key;
};

/* A command that a controller accepts. */
struct simhost_command_desc {
    uint32_t size;           /* size of this struct, bytes */
    uint32_t reserved;       /* zero */
    simhost_str kind;        /* name of the command, such as twist */
    simhost_str_slice ports; /* inputs that the values set, in order; empty: skipped */
};

/* A wheel of a dynamics class. */
struct simhost_wheel_desc {
    uint32_t size;   /* size of this struct, bytes */
    uint32_t flags;  /* bits SIMHOST_WHEEL_FLAG_* */
    simhost_str tag; /* name of the element, such as l_wheel */
    double x;        /* ahead of the reference point without that element, m */
    double y;        /* left of the reference point without that element, m */
};

/* Position of a wheel in the vehicle frame. */
typedef struct simhost_wheel_geometry {
    double x;      /* ahead of the reference point, m */
    double y;      /* left of the reference point, m */
    double yaw;    /* heading at zero steering, counter-clockwise, rad */
    double radius; /* rolling radius, m */
} simhost_wheel_geometry;

/* Default chassis of a dynamics class. */
typedef struct simhost_chassis_desc {
    uint32_t size;             /* size of this struct, bytes */
    uint32_t reserved;         /* zero */
    double mass;               /* mass without the wheels, kg */
    double z_min;              /* lowest point above the ground, m */
    double z_max;              /* highest point above the ground, m */
    simhost_f64_slice polygon; /* corners x0 y0 x1 y1 ... in the vehicle frame, m */
} simhost_chassis_desc;

/* ---- What a call works on ------------------------------------------------------------------- */

/* The reason why a call failed, written by the model only if it returns a code other than NONE. */
typedef struct simhost_fault {
    uint32_t code;       /* one of SIMHOST_FAULT_* */
    uint32_t text_len;   /* bytes used in `text` */
    uint64_t lane;       /* the lane at fault */
    double suggested_dt; /* a step that works, s; 0 if unknown */
    uint8_t text[240];   /* UTF-8 message, not terminated */
} simhost_fault;

/*
 * An input of scope array during a call: the last reading of a sensor of each lane. Value k of a lane is
 * column[lane * stride + k], for k below counts[lane].
 */
typedef struct simhost_array_port {
    uint32_t size;        /* size of this struct, bytes */
    uint32_t reserved;    /* zero */
    size_t capacity;      /* largest number of values of a lane, fixed when the world is loaded */
    size_t stride;        /* distance between the first values of two lanes in the column */
    const double *counts; /* number of values of each lane; 0 before the first reading */
    const double *ages;   /* time since the reading of each lane was taken, s; infinite before it */
} simhost_array_port;

/*
 * The lanes of a call and the columns that it reads and writes. The value of a lane is column[lane]
 * for scope instance, column[wheel * wheel_stride + lane] for scope wheel, and
 * column[lane * rays + ray] for scope ray. The lanes of a friction model are wheels, and all its
 * columns are of scope instance. Inputs never alias outputs or states. A call must only access the
 * lanes first .. first + count - 1, because other threads work on the others.
 */
typedef struct simhost_batch {
    uint32_t size;               /* size of this struct, bytes */
    uint32_t wheels;             /* number of wheels of a vehicle */
    size_t first;                /* first lane of this call */
    size_t count;                /* number of lanes of this call */
    size_t wheel_stride;         /* distance between wheels in a column of scope wheel */
    size_t rays;                 /* number of rays of a sensor */
    double time;                 /* time at the start of the step, s */
    double dt;                   /* length of the step, s */
    const double *const *inputs; /* input columns, in the order of the phase's inputs */
    double *const *outputs;      /* output columns, in the order of the phase's outputs */
    double *const *states;       /* state columns, in the order of the model's states */
    const uint64_t *streams;     /* key of a random stream for each lane and sample, or null */
    void *const *memories;       /* memory of each lane, or null */
    const simhost_services *services; /* services of the host, or null */
    const simhost_array_port *arrays; /* one entry per input, of which those of inputs of scope array
                                         have a meaning; null if the phase has no such input */
} simhost_batch;

/* Services of the host during a call. */
struct simhost_services {
    uint32_t size;       /* size of this struct, bytes */
    uint32_t reserved;   /* zero */
    const void *context; /* passed to every service */
    /* Returns the table of a service by its id, or null. The table is valid during the call. */
    const void *(*find)(const void *context, simhost_str id);
};

/* Creates an instance from parameters in the order of their declaration, in SI units. Called while a
 * world is loaded. Returns a code SIMHOST_FAULT_* and writes *handle on success, or else *fault. Can
 * allocate. `values` are valid only during the call. */
typedef uint32_t (*simhost_create_fn)(simhost_value_slice values, void **handle,
                                      simhost_fault *fault);
/* Destroys an instance. The handle is not used again. Can free memory. */
typedef void (*simhost_destroy_fn)(void *handle);
/* Runs one phase of a step over the lanes of a batch. Called in every step, on several threads at
 * once with one handle. Must not allocate, print, block, or write through the handle. */
typedef uint32_t (*simhost_call_fn)(const void *handle, const simhost_batch *batch,
                                    simhost_fault *fault);
/* Places `count` wheels. The host passes the positions of the world file, which the model can
 * change. Called after create, for each vehicle or once for vehicles with the same chassis and
 * wheels. Can allocate. */
typedef uint32_t (*simhost_arrange_fn)(const void *handle, simhost_wheel_geometry *wheels,
                                       size_t count, simhost_fault *fault);
/* Returns the number of rays that one instance of a sensor casts per sample. Called once, after
 * create. */
typedef size_t (*simhost_capacity_fn)(const void *handle);
/* Returns the static table with a string id such as "simhost.x/1", or null. Called while a world is
 * loaded. */
typedef const void *(*simhost_ability_fn)(simhost_str id);

/* ---- Phase, model, plugin ------------------------------------------------------------------- */

/* One phase of a model's step. */
struct simhost_phase {
    uint32_t size;              /* size of this struct, bytes */
    uint32_t reserved;          /* zero */
    simhost_str id;             /* such as force, control or rates; the kind fixes them */
    simhost_port_slice inputs;  /* inputs of the phase */
    simhost_port_slice outputs; /* outputs of the phase */
    simhost_call_fn call;       /* the function, not null */
};

/* A model: the implementation of a class. Two models of one plugin can share an id if they differ in
 * their ports; the host takes the first one whose ports fit. */
struct simhost_model {
    uint32_t size;                       /* size of this struct, bytes */
    uint32_t kind;                       /* one of SIMHOST_KIND_* */
    uint32_t flags;                      /* bits SIMHOST_MODEL_FLAG_* */
    uint32_t schema;                     /* version of states and memory */
    simhost_str id;                      /* name in class="..." */
    simhost_str version;                 /* version of the model */
    simhost_str doc;                     /* description of the model */
    simhost_param_slice params;          /* parameters */
    simhost_state_slice states;          /* state slots */
    simhost_command_slice commands;      /* commands of a controller or of a fleet */
    simhost_wheel_slice wheels;          /* wheels of a dynamics class */
    const simhost_chassis_desc *chassis; /* default chassis of a dynamics class, or null */
    simhost_phase_slice phases;          /* phases of a step */
    simhost_create_fn create;            /* creates an instance, not null */
    simhost_destroy_fn destroy;          /* destroys an instance, not null */
    simhost_arrange_fn arrange;          /* places the wheels of a dynamics class, or null */
    simhost_capacity_fn capacity;        /* returns the number of rays of a sensor, or null */
    simhost_ability_fn ability;          /* returns further tables by string id, or null */
};

/* The first fields of every descriptor, the same in every epoch. */
typedef struct simhost_head {
    uint64_t magic;          /* SIMHOST_MAGIC */
    uint32_t epoch;          /* SIMHOST_EPOCH */
    uint32_t size;           /* size of the whole descriptor, bytes */
    uint64_t fingerprint;    /* SIMHOST_FINGERPRINT */
    simhost_str layout_kind; /* empty in C */
    const void *layout;      /* null in C */
} simhost_head;

/* The descriptor that a shared library exports. */
typedef struct simhost_plugin {
    simhost_head head;          /* read first: SIMHOST_HEAD */
    simhost_str vendor;         /* the part before the slash of a full class name */
    simhost_str name;           /* name of the plugin */
    simhost_str version;        /* version of the plugin */
    simhost_model_slice models; /* the models, as pointers, so that a model can grow */
} simhost_plugin;

/* ---- Tables that are looked up by id ---------------------------------------------------------- */

/* A table never changes under its id. A new version gets a new number after the slash. */
#define SIMHOST_MEMORY_ABILITY "simhost.memory/1"   /* a model's simhost_memory_table */
#define SIMHOST_MIGRATE_ABILITY "simhost.migrate/1" /* a model's simhost_migrate_table */
#define SIMHOST_SELFTEST_ABILITY "simhost.selftest/1" /* a model's simhost_selftest_table */
#define SIMHOST_OBSERVER_ABILITY "simhost.observer/1" /* an observer's simhost_observer_table */
#define SIMHOST_SPATIAL_ABILITY "simhost.spatial/1" /* a sensor's simhost_spatial_table */
#define SIMHOST_IMAGES_ABILITY "simhost.images/1" /* a sensor's simhost_images_table */
#define SIMHOST_SCALING_ABILITY "simhost.scaling/1" /* a model's simhost_scaling_table */
#define SIMHOST_ALIASES_ABILITY "simhost.aliases/1" /* a model's simhost_aliases_table */
#define SIMHOST_WARNINGS_ABILITY "simhost.warnings/1" /* a model's simhost_warnings_table */
#define SIMHOST_INTERPRETED_ABILITY "simhost.interpreted/1" /* any address: calls are interpreted, and allocate */
#define SIMHOST_GROUND_SERVICE "simhost.ground/1"   /* the host's simhost_ground_service */

#define SIMHOST_RAYS_SERVICE "simhost.rays/1"       /* the host's simhost_rays_service */
#define SIMHOST_NEIGHBOURS_SERVICE "simhost.neighbours/1" /* the host's simhost_neighbours_service */
#define SIMHOST_SURFACE_SERVICE "simhost.surface/1" /* the host's simhost_surface_service */
#define SIMHOST_CONTACTS_SERVICE "simhost.contacts/1" /* the host's simhost_contacts_service */
#define SIMHOST_CLASSES_SERVICE "simhost.classes/1" /* the host's simhost_classes_service */
#define SIMHOST_ROADS_SERVICE "simhost.roads/1"     /* the host's simhost_roads_service */

/* Writes bytes to a sink of the caller: the sink, the first byte, and the number of bytes. */
typedef void (*simhost_write_fn)(void *sink, const uint8_t *data, size_t len);

/* The functions of a model with memory: data of a lane that does not fit into state slots. The host
 * keeps one pointer per lane in simhost_batch.memories, and saves and loads the memory for snapshots
 * and for a plugin that replaces an older one. */
typedef struct simhost_memory_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Creates the memory of one lane at the start of a run. */
    uint32_t (*create)(const void *handle, void **memory, simhost_fault *fault);
    /* Destroys a memory. */
    void (*destroy)(void *memory);
    /* Passes the bytes of a memory to write, in one or more pieces. */
    uint32_t (*save)(const void *memory, void *sink, simhost_write_fn write, simhost_fault *fault);
    /* Creates a memory from untrusted bytes that save of a model of that schema wrote. */
    uint32_t (*load)(const void *handle, uint32_t schema, simhost_byte_slice bytes, void **memory,
                     simhost_fault *fault);
} simhost_memory_table;

/* Adapts the states of an older schema. Without this table the host copies slots by name, and the
 * other slots start at their initial values. */
typedef struct simhost_migrate_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Migrates one lane: the older schema, the names and values of its slots, and the slots of this
     * model as the host would fill them, which the function adapts. */
    uint32_t (*migrate)(const void *handle, uint32_t schema, simhost_str_slice names,
                        simhost_f64_slice values, double *slots, simhost_fault *fault);
} simhost_migrate_table;

/* Fails on demand, so that a validator can check how a failure is contained. A model in C++ can
 * provide it to show that an exception becomes a fault. */
typedef struct simhost_selftest_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Fails as a phase would: returns SIMHOST_FAULT_PANIC and fills the fault. */
    uint32_t (*panic)(simhost_fault *fault);
} simhost_selftest_table;

/* Decides for each instance of a sensor that has the output `elevation` between rays in space and rays
 * in the plane. Without this table, all of its instances cast in space. */
typedef struct simhost_spatial_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Returns 1 for rays in space, 0 for rays in the plane. Called while the world is loaded. The answer
     * cannot depend on parameters with SIMHOST_PARAM_FLAG_PER_LANE. */
    uint32_t (*is_spatial)(const void *handle);
} simhost_spatial_table;

/* Further names of a class. A world file can write any of them in place of the name; the host shows the
 * name alone. */
typedef struct simhost_aliases_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    simhost_str_slice names; /* the names, at least one */
} simhost_aliases_table;

/* A wheel that uses an instance of a friction model, when the world is loaded. */
typedef struct simhost_wheel_use {
    double radius; /* m */
    double load;   /* weight of the vehicle divided by its number of wheels, N */
} simhost_wheel_use;

SIMHOST_DECLARE_SLICE(simhost_wheel_use_slice, simhost_wheel_use);

/* Warnings about the parameters of an instance, which the host reports once when the world is loaded. */
typedef struct simhost_warnings_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Passes one warning per line, UTF-8, to write. wheels are those that use an instance of a friction
     * model; models of other kinds get none. */
    void (*write)(const void *handle, simhost_wheel_use_slice wheels, void *sink, simhost_write_fn write);
} simhost_warnings_table;

/* Quantities of the pixels of an image: the readings per ray that they show. */
#define SIMHOST_IMAGE_RGB UINT32_C(0)      /* red, green, blue: 0 to 255, sRGB */
#define SIMHOST_IMAGE_DEPTH UINT32_C(1)    /* depth: m along the optical axis, 0 for none */
#define SIMHOST_IMAGE_CLASS UINT32_C(2)    /* class: semantic class, 0 for none */
#define SIMHOST_IMAGE_INSTANCE UINT32_C(3) /* entity: number of the entity, -1 for none */
#define SIMHOST_IMAGE_FLOW UINT32_C(4)     /* flow_x, flow_y: motion to the right and down, px */

/* Models of lens distortion. */
#define SIMHOST_DISTORTION_NONE UINT32_C(0)          /* pinhole camera */
#define SIMHOST_DISTORTION_BROWN_CONRADY UINT32_C(1) /* k1, k2, p1, p2, k3, as plumb_bob in ROS */
#define SIMHOST_DISTORTION_FISHEYE UINT32_C(2)       /* k1 to k4, as equidistant in ROS */

/* An image whose pixels are rays of a sensor, row by row from the top left. Pixel (u, v), which is ray
 * first_ray + v * width + u, has its centre at the whole numbers u and v. */
typedef struct simhost_image_desc {
    uint32_t size;        /* size of this struct, bytes */
    uint32_t kind;        /* SIMHOST_IMAGE_... */
    simhost_str name;     /* unique among the images of the sensor */
    uint32_t width;       /* number of columns */
    uint32_t height;      /* number of rows */
    size_t first_ray;     /* index of the ray of the first pixel */
    double fx;            /* horizontal focal length, px */
    double fy;            /* vertical focal length, px */
    double cx;            /* column of the optical axis, px */
    double cy;            /* row of the optical axis, px */
    uint32_t distortion;  /* SIMHOST_DISTORTION_... */
    uint32_t reserved;    /* zero */
    double coefficients[8]; /* of the lens; zero behind the last one */
    double pose[6];       /* optical frame (x right, y down, z ahead) in the frame of the vehicle, or of the
                           * world for a sensor without a vehicle: x, y, z, m; yaw, pitch, roll, rad */
} simhost_image_desc;

/* Takes one image: the sink of the caller, and the image, which the callee copies. */
typedef void (*simhost_image_fn)(void *sink, const simhost_image_desc *image);

/* Describes the images of an instance of a sensor, whose readings per ray are their pixels. */
typedef struct simhost_images_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Passes each image of the instance to write(sink, image). Called while the world is loaded. The
     * images cannot depend on parameters with SIMHOST_PARAM_FLAG_PER_LANE. */
    void (*images)(const void *handle, void *sink, simhost_image_fn write);
} simhost_images_table;

/* Exponents of one quantity: a vehicle of s times the size has s to this power times the value. Both laws
 * keep the velocity over time for the same pedals. Multiples of 0.5 within +-20. */
typedef struct simhost_scaling {
    double constant_density; /* the mass has 3; NaN for both: that of the port of an actuator */
    double constant_mass;    /* the mass has 0 */
} simhost_scaling;

SIMHOST_DECLARE_SLICE(simhost_scaling_slice, simhost_scaling);

typedef struct simhost_param_scaling simhost_param_scaling;
SIMHOST_DECLARE_SLICE(simhost_param_scaling_slice, simhost_param_scaling);

/* The exponents of one parameter. */
struct simhost_param_scaling {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* One item for all numbers of the parameter, or one per item of a list; none if not declared. */
    simhost_scaling_slice exponents;
    simhost_param_scaling_slice children; /* those of the parameters of a group, in their order */
};

/* The exponents of all parameters of a model, for <scale>. Without this table none are declared. */
typedef struct simhost_scaling_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    simhost_param_scaling_slice params; /* one item per parameter of the model, in their order */
} simhost_scaling_table;

/* The ground below any point, as a service of the host. */
typedef struct simhost_ground_service {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Computes, for `count` points in the world frame, m, the height of the ground at or below each
     * point, m, and its slopes dz/dx and dz/dy. Any of the three outputs can be null. */
    void (*query)(const void *context, size_t count, const double *x, const double *y,
                  const double *z, double *height, double *slope_x, double *slope_y);
} simhost_ground_service;

/* ---- Observers ------------------------------------------------------------------------------ */

/* A quantity that an observer has selected. */
typedef struct simhost_observed {
    uint32_t size;           /* size of this struct, bytes */
    uint32_t reserved;       /* zero */
    simhost_str name;        /* full name, such as car/wheel/fl/spin */
    simhost_str_slice units; /* unit of each value, as many as the quantity has values */
    size_t first;            /* index of its first value in simhost_sample.values */
} simhost_observed;

SIMHOST_DECLARE_SLICE(simhost_observed_slice, simhost_observed);

/* The start of a run. */
typedef struct simhost_run_start {
    uint32_t size;                     /* size of this struct, bytes */
    uint32_t reserved;                 /* zero */
    simhost_observed_slice quantities; /* the selected quantities, in the order of their values */
    simhost_str name;                  /* name of the observer in the world, unique */
    simhost_str folder;                /* absolute path of the output folder, or empty */
    double time;                       /* time at the start, s; not 0 for a resumed run */
    double dt;                         /* length of a step, s */
    double period;                     /* time between samples, s; 0: one after each step */
    uint64_t seed;                     /* seed of the run */
} simhost_run_start;

/* The values of all selected quantities at one instant. */
typedef struct simhost_sample {
    uint32_t size;            /* size of this struct, bytes */
    uint32_t reserved;        /* zero */
    uint64_t step;            /* number of completed steps */
    double time;              /* time after these steps, s */
    simhost_f64_slice values; /* the values; a reading is NaN before the first one */
} simhost_sample;

/* simhost_run_end.reason */
#define SIMHOST_END_DURATION UINT32_C(1)  /* the duration is over */
#define SIMHOST_END_STOP UINT32_C(2)      /* an observer has asked for it */
#define SIMHOST_END_FAULT UINT32_C(3)     /* a model has faulted, or a state has diverged */
#define SIMHOST_END_INTERRUPT UINT32_C(4) /* the user has interrupted the run */
#define SIMHOST_END_REPLACED UINT32_C(5)  /* a rebuilt plugin replaces the observer */

/* The end of a run. */
typedef struct simhost_run_end {
    uint32_t size;       /* size of this struct, bytes */
    uint32_t reason;     /* one of SIMHOST_END_* */
    simhost_str text;    /* the reason in words; empty at the end of the duration */
    simhost_sample last; /* the last state, also if no sample was due; the last sample after a fault */
} simhost_run_end;

/* The functions of an observer, a model without phases. The handle is immutable; what changes during
 * a run is in the memory that start returns. The functions are called on one thread at a time, and
 * can allocate and write files. Files belong into the folder of simhost_run_start. */
typedef struct simhost_observer_table {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Writes the patterns of the quantities to observe to the sink, one per line. */
    uint32_t (*select)(const void *handle, void *sink, simhost_write_fn write, simhost_fault *fault);
    /* Begins a run, and writes its memory. Runs can overlap. */
    uint32_t (*start)(const void *handle, const simhost_run_start *start, void **memory,
                      simhost_fault *fault);
    /* Takes a sample: the state at the start, then that after each step or period. Asks for the end of
     * the run by setting *stop to 1 and writing the reason to the sink. */
    uint32_t (*step)(const void *handle, void *memory, const simhost_sample *sample, uint32_t *stop,
                     void *sink, simhost_write_fn write, simhost_fault *fault);
    /* Ends a run, called once. Writes the names of the files that it has written to the sink, one per
     * line, relative to the folder. */
    uint32_t (*end)(const void *handle, void *memory, const simhost_run_end *end, void *sink,
                    simhost_write_fn write, simhost_fault *fault);
    /* Destroys the memory of a run, ended or not. */
    void (*destroy)(void *memory);
} simhost_observer_table;
/* ---- The world around a vehicle ------------------------------------------------------------- */

/* The services below are found during the calls of a model with SIMHOST_MODEL_FLAG_PERCEIVES alone.
 * All answers describe the state at the start of the phase. Positions are in m and angles in rad, in
 * the world frame unless stated otherwise; x and y are level and z points up.
 *
 * Everything in a world that a ray can meet is an entity with a number. The numbers follow the kinds,
 * and within a kind the order of the world file: vehicles from 0 on, then blocks, actors, walls,
 * vertical planes, occupancy maps, elevation maps, horizontal planes, and last the level ground at
 * height 0. */

/* Number that no entity has. */
#define SIMHOST_NO_ENTITY ((uint32_t)-1)

/* A ray. */
typedef struct simhost_ray {
    double origin[3];    /* start, m */
    double direction[3]; /* of any length; if it is zero or not finite, the ray meets nothing */
    double max_range;    /* largest range, m, which can be infinite */
    uint32_t mask;       /* SIMHOST_ENTITY_ bits of what the ray can meet */
    uint32_t reserved;   /* zero */
} simhost_ray;

/* What a ray meets first. */
typedef struct simhost_ray_hit {
    double range;     /* distance from the origin, m; infinite if the ray meets nothing */
    double point[3];  /* point that the ray meets, m; the origin if it meets nothing */
    double normal[3]; /* unit normal towards the side of the ray; zero if it meets nothing */
    uint32_t entity;  /* number of the entity, or SIMHOST_NO_ENTITY */
    uint32_t kind;    /* SIMHOST_ENTITY_ bit, or 0 */
} simhost_ray_hit;

/* A circle in which entities are looked for by their reference points. */
typedef struct simhost_neighbour_query {
    double centre[2];  /* x and y, m */
    double radius;     /* m; the border belongs to the circle */
    uint32_t mask;     /* SIMHOST_ENTITY_VEHICLE, BLOCK, ACTOR and OWN */
    uint32_t reserved; /* zero */
} simhost_neighbour_query;

/* An entity in a circle. */
typedef struct simhost_neighbour {
    double distance;    /* level distance of the reference point from the centre of the circle, m */
    double position[3]; /* reference point, m */
    double yaw;         /* heading, rad, counter-clockwise from the x axis of the world */
    double pitch;       /* rad, positive nose down; 0 for blocks and actors */
    double roll;        /* rad, positive right side down; 0 for blocks and actors */
    double velocity[2]; /* level velocity of the reference point, x and y, m/s */
    double yaw_rate;    /* rad/s, counter-clockwise */
    double radius;      /* radius of the circle about the reference point around the outline, m */
    double box_min[3];  /* rear, right and bottom of the box about the outline, body frame, m */
    double box_max[3];  /* front, left and top */
    uint32_t entity;    /* number of the entity */
    uint32_t kind;      /* SIMHOST_ENTITY_ bit */
} simhost_neighbour;

/* The ground at or below a point. */
typedef struct simhost_surface_point {
    double height;    /* m; that of the lowest ground if all is above the point */
    double normal[3]; /* unit normal */
    double mu;        /* friction coefficient; negative where no region sets friction_mu */
    double c_rr;      /* rolling resistance; negative where no region sets friction_C_rr */
    double surface;   /* property `surface`, 0 outside all its regions */
} simhost_surface_point;

/* Rays in three dimensions, as a service of the host. */
typedef struct simhost_rays_service {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Casts `count` rays for a lane of the call, and writes what each of them meets first. */
    void (*cast)(const void *context, size_t lane, size_t count, const simhost_ray *rays,
                 simhost_ray_hit *hits);
} simhost_rays_service;

/* The entities around a point, as a service of the host. */
typedef struct simhost_neighbours_service {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Returns the number of the vehicle that carries the model of a lane, or SIMHOST_NO_ENTITY. */
    uint32_t (*own)(const void *context, size_t lane);
    /* Looks for entities in `count` circles for a lane of the call. Of those in circle k, writes the
     * nearest `capacity` ones from found[k * capacity] on, sorted by distance and then by number, and
     * the number of all of them to totals[k], which can be greater than `capacity`. */
    void (*query)(const void *context, size_t lane, size_t count,
                  const simhost_neighbour_query *queries, size_t capacity,
                  simhost_neighbour *found, size_t *totals);
} simhost_neighbours_service;

/* The surface of the ground at any point, as a service of the host. */
typedef struct simhost_surface_service {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Computes the ground at or below each of `count` points, each x, y and z, m. */
    void (*query)(const void *context, size_t count, const double *points,
                  simhost_surface_point *found);
} simhost_surface_service;

/* A point at which a vehicle touches something. */
typedef struct simhost_contact {
    double point[2];   /* x and y, world frame, m */
    double normal[2];  /* unit vector in which the other object pushes the vehicle, world frame */
    double force;      /* normal force, N; 0 without load, and for a vehicle with an imposed velocity */
    uint32_t entity;   /* number of the entity, or SIMHOST_NO_ENTITY for anything that never moves */
    uint32_t reserved; /* zero */
} simhost_contact;

/* The contacts of a vehicle, as a service of the host. */
typedef struct simhost_contacts_service {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Writes up to `capacity` contacts of the vehicle of a lane in the last step, and returns the number
     * of all of them, which can be greater. */
    size_t (*query)(const void *context, size_t lane, size_t capacity, simhost_contact *found);
} simhost_contacts_service;

/* The semantic classes of entities, as a service of the host. */
typedef struct simhost_classes_service {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Writes the number of the semantic class of each of `count` vehicles, blocks and actors; 0 for other
     * entities. */
    void (*classify)(const void *context, size_t count, const uint32_t *entities, uint32_t *classes);
} simhost_classes_service;

/* Number that no lane has. */
#define SIMHOST_NO_LANE UINT32_MAX

/* A place in a lane that vehicles drive on. */
typedef struct simhost_road_point {
    double position[3]; /* on the surface, world frame, m */
    double heading;     /* driving direction, rad, from -pi to pi */
    double curvature;   /* of the middle of the lane, 1/m, positive where it turns left */
    double width;       /* of the lane, m */
    double grade;       /* rise over distance in the driving direction */
    double speed_limit; /* m/s; infinite without one */
    double s;           /* distance along the reference line of the road, m */
    double t;           /* distance to the left of the middle of the lane, driving direction, m */
    double away;        /* distance of the point from the lane, m; 0 inside */
    uint32_t index;     /* number of the lane in the network, or SIMHOST_NO_LANE */
    uint32_t road;      /* index of the road in the file, from 0 */
    int32_t lane;       /* number of the lane on its road, negative to the right of the reference line */
    uint32_t reserved;  /* zero */
} simhost_road_point;

/* Where a way over lanes begins and which lanes it takes. */
typedef struct simhost_lane_query {
    uint32_t index;        /* number of the lane, as in simhost_road_point */
    uint32_t reserved;     /* zero */
    double s;              /* distance along the reference line of its road, m */
    uint64_t turns;        /* seed of turns; with 0, the lane that goes straightest on is taken */
    const uint32_t *route; /* numbers of lanes that are taken before others, or null */
    size_t route_len;      /* number of these */
} simhost_lane_query;

/* Road networks, as a service of the host. Its answers depend on the arguments alone. */
typedef struct simhost_roads_service {
    uint32_t size;     /* size of this struct, bytes */
    uint32_t reserved; /* zero */
    /* Finds the nearest place in a lane for each of `count` poses: x, y and z, m, and the heading, rad, or NaN. */
    void (*locate)(const void *context, size_t count, const double *poses, simhost_road_point *found);
    /* Finds the places on the middle of lanes at `count` level distances ahead, m, ascending. Returns their number,
     * which is smaller where the network ends. */
    size_t (*ahead)(const void *context, const simhost_lane_query *from, size_t count,
                    const double *distances, simhost_road_point *found);
    /* Finds the shortest way between two lanes. Writes the first `capacity` lanes and returns the number of all of
     * them, 0 without a way. Allocates memory. */
    size_t (*route)(const void *context, uint32_t from, uint32_t to, size_t capacity, uint32_t *lanes);
} simhost_roads_service;

/* Returns the road network of the world, or null without one. */
static inline const simhost_roads_service *simhost_find_roads(const simhost_batch *batch)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_ROADS_SERVICE, sizeof(SIMHOST_ROADS_SERVICE) - 1 };
    return host == NULL ? NULL
                        : (const simhost_roads_service *)host->find(host->context, id);
}

/* Finds the nearest place in a lane for each of `count` poses, each x, y and z, m, and the heading, rad, or NaN.
 * Returns 0, or -1 without touching `found` in a world without a road network. */
static inline int simhost_find_lanes(const simhost_batch *batch, size_t count, const double *poses,
                                     simhost_road_point *found)
{
    const simhost_roads_service *service = simhost_find_roads(batch);
    if (service == NULL) {
        return -1;
    }
    service->locate(batch->services->context, count, poses, found);
    return 0;
}

/* Finds the places on the middle of lanes at `count` level distances ahead, m, ascending. Returns their number,
 * which is smaller where the network ends, and 0 in a world without a road network. */
static inline size_t simhost_lanes_ahead(const simhost_batch *batch, const simhost_lane_query *from,
                                         size_t count, const double *distances,
                                         simhost_road_point *found)
{
    const simhost_roads_service *service = simhost_find_roads(batch);
    return service == NULL
               ? 0
               : service->ahead(batch->services->context, from, count, distances, found);
}

/* Finds the lanes of the shortest way between two lanes. Writes the first `capacity` ones and returns the number of
 * all of them, 0 without a way. The host allocates memory. */
static inline size_t simhost_lane_route(const simhost_batch *batch, uint32_t from, uint32_t to,
                                        size_t capacity, uint32_t *lanes)
{
    const simhost_roads_service *service = simhost_find_roads(batch);
    return service == NULL ? 0
                           : service->route(batch->services->context, from, to, capacity, lanes);
}

/* Computes height and slopes of the ground at or below `count` points, in m and 1; any of the three outputs
 * can be null. Returns 0, or -1 without touching them if the host has no such service. */
static inline int simhost_find_ground(const simhost_batch *batch, size_t count, const double *x,
                                      const double *y, const double *z, double *height,
                                      double *slope_x, double *slope_y)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_GROUND_SERVICE, sizeof(SIMHOST_GROUND_SERVICE) - 1 };
    const simhost_ground_service *service =
        host == NULL ? NULL : (const simhost_ground_service *)host->find(host->context, id);
    if (service == NULL) {
        return -1;
    }
    service->query(host->context, count, x, y, z, height, slope_x, slope_y);
    return 0;
}

/* Casts rays for a lane of a call. Returns 0, or -1 without touching `hits` if the host has no rays. */
static inline int simhost_cast(const simhost_batch *batch, size_t lane, size_t count,
                               const simhost_ray *rays, simhost_ray_hit *hits)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_RAYS_SERVICE, sizeof(SIMHOST_RAYS_SERVICE) - 1 };
    const simhost_rays_service *service =
        host == NULL ? NULL : (const simhost_rays_service *)host->find(host->context, id);
    if (service == NULL) {
        return -1;
    }
    service->cast(host->context, lane, count, rays, hits);
    return 0;
}

/* Looks for the entities in a circle, for a lane of a call. Writes the nearest `capacity` ones to
 * `found` and returns the number of all of them, which can be greater; 0 if the host has no service. */
static inline size_t simhost_find_neighbours(const simhost_batch *batch, size_t lane,
                                             simhost_neighbour_query query, size_t capacity,
                                             simhost_neighbour *found)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_NEIGHBOURS_SERVICE, sizeof(SIMHOST_NEIGHBOURS_SERVICE) - 1 };
    const simhost_neighbours_service *service =
        host == NULL ? NULL : (const simhost_neighbours_service *)host->find(host->context, id);
    size_t total = 0;
    if (service != NULL) {
        service->query(host->context, lane, 1, &query, capacity, found, &total);
    }
    return total;
}

/* Returns the number of the vehicle that carries the model of a lane, or SIMHOST_NO_ENTITY. */
static inline uint32_t simhost_own_entity(const simhost_batch *batch, size_t lane)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_NEIGHBOURS_SERVICE, sizeof(SIMHOST_NEIGHBOURS_SERVICE) - 1 };
    const simhost_neighbours_service *service =
        host == NULL ? NULL : (const simhost_neighbours_service *)host->find(host->context, id);
    return service == NULL ? SIMHOST_NO_ENTITY : service->own(host->context, lane);
}

/* Computes the ground at or below each of `count` points, each x, y and z, m. Returns 0, or -1 without
 * touching `found` if the host has no such service. */
static inline int simhost_find_surface(const simhost_batch *batch, size_t count,
                                       const double *points, simhost_surface_point *found)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_SURFACE_SERVICE, sizeof(SIMHOST_SURFACE_SERVICE) - 1 };
    const simhost_surface_service *service =
        host == NULL ? NULL : (const simhost_surface_service *)host->find(host->context, id);
    if (service == NULL) {
        return -1;
    }
    service->query(host->context, count, points, found);
    return 0;
}

/* Finds the contacts of the vehicle of a lane in the last step. Writes up to `capacity` of them to `found`
 * and returns the number of all of them, which can be greater; 0 if the host has no such service. */
static inline size_t simhost_find_contacts(const simhost_batch *batch, size_t lane, size_t capacity,
                                           simhost_contact *found)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_CONTACTS_SERVICE, sizeof(SIMHOST_CONTACTS_SERVICE) - 1 };
    const simhost_contacts_service *service =
        host == NULL ? NULL : (const simhost_contacts_service *)host->find(host->context, id);
    return service == NULL ? 0 : service->query(host->context, lane, capacity, found);
}

/* Returns the number of the semantic class of a vehicle, a block or an actor; 0 for others, and if the host
 * has no such service. */
static inline uint32_t simhost_class_of(const simhost_batch *batch, uint32_t entity)
{
    const simhost_services *host = batch->services;
    const simhost_str id = { SIMHOST_CLASSES_SERVICE, sizeof(SIMHOST_CLASSES_SERVICE) - 1 };
    const simhost_classes_service *service =
        host == NULL ? NULL : (const simhost_classes_service *)host->find(host->context, id);
    uint32_t found = 0;
    if (service != NULL) {
        service->classify(host->context, 1, &entity, &found);
    }
    return found;
}

/* ---- Initialisers --------------------------------------------------------------------------- */

/* A string literal as a simhost_str, for initialisers: { (bytes), (length) }. */
#define SIMHOST_STR(text) { ("" text), sizeof(text) - 1 }
/* A static array as a slice, for initialisers. Not for a pointer. */
#define SIMHOST_SLICE(array) { (array), sizeof(array) / sizeof((array)[0]) }
/* An empty slice, for initialisers. */
#define SIMHOST_EMPTY { NULL, 0 }
/* No value, and a number, for simhost_param_desc.default_value. */
#define SIMHOST_NO_VALUE { SIMHOST_VALUE_NONE, 0, 0.0, SIMHOST_STR(""), SIMHOST_EMPTY }
#define SIMHOST_NUMBER(x) { SIMHOST_VALUE_NUMBER, 0, (x), SIMHOST_STR(""), SIMHOST_EMPTY }
/* The head of a descriptor. */
#define SIMHOST_HEAD                                                                     \
    { SIMHOST_MAGIC, SIMHOST_EPOCH, (uint32_t)sizeof(simhost_plugin), SIMHOST_FINGERPRINT,    \
      SIMHOST_STR(""), NULL }
/* A numeric parameter: name, unit, description, default, smallest and largest value. */
#define SIMHOST_PARAM(key, unit, doc, default_value, min, max)                                  \
    { (uint32_t)sizeof(simhost_param_desc), SIMHOST_PARAM_NUMBER, 0, 0, SIMHOST_STR(key),       \
      SIMHOST_EMPTY, SIMHOST_STR(doc), SIMHOST_STR(unit), 1.0, (min), (max),                    \
      SIMHOST_NUMBER(default_value), SIMHOST_EMPTY, SIMHOST_EMPTY }
#define SIMHOST_TRUTH(x) { SIMHOST_VALUE_BOOL, 0, (x), SIMHOST_STR(""), SIMHOST_EMPTY }
/* A parameter of any kind, with its flags, the number of its items, and a factor from the unit of the world file to
 * that of the model. */
#define SIMHOST_PARAM_OF(kind, flags, count, key, unit, scale, doc, default_value, min, max, choices, children) \
    { (uint32_t)sizeof(simhost_param_desc), kind, flags, count, SIMHOST_STR(key), SIMHOST_EMPTY,  \
      SIMHOST_STR(doc), SIMHOST_STR(unit), (scale), (min), (max), default_value, choices, children }
/* An angle: degrees in the world file, and radians in the value that `create` receives. */
#define SIMHOST_DEGREE_PARAM(key, doc, default_value, min, max)                                 \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_NUMBER, 0, 0, key, "deg", 0.017453292519943295, doc,          \
                     SIMHOST_NUMBER(default_value), min, max, SIMHOST_EMPTY, SIMHOST_EMPTY)
/* A whole number, and a number that the world file has to give. */
#define SIMHOST_INTEGER_PARAM(key, unit, doc, default_value, min, max)                          \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_INTEGER, 0, 0, key, unit, 1.0, doc, SIMHOST_NUMBER(default_value), \
                     min, max, SIMHOST_EMPTY, SIMHOST_EMPTY)
#define SIMHOST_REQUIRED_PARAM(key, unit, doc, min, max)                                        \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_NUMBER, SIMHOST_PARAM_FLAG_REQUIRED, 0, key, unit, 1.0, doc,  \
                     SIMHOST_NO_VALUE, min, max, SIMHOST_EMPTY, SIMHOST_EMPTY)
/* A truth value: 0 or 1. */
#define SIMHOST_BOOL_PARAM(key, doc, default_value)                                             \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_BOOL, 0, 0, key, "", 1.0, doc,                                 \
                     SIMHOST_TRUTH(default_value), \
                     0.0, 0.0, SIMHOST_EMPTY, SIMHOST_EMPTY)
/* One of the names in an array of simhost_str: its name, description, default and the array. */
#define SIMHOST_CHOICE_PARAM(key, doc, default_value, names)                                    \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_CHOICE, 0, 0, key, "", 1.0, doc, SIMHOST_TEXT(default_value),  \
                     0.0, 0.0, SIMHOST_SLICE(names), SIMHOST_EMPTY)
/* A list of `count` numbers, or of any number of them for 0, without a default. */
#define SIMHOST_LIST_PARAM(key, unit, doc, count, min, max)                                     \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_LIST, 0, count, key, unit, 1.0, doc, SIMHOST_NO_VALUE, min, max, \
                     SIMHOST_EMPTY, SIMHOST_EMPTY)
/* A text file that the world file has to name: `items` holds its path and its contents. */
#define SIMHOST_FILE_PARAM(key, doc)                                                            \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_FILE, SIMHOST_PARAM_FLAG_REQUIRED, 0, key, "", 1.0, doc,       \
                     SIMHOST_NO_VALUE, 0.0, 0.0, SIMHOST_EMPTY, SIMHOST_EMPTY)
/* A file of any content that the world file has to name, see SIMHOST_PARAM_BINARY_FILE; and words separated
 * by spaces or commas, without a default. */
#define SIMHOST_BINARY_FILE_PARAM(key, doc)                                                     \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_BINARY_FILE, SIMHOST_PARAM_FLAG_REQUIRED, 0, key, "", 1.0, doc, \
                     SIMHOST_NO_VALUE, 0.0, 0.0, SIMHOST_EMPTY, SIMHOST_EMPTY)
#define SIMHOST_WORDS_PARAM(key, doc)                                                           \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_WORDS, 0, 0, key, "", 1.0, doc, SIMHOST_NO_VALUE, 0.0, 0.0,    \
                     SIMHOST_EMPTY, SIMHOST_EMPTY)
/* An element with the parameters of an array of simhost_param_desc: `items` holds their values. */
#define SIMHOST_GROUP_PARAM(key, doc, params)                                                   \
    SIMHOST_PARAM_OF(SIMHOST_PARAM_GROUP, 0, 0, key, "", 1.0, doc, SIMHOST_NO_VALUE, 0.0, 0.0,    \
                     SIMHOST_EMPTY, SIMHOST_SLICE(params))
/* A text, for simhost_param_desc.default_value. */
#define SIMHOST_TEXT(text) { SIMHOST_VALUE_TEXT, 0, 0.0, SIMHOST_STR(text), SIMHOST_EMPTY }
/* A parameter that is a text: name, description, default. */
#define SIMHOST_TEXT_PARAM(key, doc, default_value)                                             \
    { (uint32_t)sizeof(simhost_param_desc), SIMHOST_PARAM_TEXT, 0, 0, SIMHOST_STR(key),         \
      SIMHOST_EMPTY, SIMHOST_STR(doc), SIMHOST_STR(""), 1.0, 0.0, 0.0, \
      SIMHOST_TEXT(default_value), SIMHOST_EMPTY, SIMHOST_EMPTY }
/* A numeric parameter that can differ between the lanes of an instance. Each phase that depends on it
 * has the input SIMHOST_PARAMETER_PORT, and reads it with simhost_param. */
#define SIMHOST_LANE_PARAM(key, unit, doc, default_value, min, max)                             \
    { (uint32_t)sizeof(simhost_param_desc), SIMHOST_PARAM_NUMBER, SIMHOST_PARAM_FLAG_PER_LANE,  \
      0, SIMHOST_STR(key), SIMHOST_EMPTY, SIMHOST_STR(doc), SIMHOST_STR(unit), 1.0, (min),      \
      (max), SIMHOST_NUMBER(default_value), SIMHOST_EMPTY, SIMHOST_EMPTY }
/* Any port that a world file cannot set. */
#define SIMHOST_PORT_OF(scope, flags, name, unit, doc, default_value)                           \
    { (uint32_t)sizeof(simhost_port_desc), (scope), (flags), 0, SIMHOST_STR(name),              \
      SIMHOST_STR(unit), SIMHOST_STR(doc), (default_value), SIMHOST_STR(""), SIMHOST_STR(""), 1.0 }
/* A port with one value per vehicle or sensor, or per wheel for a friction model. */
#define SIMHOST_PORT(name, unit, doc, default_value) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, 0, name, unit, doc, default_value)
/* A port with one value per wheel of a vehicle, or per ray of a sensor. */
#define SIMHOST_WHEEL_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_WHEEL, 0, name, unit, doc, 0.0)
#define SIMHOST_RAY_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_RAY, 0, name, unit, doc, 0.0)
/* The input with the values of a parameter that can differ between lanes, in the unit of the model. */
#define SIMHOST_PARAMETER_PORT(key, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_PARAMETER, key, unit, doc, 0.0)
/* An input with the last reading of a sensor of the vehicle; simhost_reading returns its values. A world
 * in which no sensor provides it is not loaded. The second one is empty in such a world. */
#define SIMHOST_ARRAY_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_ARRAY, 0, name, unit, doc, 0.0)
#define SIMHOST_OPTIONAL_ARRAY_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_ARRAY, SIMHOST_PORT_FLAG_OPTIONAL, name, unit, doc, 0.0)
/* An input without a default: a world in which nothing provides it is not loaded. */
#define SIMHOST_REQUIRED_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_REQUIRED, name, unit, doc, 0.0)
#define SIMHOST_REQUIRED_WHEEL_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_WHEEL, SIMHOST_PORT_FLAG_REQUIRED, name, unit, doc, 0.0)
/* An input whose default is a sensible value, so that nothing has to provide it; and a reading of a sensor
 * that can be NaN, which means unknown. */
#define SIMHOST_OPTIONAL_PORT(name, unit, doc, default_value) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_OPTIONAL, name, unit, doc, default_value)
#define SIMHOST_UNKNOWN_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_UNKNOWN, name, unit, doc, 0.0)
/* An output that is published: it needs no reader and is a quantity of its own. One value per lane,
 * or per wheel of a vehicle. */
#define SIMHOST_PUBLISHED_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_OPTIONAL, name, unit, doc, 0.0)
#define SIMHOST_PUBLISHED_WHEEL_PORT(name, unit, doc) \
    SIMHOST_PORT_OF(SIMHOST_SCOPE_WHEEL, SIMHOST_PORT_FLAG_OPTIONAL, name, unit, doc, 0.0)
/* An input that commands set, and the controller element of the world file under `key`. */
#define SIMHOST_COMMAND_PORT(name, unit, doc, key)                                               \
    { (uint32_t)sizeof(simhost_port_desc), SIMHOST_SCOPE_INSTANCE, SIMHOST_PORT_FLAG_COMMAND, 0, \
      SIMHOST_STR(name), SIMHOST_STR(unit), SIMHOST_STR(doc), 0.0, SIMHOST_STR(key),             \
      SIMHOST_STR(unit), 1.0 }
/* A state slot that changes continuously. */
#define SIMHOST_STATE(name, unit, doc, initial) \
    SIMHOST_STATE_OF(SIMHOST_STATE_KIND_CONTINUOUS, name, unit, doc, initial)
/* A state slot of a kind SIMHOST_STATE_KIND_*. */
#define SIMHOST_STATE_OF(kind, name, unit, doc, initial)                                   \
    { (uint32_t)sizeof(simhost_state_desc), SIMHOST_SCOPE_INSTANCE, (kind), 0,             \
      SIMHOST_STR(name), SIMHOST_STR(unit), SIMHOST_STR(doc), (initial), SIMHOST_STR("") }
/* A state slot that changes continuously and starts from the value of the parameter `key`. */
#define SIMHOST_STATE_FROM(name, unit, doc, key)                                                   \
    { (uint32_t)sizeof(simhost_state_desc), SIMHOST_SCOPE_INSTANCE, SIMHOST_STATE_KIND_CONTINUOUS, \
      0, SIMHOST_STR(name), SIMHOST_STR(unit), SIMHOST_STR(doc), 0.0, SIMHOST_STR(key) }
/* The table of an observer: its functions, in order. */
#define SIMHOST_OBSERVER_TABLE(select, start, step, end, destroy) \
    { (uint32_t)sizeof(simhost_observer_table), 0, (select), (start), (step), (end), (destroy) }
/* A command, and the inputs that its values set, or the outputs of a fleet that are its values: a static
 * array of simhost_str. */
#define SIMHOST_COMMAND(kind, ports) \
    { (uint32_t)sizeof(simhost_command_desc), 0, SIMHOST_STR(kind), SIMHOST_SLICE(ports) }
/* A wheel: the name of its element, and its position without such an element. */
#define SIMHOST_WHEEL(tag, x, y) \
    { (uint32_t)sizeof(simhost_wheel_desc), 0, SIMHOST_STR(tag), (x), (y) }
#ifndef __cplusplus
/* Exports a plugin with one static model: vendor, name, version, and the model. simhost_plugin.hpp has this
 * for C++. A plugin with several models defines `simhost_plugin_v1` itself. */
#define SIMHOST_PLUGIN(vendor, name, version, model)                                            \
    static const simhost_model_ref simhost_models[] = { &(model) };                             \
    const simhost_plugin simhost_plugin_v1 = { SIMHOST_HEAD, SIMHOST_STR(vendor),               \
                                               SIMHOST_STR(name), SIMHOST_STR(version),         \
                                               SIMHOST_SLICE(simhost_models) }
#endif
/* A phase: its id, two static arrays of ports, and its function. */
#define SIMHOST_PHASE(id, inputs, outputs, call)                                          \
    { (uint32_t)sizeof(simhost_phase), 0, SIMHOST_STR(id), SIMHOST_SLICE(inputs),         \
      SIMHOST_SLICE(outputs), (call) }

/*
 * The ports of an actuator, for static arrays of simhost_port_desc, in the unit of the port on which it
 * acts; "1" fits a port of any unit:
 *
 *     static const simhost_port_desc before[] = {SIMHOST_ACTUATOR_INPUT("N·m")};
 *     static const simhost_port_desc after[] = {SIMHOST_ACTUATOR_OUTPUT("N·m")};
 *     static const simhost_phase phases[] = {SIMHOST_PHASE("actuate", before, after, actuate)};
 *
 * A lane is a vehicle, or a wheel if the port has one value per wheel. Further inputs are quantities of the
 * host and measurements of the dynamics class; further outputs are SIMHOST_PUBLISHED_PORT.
 */
#define SIMHOST_ACTUATOR_INPUT(unit) SIMHOST_PORT("command", unit, "value before the actuator", 0.0)
#define SIMHOST_ACTUATOR_OUTPUT(unit) SIMHOST_PORT("value", unit, "value after the actuator", 0.0)

/*
 * The outputs of a suspension, for a static array of simhost_port_desc:
 *
 *     static const simhost_port_desc outputs[] = {SIMHOST_AXLE_PORTS};
 *     static const simhost_phase phases[] = {SIMHOST_PHASE("kinematics", inputs, outputs, kinematics)};
 *
 * A lane is a vehicle, and a call computes one axle of each. The numbers below are those of the left wheel;
 * the right wheel follows. Inputs of the host, all optional: travel, travel_rate, fx, fy, fz, mx, mz and
 * shaft_torque, each with _left and _right, and rack, half_track and wheel_radius. Further inputs are
 * measurements with one value per vehicle; further outputs are SIMHOST_PUBLISHED_PORT.
 */
#define SIMHOST_AXLE_CAMBER 0
#define SIMHOST_AXLE_TOE 2
#define SIMHOST_AXLE_TRACK 4
#define SIMHOST_AXLE_LONGITUDINAL 6
#define SIMHOST_AXLE_CASTER 8
#define SIMHOST_AXLE_SPRING 10
#define SIMHOST_AXLE_MOTION_RATIO 12
#define SIMHOST_AXLE_JACKING 14
#define SIMHOST_AXLE_ROLL_CENTRE_KINEMATIC 16
#define SIMHOST_AXLE_ROLL_CENTRE_CONSTRUCTED 17
#define SIMHOST_AXLE_OUTPUTS 18
#define SIMHOST_AXLE_PORTS \
    SIMHOST_PORT("camber_left", "rad", "camber of the left wheel", 0.0), \
    SIMHOST_PORT("camber_right", "rad", "camber of the right wheel", 0.0), \
    SIMHOST_PORT("toe_left", "rad", "toe of the left wheel", 0.0), \
    SIMHOST_PORT("toe_right", "rad", "toe of the right wheel", 0.0), \
    SIMHOST_PORT("track_left", "m", "outboard displacement of the left contact point from its position at rest", 0.0), \
    SIMHOST_PORT("track_right", "m", "outboard displacement of the right contact point from its position at rest", 0.0), \
    SIMHOST_PORT("longitudinal_left", "m", "forward displacement of the left wheel centre from its position at rest", 0.0), \
    SIMHOST_PORT("longitudinal_right", "m", "forward displacement of the right wheel centre from its position at rest", 0.0), \
    SIMHOST_PORT("caster_left", "rad", "caster angle of the left wheel", 0.0), \
    SIMHOST_PORT("caster_right", "rad", "caster angle of the right wheel", 0.0), \
    SIMHOST_PORT("spring_left", "m", "compression of the left spring from its length at rest", 0.0), \
    SIMHOST_PORT("spring_right", "m", "compression of the right spring from its length at rest", 0.0), \
    SIMHOST_PORT("motion_ratio_left", "1", "compression of the left spring per travel of its wheel", 0.0), \
    SIMHOST_PORT("motion_ratio_right", "1", "compression of the right spring per travel of its wheel", 0.0), \
    SIMHOST_PORT("jacking_left", "N", "upward force on the body that the left links transmit from the forces of the ground", 0.0), \
    SIMHOST_PORT("jacking_right", "N", "upward force on the body that the right links transmit from the forces of the ground", 0.0), \
    SIMHOST_PORT("roll_centre_kinematic", "m", "height above the ground of the kinematic roll centre", 0.0), \
    SIMHOST_PORT("roll_centre_constructed", "m", "height above the ground of the constructed roll centre", 0.0)

/*
 * The ports of an environment, for static arrays of simhost_port_desc:
 *
 *     static const simhost_port_desc point[] = {SIMHOST_POINT_PORTS}, wind[] = {SIMHOST_WIND_PORTS};
 *     static const simhost_phase phases[] = {SIMHOST_UPDATE_PHASE(update),
 *                                            SIMHOST_PHASE("wind", point, wind, blow)};
 *
 * An environment has one state for the whole world. `update`, with one lane, advances it once per step.
 * The other phases can be left out. They read the state, which is states[slot][0] (and memories[0]) for
 * all their lanes, and must not change it:
 *
 *     wind     x, y, z to wind_x, wind_y, wind_z; a lane is a vehicle with aerodynamic forces
 *     surface  x, y, z to mu, c_rr, negative for none; a lane is a wheel
 *     gravity  nothing to gravity, negative for none; one lane
 */
#define SIMHOST_POINT_PORTS                             \
    SIMHOST_PORT("x", "m", "x of the point, world frame", 0.0), \
    SIMHOST_PORT("y", "m", "y of the point, world frame", 0.0), \
    SIMHOST_PORT("z", "m", "height of the point, world frame", 0.0)
#define SIMHOST_WIND_PORTS                                                              \
    SIMHOST_PORT("wind_x", "m/s", "velocity of the air along the x axis, world frame", 0.0), \
    SIMHOST_PORT("wind_y", "m/s", "velocity of the air along the y axis, world frame", 0.0), \
    SIMHOST_PORT("wind_z", "m/s", "upward velocity of the air, world frame", 0.0)
#define SIMHOST_SURFACE_PORTS                                                    \
    SIMHOST_PORT("mu", "1", "friction coefficient, negative for none", 0.0),     \
    SIMHOST_PORT("c_rr", "1", "rolling resistance, negative for none", 0.0)
#define SIMHOST_GRAVITY_PORTS SIMHOST_PORT("gravity", "m/s^2", "gravity, negative for none", 0.0)
#define SIMHOST_UPDATE_PHASE(call)                                                            \
    { (uint32_t)sizeof(simhost_phase), 0, SIMHOST_STR("update"), SIMHOST_EMPTY, SIMHOST_EMPTY, \
      (call) }
#define SIMHOST_GRAVITY_PHASE(outputs, call)                                      \
    { (uint32_t)sizeof(simhost_phase), 0, SIMHOST_STR("gravity"), SIMHOST_EMPTY, \
      SIMHOST_SLICE(outputs), (call) }

/* Exports a symbol. The declaration below uses it; a definition need not repeat it. */
#if defined(_WIN32)
#define SIMHOST_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define SIMHOST_EXPORT __attribute__((visibility("default")))
#else
#define SIMHOST_EXPORT
#endif

/* The symbol that a plugin defines. */
extern SIMHOST_EXPORT const simhost_plugin simhost_plugin_v1;

/* ---- Faults --------------------------------------------------------------------------------- */

/* Writes a fault with a terminated text, which is truncated if it does not fit, and returns its code:
 * `return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "no tyre fits this rim");` */
static inline uint32_t simhost_fail(simhost_fault *fault, uint32_t code, uint64_t lane,
                                    const char *text) {
    uint32_t len = 0;
    for (; text[len] != 0 && len < sizeof fault->text; len++) fault->text[len] = (uint8_t)text[len];
    fault->code = code;
    fault->text_len = len;
    fault->lane = lane;
    fault->suggested_dt = 0.0;
    return code;
}

/* ---- Text ----------------------------------------------------------------------------------- */

/* Returns 1 if a text equals a terminated one, else 0. */
static inline int simhost_str_is(simhost_str text, const char *other) {
    size_t at = 0;
    while (at < text.len && other[at] != 0 && text.data[at] == other[at]) at++;
    return at == text.len && other[at] == 0;
}

/* Writes a terminated text to the sink of a simhost_write_fn. */
static inline void simhost_write_text(void *sink, simhost_write_fn write, const char *text) {
    size_t len = 0;
    while (text[len] != 0) len++;
    write(sink, (const uint8_t *)text, len);
}

/* ---- Parameters ----------------------------------------------------------------------------- */

/*
 * Returns the value of a parameter in a lane. `input` is the number of its SIMHOST_PARAMETER_PORT among
 * the inputs of the phase, and `value` is what `create` received, which holds for all lanes of a call
 * without such columns.
 */
static inline double simhost_param(const simhost_batch *batch, size_t input, size_t lane,
                                   double value) {
    const double *column = batch->inputs[input];
    return column == NULL ? value : column[lane];
}

/* ---- Readings of sensors -------------------------------------------------------------------- */

/* Returns the first of the values of a lane of an input of scope array, by the number of the input in
 * its phase. There are simhost_reading_count of them. */
static inline const double *simhost_reading(const simhost_batch *batch, size_t input, size_t lane) {
    return batch->inputs[input] + lane * batch->arrays[input].stride;
}

/* Returns the number of values of the last reading of a lane: 0 before the first one. */
static inline size_t simhost_reading_count(const simhost_batch *batch, size_t input, size_t lane) {
    return (size_t)batch->arrays[input].counts[lane];
}

/* Returns the time from the reading to the start of the step, s: infinite before the first one. */
static inline double simhost_reading_age(const simhost_batch *batch, size_t input, size_t lane) {
    return batch->arrays[input].ages[lane];
}

/* ---- Random numbers ------------------------------------------------------------------------- */

/*
 * A stream of random numbers: SplitMix64 (Steele, Lea and Flood 2014) in counter mode. Number k of
 * the stream with key s is mix(s + (k + 1) * 0x9E3779B97F4A7C15). Keep the counter in a local
 * variable, because each lane and sample has its own key in simhost_batch.streams.
 */
static inline uint64_t simhost_random_bits(uint64_t key, uint64_t k) {
    uint64_t z = key + (k + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns a number that is uniformly distributed in [0, 1). */
static inline double simhost_random_uniform(uint64_t key, uint64_t k) {
    return (double)(simhost_random_bits(key, k) >> 11) * (1.0 / 9007199254740992.0);
}

#ifdef __cplusplus
}

/* ---- C++ ------------------------------------------------------------------------------------ */

#if defined(__cpp_exceptions)
#include <exception>

/*
 * Ends exceptions at the boundary: runs `body`, which returns a code SIMHOST_FAULT_*, and turns an
 * exception that leaves it into a fault of this code with its text. Wrap the body of create (where
 * SIMHOST_FAULT_REFUSED fits better), arrange and call:
 *
 *     static uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
 *         return simhost_guard(fault, [&] { ...; return SIMHOST_FAULT_NONE; });
 *     }
 */
template <class Body>
uint32_t simhost_guard(simhost_fault *fault, Body body,
                       uint32_t code = SIMHOST_FAULT_PANIC) noexcept {
    try {
        return body();
    } catch (const std::exception &error) {
        return simhost_fail(fault, code, 0, error.what());
    } catch (...) {
        return simhost_fail(fault, code, 0, "an exception without a text");
    }
}
#endif
#endif

#endif
