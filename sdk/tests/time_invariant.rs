//! Which models are found to be time-invariant.

use simhost_sdk::abi::{Model, model_flag};
use simhost_sdk::prelude::*;
use simhost_sdk::{ActuatorModel, ControllerModel, FrictionModel};

/// Declares actuators with the name of their step, further items, and an expression for the value.
macro_rules! actuators {
    ($($name:ident($step:tt) { $($more:item)* } => $value:expr;)*) => {
        $(
            /// An actuator.
            #[derive(Params)]
            pub struct $name {}

            #[model]
            impl Actuator for $name {
                $($more)*
                fn actuate(&self, _: f64, _: &(), $step: &Step, _: &mut ()) -> f64 {
                    $value
                }
            }
        )*
    };
}

fn passed_on(step: &Step) -> f64 {
    step.dt
}

actuators! {
    Ignores(_) {} => 1.0;
    Declares(step) { const TIME_INVARIANT: bool = true; } => passed_on(step);
    PassesOn(step) {} => passed_on(step);
    Renames(step) {} => {
        let other = step;
        other.time
    };
}

/// An actuator that is written without a macro, whose argument the attribute sees as its author wrote it.
#[derive(Params)]
pub struct Lags {}

#[model]
impl Actuator for Lags {
    fn actuate(&self, command: f64, _: &(), step: &Step, _: &mut ()) -> f64 {
        if step.dt > 0.0 { command * step.dt } else { f64::max(0.0, step.dt) }
    }
}

/// An actuator that takes its step apart.
#[derive(Params)]
pub struct Destructures {}

#[model]
impl Actuator for Destructures {
    fn actuate(&self, _: f64, _: &(), Step { time, .. }: &Step, _: &mut ()) -> f64 {
        *time
    }
}

/// An actuator that reads the time within a macro.
#[derive(Params)]
pub struct Ages {}

#[model]
impl Actuator for Ages {
    fn actuate(&self, _: f64, _: &(), step: &Step, _: &mut ()) -> f64 {
        assert!(step.time >= 0.0, "before the start");
        step.dt
    }
}

/// A controller that draws.
#[derive(Params)]
pub struct Draws {}

/// A yaw rate.
#[derive(Ports)]
pub struct Turning {
    /// Yaw rate.
    #[port(unit = "rad/s")]
    twist_omega: f64,
}

#[model]
impl Controller for Draws {
    const RANDOM: bool = true;

    fn control(&self, _: &(), step: &Step, _: &mut ()) -> Turning {
        Turning { twist_omega: step.random().uniform() }
    }
}

/// Friction whose second method reads the time.
#[derive(Params)]
pub struct Publishes {}

/// A time.
#[derive(Ports)]
pub struct Since {
    /// Time since the start.
    #[port(unit = "s")]
    since: f64,
}

#[model]
impl Friction for Publishes {
    type Published = Since;

    fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force {
        Force::default()
    }

    fn publish(&self, _: &Wheel, _: &Force, step: &Step, _: &()) -> Since {
        Since { since: step.time }
    }
}

#[test]
fn a_model_is_time_invariant_if_it_uses_nothing_of_its_step_that_depends_on_time() {
    let is_invariant = |model: Model| model.flags & model_flag::TIME_INVARIANT != 0;
    let actuators = [
        (ActuatorModel::<Ignores>::model("a", "1.0.0"), true),
        (ActuatorModel::<Lags>::model("a", "1.0.0"), true),
        (ActuatorModel::<Declares>::model("a", "1.0.0"), true),
        (ActuatorModel::<PassesOn>::model("a", "1.0.0"), false),
        (ActuatorModel::<Renames>::model("a", "1.0.0"), false),
        (ActuatorModel::<Destructures>::model("a", "1.0.0"), false),
        (ActuatorModel::<Ages>::model("a", "1.0.0"), false),
    ];
    for (number, (model, expected)) in actuators.into_iter().enumerate() {
        assert_eq!(is_invariant(model), expected, "actuator {number}");
    }
    assert!(is_invariant(ControllerModel::<Draws>::model("c", "1.0.0")));
    assert!(!is_invariant(FrictionModel::<Publishes>::model("f", "1.0.0")));
}
