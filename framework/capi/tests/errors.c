/*
 * Every function with null, a wrong handle, a short buffer and a closed handle: an error, never a crash.
 * Usage: errors WORLD
 */
#include "simhost.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const simhost_functions *api;
static int checks;

#define EXPECT(expected, call) expect((expected), (call), #call, __LINE__)

static void expect(int32_t expected, int32_t found, const char *call, int line) {
    ++checks;
    if (found != expected) {
        fprintf(stderr, "%d: %s is %d (%s); expected %d (%s)\n", line, call, (int)found, api->code_name(found),
                (int)expected, api->code_name(expected));
        exit(1);
    }
}

#define REQUIRE(condition) require((condition), #condition, __LINE__)

static void require(int condition, const char *text, int line) {
    ++checks;
    if (!condition) {
        fprintf(stderr, "%d: not %s\n", line, text);
        exit(1);
    }
}

/* Every function of a session with a handle that is not one. */
static void refuse_session(simhost_session *wrong) {
    const double numbers[3] = {0.0, 0.0, 0.0};
    const uint8_t bytes[4] = {0, 0, 0, 0};
    double number = 0.0;
    char text[64];
    uint8_t byte = 0;
    size_t count = 0;
    uint64_t handle = 0;
    simhost_session *copy = NULL;
    simhost_snapshot *snapshot = NULL;
    simhost_error error = simhost_error_default();
    simhost_status status = simhost_status_default();
    simhost_quantity quantity = simhost_quantity_default();
    simhost_odometry odometry = simhost_odometry_default();

    EXPECT(SIMHOST_HANDLE, api->error(wrong, &error));
    EXPECT(SIMHOST_HANDLE, api->finish(wrong));
    EXPECT(SIMHOST_HANDLE, api->status(wrong, &status));
    EXPECT(SIMHOST_HANDLE, api->time(wrong, &number));
    EXPECT(SIMHOST_HANDLE, api->step(wrong, 1, NULL));
    EXPECT(SIMHOST_HANDLE, api->run_until(wrong, 1.0, NULL));
    EXPECT(SIMHOST_HANDLE, api->fork(wrong, &copy));
    EXPECT(SIMHOST_HANDLE, api->result_hash(wrong, text, sizeof text));
    EXPECT(SIMHOST_HANDLE, api->names(wrong, SIMHOST_NAMES_VEHICLES, text, sizeof text, &count));
    EXPECT(SIMHOST_HANDLE, api->command_find(wrong, "robot", "twist", &handle, &count));
    EXPECT(SIMHOST_HANDLE, api->command(wrong, 1, numbers, 3));
    EXPECT(SIMHOST_HANDLE, api->quantities_find(wrong, "robot/pose", &handle, &count));
    EXPECT(SIMHOST_HANDLE, api->quantities_describe(wrong, 1, 0, &quantity));
    EXPECT(SIMHOST_HANDLE, api->quantities_read(wrong, 1, &number, 1, &count));
    EXPECT(SIMHOST_HANDLE, api->quantities_free(wrong, 1));
    EXPECT(SIMHOST_HANDLE, api->latest_odometry(wrong, "robot/odometry", &odometry));
    EXPECT(SIMHOST_HANDLE, api->latest_numbers(wrong, "robot/odometry", "position", &number, 1, &count));
    EXPECT(SIMHOST_HANDLE, api->latest_cdr(wrong, "robot/odometry", &byte, 1, &count));
    EXPECT(SIMHOST_HANDLE, api->stream_definition(wrong, "robot/odometry", text, sizeof text, &count));
    EXPECT(SIMHOST_HANDLE, api->send_cdr(wrong, "robot/cmd_vel", bytes, sizeof bytes));
    EXPECT(SIMHOST_HANDLE, api->parameter(wrong, "robot/controller/KP", text, sizeof text, &count));
    EXPECT(SIMHOST_HANDLE, api->set_parameter(wrong, "robot/controller/KP", "1"));
    EXPECT(SIMHOST_HANDLE, api->set_state(wrong, "robot/wheel/l/spin", 0.0));
    EXPECT(SIMHOST_HANDLE, api->set_pose(wrong, "robot", numbers));
    EXPECT(SIMHOST_HANDLE, api->set_velocity(wrong, "robot", numbers));
    EXPECT(SIMHOST_HANDLE, api->add(wrong, "<block name=\"b\"/>"));
    EXPECT(SIMHOST_HANDLE, api->remove(wrong, "robot"));
    EXPECT(SIMHOST_HANDLE, api->reset(wrong, NULL));
    EXPECT(SIMHOST_HANDLE, api->snapshot(wrong, &snapshot));
    EXPECT(SIMHOST_HANDLE, api->restore(wrong, NULL));
    REQUIRE(copy == NULL && snapshot == NULL);
}

