//! The model of pedals and of a steering wheel whose angle sets the rate of the tyre.

use simhost_sdk::prelude::*;

use super::Model;
use super::actuation::Pedals;
use super::state::Moving;
use crate::delays::{Delays, Pending};
use crate::maps::{self, Map};
use crate::params::{Car, MIN_TIME_CONSTANT};
use crate::ports::{ActuationInputs, Command};

/// Planning model `ACTUATION_CMD_STEER_MAP` of Autoware: accelerator, brake, and a steering wheel whose
/// angle sets the rate of the tyre by a map.
#[derive(Params)]
#[param(alias = "ACTUATION_CMD_STEER_MAP")]
pub struct ActuationCmdSteerMapParameters {
    /// Pedals and limits.
    #[param(flatten)]
    pedals: Pedals,
    /// Map from the commanded angle (rows, rad) and the steering angle of the tyre (columns, rad)
    /// to the rate of the tyre, rad/s. With `compat="autoware-1.0"` the columns are looked up with
    /// the speed, m/s, and the rate is the value divided by `steer_time_constant`. By default, it
    /// is the map in the tests of Autoware 1.0.0: 0.05 rad/s per rad, up to 0.5 rad/s.
    steer_map_path: Option<TextFile>,
    /// The map.
    #[param(skip)]
    map: Map,
}

/// The dynamics class of [`ActuationCmdSteerMapParameters`].
pub type ActuationCmdSteerMap = super::adapter::Planned<ActuationCmdSteerMapParameters>;

/// Map of the tests of Autoware `simple_planning_simulator` 1.0.0.
const OF_TESTS: &str = include_str!("../../maps/steer_of_tests.csv");

impl Model for ActuationCmdSteerMapParameters {
    type Inputs = ActuationInputs;
    with_delays! { |model| parts: model.pedals, memory: model.pedals.memory(0.0) }

    fn prepare(&mut self) -> Result<(), String> {
        let of_tests =
            || TextFile { path: "steer_of_tests.csv".to_owned(), text: OF_TESTS.to_owned() };
        let file = self.steer_map_path.take().unwrap_or_else(of_tests);
        self.map = maps::read(&file).map_err(|error| error.to_string())?;
        self.pedals.prepare()
    }

    fn advance(&self, command: &Command, state: &mut Moving, delays: &mut Pending, dt: f64) {
        let Pedals { car, limits, steering, .. } = &self.pedals;
        let delayed = self.pedals.delay(command, delays, dt);
        let rate = |column: f64, time_constant: f64| {
            let value = self.map.lookup(delayed.steer, column);
            math::limit(value / time_constant, limits.steer_rate_lim)
        };
        if car.is_compatible() {
            let time_constant = steering.steer_time_constant.max(MIN_TIME_CONSTANT);
            self.pedals.repeat(&delayed, state, dt, |speed, _| rate(speed, time_constant));
        } else {
            // the rate is that of the middle of the step
            let from = state.steer;
            let middle = from + 0.5 * dt * rate(from, 1.0);
            let rate = rate(middle, 1.0);
            self.pedals.follow(&delayed, state, dt, |time| from + rate * time);
        }
    }

    fn pedals(&self, state: &Moving) -> [f64; 3] {
        let [accel, brake] = self.pedals.status(state);
        let steer = if self.car().is_compatible() { 0.0 } else { state.steer + self.steer_bias() };
        [accel, brake, steer]
    }
}
