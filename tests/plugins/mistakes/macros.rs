//! Mistakes that the derive macros report. Each line with an error ends with the message.
use simhost_sdk::prelude::*;

/// Two parameters with one key.
#[derive(Params)]
pub struct Keys {
    /// The first.
    mu: f64,
    /// The second.
    #[param(key = "mu")] // duplicate parameter name `mu`: keys and aliases are unique
    friction: f64,
}

/// An alias that is a key.
#[derive(Params)]
pub struct Aliases {
    /// The first.
    #[param(key = "C_rr")]
    rolling: f64,
    /// The second.
    #[param(alias = "C_rr")] // duplicate parameter name `C_rr`: keys and aliases are unique
    resistance: f64,
}

/// Two aliases with one name.
#[derive(Params)]
pub struct BothAliases {
    /// The first.
    #[param(alias = "k")]
    stiffness: f64,
    /// The second.
    #[param(alias = "k")] // duplicate parameter name `k`: keys and aliases are unique
    spring: f64,
}

/// An option that is given twice.
#[derive(Params)]
pub struct Options {
    /// A number.
    #[param(default = 1.0, default = 2.0)] // duplicate option
    a: f64,
}

/// A default of a required parameter.
#[derive(Params)]
pub struct Required {
    /// A number.
    #[param(required, default = 1.0)] // a `required` parameter has no default: remove one of the two
    a: f64,
}

/// A list without a description.
#[derive(Params)]
pub struct Undescribed {
    #[param(required)] // missing doc comment: it is the description that users read
    a: Vec<f64>,
}

/// A range that is not one.
#[derive(Params)]
pub struct NoRange {
    /// A number.
    #[param(range = 1.0)] // expected a range, such as 0.0..=1.0
    a: f64,
}

/// Parameters that cannot differ between lanes.
#[derive(Params)]
pub struct Lanes {
    /// A whole number.
    #[param(default = 1, per_lane)]
    a: u32, // a `per_lane` parameter is a number: expected the type `f64`
    /// A number.
    b: f64,
}

/// A field that is not a parameter.
#[derive(Params)]
pub struct SkippedLane {
    #[param(skip, per_lane)]
    a: f64, // `skip` makes this field no parameter: remove it or `per_lane`
}

/// A lane without a value.
#[derive(Params)]
pub struct EmptyLane {
    /// A number.
    #[param(per_lane)]
    a: f64, // a `per_lane` parameter has a value in each lane: add `default = …` or `required`
}

/// Measurements that nothing computes.
#[derive(Params)]
pub struct Unmeasured {}

#[model]
impl Dynamics for Unmeasured {
    type Actuators = ();
    type Measurements = Speeds; // missing `fn measure` or `fn measure_state`, which returns these measurements
    const WHEELS: &'static [WheelPlace] = &[];
    const CHASSIS: Chassis = Chassis { mass: 1.0, z_min: 0.0, z_max: 1.0, polygon: &[] };
    fn drive(&self, _: &(), _: &mut Wheels, _: &Step, _: &mut ()) {}
}
