//! Continuing a simulation with other versions of its models, or in a world that has changed.

use super::parts::for_each_part;
use super::start;
use crate::blueprint::Blueprint;
use crate::model::MigrationError;
use crate::state::State;
use crate::table::{Table, VehicleError};

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
    fn new((old, old_blueprint): (&'a State, &'a Blueprint), world: World<'a>) -> Self {
        Self { old, old_blueprint, world, measured: Vec::new() }
    }

    /// Returns whether the world is the same.
    pub fn is_same(&self) -> bool {
        matches!(self.world, World::Same)
    }
}

/// Continues `old`, a state of the same world. See [`Simulation::take_over`](crate::Simulation::take_over).
pub(crate) fn take_over(
    state: &mut State,
    blueprint: &Blueprint,
    old: (&State, &Blueprint),
) -> Result<(), TakeOverError> {
    if blueprint.names[..] != old.1.names[..] {
        return Err(TakeOverError::World("the vehicles differ".to_owned()));
    }
    state.clock = old.0.clock;
    continue_parts(state, blueprint, Continuation::new(old, World::Same))?;
    state.faults.clone_from(&old.0.faults);
    state.collisions.clone_from(&old.0.collisions);
    Ok(())
}

/// Continues `old` in a changed world. See
/// [`Simulation::continue_changed`](crate::Simulation::continue_changed).
pub(crate) fn continue_changed(
    state: &mut State,
    blueprint: &Blueprint,
    old: (&State, &Blueprint),
    is_changed: &dyn Fn(&str) -> bool,
) -> Result<(), TakeOverError> {
    state.clock = old.0.clock;
    state.limits = old.0.limits;
    if old.0.tables.iter().any(|table| table.book(0).is_some()) {
        state.tables.iter_mut().for_each(Table::open_books);
    }
    if !state.plans.is_empty() {
        // twice, so that bodies that start now have the velocity of their plan and not of a jump
        let clock = state.clock;
        for _ in 0..2 {
            state.plans.advance(clock.time(), clock.dt, &mut state.physics);
        }
    }
    start(state, blueprint).map_err(|error| TakeOverError::Start(error.to_string()))?;
    continue_parts(state, blueprint, Continuation::new(old, World::Changed(is_changed)))?;
    state.faults.splice(0..0, old.0.faults.iter().cloned());
    state.collisions = old.0.collisions.as_ref().map(|log| Box::new(log.continued()));
    Ok(())
}

fn continue_parts(
    state: &mut State,
    blueprint: &Blueprint,
    mut from: Continuation<'_>,
) -> Result<(), TakeOverError> {
    let from = &mut from;
    for_each_part!(take_over(state, blueprint, from)?);
    for_each_part!(resume(state, blueprint, from)?);
    Ok(())
}
