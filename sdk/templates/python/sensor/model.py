"""A sensor."""

import numpy as np
import simhost
from simhost import Parameter, Port


@simhost.model("sensor", "template_vendor/template_name")
class TemplateName:
    """A row of ultrasonic rangers at the front, and the speed over ground."""

    rangers = Parameter(5, "1", "Number of rangers.", low=2, high=64, is_integer=True)
    spread = Parameter(90.0, "deg", "Angle between the outermost rangers.", low=1e-3, high=360.0, scale=np.pi / 180)
    max_range = Parameter(4.0, "m", "Largest range. Objects beyond it give no echo.", low=1e-3)
    noise = Parameter(0.02, "m", "Standard deviation of the noise on the ranges, m, and on the speed, m/s.", low=0.0)
    inputs = ["vx", "vy"]
    aims = ["origin_x", "origin_z", "max_range", "angle"]
    outputs = [
        Port("ground_speed", "m/s", "Speed over ground."),
        Port("nearest", "m", "Nearest echo, or max_range without an echo."),
        Port("echo", "m", "Distance, or max_range without an echo.", is_per_ray=True),
    ]

    def rays(self):
        return int(self.rangers)

    def aim(self, sensor, state, step):
        angles = self.spread / (step.rays - 1) * np.arange(step.rays) - 0.5 * self.spread
        return {"origin_x": 0.5, "origin_z": 0.3, "max_range": self.max_range, "angle": angles}

    def read(self, sensor, state, step):
        # one random number per ranger, so that a missing echo does not change the other readings
        noise = self.noise * step.random.normal(step.rays)
        echo = np.clip(np.minimum(sensor.range, self.max_range) + noise, 0.0, self.max_range)
        speed = np.hypot(sensor.vx, sensor.vy)
        return {"ground_speed": speed + self.noise * step.random.normal(), "nearest": echo.min(axis=1), "echo": echo}
