//! A controller without commands and outputs, for vehicles whose dynamics class needs none.

use simhost_sdk::prelude::*;

/// Commands nothing. The dynamics class must get all its inputs from the world file, from sensors, or have defaults for
/// them.
#[derive(Params)]
pub struct Uncontrolled {}

#[model]
impl Controller for Uncontrolled {
    fn control(&self, _: &(), _: &Step, _: &mut ()) {}
}
