//! Parts of a powertrain: from the pedal to the shafts of the wheels.

pub mod battery;
pub mod differential;
pub mod engine;
pub mod gearbox;
pub mod motor;

/// rad/s in one revolution a minute.
pub(crate) const RPM: f64 = std::f64::consts::PI / 30.0;

/// 1 up to `speed`, 0 from one per cent above it on: a limiter that does not hammer.
#[inline(always)]
pub(crate) fn below(speed: f64, most: f64) -> f64 {
    ((1.01 * most - speed) / (0.01 * most)).clamp(0.0, 1.0)
}
