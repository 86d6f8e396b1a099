"""A fleet."""

import numpy as np
import simhost
from simhost import Parameter, Port


@simhost.model("fleet", "template_vendor/template_name")
class TemplateName:
    """Gathers vehicles: each drives towards the centre of the fleet and stops at a distance from it."""

    spacing = Parameter(2.0, "m", "Distance from the centre at which a vehicle stops. A larger value makes the fleet wider.", low=0.0, high=1e6)
    speed_gain = Parameter(0.8, "1/s", "Speed per metre of distance. A larger value makes the vehicles brake later.", low=1e-6)
    turn_gain = Parameter(2.0, "1/s", "Yaw rate per radian of bearing. A larger value makes the vehicles turn more sharply.", low=1e-6)
    max_speed = Parameter(1.5, "m/s", "Largest speed.", low=1e-6)
    max_turn = Parameter(1.0, "rad/s", "Largest yaw rate.", low=1e-6)
    inputs = ["x", "y", "yaw", "enabled"]
    outputs = [
        Port("vx", "m/s", "Forward velocity."),
        Port("omega", "rad/s", "Yaw rate."),
        Port("distance", "m", "Distance from the centre of the fleet."),
    ]
    # every drive with a controller of twists can be in the fleet; vy, the second value, is skipped
    commands = {"twist": ["vx", "", "omega"]}

    def command(self, vehicles, state, step):
        count = np.maximum(vehicles.enabled.sum(), 1.0)
        east = (vehicles.enabled * vehicles.x).sum() / count - vehicles.x
        north = (vehicles.enabled * vehicles.y).sum() / count - vehicles.y
        sin, cos = np.sin(vehicles.yaw), np.cos(vehicles.yaw)
        ahead, left = cos * east + sin * north, cos * north - sin * east
        distance = np.hypot(ahead, left)
        far = distance > self.spacing
        # a vehicle slows down while the centre is beside or behind it
        facing = np.where(far, np.maximum(ahead / np.maximum(distance, 1e-9), 0.2), 0.0)
        bearing = np.where(far, np.arctan2(left, ahead), 0.0)
        speed = self.speed_gain * (distance - self.spacing)
        return {
            "vx": np.clip(facing * speed, -self.max_speed, self.max_speed),
            "omega": np.clip(self.turn_gain * bearing, -self.max_turn, self.max_turn),
            "distance": distance,
        }