/* Every function of an ensemble with a handle that is not one. */
static void refuse_ensemble(simhost_ensemble *wrong) {
    const double numbers[3] = {0.0, 0.0, 0.0};
    const uint8_t mask[1] = {1};
    double number = 0.0;
    float small = 0.0F;
    char text[64];
    uint8_t byte = 0;
    size_t count = 0;
    uint64_t handle = 0;
    simhost_session *session = NULL;
    simhost_error error = simhost_error_default();
    simhost_quantity quantity = simhost_quantity_default();

    EXPECT(SIMHOST_HANDLE, api->ensemble_error(wrong, &error));
    EXPECT(SIMHOST_HANDLE, api->ensemble_members(wrong, &count));
    EXPECT(SIMHOST_HANDLE, api->ensemble_step(wrong, 1, NULL, 0));
    EXPECT(SIMHOST_HANDLE, api->ensemble_run_until(wrong, 1.0));
    EXPECT(SIMHOST_HANDLE, api->ensemble_command_width(wrong, "robot/cmd_vel", &count));
    EXPECT(SIMHOST_HANDLE, api->ensemble_set(wrong, "robot/cmd_vel", numbers, 3));
    EXPECT(SIMHOST_HANDLE, api->ensemble_reset(wrong, mask, NULL, 1));
    EXPECT(SIMHOST_HANDLE, api->ensemble_select(wrong, "robot/pose", &handle, &count));
    EXPECT(SIMHOST_HANDLE, api->ensemble_describe(wrong, 1, 0, &quantity));
    EXPECT(SIMHOST_HANDLE, api->ensemble_read(wrong, 1, &number, 1));
    EXPECT(SIMHOST_HANDLE, api->ensemble_read_f32(wrong, 1, &small, 1));
    EXPECT(SIMHOST_HANDLE, api->ensemble_ended(wrong, &byte, 1, &count));
    EXPECT(SIMHOST_HANDLE, api->ensemble_result_hash(wrong, 0, text, sizeof text));
    EXPECT(SIMHOST_HANDLE, api->ensemble_session(wrong, 0, &session));
    REQUIRE(session == NULL);
}

/* Every function of a snapshot with a handle that is not one. */
static void refuse_snapshot(simhost_snapshot *wrong) {
    simhost_error error = simhost_error_default();
    char text[64];
    uint8_t byte = 0;
    size_t count = 0;
    EXPECT(SIMHOST_HANDLE, api->snapshot_bytes(wrong, &byte, 1, &count));
    EXPECT(SIMHOST_HANDLE, api->snapshot_hash(wrong, text, sizeof text));
    EXPECT(SIMHOST_HANDLE, api->snapshot_error(wrong, &error));
}

