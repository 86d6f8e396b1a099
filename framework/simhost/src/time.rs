//! Simulated time.

/// Simulated time since the start of the world, s.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Time(pub f64);

/// Returns a time in seconds.
pub const fn seconds(value: f64) -> Time {
    Time(value)
}
