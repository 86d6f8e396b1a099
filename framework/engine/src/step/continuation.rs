//! What a simulation takes from an earlier one that it continues.

use crate::blueprint::Blueprint;
use crate::model::MigrationError;
use crate::state::State;
use crate::table::VehicleError;

/// A simulation cannot continue another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TakeOverError {
    /// The simulations are not of the same world.
    #[error("the worlds differ: {0}")]
    World(String),
    /// A model rejected the state of its predecessor.
    #[error("{entity}: {class} rejected the state of its predecessor: {text}")]
    State {
        /// Vehicle, with the wheel or sensor where there is one.
        entity: String,
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
    },
    /// The new parts of a world cannot start.
    #[error("{0}")]
    Start(String),
}

impl From<MigrationError> for TakeOverError {
    fn from(MigrationError { entity, class, text }: MigrationError) -> Self {
        Self::State { entity, class, text }
    }
}

impl From<VehicleError> for TakeOverError {
    fn from(error: VehicleError) -> Self {
        match error {
            VehicleError::Wheels(text) => Self::World(text),
            VehicleError::Model(error) => error.into(),
        }
    }
}

/// How a simulation continues another one.
pub(super) enum World<'a> {
    /// In the same world, with the same or other versions of models.
    Same,
    /// In a changed world, whose entities are matched by name. The function returns whether the parameters of a
    /// vehicle have changed.
    Changed(&'a dyn Fn(&str) -> bool),
}

/// A simulation that another one continues.
pub(super) struct Continuation<'a> {
    /// The simulation that is continued.
    pub old: &'a State,
    /// Its blueprint.
    pub old_blueprint: &'a Blueprint,
    /// How its world differs.
    pub world: World<'a>,
    /// Whether each table has to measure anew, because some of its vehicles have changed.
    pub measured: Vec<bool>,
}

impl<'a> Continuation<'a> {
    /// Begins to continue a simulation.
    pub fn new(old: &'a State, old_blueprint: &'a Blueprint, world: World<'a>) -> Self {
        Self { old, old_blueprint, world, measured: Vec::new() }
    }

    /// Returns whether the world is the same.
    pub fn is_same(&self) -> bool {
        matches!(self.world, World::Same)
    }
}
