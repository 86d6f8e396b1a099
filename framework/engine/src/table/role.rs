//! The models of a vehicle whose parameters can change.

/// A model of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelRole {
    /// The controller.
    Controller,
    /// The friction model of all wheels that have none of their own.
    Friction,
    /// The friction model of the wheel with this index.
    WheelFriction(usize),
    /// The actuator with this number in the chain.
    Actuator(usize),
}
