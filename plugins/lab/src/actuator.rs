//! An actuator of a car: its value approaches a target at a limited rate within a range.
//!
//! y(t + dt) = y(t) + clamp(u' − y(t), −r dt, r dt) with the target u' = clamp(u, min, max). For a target
//! that is constant over a step, the value at the end of the step is exact for a step of any length.
//!
//! Source: driving-lab manual, section 3.2: minimum, maximum, current value, target and change
//! rate. The manual gives no numbers; the defaults come from MontiSim, into which its source went:
//! motor −1.5 to 3.5 m/s² at 2 m/s³, brakes 0 to 5 m/s² at 5 m/s³, steering ±0.785398 rad at 0.5
//! rad/s.
//!
//! Difference: the lab rejects a target outside of the range. Here the nearest value in the range is
//! used, and the state slots `out_of_range` and `rejected` report it.

use simhost_sdk::prelude::*;

/// Approaches a target at a limited rate and stays within a range, like an actuator of the driving
/// lab.
#[derive(Params)]
pub struct VehicleActuator {
    /// Actuator of the car whose `min`, `max` and `change_rate` are the defaults.
    #[param(default = "motor")]
    kind: Kind,
    /// Smallest value, in the unit of the port; −1.5 for a motor, 0 for a brake and −0.785398 for
    /// steering by default. A smaller value lets a motor brake harder.
    min: Option<f64>,
    /// Largest value, in the unit of the port; 3.5 for a motor, 5 for a brake and 0.785398 for
    /// steering by default. A larger value makes the actuator stronger.
    max: Option<f64>,
    /// Largest change per second, in the unit of the port per second, above 0; 2 for a motor, 5 for a
    /// brake and 0.5 for steering by default. A larger value makes the actuator faster.
    change_rate: Option<f64>,
    /// Value at the start, in the unit of the port.
    #[param(default = 0.0)]
    initial: f64,
    /// Range and rate with the defaults of the kind.
    #[param(skip)]
    limits: Limits,
}

/// An actuator of the car.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Acceleration by the engine, m/s².
    #[param(key = "motor")]
    Motor,
    /// Deceleration by the brake of a wheel, m/s².
    #[param(key = "brake")]
    Brake,
    /// Steering angle, rad.
    #[param(key = "steering")]
    Steering,
}

/// Range of an actuator and the rate at which it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Largest change per second.
    pub change_rate: f64,
}

impl Kind {
    /// Returns the defaults of the driving lab.
    #[allow(clippy::approx_constant, reason = "the stop of the lab's steering has six digits")]
    pub const fn limits(self) -> Limits {
        match self {
            Self::Motor => Limits { min: -1.5, max: 3.5, change_rate: 2.0 },
            Self::Brake => Limits { min: 0.0, max: 5.0, change_rate: 5.0 },
            Self::Steering => Limits { min: -0.785398, max: 0.785398, change_rate: 0.5 },
        }
    }
}

/// State of an actuator.
#[derive(State)]
pub struct Value {
    /// Present value, in the unit of the port.
    #[state(unit = "1", initial_from = "initial")]
    pub current: f64,
    /// Target within the range, in the unit of the port.
    #[state(unit = "1", initial_from = "initial")]
    pub target: f64,
    /// 1 while the target that was set is outside of the range or not a number.
    #[state(unit = "1", discrete)]
    pub out_of_range: f64,
    /// Number of times that a target has left the range.
    #[state(unit = "1", discrete)]
    pub rejected: f64,
}

impl Limits {
    fn check(self, initial: f64) -> Result<Self, String> {
        let Self { min, max, change_rate } = self;
        let is_number = [min, max, change_rate, initial].iter().all(|value| value.is_finite());
        if !is_number {
            return Err(format!(
                "min {min}, max {max}, change_rate {change_rate} and initial {initial}: expected finite numbers"
            ));
        }
        if min > max {
            return Err(format!("min is {min}, expected at most max, which is {max}"));
        }
        if change_rate <= 0.0 {
            return Err(format!("change_rate is {change_rate}, expected more than 0"));
        }
        if !(min..=max).contains(&initial) {
            return Err(format!("initial is {initial}, expected a value from {min} to {max}"));
        }
        Ok(self)
    }

    /// Returns the value after `dt` seconds from `current` towards `target`, which it reaches exactly and
    /// does not pass.
    #[inline(always)]
    pub fn approach(&self, current: f64, target: f64, dt: f64) -> f64 {
        let (left, most) = (target - current, self.change_rate * dt);
        // the tolerance closes a gap that only rounding has left
        if left.abs() <= most * (1.0 + 1e-9) { target } else { current + math::limit(left, most) }
    }
}

#[model]
impl Actuator for VehicleActuator {
    fn prepare(&mut self) -> Result<(), String> {
        let Limits { min, max, change_rate } = self.kind.limits();
        let limits = Limits {
            min: self.min.unwrap_or(min),
            max: self.max.unwrap_or(max),
            change_rate: self.change_rate.unwrap_or(change_rate),
        };
        self.limits = limits.check(self.initial)?;
        Ok(())
    }

    fn actuate(&self, command: f64, _: &(), step: &Step, state: &mut Value) -> f64 {
        let Limits { min, max, .. } = self.limits;
        // a target that is not a number leaves the last one
        let wanted = if command.is_nan() { state.target } else { command };
        let target = wanted.max(min).min(max);
        let out_of_range = if command == target { 0.0 } else { 1.0 };
        state.rejected += (out_of_range - state.out_of_range).max(0.0);
        state.out_of_range = out_of_range;
        state.target = target;
        state.current = self.limits.approach(state.current, target, step.dt);
        state.current
    }
}
