//! Dead time and lag of the models that follow an acceleration and a steering angle.

use simhost_sdk::prelude::*;

use crate::delays::Delays;
use crate::lag::Lag;
use crate::params::{Acceleration, Car, DeadBand, Limits, Scaling, Steering};
use crate::ports::Command;

/// Parameters of these models.
#[derive(Params)]
pub struct Lagging {
    /// Arithmetic and geometry.
    #[param(flatten)]
    pub car: Car,
    /// Limits.
    #[param(flatten)]
    pub limits: Limits,
    /// Delay and lag of the acceleration.
    #[param(flatten)]
    pub acceleration: Acceleration,
    /// Delay and lag of the steering.
    #[param(flatten)]
    pub steering: Steering,
    /// Dead band of the steering.
    #[param(flatten)]
    dead_band: DeadBand,
    /// Factors of the commands.
    #[param(flatten)]
    scaling: Scaling,
}

impl Lagging {
    /// Returns lines with space for the dead times.
    pub fn memory(&self) -> Delays {
        Delays::with_room(&[self.acceleration.acc_time_delay, self.steering.steer_time_delay])
    }

    /// Returns the acceleration, m/s², and the lag of the steering angle that a command asks for after
    /// its dead times, with factors and limits.
    pub fn delay(&self, command: &Command, delays: &mut Delays, dt: f64) -> (f64, Lag) {
        let Self { car, limits, acceleration, steering, .. } = self;
        let counting = limits.counting(car, dt);
        let delay = acceleration.acc_time_delay;
        let wanted = delays.line(0).pass(command.acceleration, delay, dt, counting);
        let delay = steering.steer_time_delay;
        let steer = delays.line(1).pass(command.steer, delay, dt, counting);
        let [wanted, steer] = self.scaling.apply(car, limits, wanted, steer);
        (wanted, steering.lag(limits, steer, self.dead_band.steer_dead_band))
    }
}
