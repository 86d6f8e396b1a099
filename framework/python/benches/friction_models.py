"""The built-in friction model `default` in Python, for the bench: compiled, in numpy, and a model without arithmetic."""

import numpy as np
import simhost
from simhost import Parameter


class Coulomb:
    """Coulomb friction that stops the sliding of a wheel within one step, up to the limit of the load."""

    mu = Parameter(0.8, "1", "Friction coefficient. A larger value makes the vehicle slide less.", low=0.0)
    C_damping = Parameter(0.01, "N·m·s/rad", "Damping. A larger value makes the vehicle coast less far.", low=0.0)

    def force(self, wheel, state, step):
        grip = np.where(wheel.mu_override >= 0, wheel.mu_override, self.mu) * wheel.normal_force
        mass = wheel.normal_force / np.maximum(wheel.gravity, 1e-12)
        fy = -wheel.vy * mass / step.dt - wheel.slope_fy
        resistance = self.C_damping * wheel.spin
        alpha = (wheel.vx / wheel.radius - wheel.spin) / step.dt
        fx = (wheel.torque - resistance - wheel.inertia * alpha) / wheel.radius
        longer = np.maximum(np.maximum(np.abs(fx), np.abs(fy)), 1e-300)
        x, y = fx / longer, fy / longer
        scale = np.fmin(grip / np.sqrt(x * x + y * y) / longer, 1.0)
        return {"fx": scale * fx, "fy": scale * fy, "spin_torque": -wheel.radius * (scale * fx) - resistance}


@simhost.model("friction", "bench/empty")
class Empty:
    """Returns what is there."""

    def force(self, wheel, state, step):
        return {"fx": wheel.vx, "fy": wheel.vy, "spin_torque": wheel.torque}


simhost.model("friction", "bench/numpy")(Coulomb)
simhost.model("friction", "bench/compiled", compile=True)(Coulomb)
