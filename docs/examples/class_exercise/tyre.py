"""A tyre that pushes with mu times the load, whatever the slip: the curve is the exercise."""

import numpy as np
import simhost
from simhost import Parameter


@simhost.model("friction", "class/tyre")
class Tyre:
    """Friction of the exercise."""

    mu = Parameter(0.8, "1", "Friction coefficient. A larger value grips more.", low=0.0, is_per_lane=True)
    slip_half = Parameter(0.05, "1", "Slip at half the grip.", low=0.001)

    def force(self, wheel, state, step):
        rim = wheel.spin * wheel.radius
        x, y = wheel.vx - rim, wheel.vy
        sliding = np.sqrt(x * x + y * y)
        slip = sliding / np.maximum(np.maximum(np.abs(wheel.vx), np.abs(rim)), 0.1)
        grip = self.mu * wheel.normal_force / np.maximum(sliding, 1e-9)
        # at most what stops rim and mass within the step
        fx = -np.minimum(grip, wheel.inertia / wheel.radius**2 / step.dt) * x
        fy = -np.minimum(grip, wheel.normal_force / np.maximum(wheel.gravity, 1e-9) / step.dt) * y
        return {"fx": fx, "fy": fy, "spin_torque": -wheel.radius * fx}
