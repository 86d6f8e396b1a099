//! Motors whose torque falls while their wheel turns faster.
//!
//! With T(ω') = T − k (ω' − ω) for the spin ω' at the end of the step, I (ω' − ω)/dt = T(ω') − … is the
//! same as (I + k dt)(ω' − ω)/dt = T − …: the slope k acts like an additional inertia k dt, with which
//! every friction model solves the torque at the end of the step.

use simhost_sdk::Wheels;

/// Drives a wheel with a torque, N·m, that decreases by `slope`, N·m·s/rad, per gain of the spin within
/// the step of `dt` seconds.
#[inline(always)]
pub(crate) fn drive(wheels: &mut Wheels, wheel: usize, torque: f64, slope: f64, dt: f64) {
    wheels.set_torque(wheel, torque);
    // a motor without torque has failed, or stands still
    let slope = if torque == 0.0 { 0.0 } else { slope.max(0.0) };
    wheels.set_drive_inertia(wheel, slope * dt);
}
