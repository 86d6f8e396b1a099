//! A gravity that replaces the gravity of the world from a given time on.

use simhost_sdk::prelude::*;

/// Sets the gravity of the world from a given time on.
#[derive(Params)]
pub struct Gravity {
    /// Gravity. A smaller value makes wheels grip less and vehicles fall more slowly.
    #[param(required, range = 0.0..=1000.0, unit = "m/s²")]
    value: f64,
    /// Time from which on it applies. A larger value delays it.
    #[param(default = 0.0, range = 0.0..=1e9, unit = "s")]
    start: f64,
}

#[model]
impl Environment for Gravity {
    fn gravity(&self, step: &Step, _: &()) -> Option<f64> {
        (step.time >= self.start).then_some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::Gravity;
    use simhost_sdk::prelude::*;
    use simhost_sdk::testing;

    #[test]
    fn it_holds_from_its_start_on() {
        let moon: Gravity = testing::environment(&[("value", 1.62), ("start", 2.0)]);
        assert_eq!(moon.gravity(&Step::new(1.9, 0.1), &()), None);
        assert_eq!(moon.gravity(&Step::new(2.0, 0.1), &()), Some(1.62));
    }
}
