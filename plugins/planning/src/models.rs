//! The thirteen models, and the adapter that turns each into a dynamics class.

pub mod adapter;
pub mod ideal_steer_vel;
pub mod rk4;
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
    const OWN: &'static [StateDesc];

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
    fn restart(&self, _memory: &mut Remembered<Self::Memory>) {}

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
