/* Gathers vehicles: each drives towards the centre of the fleet and stops at a distance from it. */
#include "simhost_math.h"
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double spacing, speed_gain, turn_gain, max_speed, max_turn; } gains; /* as in `params` */

enum { X, Y, YAW, ENABLED };  /* in the order of `inputs` */
enum { VX, OMEGA, DISTANCE }; /* in the order of `outputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    gains *made = values.len == 5 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 5 values and enough memory");
    *made = (gains){ values.data[0].number, values.data[1].number, values.data[2].number,
                     values.data[3].number, values.data[4].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static double limit(double x, double bound) {
    return fmax(-bound, fmin(x, bound));
}

/* One call has all vehicles of the fleet. */
static uint32_t command(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const gains *self = handle;
    const double *const *in = batch->inputs;
    const size_t end = batch->first + batch->count;
    double centre_x = 0.0, centre_y = 0.0, count = 0.0;
    (void)fault;
    for (size_t i = batch->first; i < end; i++) {
        centre_x += in[ENABLED][i] * in[X][i];
        centre_y += in[ENABLED][i] * in[Y][i];
        count += in[ENABLED][i];
    }
    centre_x = count > 0.0 ? centre_x / count : 0.0;
    centre_y = count > 0.0 ? centre_y / count : 0.0;
    for (size_t i = batch->first; i < end; i++) {
        const double east = centre_x - in[X][i], north = centre_y - in[Y][i];
        const double c = simhost_cos(in[YAW][i]), s = simhost_sin(in[YAW][i]);
        const double ahead = c * east + s * north, left = c * north - s * east;
        const double distance = sqrt(ahead * ahead + left * left);
        const int far = distance > self->spacing;
        /* a vehicle slows down while the centre is beside or behind it */
        const double facing = far ? fmax(ahead / distance, 0.2) : 0.0;
        const double bearing = far ? simhost_atan2(left, ahead) : 0.0;
        const double speed = self->speed_gain * (distance - self->spacing);
        batch->outputs[VX][i] = limit(facing * speed, self->max_speed);
        batch->outputs[OMEGA][i] = limit(self->turn_gain * bearing, self->max_turn);
        batch->outputs[DISTANCE][i] = distance;
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("spacing", "m", "Distance from the centre at which a vehicle stops. A larger value makes the fleet wider.", 2.0, 0.0, 1e6),
    SIMHOST_PARAM("speed_gain", "1/s", "Speed per metre of distance. A larger value makes the vehicles brake later.", 0.8, 0.0, 100.0),
    SIMHOST_PARAM("turn_gain", "1/s", "Yaw rate per radian of bearing. A larger value makes the vehicles turn more sharply.", 2.0, 0.0, 100.0),
    SIMHOST_PARAM("max_speed", "m/s", "Largest speed.", 1.5, 0.0, 100.0),
    SIMHOST_PARAM("max_turn", "rad/s", "Largest yaw rate.", 1.0, 0.0, 100.0)};
static const simhost_port_desc inputs[] = {
    SIMHOST_PORT("x", "m", "reference point, world frame", 0),
    SIMHOST_PORT("y", "m", "reference point, world frame", 0),
    SIMHOST_PORT("yaw", "rad", "heading, counter-clockwise from the world x axis", 0),
    SIMHOST_PORT("enabled", "1", "0 after a model of the vehicle has faulted", 1)};
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("vx", "m/s", "forward velocity", 0),
    SIMHOST_PORT("omega", "rad/s", "yaw rate", 0),
    SIMHOST_PUBLISHED_PORT("distance", "m", "distance from the centre of the fleet")};
/* every drive with a controller of twists can be in the fleet; vy, the second value, is skipped */
static const simhost_str twist[] = {SIMHOST_STR("vx"), SIMHOST_STR(""), SIMHOST_STR("omega")};
static const simhost_command_desc commands[] = {SIMHOST_COMMAND("twist", twist)};
static const simhost_phase phases[] = {SIMHOST_PHASE("command", inputs, outputs, command)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_FLEET, SIMHOST_MODEL_FLAG_WHOLE_BATCH, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Gathers vehicles."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_SLICE(commands), SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
