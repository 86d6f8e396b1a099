//! The thirteen models, and the adapter that turns each into a dynamics class.

/// Defines what the models with delays have in common: their memory, and the parts of the car and of its
/// steering among their parameters.
macro_rules! with_delays {
    (|$model:ident| parts: $parts:expr, memory: $memory:expr) => {
        type Memory = Delays;

        fn car(&self) -> &Car {
            let $model = self;
            &$parts.car
        }

        fn memory(&self) -> Delays {
            let $model = self;
            $memory
        }

        fn forget(&self, memory: &mut Pending) {
            memory.clear();
        }

        fn steer_bias(&self) -> f64 {
            let $model = self;
            $parts.steering.steer_bias
        }
    };
}
pub mod actuation;
pub mod actuation_cmd;
pub mod actuation_cmd_mechanical;
pub mod actuation_cmd_steer_map;
pub mod actuation_cmd_vgr;
pub mod adapter;
pub mod delay_steer_acc;
pub mod delay_steer_acc_geared_wo_fall_guard;
pub mod delay_steer_map_acc_geared;
pub mod delay_steer_vel;
pub mod delayed;
pub mod gear_ratio;
pub mod ideal_steer_acc;
pub mod ideal_steer_vel;
pub mod lagging;
pub mod mechanism;
pub mod rk4;
pub mod rolling;
pub mod state;

use crate::ports::{Command, Inputs};
use simhost_sdk::abi::StateDesc;
use simhost_sdk::prelude::*;
use state::Moving;

use crate::params::Car;

/// A planning model.
pub trait Model: Params {
    /// Inputs of the model.
    type Inputs: Inputs;
    /// Commands that are on their way, and other data that does not fit into slots.
    type Memory: Memory;
    /// State slots of the model behind those that all models share.
    const OWN: &'static [StateDesc] = &[];

    /// Checks the parameters and computes derived values.
    ///
    /// # Errors
    ///
    /// A message for the user that says which parameters do not fit together.
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Returns the parameters that all models share.
    fn car(&self) -> &Car;

    /// Returns the memory at the start of a run.
    fn memory(&self) -> Self::Memory {
        Default::default()
    }

    /// Forgets the commands that are on their way, because the car starts again elsewhere.
    fn forget(&self, _memory: &mut Remembered<Self::Memory>) {}

    /// Keeps what the source does not reset when the car starts again elsewhere.
    fn survive(
        &self,
        _before: &Moving,
        _state: &mut Moving,
        _memory: &mut Remembered<Self::Memory>,
    ) {
    }

    /// Advances the state by `dt` seconds.
    fn advance(
        &self,
        command: &Command,
        state: &mut Moving,
        memory: &mut Remembered<Self::Memory>,
        dt: f64,
    );

    /// Returns the motion that the model reports.
    #[inline(always)]
    fn motion(&self, state: &Moving) -> Motion {
        state.rolling(self.car().wheel_base)
    }

    /// Returns the offset of the steering sensor, rad.
    #[inline(always)]
    fn steer_bias(&self) -> f64 {
        0.0
    }

    /// Returns the positions of accelerator and brake, and the angle of the steering wheel, rad.
    #[inline(always)]
    fn pedals(&self, _state: &Moving) -> [f64; 3] {
        [0.0; 3]
    }
}
