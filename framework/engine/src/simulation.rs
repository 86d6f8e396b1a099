//! The simulation and its step.

mod ahead;
mod capture;
mod changes;
mod command_queue;
mod continuation;
mod duplicate;
mod observe;
mod part;
mod parts;
mod robot_faults;
mod state;
mod step;

use std::sync::Arc;

use simhost_world::{FaultAction, FaultPolicy};

use crate::clock::Clock;
use crate::collisions::CollisionLog;
use crate::divergence::Divergence;
use crate::environments::Environments;
use crate::fault::FaultReport;
use crate::fleets::Fleets;
use crate::ground::Ground;
use crate::limits::Limits;
use crate::model::ModelStamp;
use crate::name_index::NameIndex;
use crate::perception::Perception;
use crate::physics::{Body, Overlaps, Physics};
use crate::plan::Plans;
use crate::robot_faults::RobotFaults;
use crate::scan_engine::ScanError;
use crate::sensors::Sensors;
use crate::surroundings::Surroundings;
use crate::table::{self, Table};
use crate::workers::Workers;

pub use capture::UnknownCall;
pub use changes::PlaceError;
use command_queue::CommandQueue;
pub use continuation::TakeOverError;

/// A step failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A model faulted, and the world file requests that this ends the run.
    #[error("{0}")]
    Fault(Box<FaultReport>),
    /// A body or a state has diverged.
    #[error("{0}")]
    Diverged(Box<Divergence>),
    /// The engine that casts rays has failed, and it is required.
    #[error("{0}")]
    Scan(ScanError),
}

/// A world that is stepped.
///
/// Call [`Self::start`] once, or [`Self::restore`](crate::Simulation::restore) a snapshot, then
/// [`Self::step`] repeatedly.
pub struct Simulation {
    pub(crate) tables: Vec<Table>,
    /// Table and lane of every vehicle, in the order of the world file.
    pub(crate) places: Vec<(usize, usize)>,
    pub(crate) names: Arc<NameIndex>,
    pub(crate) physics: Physics,
    pub(crate) ground: Ground,
    pub(crate) plans: Plans,
    /// Whether the properties of regions are those at height 0, not at that of the wheel.
    pub(crate) regions_at_zero: bool,
    /// Whether initial velocities are those of the centres of mass in the world frame.
    pub(crate) velocities_in_world: bool,
    /// Number of parts of a step in which wheels and bodies move.
    pub(crate) substeps: u32,
    pub(crate) overlaps: Overlaps,
    /// Blocks and actors that can move.
    pub(crate) movers: Vec<Mover>,
    /// Their names: `block/NAME` and `actor/NAME`.
    pub(crate) mover_names: Arc<NameIndex>,
    pub(crate) sensors: Sensors,
    pub(crate) environments: Environments,
    pub(crate) fleets: Fleets,
    /// The surroundings that models perceive, if a model asks about the world around it.
    pub(crate) perception: Option<Box<Perception>>,
    pub(crate) clock: Clock,
    pub(crate) policy: FaultPolicy,
    pub(crate) seed: u64,
    pub(crate) workers: Workers,
    pub(crate) commands: CommandQueue,
    pub(crate) faults: Vec<FaultReport>,
    /// Collisions, if they are watched.
    pub(crate) collisions: Option<Box<CollisionLog>>,
    pub(crate) robot_faults: RobotFaults,
    pub(crate) origin: Arc<Origin>,
    /// Changes of the world since it was opened, as the owner of the simulation describes them.
    pub(crate) edits: String,
    pub(crate) limits: Limits,
    /// Number of steps that tables have made on their own.
    pub(crate) steps_at_once: u64,
}

/// World and models of a simulation, for snapshots.
pub(crate) struct Origin {
    /// Fingerprint of the world.
    pub world: u128,
    /// The models.
    pub models: Arc<[ModelStamp]>,
}

/// A block or an actor that can move.
#[derive(Clone)]
pub(crate) struct Mover {
    /// Its body.
    pub body: Body,
    /// Index of the block in the world file; `None` for an actor.
    pub block: Option<usize>,
}

impl Simulation {
    /// Brings what models perceive up to the present state, if a model perceives.
    fn perceive(&mut self, clock: Clock) {
        let Self { tables, physics, perception, .. } = self;
        if let Some(perception) = perception.as_mut().filter(|seen| seen.demand.by_models) {
            perception.update(tables, physics, clock.time());
        }
    }

    /// Returns whether a dynamics class perceives, so that all tables move before any of them measures.
    fn measures_later(&self) -> bool {
        self.perception.as_ref().is_some_and(|seen| seen.demand.in_measurements)
    }

    /// Starts and ends the faults of the robots that take effect with the next step.
    #[inline]
    fn update_robot_faults(&mut self) {
        let Self { robot_faults, clock, seed, tables, sensors, .. } = self;
        if robot_faults.is_due(clock) {
            robot_faults.update(clock, *seed, tables, sensors);
        }
    }

    /// Settles the faults of all environments.
    fn settle_environment_faults(&mut self) -> Result<(), StepError> {
        let faults = self.environments.take_faults(&self.policy);
        self.settle_faults(faults)
    }

    /// Returns the clock after some more steps.
    fn after(&self, steps: u64) -> Clock {
        Clock { steps: self.clock.steps + steps, ..self.clock }
    }

    /// Settles the faults of all tables: first those of controllers and dynamics classes, then those
    /// of the forces.
    fn settle_table_faults(&mut self) -> Result<(), StepError> {
        if !self.tables.iter().any(Table::has_faults) {
            return Ok(());
        }
        for phase in 0..table::FAULT_PHASES {
            let faults = self.tables.iter_mut();
            let faults = faults.flat_map(|table| std::mem::take(&mut table.faults[phase]));
            let faults = faults.collect();
            self.settle_faults(faults)?;
        }
        Ok(())
    }

    /// Returns the first fault that ends the run as an error, and keeps the others.
    fn settle_faults(&mut self, mut faults: Vec<FaultReport>) -> Result<(), StepError> {
        if faults.is_empty() {
            return Ok(());
        }
        if let Some(stop) = faults.iter().position(|fault| fault.action == FaultAction::Stop) {
            return Err(StepError::Fault(Box::new(faults.swap_remove(stop))));
        }
        self.faults.append(&mut faults);
        Ok(())
    }

    /// Sets the limits beyond which a state counts as diverged.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }
}

/// Returns the surroundings that models perceive.
fn seen(perception: &Option<Box<Perception>>) -> Option<&Surroundings> {
    perception.as_ref().map(|perception| perception.surroundings())
}

#[cfg(test)]
mod tests;
