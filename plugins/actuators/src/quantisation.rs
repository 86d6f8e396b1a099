//! Quantisation: y = q round(u/q), the mid-tread quantiser.
//!
//! Source: B. Widrow and I. Kollár, *Quantization Noise*, 2008, section 1.1. A command halfway between
//! two outputs is rounded away from 0.

use simhost_sdk::prelude::*;

/// Rounds the command to multiples of a resolution, like a digital interface.
#[derive(Params)]
pub struct Quantisation {
    /// Distance of two neighbouring outputs, in the unit of the port. A larger value makes the output
    /// coarser.
    #[param(required, range = 1e-9..=1e9, per_lane, scaling = Scaling::PORT)]
    resolution: f64,
}

#[model]
impl Actuator for Quantisation {
    fn actuate(&self, command: f64, _: &(), _: &Step, _: &mut ()) -> f64 {
        self.resolution * (command / self.resolution).round()
    }
}
