//! Ports of environments.

use super::HostPort;
use crate::Scope;

const fn port(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { name, unit, scope: Scope::Instance, default: 0.0, doc }
}

/// Inputs of the phases `wind` and `surface` of an environment: a point, world frame.
pub const POINT_INPUTS: &[HostPort] = &[
    port("x", "m", "x of the point, world frame"),
    port("y", "m", "y of the point, world frame"),
    port("z", "m", "height of the point, world frame"),
];

/// Outputs of the phase `wind` of an environment: the velocity of the air at the point.
pub const WIND_OUTPUTS: &[HostPort] = &[
    port("wind_x", "m/s", "velocity of the air along the x axis, world frame"),
    port("wind_y", "m/s", "velocity of the air along the y axis, world frame"),
    port("wind_z", "m/s", "upward velocity of the air, world frame"),
];

/// Outputs of the phase `surface` of an environment: the ground at the point.
pub const SURFACE_OUTPUTS: &[HostPort] = &[
    port("mu", "1", "friction coefficient, negative where the environment gives none"),
    port("c_rr", "1", "rolling resistance, negative where the environment gives none"),
];

/// Outputs of the phase `gravity` of an environment.
pub const GRAVITY_OUTPUTS: &[HostPort] =
    &[port("gravity", "m/s²", "gravity, negative if the environment gives none")];
