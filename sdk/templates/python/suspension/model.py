"""A suspension."""

import numpy as np
import simhost
from simhost import Parameter


@simhost.model("suspension", "template_vendor/template_name")
class TemplateName:
    """Trailing arms: a wheel moves on a circle about a bearing in front of it, so that braking lifts the wheel and keeps the
    rear of the vehicle down."""

    arm = Parameter(0.5, "m", "Length of the arm. A larger value gives less anti-lift.", low=1e-3)
    motion_ratio = Parameter(0.8, "1", "Compression of the spring per travel. A larger value makes the axle stiffer.", low=1e-3)

    def kinematics(self, axle, state, step):
        found = {"roll_centre_kinematic": 0.0, "roll_centre_constructed": 0.0}
        for side in ("left", "right"):
            travel, force = getattr(axle, f"travel_{side}"), getattr(axle, f"fx_{side}")
            z = np.clip(travel, -0.99 * self.arm, 0.99 * self.arm)
            x = -np.sqrt(self.arm**2 - z**2)
            found[f"longitudinal_{side}"] = x + self.arm
            found[f"spring_{side}"] = self.motion_ratio * travel
            found[f"motion_ratio_{side}"] = self.motion_ratio
            # the carrier turns by 1/x per travel, and the force works along the path of the contact point
            found[f"jacking_{side}"] = -(axle.wheel_radius - z) / x * force
            for output in ("camber", "toe", "track", "caster"):
                found[f"{output}_{side}"] = 0.0
        return found
