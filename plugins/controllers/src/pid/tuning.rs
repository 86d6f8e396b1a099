//! Gains, limits and filters that suit a vehicle, where the world file gives none.
//!
//! The mass of the vehicle on its driven wheels is a first-order plant, J v' = T − load with J = m R per
//! driven wheel. K_P = J/τ brings it to its setpoint with the time constant τ, and K_I = K_P/τ_i removes
//! the error that bearings, rolling resistance, slopes and tyres that scrub leave. The setpoint passes a
//! filter, so that the vehicle follows it as gently whatever its mass. The integral compares the speed with
//! the filtered setpoint after a further lag of τ, which is what the proportional part alone achieves without
//! a load: a vehicle without a load leaves no integral behind, and does not overshoot.

use super::{Filter, Load};

/// Time constant with which the proportional part brings a vehicle to its setpoint, s.
const STIFFNESS: f64 = 0.05;
/// Time constant with which the integral part removes a lasting error, s.
const RESET: f64 = 0.25;
/// Least radius that is used as a divisor, m.
const LEAST_RADIUS: f64 = 1e-6;

/// Manner in which a vehicle follows its setpoint.
#[derive(Clone, Copy, Debug)]
pub struct Response {
    /// Time constant, s.
    pub time: f64,
    /// Acceleration that the largest torque gives the mass of the vehicle, m/s².
    pub acceleration: f64,
    /// Least change of the torque per change of the spin, N·m·s/rad, for the bearings, which is most of what
    /// the motors of small vehicles work against.
    pub least_slope: f64,
}

/// Gains, limits and filter of a controller.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Proportional gain, N·m·s/m.
    pub kp: f64,
    /// Integral gain, N·m/m.
    pub ki: f64,
    /// Largest torque, N·m.
    pub max_torque: f64,
    /// Largest torque with which a motor brakes a vehicle at standstill, N·m.
    pub brake: f64,
    /// Filter of the setpoint.
    pub filter: Filter,
}

impl Tuning {
    /// Returns the tuning that suits a vehicle.
    #[inline(always)]
    pub fn of(load: &Load, response: Response) -> Self {
        let Load { inertia, weight, radius, .. } = *load;
        let least = response.least_slope / radius.max(LEAST_RADIUS);
        let kp = (inertia / STIFFNESS).max(least);
        let max_torque = response.acceleration * inertia.max(response.time * least);
        let lag = inertia / kp;
        let filter = Filter { tau: response.time - lag, order: 1, lag };
        Self { kp, ki: kp / RESET, max_torque, brake: max_torque.max(weight), filter }
    }

    /// Returns the tuning with a proportional gain, N·m·s/m, and a limit, N·m, alone.
    #[inline(always)]
    pub fn proportional(kp: f64, max_torque: f64) -> Self {
        Self { kp, ki: 0.0, max_torque, brake: max_torque, filter: Filter::NONE }
    }

    /// Returns this tuning with the limit of a proportional gain that the world file gives, N·m·s/m.
    #[inline(always)]
    pub fn with_gain(self, kp: f64) -> Self {
        Self { kp, ki: 0.0, filter: Filter::NONE, ..self }
    }
}
