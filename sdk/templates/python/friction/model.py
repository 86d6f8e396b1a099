"""A friction model."""

import numpy as np
import simhost
from simhost import Parameter


@simhost.model("friction", "template_vendor/template_name")
class TemplateName:
    """Friction that rises with slip up to mu: mu(s) = mu tanh(s / slip_half)."""

    mu = Parameter(0.8, "1", "Friction coefficient. A larger value gives the tyre more grip.", low=0.0, high=3.0, is_per_lane=True)
    slip_half = Parameter(
        0.05, "1", "Slip at three quarters of the grip. A larger value makes the tyre respond more softly.", low=1e-6, high=1.0, is_per_lane=True
    )

    def force(self, wheel, state, step):
        mu = np.where(wheel.mu_override >= 0, wheel.mu_override, self.mu)
        sliding_x = wheel.vx - wheel.spin * wheel.radius
        sliding = np.hypot(sliding_x, wheel.vy)
        fastest = np.maximum(np.abs(wheel.vx), np.abs(wheel.spin * wheel.radius))
        slip = sliding / np.maximum(fastest, 1e-9)
        grip = mu * np.tanh(slip / self.slip_half) * wheel.normal_force
        # no more than what stops the sliding within a step
        mass = wheel.normal_force / np.maximum(wheel.gravity, 1e-12)
        light = mass * wheel.inertia / (wheel.inertia + mass * wheel.radius**2)
        stops = light * sliding / step.dt
        force = np.minimum(grip, stops) / np.maximum(sliding, 1e-12)
        fx, fy = -force * sliding_x, -force * wheel.vy
        return {"fx": fx, "fy": fy, "spin_torque": -wheel.radius * fx}
