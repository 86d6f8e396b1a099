"""A sensor that reads other sensors."""

import numpy as np
import simhost
from simhost import Parameter, Port, State


@simhost.model("sensor", "template_vendor/template_name")
class TemplateName:
    """Pose from the encoders of two driven wheels and a gyroscope, both sensors of the same vehicle.

    The distance comes from the wheels. The yaw rate is a weighted mean: ω = w ω_gyro + (1 − w) ω_wheels, ω_wheels = R (ω_right −
    ω_left)/b."""

    wheel_radius = Parameter(0.2, "m", "Rolling radius R of both wheels. A larger value makes the estimated way longer.", low=1e-3)
    track = Parameter(0.4, "m", "Distance b between the wheels. A larger value makes the yaw rate of the wheels smaller.", low=1e-3)
    gyro_weight = Parameter(
        0.98, "1", "Weight w of the gyroscope. A larger value makes slip matter less, and the bias of the gyroscope more.", low=0.0, high=1.0
    )
    x = State("m", "Position ahead.")
    y = State("m", "Position to the left.")
    yaw = State("rad", "Yaw, positive counter-clockwise.")
    inputs = [
        Port("velocity", "rad/s", "Speeds of the left and the right wheel, of encoders.", is_reading=True),
        Port("angular_velocity_z", "rad/s", "Yaw rate, of an imu.", is_reading=True),
        "sample_period",
    ]
    outputs = [
        Port("estimated_x", "m", "Position ahead of the start."),
        Port("estimated_y", "m", "Position to the left of the start."),
        Port("estimated_yaw", "rad", "Yaw, positive counter-clockwise, not wrapped."),
    ]

    def read(self, sensor, state, step):
        wheels, gyro = sensor.velocity, sensor.angular_velocity_z
        # before the first samples the vehicle is taken to rest
        known = wheels.counts >= 2
        left, right = (np.where(known, wheels.values[:, k], 0.0) for k in (0, 1))
        of_wheels = self.wheel_radius * (right - left) / self.track
        of_gyro = np.where(gyro.counts > 0, gyro.values[:, 0], of_wheels)
        rate = self.gyro_weight * of_gyro + (1.0 - self.gyro_weight) * of_wheels
        turn = np.where(known, rate * sensor.sample_period, 0.0)
        way = 0.5 * self.wheel_radius * (left + right) * sensor.sample_period
        # heading in the middle of the interval, so that an arc is exact to second order
        heading = state.yaw + 0.5 * turn
        state.x = state.x + way * np.cos(heading)
        state.y = state.y + way * np.sin(heading)
        state.yaw = state.yaw + turn
        return {"estimated_x": state.x, "estimated_y": state.y, "estimated_yaw": state.yaw}
