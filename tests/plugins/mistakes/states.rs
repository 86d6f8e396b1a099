//! A state that starts from something that is not a number among the parameters.
use simhost_sdk::prelude::*;

/// A tyre that warms up.
#[derive(Params)]
pub struct Tyre {
    /// Temperature at the start.
    #[param(default = 293.15, unit = "K")]
    ambient: f64,
    /// A name.
    label: String,
}

/// The heat of the tyre.
#[derive(State)]
pub struct Heat {
    /// Temperature of the tread.
    #[state(unit = "K", initial_from = "ambiant")]
    temperature: f64,
}

#[model]
impl Friction for Tyre {
    type State = Heat;
    fn force(&self, wheel: &Wheel, step: &Step, _: &mut Heat) -> Force {
        wheel.oppose_sliding(0.8, step)
    }
}

export_plugin! { // state `temperature` starts from `ambiant`, which is not a number or integer among the parameters; expected one of: `ambient`
    vendor: "test",
    friction: { "tyre" => Tyre },
}