/* Every pointer of a session's functions but the handle as null. */
static void null_arguments(simhost_session *session) {
    uint64_t handle = 0;
    size_t count = 0;
    uint8_t byte = 0;
    EXPECT(SIMHOST_ARGUMENT, api->error(session, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->status(session, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->time(session, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->fork(session, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->result_hash(session, NULL, 0));
    EXPECT(SIMHOST_ARGUMENT, api->names(session, SIMHOST_NAMES_VEHICLES, NULL, 100, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->names(session, 9, NULL, 0, &count));
    EXPECT(SIMHOST_ARGUMENT, api->command_find(session, NULL, "twist", &handle, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->command_find(session, "robot", NULL, &handle, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->command_find(session, "robot", "twist", NULL, NULL));
    EXPECT(SIMHOST_OK, api->command_find(session, "robot", "twist", &handle, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->command(session, handle, NULL, 3));
    EXPECT(SIMHOST_ARGUMENT, api->quantities_find(session, NULL, &handle, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->quantities_find(session, "robot/pose", NULL, NULL));
    EXPECT(SIMHOST_OK, api->quantities_find(session, "robot/pose", &handle, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->quantities_describe(session, handle, 0, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->quantities_read(session, handle, NULL, 6, NULL));
    EXPECT(SIMHOST_OK, api->quantities_read(session, handle, NULL, 0, NULL));
    EXPECT(SIMHOST_OK, api->quantities_free(session, handle));
    EXPECT(SIMHOST_ARGUMENT, api->latest_odometry(session, NULL, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->latest_odometry(session, "robot/odometry", NULL));
    EXPECT(SIMHOST_ARGUMENT, api->latest_numbers(session, NULL, "pose", NULL, 0, &count));
    EXPECT(SIMHOST_ARGUMENT, api->latest_numbers(session, "robot/odometry", NULL, NULL, 0, &count));
    EXPECT(SIMHOST_ARGUMENT, api->latest_cdr(session, NULL, NULL, 0, &count));
    EXPECT(SIMHOST_ARGUMENT, api->stream_definition(session, NULL, NULL, 0, &count));
    EXPECT(SIMHOST_ARGUMENT, api->send_cdr(session, NULL, &byte, 1));
    EXPECT(SIMHOST_ARGUMENT, api->send_cdr(session, "robot/cmd_vel", NULL, 1));
    EXPECT(SIMHOST_ARGUMENT, api->parameter(session, NULL, NULL, 0, &count));
    EXPECT(SIMHOST_ARGUMENT, api->set_parameter(session, NULL, "1"));
    EXPECT(SIMHOST_ARGUMENT, api->set_parameter(session, "robot/controller/KP", NULL));
    EXPECT(SIMHOST_ARGUMENT, api->set_state(session, NULL, 0.0));
    EXPECT(SIMHOST_ARGUMENT, api->set_pose(session, "robot", NULL));
    EXPECT(SIMHOST_ARGUMENT, api->set_velocity(session, NULL, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->add(session, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->remove(session, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->snapshot(session, NULL));
    EXPECT(SIMHOST_HANDLE, api->restore(session, NULL));
}

/* Names and values that the world does not have, with the text of the error. */
static void unknown_names(simhost_session *session) {
    const double numbers[3] = {NAN, 0.0, 0.0};
    const uint8_t bytes[5] = {0, 1, 0, 0, 7};
    uint64_t handle = 0;
    size_t count = 0;
    simhost_error error = simhost_error_default();
    EXPECT(SIMHOST_UNKNOWN_NAME, api->command_find(session, "robbot", "twist", &handle, NULL));
    EXPECT(SIMHOST_OK, api->error(session, &error));
    REQUIRE(strstr(error.text, "did you mean 'robot'") != NULL);
    EXPECT(SIMHOST_UNKNOWN_NAME, api->command_find(session, "robot", "twost", &handle, NULL));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->quantities_find(session, "robot/poze", &handle, NULL));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->latest_cdr(session, "robot/odom", NULL, 0, &count));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->latest_numbers(session, "robot/odometry", "poze", NULL, 0, &count));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->stream_definition(session, "robot/odom", NULL, 0, &count));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->parameter(session, "robot/controller/K", NULL, 0, &count));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->set_parameter(session, "robot/controller/K", "1"));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->remove(session, "robbot"));
    EXPECT(SIMHOST_WORLD, api->set_parameter(session, "robot/controller/KP", "blue"));
    EXPECT(SIMHOST_WORLD, api->add(session, "<vehicle"));
    EXPECT(SIMHOST_INPUT, api->set_pose(session, "robot", numbers));
    EXPECT(SIMHOST_INPUT, api->run_until(session, NAN, NULL));
    EXPECT(SIMHOST_INPUT, api->run_until(session, -1.0, NULL));
    EXPECT(SIMHOST_INPUT, api->send_cdr(session, "robot/cmd_vel", bytes, sizeof bytes));
    EXPECT(SIMHOST_ARGUMENT, api->set_parameter(session, "\xff", "1"));
    EXPECT(SIMHOST_HANDLE, api->command(session, 0, numbers, 3));
    EXPECT(SIMHOST_HANDLE, api->quantities_read(session, UINT64_MAX, NULL, 0, &count));
    EXPECT(SIMHOST_OK, api->command_find(session, "robot", "twist", &handle, &count));
    REQUIRE(count == 3);
    EXPECT(SIMHOST_INPUT, api->command(session, handle, numbers, 3));
    EXPECT(SIMHOST_INPUT, api->command(session, handle, numbers, 2));
}

/* Buffers that are one place too short, then long enough. */
static void short_buffers(simhost_session *session) {
    char text[20000];
    double numbers[64];
    uint8_t bytes[4096];
    uint64_t handle = 0;
    size_t count = 0;
    simhost_quantity quantity = simhost_quantity_default();

    EXPECT(SIMHOST_SHORT_BUFFER, api->result_hash(session, text, SIMHOST_HASH_CAPACITY - 1));
    EXPECT(SIMHOST_OK, api->result_hash(session, text, SIMHOST_HASH_CAPACITY));
    REQUIRE(strlen(text) == 32);
    strcpy(text, "before");
    EXPECT(SIMHOST_SHORT_BUFFER, api->names(session, SIMHOST_NAMES_VEHICLES, text, 15, &count));
    REQUIRE(count == 15 && strcmp(text, "before") == 0);
    EXPECT(SIMHOST_OK, api->names(session, SIMHOST_NAMES_VEHICLES, text, 16, &count));
    REQUIRE(strcmp(text, "robot\ncar\nrover") == 0);
    EXPECT(SIMHOST_OK, api->names(session, SIMHOST_NAMES_QUANTITIES, text, sizeof text, &count));
    REQUIRE(strstr(text, "robot/pose") != NULL);
    EXPECT(SIMHOST_OK, api->names(session, SIMHOST_NAMES_STREAMS, text, sizeof text, &count));
    REQUIRE(strstr(text, "robot/odometry") != NULL);
    EXPECT(SIMHOST_OK, api->names(session, SIMHOST_NAMES_INPUTS, text, sizeof text, &count));
    REQUIRE(strstr(text, "robot/cmd_vel") != NULL);
    EXPECT(SIMHOST_OK, api->names(session, SIMHOST_NAMES_PARAMETERS, text, sizeof text, &count));
    REQUIRE(strstr(text, "robot/controller/KP") != NULL);

    EXPECT(SIMHOST_OK, api->quantities_find(session, "robot/pose\nrobot/wheel/l/spin", &handle, &count));
    REQUIRE(count == 7);
    EXPECT(SIMHOST_SHORT_BUFFER, api->quantities_read(session, handle, numbers, 6, &count));
    REQUIRE(count == 7);
    EXPECT(SIMHOST_OK, api->quantities_read(session, handle, numbers, 7, &count));
    EXPECT(SIMHOST_OK, api->quantities_describe(session, handle, 6, &quantity));
    REQUIRE(strcmp(quantity.name, "robot/wheel/l/spin") == 0 && strcmp(quantity.unit, "rad/s") == 0);
    EXPECT(SIMHOST_ARGUMENT, api->quantities_describe(session, handle, 7, &quantity));
    EXPECT(SIMHOST_OK, api->quantities_free(session, handle));
    EXPECT(SIMHOST_HANDLE, api->quantities_free(session, handle));
    EXPECT(SIMHOST_HANDLE, api->quantities_read(session, handle, numbers, 7, &count));

    EXPECT(SIMHOST_SHORT_BUFFER, api->latest_numbers(session, "robot/odometry", "position", numbers, 2, &count));
    EXPECT(SIMHOST_OK, api->latest_numbers(session, "robot/odometry", "position", numbers, 3, &count));
    REQUIRE(count == 3);
    EXPECT(SIMHOST_OK, api->latest_cdr(session, "robot/odometry", NULL, 0, &count));
    EXPECT(SIMHOST_SHORT_BUFFER, api->latest_cdr(session, "robot/odometry", bytes, count - 1, &count));
    EXPECT(SIMHOST_OK, api->latest_cdr(session, "robot/odometry", bytes, sizeof bytes, &count));
    REQUIRE(bytes[0] == 0 && bytes[1] == 1);
    EXPECT(SIMHOST_SHORT_BUFFER, api->stream_definition(session, "robot/odometry", text, 10, &count));
    EXPECT(SIMHOST_OK, api->stream_definition(session, "robot/odometry", text, sizeof text, &count));
    REQUIRE(strncmp(text, "MSG: nav_msgs/msg/Odometry\n", 27) == 0);
    EXPECT(SIMHOST_SHORT_BUFFER, api->parameter(session, "robot/controller/KP", text, 1, &count));
    EXPECT(SIMHOST_OK, api->parameter(session, "robot/controller/KP", text, sizeof text, &count));
}

/* Snapshots: exact return, bytes, and bytes that are not a snapshot. */
static void snapshots(simhost_session *session) {
    simhost_snapshot *snapshot = NULL;
    simhost_snapshot *read = NULL;
    simhost_error error = simhost_error_default();
    char first[SIMHOST_HASH_CAPACITY];
    char second[SIMHOST_HASH_CAPACITY];
    size_t count = 0;
    uint8_t *bytes;
    EXPECT(SIMHOST_OK, api->snapshot(session, &snapshot));
    EXPECT(SIMHOST_OK, api->step(session, 100, NULL));
    EXPECT(SIMHOST_OK, api->result_hash(session, first, sizeof first));
    EXPECT(SIMHOST_OK, api->snapshot_bytes(snapshot, NULL, 0, &count));
    bytes = malloc(count);
    EXPECT(SIMHOST_SHORT_BUFFER, api->snapshot_bytes(snapshot, bytes, count - 1, &count));
    EXPECT(SIMHOST_OK, api->snapshot_bytes(snapshot, bytes, count, &count));
    EXPECT(SIMHOST_OK, api->snapshot_from_bytes(bytes, count, &read));
    EXPECT(SIMHOST_OK, api->restore(session, read));
    EXPECT(SIMHOST_OK, api->step(session, 100, NULL));
    EXPECT(SIMHOST_OK, api->result_hash(session, second, sizeof second));
    REQUIRE(strcmp(first, second) == 0);
    EXPECT(SIMHOST_OK, api->snapshot_hash(snapshot, first, sizeof first));
    EXPECT(SIMHOST_OK, api->snapshot_hash(read, second, sizeof second));
    REQUIRE(strcmp(first, second) == 0);
    EXPECT(SIMHOST_SHORT_BUFFER, api->snapshot_hash(read, second, 3));
    EXPECT(SIMHOST_ARGUMENT, api->snapshot_hash(read, NULL, 0));
    EXPECT(SIMHOST_OK, api->snapshot_free(&read));
    EXPECT(SIMHOST_SNAPSHOT, api->snapshot_from_bytes(bytes, count / 2, &read));
    EXPECT(SIMHOST_OK, api->snapshot_error(read, &error));
    REQUIRE(error.code == SIMHOST_SNAPSHOT && error.text[0] != '\0');
    EXPECT(SIMHOST_NOT_OPEN, api->restore(session, read));
    EXPECT(SIMHOST_OK, api->snapshot_free(&read));
    EXPECT(SIMHOST_ARGUMENT, api->snapshot_from_bytes(NULL, 4, &read));
    EXPECT(SIMHOST_OK, api->snapshot_free(&read));
    EXPECT(SIMHOST_ARGUMENT, api->snapshot_from_bytes(bytes, count, NULL));
    free(bytes);
    refuse_session((simhost_session *)snapshot);
    EXPECT(SIMHOST_HANDLE, api->restore(session, (simhost_snapshot *)session));
    refuse_snapshot((simhost_snapshot *)session);
    EXPECT(SIMHOST_OK, api->snapshot_free(&snapshot));
    REQUIRE(snapshot == NULL);
}

/* A world with an FMU, whose code runs only if the program allows it. There is no such file. */
static void file_models(const simhost_options *given) {
    static const char *const texts[2] = {"allow its code to run", "file not found"};
    simhost_options options = *given;
    simhost_session *session = NULL;
    simhost_error error = simhost_error_default();
    uint32_t allow;
    options.text = "<mvsim_world><vehicle name=\"v\"><dynamics class=\"differential\">"
                   "<controller class=\"fmu\" file=\"nowhere.fmu\"/></dynamics></vehicle></mvsim_world>";
    for (allow = 0; allow < 2; ++allow) {
        options.allow = allow * SIMHOST_ALLOW_FMU;
        EXPECT(SIMHOST_WORLD, api->open(&options, &session));
        EXPECT(SIMHOST_OK, api->error(session, &error));
        REQUIRE(strstr(error.text, texts[allow]) != NULL);
        EXPECT(SIMHOST_OK, api->close(&session));
    }
    options.allow = UINT32_C(1) << 31;
    EXPECT(SIMHOST_ARGUMENT, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    /* a struct of the first version, which ends before the field */
    options.size = offsetof(simhost_options, allow);
    EXPECT(SIMHOST_WORLD, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->error(session, &error));
    REQUIRE(strstr(error.text, texts[0]) != NULL);
    EXPECT(SIMHOST_OK, api->close(&session));
}

/* Opening with wrong options. Each failed open leaves a handle with the error. */
static void opening(const char *path) {
    simhost_options options = simhost_options_default();
    simhost_ensemble_options members = simhost_ensemble_options_default();
    simhost_session *session = NULL;
    simhost_ensemble *ensemble = NULL;
    simhost_error error = simhost_error_default();
    union {
        simhost_options options;
        unsigned char bytes[sizeof(simhost_options) + 8];
    } later;
    const char *variation = "robot/friction/mu";

    EXPECT(SIMHOST_ARGUMENT, api->open(&options, NULL));
    EXPECT(SIMHOST_ARGUMENT, api->open(NULL, &session));
    EXPECT(SIMHOST_NOT_OPEN, api->step(session, 1, NULL));
    EXPECT(SIMHOST_OK, api->close(&session));
    EXPECT(SIMHOST_ARGUMENT, api->open(&options, &session)); /* no path */
    EXPECT(SIMHOST_OK, api->close(&session));
    options.path = path;
    options.size = 3;
    EXPECT(SIMHOST_ARGUMENT, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    options.size = sizeof options;
    options.log_level = 9;
    EXPECT(SIMHOST_ARGUMENT, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    options.log_level = SIMHOST_LOG_INFO; /* without a function */
    EXPECT(SIMHOST_ARGUMENT, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    options.log_level = SIMHOST_LOG_OFF;
    options.plugin_folder_count = 2; /* without a list */
    EXPECT(SIMHOST_ARGUMENT, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    options.plugin_folder_count = 0;
    options.compat = "nothing";
    EXPECT(SIMHOST_WORLD, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    options.compat = NULL;

    /* a struct of a later version, whose further fields are zero or not */
    memset(&later, 0, sizeof later);
    memcpy(&later.options, &options, sizeof options);
    later.options.size = sizeof later;
    EXPECT(SIMHOST_OK, api->open(&later.options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    later.bytes[sizeof later - 1] = 1;
    EXPECT(SIMHOST_ARGUMENT, api->open(&later.options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));

    options.path = "nowhere.world.xml";
    EXPECT(SIMHOST_WORLD, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->close(&session));
    options.text = "<mvsim_world>\n  <duration>-1</duration>\n</mvsim_world>";
    EXPECT(SIMHOST_WORLD, api->open(&options, &session));
    EXPECT(SIMHOST_OK, api->error(session, &error));
    REQUIRE(error.line == 2 && error.column > 1 && strstr(error.file, "nowhere.world.xml") != NULL);
    REQUIRE(strstr(error.text, "duration") != NULL);
    EXPECT(SIMHOST_OK, api->close(&session));

    file_models(&options);
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_open(&options, &members, NULL));
    options.text = NULL;
    options.path = path;
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_open(&options, NULL, &ensemble));
    EXPECT(SIMHOST_OK, api->ensemble_close(&ensemble));
    members.members = 4;
    members.variations = &variation;
    members.variation_count = 1;
    EXPECT(SIMHOST_VARIATION, api->ensemble_open(&options, &members, &ensemble));
    EXPECT(SIMHOST_OK, api->ensemble_close(&ensemble));
    members.variation_count = 0;
    members.members = (size_t)1 << 40;
    EXPECT(SIMHOST_MEMORY, api->ensemble_open(&options, &members, &ensemble));
    EXPECT(SIMHOST_OK, api->ensemble_close(&ensemble));
}

/* An ensemble, and its functions with wrong arguments. */
static void ensembles(const char *path, simhost_session *session) {
    simhost_options options = simhost_options_default();
    simhost_ensemble_options members = simhost_ensemble_options_default();
    simhost_ensemble *ensemble = NULL;
    simhost_session *member = NULL;
    simhost_quantity quantity = simhost_quantity_default();
    const char *variation = "robot/friction/mu=uniform:0.3:1.0";
    const double commands[12] = {1, 0, 0, 1, 0, 0.1, 1, 0, 0.2, 1, 0, 0.3};
    const uint8_t mask[4] = {1, 0, 0, 0};
    double values[4];
    float small[4];
    uint8_t ends[4];
    char first[SIMHOST_HASH_CAPACITY];
    char second[SIMHOST_HASH_CAPACITY];
    simhost_quantities quantities = 0;
    size_t count = 0;

    options.path = path;
    members.members = 4;
    members.variations = &variation;
    members.variation_count = 1;
    EXPECT(SIMHOST_OK, api->ensemble_open(&options, &members, &ensemble));
    EXPECT(SIMHOST_OK, api->ensemble_members(ensemble, &count));
    REQUIRE(count == 4);
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_members(ensemble, NULL));
    EXPECT(SIMHOST_OK, api->ensemble_command_width(ensemble, "robot/cmd_vel", &count));
    REQUIRE(count == 3);
    EXPECT(SIMHOST_UNKNOWN_NAME, api->ensemble_command_width(ensemble, "robot/cmd", &count));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_command_width(ensemble, "robot/cmd_vel", NULL));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_set(ensemble, NULL, commands, 12));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_set(ensemble, "robot/cmd_vel", NULL, 12));
    EXPECT(SIMHOST_SHAPE, api->ensemble_set(ensemble, "robot/cmd_vel", commands, 11));
    EXPECT(SIMHOST_OK, api->ensemble_set(ensemble, "robot/cmd_vel", commands, 12));
    EXPECT(SIMHOST_OK, api->ensemble_step(ensemble, 100, NULL, 0));
    EXPECT(SIMHOST_SHAPE, api->ensemble_step(ensemble, 1, mask, 3));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_step(ensemble, 1, NULL, 4));
    EXPECT(SIMHOST_OK, api->ensemble_step(ensemble, 1, mask, 4));
    EXPECT(SIMHOST_INPUT, api->ensemble_run_until(ensemble, NAN));
    EXPECT(SIMHOST_OK, api->ensemble_run_until(ensemble, 0.51));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_select(ensemble, NULL, &quantities, &count));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_select(ensemble, "robot/wheel/l/spin", NULL, &count));
    EXPECT(SIMHOST_UNKNOWN_NAME, api->ensemble_select(ensemble, "robot/wheel/x/spin", &quantities, &count));
    EXPECT(SIMHOST_OK, api->ensemble_select(ensemble, "robot/wheel/l/spin", &quantities, &count));
    REQUIRE(count == 1);
    EXPECT(SIMHOST_OK, api->ensemble_describe(ensemble, quantities, 0, &quantity));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_describe(ensemble, quantities, 1, &quantity));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_describe(ensemble, quantities, 0, NULL));
    EXPECT(SIMHOST_SHAPE, api->ensemble_read(ensemble, quantities, values, 3));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_read(ensemble, quantities, NULL, 4));
    EXPECT(SIMHOST_HANDLE, api->ensemble_read(ensemble, 0, values, 4));
    EXPECT(SIMHOST_HANDLE, api->quantities_read(session, quantities, values, 4, &count));
    EXPECT(SIMHOST_OK, api->ensemble_read(ensemble, quantities, values, 4));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_read_f32(ensemble, quantities, NULL, 4));
    EXPECT(SIMHOST_OK, api->ensemble_read_f32(ensemble, quantities, small, 4));
    REQUIRE(fabs(values[3] - (double)small[3]) < 1e-5 && fabs(values[3] - values[1]) > 1e-3);
    EXPECT(SIMHOST_SHORT_BUFFER, api->ensemble_ended(ensemble, ends, 3, &count));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_ended(ensemble, NULL, 4, &count));
    EXPECT(SIMHOST_OK, api->ensemble_ended(ensemble, ends, 4, &count));
    REQUIRE(ends[0] == SIMHOST_MEMBER_RUNNING && count == 4);
    EXPECT(SIMHOST_MEMBER, api->ensemble_result_hash(ensemble, 4, first, sizeof first));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_result_hash(ensemble, 2, NULL, 0));
    EXPECT(SIMHOST_SHORT_BUFFER, api->ensemble_result_hash(ensemble, 2, first, 32));
    EXPECT(SIMHOST_OK, api->ensemble_result_hash(ensemble, 2, first, sizeof first));
    EXPECT(SIMHOST_MEMBER, api->ensemble_session(ensemble, 4, &member));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_session(ensemble, 2, NULL));
    EXPECT(SIMHOST_OK, api->ensemble_session(ensemble, 2, &member));
    EXPECT(SIMHOST_OK, api->result_hash(member, second, sizeof second));
    REQUIRE(strcmp(first, second) == 0);
    EXPECT(SIMHOST_OK, api->close(&member));
    EXPECT(SIMHOST_SHAPE, api->ensemble_reset(ensemble, mask, NULL, 3));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_reset(ensemble, NULL, NULL, 4));
    EXPECT(SIMHOST_OK, api->ensemble_reset(ensemble, mask, NULL, 4));
    refuse_session((simhost_session *)ensemble);
    refuse_ensemble((simhost_ensemble *)session);
    refuse_snapshot((simhost_snapshot *)ensemble);
    EXPECT(SIMHOST_OK, api->ensemble_close(&ensemble));
    EXPECT(SIMHOST_OK, api->ensemble_close(&ensemble));
}

