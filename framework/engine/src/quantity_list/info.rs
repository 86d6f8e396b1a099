//! Descriptions of quantities.

use crate::readings::Units;

/// A quantity of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityInfo {
    /// Full name, unique within a simulation.
    pub name: String,
    /// Units of its values.
    pub units: Units,
    /// Number of its values; `None` for one that is not an array.
    pub len: Option<usize>,
    /// The kind of thing of which each has one.
    pub scope: QuantityScope,
    /// Full name of the class that computes it, or `host`.
    pub source: String,
    /// Meaning, sign convention and frame.
    pub doc: String,
}

impl QuantityInfo {
    /// Returns the number of its values.
    pub fn count(&self) -> usize {
        self.len.unwrap_or(1)
    }
}

/// The kind of thing of which each has one quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityScope {
    /// The world.
    World,
    /// Each vehicle.
    Vehicle,
    /// Each wheel.
    Wheel,
    /// Each sensor.
    Sensor,
    /// Each ray of a sensor.
    Ray,
    /// Each block.
    Block,
    /// Each actor.
    Actor,
    /// Each joint.
    Joint,
    /// Each horizontal plane and each wall with openings.
    Plane,
}

impl QuantityScope {
    /// Returns the name of the scope, such as `wheel`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Vehicle => "vehicle",
            Self::Wheel => "wheel",
            Self::Sensor => "sensor",
            Self::Ray => "ray",
            Self::Block => "block",
            Self::Actor => "actor",
            Self::Joint => "joint",
            Self::Plane => "plane",
        }
    }
}
