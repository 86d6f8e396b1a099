"""A controller."""

import numpy as np
import simhost
from simhost import Parameter, Port


@simhost.model("controller", "template_vendor/template_name")
class TemplateName:
    """Drives to a point and stops there. The speed follows the distance, the yaw rate the bearing."""

    speed_gain = Parameter(0.8, "1/s", "Speed per metre of distance. A larger value makes the vehicle brake later.", low=1e-6, is_per_lane=True)
    turn_gain = Parameter(2.0, "1/s", "Yaw rate per radian of bearing. A larger value makes the vehicle turn more sharply.", low=1e-6, is_per_lane=True)
    max_speed = Parameter(1.5, "m/s", "Largest speed.", low=1e-6, is_per_lane=True)
    max_turn = Parameter(1.0, "rad/s", "Largest yaw rate.", low=1e-6, is_per_lane=True)
    inputs = [
        Port("goal_x", "m", "Goal position, world frame.", key="goal_x"),
        Port("goal_y", "m", "Goal position, world frame.", key="goal_y"),
        "x",
        "y",
        "yaw",
    ]
    # an imposed velocity fits every dynamics class
    outputs = ["twist_vx", "twist_vy", "twist_omega"]
    # in a command file: time, vehicle, template_name_goal, x, y
    commands = {"template_name_goal": ["goal_x", "goal_y"]}

    def control(self, vehicle, state, step):
        east, north = vehicle.goal_x - vehicle.x, vehicle.goal_y - vehicle.y
        sin, cos = np.sin(vehicle.yaw), np.cos(vehicle.yaw)
        ahead, left = cos * east + sin * north, cos * north - sin * east
        # the bearing is undefined at the goal
        near = ahead**2 + left**2 < 1e-6
        bearing = np.where(near, 0.0, np.arctan2(left, ahead))
        return {
            "twist_vx": np.minimum(self.speed_gain * np.maximum(ahead, 0.0), self.max_speed),
            "twist_vy": 0.0,
            "twist_omega": np.clip(self.turn_gain * bearing, -self.max_turn, self.max_turn),
        }
