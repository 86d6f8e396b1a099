//! Mistakes that the compiler finds when it computes declarations. Each line with an error ends with
//! the message.
use simhost_sdk::prelude::*;

const HALF_TURN: f64 = 180.0;

/// Ranges without a value.
#[derive(Params)]
pub struct EmptyRange {
    /// A number.
    #[param(default = 1.0, range = 2.0..=1.0)] // the range of `a` is empty: 2.0..=1.0; expected the smallest value first, such as 0.0..=1.0
    a: f64,
}

/// A range that excludes its only value.
#[derive(Params)]
pub struct OpenRange {
    /// A number.
    #[param(required, range = 1.0..1.0)] // the range of `a` is empty: 1.0..1.0; expected the smallest value first, such as 0.0..=1.0
    a: f64,
}

/// Limits that exclude each other.
#[derive(Params)]
pub struct Limits {
    /// A number.
    #[param(required, above = 3.0, below = 2.0)] // the range of `a` is empty: above 3.0, below 2.0; expected the smallest value first, such as 0.0..=1.0
    a: f64,
}

/// A default above the range.
#[derive(Params)]
pub struct Above {
    /// A number.
    #[param(default = 2.5, range = 0.0..=2.0)] // the default of `a` is 2.5; expected a value in the range 0.0..=2.0
    a: f64,
}

/// A default at a limit that is excluded.
#[derive(Params)]
pub struct AtLimit {
    /// A number.
    #[param(key = "C_1", default = 0.0, above = 0.0)] // the default of `C_1` is 0.0; expected a value in the range above 0.0
    a: f64,
}

/// A default that is computed.
#[derive(Params)]
pub struct Computed {
    /// An angle.
    #[param(default = -HALF_TURN, range = 0.0..HALF_TURN, unit = "deg")] // the default of `a` is -HALF_TURN; expected a value in the range 0.0..HALF_TURN
    a: f64,
}

/// An item of a list that is out of range.
#[derive(Params)]
pub struct Items {
    /// Numbers.
    #[param(default = [1.0, 5.0], range = 0.0..=2.0)] // the default of `a` is [1.0, 5.0]; expected a value in the range 0.0..=2.0
    a: Vec<f64>,
}

/// A list that is too short.
#[derive(Params)]
pub struct Short {
    /// Numbers.
    #[param(default = [1.0, 2.0])] // the default of `a` is [1.0, 2.0]; expected one number per element of the array
    a: [f64; 3],
}

/// An integer with a fraction.
#[derive(Params)]
pub struct Fraction {
    /// A count.
    #[param(default = 2.5)] // the default of `a` is 2.5; expected an integer
    a: u32,
}

/// A default of another type.
#[derive(Params)]
pub struct Type {
    /// A number.
    #[param(default = "much")] // the default of `a` is "much"; expected a number
    a: f64,
}

/// A range of a text.
#[derive(Params)]
pub struct TextRange {
    /// A text.
    #[param(range = 0.0..=1.0)] // `a` is not a number, so it has no range; remove the range
    a: String,
}

/// Gears.
#[derive(Choice)]
pub enum Gear {
    /// Forwards.
    #[param(key = "forward")]
    Forward,
    /// Backwards.
    #[param(key = "reverse")]
    Reverse,
}

/// A choice that does not exist.
#[derive(Params)]
pub struct Choices {
    /// The gear.
    #[param(default = "neutral")] // the default of `gear` is "neutral"; expected one of "forward" "reverse"
    gear: Gear,
}

/// A number that is 0 unless it is given.
#[derive(Params)]
pub struct Zero {
    /// A number.
    #[param(above = 0.0)]
    a: f64, // `a` has no default, so it is 0 in a world file that does not give it, which is not in the range above 0.0; add `default = …` or `required`
}

/// An array that is 0 unless it is given.
#[derive(Params)]
pub struct Zeros {
    /// Numbers.
    #[param(range = 1.0..=2.0)]
    a: [f64; 2], // `a` has no default, so it is 0 in a world file that does not give it, which is not in the range 1.0..=2.0; add `default = …` or `required`
}

/// A group with a parameter that differs between lanes.
#[derive(Params)]
pub struct Inner {
    /// A number.
    #[param(default = 1.0, per_lane)]
    a: f64,
}

/// A model with that group.
#[derive(Params)]
pub struct Outer {
    /// The group.
    inner: Inner, // `a` is `per_lane`, but it is a part of the group `inner`; expected a parameter of the model itself
}

/// No mistakes: optional, required, and without limits.
#[derive(Params)]
pub struct Fine {
    /// Optional.
    #[param(above = 0.0)]
    a: Option<f64>,
    /// Required.
    #[param(required, above = 0.0)]
    b: f64,
    /// 0 unless it is given.
    c: f64,
    /// Empty unless it is given.
    #[param(above = 0.0)]
    d: Vec<f64>,
    /// An integer in a range.
    #[param(default = -3, range = -5..)]
    e: i32,
}
