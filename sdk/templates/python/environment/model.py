"""An environment."""

import numpy as np
import simhost
from simhost import Parameter, State


@simhost.model("environment", "template_vendor/template_name")
class TemplateName:
    """A squall: a gust along the world y axis, and rain that makes the ground slippery."""

    start = Parameter(2.0, "s", "Time at which the squall arrives. A larger value delays it.", low=0.0, high=1e6)
    speed = Parameter(20.0, "m/s", "Largest speed of the gust. A larger value pushes vehicles further aside.", low=0.0, high=100.0)
    duration = Parameter(2.0, "s", "Duration of the gust. A larger value pushes vehicles for longer.", low=1e-3)
    wet_mu = Parameter(0.4, "1", "Friction coefficient of wet ground. A smaller value makes vehicles slide more.", low=0.0, high=2.0)
    wet = State("1", "Share of the ground that is wet, which grows to 1 within two seconds.")

    def update(self, world, state, step):
        if step.time >= self.start:
            state.wet = np.minimum(state.wet + step.dt / 2.0, 1.0)
        return {}

    def wind(self, point, state, step):
        phase = (step.time - self.start) / self.duration
        # the 1-cosine gust of aviation rules, CS 25.341(a)(2)
        gust = 0.5 * self.speed * (1.0 - np.cos(2.0 * np.pi * phase)) if 0.0 <= phase < 1.0 else 0.0
        return {"wind_x": 0.0, "wind_y": gust, "wind_z": 0.0}

    def surface(self, point, state, step):
        mu = np.where(state.wet > 0.0, 0.8 + state.wet * (self.wet_mu - 0.8), -1.0)
        return {"mu": mu, "c_rr": -1.0}
