/* Drives to a point and stops there. The speed follows the distance, the yaw rate the bearing. */
#include "simhost_math.h"
#include "simhost_plugin.h"

#include <math.h>
#include <stdlib.h>

typedef struct { double speed_gain, turn_gain, max_speed, max_turn; } gains; /* in the order of `params` */

enum { GOAL_X, GOAL_Y, X, Y, YAW };       /* in the order of `inputs` */
enum { TWIST_VX, TWIST_VY, TWIST_OMEGA }; /* in the order of `outputs` */

static uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    gains *made = values.len == 4 ? malloc(sizeof *made) : NULL;
    if (made == NULL) return simhost_fail(fault, SIMHOST_FAULT_REFUSED, 0, "expected 4 values and enough memory");
    *made = (gains){ values.data[0].number, values.data[1].number, values.data[2].number,
                     values.data[3].number };
    *handle = made;
    return SIMHOST_FAULT_NONE;
}

static double limit(double x, double bound) {
    return fmax(-bound, fmin(x, bound));
}

static uint32_t control(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    const gains *self = handle;
    const double *const *in = batch->inputs;
    (void)fault;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        const double east = in[GOAL_X][i] - in[X][i], north = in[GOAL_Y][i] - in[Y][i];
        const double c = simhost_cos(in[YAW][i]), s = simhost_sin(in[YAW][i]);
        const double ahead = c * east + s * north, left = c * north - s * east;
        /* the bearing is undefined at the goal */
        const int near = ahead * ahead + left * left < 1e-6;
        const double bearing = near ? 0.0 : simhost_atan2(left, ahead);
        batch->outputs[TWIST_VX][i] = limit(self->speed_gain * fmax(ahead, 0.0), self->max_speed);
        batch->outputs[TWIST_VY][i] = 0.0;
        batch->outputs[TWIST_OMEGA][i] = limit(self->turn_gain * bearing, self->max_turn);
    }
    return SIMHOST_FAULT_NONE;
}

static const simhost_param_desc params[] = {
    SIMHOST_PARAM("speed_gain", "1/s", "Speed for one metre of distance. A higher value brakes later.", 0.8, 0.0, 100.0),
    SIMHOST_PARAM("turn_gain", "1/s", "Yaw rate for one radian of angle. A higher value turns faster.", 2.0, 0.0, 100.0),
    SIMHOST_PARAM("max_speed", "m/s", "Largest speed.", 1.5, 0.0, 100.0),
    SIMHOST_PARAM("max_turn", "rad/s", "Largest yaw rate.", 1.0, 0.0, 100.0)};
static const simhost_port_desc inputs[] = {
    SIMHOST_COMMAND_PORT("goal_x", "m", "point to go to, world frame", "goal_x"),
    SIMHOST_COMMAND_PORT("goal_y", "m", "point to go to, world frame", "goal_y"),
    SIMHOST_PORT("x", "m", "reference point, world frame", 0),
    SIMHOST_PORT("y", "m", "reference point, world frame", 0),
    SIMHOST_PORT("yaw", "rad", "heading, counter-clockwise from the world x axis", 0)};
/* an imposed velocity fits every dynamics class */
static const simhost_port_desc outputs[] = {
    SIMHOST_PORT("twist_vx", "m/s", "forward velocity", 0),
    SIMHOST_PORT("twist_vy", "m/s", "leftward velocity", 0),
    SIMHOST_PORT("twist_omega", "rad/s", "yaw rate", 0)};
/* in a command file: time, vehicle, template_name_goal, x, y */
static const simhost_str goal[] = {SIMHOST_STR("goal_x"), SIMHOST_STR("goal_y")};
static const simhost_command_desc commands[] = {SIMHOST_COMMAND("template_name_goal", goal)};
static const simhost_phase phases[] = {SIMHOST_PHASE("control", inputs, outputs, control)};
static const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_CONTROLLER, 0, 0,
    SIMHOST_STR("template_name"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Drives to a point."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_SLICE(commands), SIMHOST_EMPTY, NULL,
    SIMHOST_SLICE(phases), create, free, NULL, NULL, NULL};
SIMHOST_PLUGIN("template_vendor", "template_name", "0.1.0", model);
