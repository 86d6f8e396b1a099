//! Pitch and slope of the ground below a vehicle.
//!
//! With the slope dz/ds of the ground along the heading, the pitch is −atan dz/ds, positive with the
//! nose down, and the acceleration along the vehicle g sin(pitch). Source: Autoware
//! `simple_planning_simulator` 1.0.0, which reads the slope from the nearest lane of a map.

use simhost_sdk::{Step, math};

/// The ground below a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ground {
    /// Height, m, world frame.
    pub height: f64,
    /// Pitch of a vehicle that stands on it, rad, positive with the nose down.
    pub pitch: f64,
}

/// Returns the ground at a position, m, below a vehicle with this heading, rad. A host without ground
/// has a plane at the height of the position.
pub fn below(step: &Step, position: [f64; 3], yaw: f64) -> Ground {
    match step.ground(position) {
        Some(point) => Ground { height: point.height, pitch: pitch_along(point.slope, yaw) },
        None => Ground { height: position[2], pitch: 0.0 },
    }
}

/// Returns the pitch, rad, of a vehicle with a heading, rad, on ground with a slope along x and y of the
/// world, m/m.
pub fn pitch_along([x, y]: [f64; 2], yaw: f64) -> f64 {
    let (sin, cos) = math::sin_cos(yaw);
    -math::atan(x * cos + y * sin)
}

/// Returns the forward acceleration, m/s², at a pitch, rad, with this gravity, m/s².
pub fn acceleration(pitch: f64, gravity: f64) -> f64 {
    gravity * math::sin(pitch)
}
