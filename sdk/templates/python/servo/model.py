"""An actuator whose motion the host integrates."""

import simhost
from simhost import Parameter, State


@simhost.model("actuator", "template_vendor/template_name")
class TemplateName:
    """Servo of second order, whose motion the host integrates: d²y/dt² = ω² (u − y) − 2 ζ ω dy/dt."""

    frequency = Parameter(15.0, "rad/s", "Natural frequency ω. A larger value makes the servo faster.", low=0.1)
    damping = Parameter(0.7, "1", "Damping ratio ζ. A larger value makes the servo overshoot less.", low=0.0)
    position = State("1", "Position, in the unit of the port.")
    velocity = State("1/s", "Velocity, in the unit of the port per second.")

    def actuate(self, lane, state, step):
        return {"value": state.position}

    def rates(self, lane, state, step):
        pull = self.frequency**2 * (lane.command - state.position)
        return {"position": state.velocity, "velocity": pull - 2.0 * self.damping * self.frequency * state.velocity}
