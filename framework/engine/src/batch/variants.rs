//! What a batch asks of its owner: the variants of the world, and the starts of the members.

use std::sync::Arc;

use simhost_world::World;

use crate::build::BuildError;
use crate::simulation::Simulation;
use crate::step::StepError;
use crate::table::Table;

/// The variants of a world that the members of a batch simulate, and the start of each member.
///
/// Members of one variant share everything that is built from the world. They can differ in seeds, poses, velocities,
/// commands, and in those parameters of models that can differ between vehicles that share a table.
pub trait Variants: Send + Sync {
    /// A variant cannot be built, or a member cannot start.
    type Error: From<BuildError> + Send;

    /// Returns the variant of a member.
    fn variant_of(&self, member: usize) -> usize;

    /// Returns the seed of a member.
    fn seed_of(&self, member: usize) -> u64;

    /// Returns the world of a variant.
    fn world(&self, variant: usize) -> &Arc<World>;

    /// Builds a simulation of a variant by [`Simulation::of_member`].
    ///
    /// # Errors
    /// If the variant cannot be built.
    fn build(&self, variant: usize, seed: u64) -> Result<Simulation, Self::Error>;

    /// Builds tables for `count` members of a variant by [`WideTables::new`].
    ///
    /// # Errors
    /// If the variant cannot be built.
    fn build_tables(&self, variant: usize, count: usize) -> Result<WideTables, Self::Error>;

    /// Brings a simulation of the variant of a member, in which nothing has been measured yet, to the start of the
    /// member: gives it the parameters as [`Self::set_parameters`] does, poses, velocities and commands, and calls
    /// [`Simulation::start`], or restores a snapshot. Returns the error with which the start fails.
    ///
    /// # Errors
    /// If something is not accepted.
    fn start(
        &self,
        member: usize,
        simulation: &mut Simulation,
    ) -> Result<Option<StepError>, Self::Error>;

    /// Gives the models of a simulation the parameters of a member, for the evidence of faults. The states of the
    /// models are set anew afterwards.
    ///
    /// # Errors
    /// If a model rejects them.
    fn set_parameters(&self, member: usize, simulation: &mut Simulation)
    -> Result<(), Self::Error>;

    /// Returns whether the start of a member depends on nothing but its variant and, if its models draw random
    /// numbers, its seed.
    fn starts_alike(&self, member: usize) -> bool;
}

/// Tables for several members, without their surroundings.
pub struct WideTables(pub(super) Vec<Table>);

impl WideTables {
    /// Builds tables for `count` members of a world.
    ///
    /// # Errors
    /// [`BuildError`] if a model rejects its parameters or a body cannot exist.
    pub fn new(world: &World, count: usize) -> Result<Self, BuildError> {
        crate::build::wide_tables(world, count).map(Self)
    }
}
