//! Integral control of slip, which [`anti_lock`](super::anti_lock) and [`traction`](super::traction) share.

/// Slip beyond the target at which the share changes at the full rate.
const FULL_RATE: f64 = 0.1;

/// Returns the share of a torque that is withheld after a step, 0 to 1: from the share before, the slip beyond the
/// target, and the largest change in the step.
#[inline(always)]
pub(super) fn withheld(before: f64, beyond: f64, most: f64) -> f64 {
    (before + most * (beyond / FULL_RATE).clamp(-1.0, 1.0)).clamp(0.0, 1.0)
}
