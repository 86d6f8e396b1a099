//! Anti-windup for vehicles that were blocked, and the integral of vehicles that stop.

use super::{Load, Memory, Pid};

/// Part of the proportional output above which the integral of a vehicle that does not move counts
/// as wound up.
const WOUND_UP: f64 = 0.5;
/// Overshoot beyond which the integral of an accelerating vehicle decays: part of the setpoint, and
/// least value, m/s.
const OVERSHOOT: f64 = 0.25;
const LEAST_OVERSHOOT: f64 = 0.1;
/// Time constant of that decay, s.
const DECAY: f64 = 0.02;
/// Value of `started` of a vehicle that moves.
const STARTED: f64 = 1.0;
/// Value of `started` of a vehicle that does not.
const BLOCKED: f64 = 2.0;

/// Removes the part of the integral that has grown while the vehicle was blocked, once the vehicle
/// has reached its setpoint. `error` is the error of this step, m/s, and `memory` is the memory of
/// the previous step.
#[inline(always)]
pub(super) fn unwind(
    pid: &Pid,
    load: Load,
    [set_point, error]: [f64; 2],
    dt: f64,
    memory: &mut Memory,
) {
    let integral = memory.integral;
    let was_blocked = memory.started == BLOCKED;
    let has_passed = error * integral <= 0.0;
    let acceleration = (memory.error - error) / dt;
    let speeds_up = memory.started != 0.0 && acceleration * integral > 0.0;
    // the torque that accelerates the vehicle is not needed to hold its speed
    let excess = (load.inertia * acceleration).abs().min(integral.abs());
    let tolerated = (OVERSHOOT * set_point.abs()).max(LEAST_OVERSHOOT);
    let races = error.abs() > tolerated;
    memory.integral = if !(has_passed & speeds_up) {
        integral
    } else if was_blocked {
        integral - excess.copysign(integral)
    } else if races {
        integral * (1.0 - dt / DECAY).max(0.0)
    } else {
        integral
    };
    let measured = set_point - error;
    let is_blocked = (measured.abs() < pid.standstill.stop)
        & (set_point.abs() > pid.standstill.stop)
        & (integral * error > 0.0)
        & (integral.abs() > WOUND_UP * pid.kp * error.abs());
    memory.started = if is_blocked {
        BLOCKED
    } else if was_blocked & has_passed {
        STARTED
    } else {
        memory.started
    };
}

/// Rate at which the torque of a vehicle that stops grows, 1/s.
const GROWTH: f64 = 2.0;

/// Returns the integral of a vehicle that stops, at a speed of `measured`, m/s. It grows against the
/// motion, so that a slope that the proportional part alone does not hold cannot keep the vehicle
/// rolling.
#[inline(always)]
pub(super) fn press(pid: &Pid, measured: f64, dt: f64, integral: f64) -> f64 {
    let growth = GROWTH * dt * (pid.kp * measured.abs() + integral.abs());
    integral - growth.copysign(measured)
}
