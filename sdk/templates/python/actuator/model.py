"""An actuator."""

import numpy as np
import simhost
from simhost import Parameter, State


@simhost.model("actuator", "template_vendor/template_name")
class TemplateName:
    """Servo with stiction: follows the command with a lag, dy/dt = (u − y)/τ, and stays where it is while the command is
    closer than a threshold."""

    time_constant = Parameter(0.2, "s", "Time constant τ. A larger value makes the servo slower.", low=1e-6)
    threshold = Parameter(
        0.01, "1", "Distance from the command within which the servo rests, in the unit of the port. A larger value makes it less precise.", low=0.0
    )
    position = State("1", "Output of the last step, in the unit of the port.")

    def actuate(self, lane, state, step):
        distance = lane.command - state.position
        # exact for a step of any length
        share = 1.0 - np.exp(-step.dt / self.time_constant)
        state.position = state.position + np.where(np.abs(distance) > self.threshold, share * distance, 0.0)
        return {"value": state.position}
