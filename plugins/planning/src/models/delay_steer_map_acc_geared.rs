//! The model of an acceleration that a map converts, and of the steering angle, with dead time and lag.

use simhost_sdk::prelude::*;

use super::Model;
use super::delayed::{Drive, step};
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::gear::Gear;
use crate::maps::{self, Map};
use crate::params::{Acceleration, Car, Limits, Steering};
use crate::ports::{Command, GearedInputs};

/// Planning model `DELAY_STEER_MAP_ACC_GEARED` of Autoware: acceleration by a map, and steering angle,
/// with dead time and lag, in the direction of the gear.
#[derive(Params)]
#[param(alias = "DELAY_STEER_MAP_ACC_GEARED")]
pub struct MapAccParameters {
    /// Arithmetic and geometry.
    #[param(flatten)]
    car: Car,
    /// Limits.
    #[param(flatten)]
    limits: Limits,
    /// Delay and lag of the acceleration.
    #[param(flatten)]
    acceleration: Acceleration,
    /// Delay and lag of the steering.
    #[param(flatten)]
    steering: Steering,
    /// Map from the commanded acceleration (rows, m/s²) and the speed (columns, m/s) to the
    /// acceleration of the car, m/s². Without it, the car has the commanded acceleration.
    acceleration_map_path: Option<TextFile>,
    /// The map.
    #[param(skip)]
    map: Option<Map>,
}

/// The dynamics class of [`MapAccParameters`].
pub type DelaySteerMapAccGeared = super::adapter::Planned<MapAccParameters>;

impl MapAccParameters {
    fn converted(&self, acceleration: f64, speed: f64) -> f64 {
        let acceleration = math::limit(acceleration, self.limits.vel_rate_lim);
        self.map.as_ref().map_or(acceleration, |map| map.lookup(acceleration, speed))
    }
}

impl Model for MapAccParameters {
    type Inputs = GearedInputs;
    with_delays! { |model|
        parts: model,
        memory: Delays::with_room(&[model.acceleration.acc_time_delay, model.steering.steer_time_delay])
    }

    fn prepare(&mut self) -> Result<(), String> {
        self.map = maps::optional(self.acceleration_map_path.as_ref())?;
        Ok(())
    }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        let Self { car, limits, acceleration, steering, .. } = self;
        let (gear, counting) = (command.gear(), limits.counting(car, dt));
        // the source looks up the acceleration with the sign of the gear and with the slope
        let (sign, slope) = match gear {
            _ if car.is_compatible() => (1.0, 0.0),
            Gear::Reverse => (-1.0, command.slope),
            _ => (1.0, command.slope),
        };
        let delay = acceleration.acc_time_delay;
        let throttle = sign * (command.acceleration - slope);
        let throttle = delays.line(0).pass(throttle, delay, dt, counting);
        let delay = steering.steer_time_delay;
        let steer = delays.line(1).pass(command.steer, delay, dt, counting);
        let steer = car.within_steer(math::limit(steer, limits.steer_lim));
        let steer = steering.lag(limits, steer, 0.0);
        let drive =
            Drive { car, limits, gear: Some(gear), time_constant: acceleration.time_constant() };
        let target = |speed: f64| sign * self.converted(throttle, sign * speed) + slope;
        step(&drive, state, dt, target, &steer, steering.steer_bias);
    }
}
