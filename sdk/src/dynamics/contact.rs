//! The contact of a wheel with the ground, as a class that moves its body itself sets it.

/// The contact of a wheel with the ground at the start of a step, from a class with
/// [`ADVANCES`](crate::Dynamics::ADVANCES).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelContact {
    /// Force that presses the wheel on the ground, N, at least 0; 0 for a wheel in the air.
    pub load: f64,
    /// Velocity of the contact point over the ground along the heading of the vehicle, in the plane of the
    /// ground, m/s.
    pub vx: f64,
    /// The same to the left, m/s.
    pub vy: f64,
    /// Distance of the wheel centre from the contact point, m.
    pub radius: f64,
}
