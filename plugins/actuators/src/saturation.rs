//! Saturation: y = clamp(u, lower, upper).
//!
//! Source: H. K. Khalil, *Nonlinear Systems*, 3rd ed. 2002, section 1.2.7.

use simhost_sdk::prelude::*;

/// Limits the command to a range.
#[derive(Params)]
pub struct Saturation {
    /// Largest output, in the unit of the port. A smaller value makes the actuator weaker.
    #[param(required, per_lane, scaling = Scaling::PORT)]
    upper: f64,
    /// Smallest output, in the unit of the port; by default the negative of `upper`.
    #[param(scaling = Scaling::PORT)]
    lower: Option<f64>,
}

impl Saturation {
    #[inline(always)]
    fn lower(&self) -> f64 {
        self.lower.unwrap_or(-self.upper)
    }
}

#[model]
impl Actuator for Saturation {
    fn prepare(&mut self) -> Result<(), String> {
        let (lower, upper) = (self.lower(), self.upper);
        match lower <= upper {
            true => Ok(()),
            false => Err(format!("upper is {upper}, expected at least lower, which is {lower}")),
        }
    }

    fn actuate(&self, command: f64, _: &(), _: &Step, _: &mut ()) -> f64 {
        command.max(self.lower()).min(self.upper)
    }
}
