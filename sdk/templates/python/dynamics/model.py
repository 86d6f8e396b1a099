"""A dynamics class."""

import numpy as np
import simhost
from simhost import Chassis, Parameter, Port, Wheel

LEFT, RIGHT = [0, 2, 4], [1, 3, 5]


@simhost.model("dynamics", "template_vendor/template_name")
class TemplateName:
    """A rover with six wheels, three per side, and one torque per side."""

    max_wheel_torque = Parameter(20.0, "N·m", "Largest torque of a wheel. A larger value makes the rover accelerate harder.", low=1e-3)
    wheels = [
        Wheel("front_left", 0.5, 0.4),
        Wheel("front_right", 0.5, -0.4),
        Wheel("middle_left", 0.0, 0.4),
        Wheel("middle_right", 0.0, -0.4),
        Wheel("rear_left", -0.5, 0.4),
        Wheel("rear_right", -0.5, -0.4),
    ]
    chassis = Chassis(40.0, 0.1, 0.5, [(-0.6, -0.3), (0.6, -0.3), (0.6, 0.3), (-0.6, 0.3)])
    # the controllers twist_pid and raw drive ports of these names
    inputs = [
        Port("torque_left", "N·m", "Torque on each left wheel, positive forwards."),
        Port("torque_right", "N·m", "Torque on each right wheel, positive forwards."),
    ]
    measure_inputs = ["spin", "radius", "wheel_y"]
    measurements = [
        "odometry_vx",
        "odometry_vy",
        "odometry_omega",
        Port("track", "m", "Distance between the middle wheels."),
        Port("wheel_radius", "m", "Rolling radius."),
    ]

    def drive(self, vehicle, state, step):
        limit = self.max_wheel_torque
        left = np.clip(vehicle.torque_left, -limit, limit)
        right = np.clip(vehicle.torque_right, -limit, limit)
        return {"torque": np.stack([left, right] * 3), "steer": 0.0}

    def measure(self, vehicle, state, step):
        speeds = vehicle.spin * vehicle.radius
        left, right = speeds[LEFT].mean(axis=0), speeds[RIGHT].mean(axis=0)
        track = vehicle.wheel_y[LEFT[1]] - vehicle.wheel_y[RIGHT[1]]
        return {
            "odometry_vx": 0.5 * (left + right),
            "odometry_vy": 0.0,
            "odometry_omega": (right - left) / track,
            "track": track,
            "wheel_radius": vehicle.radius[LEFT[1]],
        }
