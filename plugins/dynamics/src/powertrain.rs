//! Components of a powertrain, from the pedal to the shafts of the wheels.

pub mod battery;
pub mod coupling;
pub mod differential;
pub mod engine;
pub mod gearbox;
pub mod motor;

/// One revolution per minute in rad/s.
pub(crate) const RPM: f64 = std::f64::consts::PI / 30.0;

/// Returns 1 up to the speed `most` and 0 from one per cent above it, with a ramp in between so
/// that a limiter does not chatter.
#[inline(always)]
pub(crate) fn below(speed: f64, most: f64) -> f64 {
    ((1.01 * most - speed) / (0.01 * most)).clamp(0.0, 1.0)
}

/// Returns the torque, N·m, with which an inertia, kg·m², on its own gains at most the speed `margin`, rad/s,
/// within a step of `dt` s; infinite without inertia.
#[inline(always)]
pub(crate) fn limited(inertia: f64, margin: f64, dt: f64) -> f64 {
    if inertia > 0.0 { inertia * margin / dt } else { f64::INFINITY }
}
