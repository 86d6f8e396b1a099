//! Feedback of steering angle and acceleration.

use simhost_sdk::prelude::*;

/// PID controller of the steering angle. It has the units of the steering command.
#[derive(Clone, Debug, Params)]
#[param(scaling = simhost_sdk::Scaling::INVARIANT)]
pub struct SteerPid {
    /// Proportional gain. A larger value turns the steering faster, and can oscillate.
    #[param(default = 150.0, range = 0.0..=1e6)]
    pub kp: f64,
    /// Integral gain. A larger value removes lasting deviations faster.
    #[param(default = 15.0, range = 0.0..=1e6)]
    pub ki: f64,
    /// Derivative gain. A larger value damps more, and amplifies noise.
    #[param(default = 0.0, range = 0.0..=1e6)]
    pub kd: f64,
    /// Largest output.
    #[param(default = 8.0, range = -1e6..=1e6)]
    pub max: f64,
    /// Smallest output.
    #[param(default = -8.0, range = -1e6..=1e6)]
    pub min: f64,
    /// Largest proportional part.
    #[param(default = 8.0, range = -1e6..=1e6)]
    pub max_p: f64,
    /// Smallest proportional part.
    #[param(default = -8.0, range = -1e6..=1e6)]
    pub min_p: f64,
    /// Largest integral part.
    #[param(default = 8.0, range = -1e6..=1e6)]
    pub max_i: f64,
    /// Smallest integral part.
    #[param(default = -8.0, range = -1e6..=1e6)]
    pub min_i: f64,
    /// Largest derivative part.
    #[param(default = 0.0, range = -1e6..=1e6)]
    pub max_d: f64,
    /// Smallest derivative part.
    #[param(default = 0.0, range = -1e6..=1e6)]
    pub min_d: f64,
    /// Factor of the integral in each step at standstill, where it does not grow. A larger value keeps
    /// it for longer.
    #[param(default = 0.97, range = 0.0..=1.0)]
    pub invalid_integration_decay: f64,
}

/// The state of the feedback.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Feedback {
    /// Integral of the deviation of the steering angle, rad·s.
    #[state(unit = "1")]
    pub steer_integral: f64,
    /// Deviation of the steering angle in the step before.
    #[state(unit = "rad")]
    pub steer_error: f64,
    /// Wanted steering angle in the step before.
    #[state(unit = "rad")]
    pub steer_wanted: f64,
    /// Integral part of the correction of the acceleration.
    #[state(unit = "m/s²")]
    pub acceleration_integral: f64,
    /// Whether there has been a step.
    #[state(unit = "1", discrete)]
    pub begun: f64,
}

/// Speed below which the integral does not grow, m/s.
const STANDSTILL: f64 = 0.01;

/// Largest integral part of the correction of the acceleration, m/s².
const LARGEST_CORRECTION: f64 = 3.0;

impl SteerPid {
    /// Checks the limits.
    pub fn check(&self) -> Result<(), String> {
        let limits = [
            ("min", self.min, self.max),
            ("min_p", self.min_p, self.max_p),
            ("min_i", self.min_i, self.max_i),
            ("min_d", self.min_d, self.max_d),
        ];
        match limits.into_iter().find(|(_, low, high)| low > high) {
            None => Ok(()),
            Some((name, low, high)) => Err(format!(
                "steer_pid: {name} is {low}; expected at most {}, {high}",
                name.replace("min", "max")
            )),
        }
    }

    /// Returns the output for a deviation, rad, at a speed, m/s.
    pub fn output(&self, error: f64, speed: f64, dt: f64, own: &mut Feedback) -> f64 {
        if speed.abs() > STANDSTILL {
            own.steer_integral += error * dt;
        } else {
            own.steer_integral *= self.invalid_integration_decay;
        }
        let change =
            if own.begun != 0.0 && dt > 0.0 { (error - own.steer_error) / dt } else { 0.0 };
        own.steer_error = error;
        let p = (self.kp * error).clamp(self.min_p, self.max_p);
        let i = (self.ki * own.steer_integral).clamp(self.min_i, self.max_i);
        let d = (self.kd * change).clamp(self.min_d, self.max_d);
        (p + i + d).clamp(self.min, self.max)
    }
}

impl Feedback {
    /// Returns the rate of the wanted angle since the step before, rad/s; 0 in the first step.
    pub fn rate(&mut self, wanted: f64, dt: f64) -> f64 {
        let before = std::mem::replace(&mut self.steer_wanted, wanted);
        if self.begun == 0.0 || dt <= 0.0 {
            return 0.0;
        }
        (wanted - before) / dt
    }

    /// Returns the correction of an acceleration, m/s², with a proportional gain and an integral gain,
    /// 1/s, for a deviation, m/s².
    pub fn correct(&mut self, [kp, ki]: [f64; 2], error: f64, dt: f64) -> f64 {
        let grown = self.acceleration_integral + ki * error * dt;
        self.acceleration_integral = math::limit(grown, LARGEST_CORRECTION);
        kp * error + self.acceleration_integral
    }
}
