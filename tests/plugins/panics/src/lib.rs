//! Models that fault, for tests of what the host does then.

use simhost_sdk::prelude::*;

/// Panics for the wheels that press harder than a limit, from a time on.
#[derive(Params)]
pub struct PanicsLate {
    /// Time of the panic.
    #[param(default = 1.0, unit = "s")]
    after: f64,
    /// Load above which it panics.
    #[param(default = 0.0, unit = "N")]
    load: f64,
}

#[model]
impl Friction for PanicsLate {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        assert!(
            step.time < self.after || wheel.normal_force <= self.load,
            "the tyre burst at {} N",
            wheel.normal_force
        );
        wheel.oppose_sliding(0.8, step)
    }
}

/// Divides by zero from a time on.
#[derive(Params)]
pub struct NotANumber {
    /// Time of the division.
    #[param(default = 1.0, unit = "s")]
    after: f64,
}

#[model]
impl Friction for NotANumber {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        let zero = if step.time < self.after { 1.0 } else { 0.0 };
        wheel.reaction(wheel.vx * 0.0 / zero, 0.0, 0.0)
    }
}

/// Refuses its parameters.
#[derive(Params)]
pub struct Refuses {}

#[model]
impl Friction for Refuses {
    fn prepare(&mut self) -> Result<(), String> {
        Err("no tyre fits this rim".into())
    }

    fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force {
        Force::default()
    }
}

/// Panics while it is made.
#[derive(Params)]
pub struct PanicsEarly {}

#[model]
impl Friction for PanicsEarly {
    fn prepare(&mut self) -> Result<(), String> {
        panic!("nothing works today")
    }

    fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force {
        Force::default()
    }
}

/// A class with the name of another plugin's.
#[derive(Params)]
pub struct Burckhardt {}

#[model]
impl Friction for Burckhardt {
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
        wheel.oppose_sliding(0.8, step)
    }
}

export_plugin! {
    vendor: "faulty",
    friction: {
        "panics_late" => PanicsLate,
        "not_a_number" => NotANumber,
        "refuses" => Refuses,
        "panics_early" => PanicsEarly,
        "burckhardt" => Burckhardt,
    },
}