struct log_lines {
    simhost_session *session;
    int count;
    int32_t code;
};

static void count_line(void *user, const char *line) {
    struct log_lines *lines = user;
    lines->count += line[0] != '\0';
    if (lines->session != NULL) {
        lines->code = api->step(lines->session, 1, NULL); /* refused */
    }
}

/* The log, and a call of the session within it. */
static void logging(const char *path) {
    simhost_options options = simhost_options_default();
    struct log_lines lines = {NULL, 0, SIMHOST_OK};
    options.path = path;
    options.log = count_line;
    options.log_user = &lines;
    options.log_level = SIMHOST_LOG_DEBUG;
    EXPECT(SIMHOST_OK, api->open(&options, &lines.session));
    REQUIRE(lines.count > 0);
    EXPECT(SIMHOST_OK, api->step(lines.session, 1, NULL));
    EXPECT(SIMHOST_BUSY, lines.code);
    {
        simhost_session *session = lines.session;
        lines.session = NULL;
        EXPECT(SIMHOST_OK, api->close(&session));
    }
}

int main(int count, char **arguments) {
    /* memory that is not a handle */
    uint64_t zeros[64];
    simhost_options options = simhost_options_default();
    simhost_session *session = NULL;
    simhost_session *other = NULL;
    simhost_session *wrong = (simhost_session *)zeros;
    simhost_command command = 0;
    const double ahead[3] = {1.0, 0.0, 0.0};

    api = simhost_api(SIMHOST_API_VERSION);
    if (api == NULL || count != 2) {
        return 2;
    }
    memset(zeros, 0, sizeof zeros);
    REQUIRE(simhost_api(0) == NULL && simhost_api(SIMHOST_API_VERSION + 1) == NULL);
    REQUIRE(api->size == sizeof *api && api->version[0] != '\0');
    REQUIRE(strcmp(api->code_name(-7), "unknown code") == 0);
    REQUIRE(strcmp(api->code_name(SIMHOST_FAILED), "failed") == 0);

    refuse_session(NULL);
    refuse_session(wrong);
    refuse_session((simhost_session *)((char *)zeros + 1));
    refuse_ensemble(NULL);
    refuse_ensemble((simhost_ensemble *)zeros);
    refuse_snapshot(NULL);
    refuse_snapshot((simhost_snapshot *)zeros);
    EXPECT(SIMHOST_ARGUMENT, api->close(NULL));
    EXPECT(SIMHOST_ARGUMENT, api->snapshot_free(NULL));
    EXPECT(SIMHOST_ARGUMENT, api->ensemble_close(NULL));
    EXPECT(SIMHOST_HANDLE, api->close(&wrong));
    opening(arguments[1]);

    options.path = arguments[1];
    EXPECT(SIMHOST_OK, api->open(&options, &session));
    null_arguments(session);
    unknown_names(session);
    EXPECT(SIMHOST_OK, api->step(session, 10, NULL));
    short_buffers(session);
    snapshots(session);
    EXPECT(SIMHOST_OK, api->open(&options, &other));
    EXPECT(SIMHOST_OK, api->command_find(other, "robot", "twist", &command, NULL));
    EXPECT(SIMHOST_OK, api->command(other, command, ahead, 3));
    ensembles(arguments[1], session);
    logging(arguments[1]);
    EXPECT(SIMHOST_OK, api->finish(session));
    EXPECT(SIMHOST_OK, api->reset(session, NULL));
    EXPECT(SIMHOST_OK, api->close(&session));
    refuse_session(session);
    EXPECT(SIMHOST_OK, api->close(&other));
    printf("%d checks\n", checks);
    return 0;
}
