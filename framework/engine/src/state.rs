//! The state: everything that a step changes, as one value.
//!
//! A state can be copied, encoded, decoded and hashed. All of these follow from the lists of fields of
//! [`live_state!`](crate::live_state): a snapshot holds the encoded state, the state hash is its hash, and a copy of a
//! simulation clones the state and shares the [`Blueprint`].

use std::collections::{BTreeSet, HashMap};

use simhost_world::{FaultAction, FaultPolicy};

use crate::blueprint::Blueprint;
use crate::clock::Clock;
use crate::collisions::CollisionLog;
use crate::columns::Column;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::environments::Environments;
use crate::fault::FaultReport;
use crate::fleets::Fleets;
use crate::ground::Ground;
use crate::limits::Limits;
use crate::live_state::{LiveState, live_state};
use crate::model::{Call, MemoryCopies};
use crate::perception::Perception;
use crate::physics::{Body, Physics};
use crate::plan::Plans;
use crate::robot_faults::RobotFaults;
use crate::sensors::Sensors;
use crate::surroundings::Surroundings;
use crate::table::Table;
use crate::{commands, table};

/// Number of bytes that a body and its vehicle usually have in a snapshot, besides columns.
const BYTES_PER_BODY: usize = 512;

/// Everything that a step changes, and the inputs of the run.
pub(crate) struct State {
    /// Completed steps.
    pub clock: Clock,
    /// Seed of the random numbers that are drawn from the next step on.
    pub seed: u64,
    /// Vehicles that share their models and parameters.
    pub tables: Vec<Table>,
    /// Bodies, obstacles and joints.
    pub physics: Physics,
    /// Terrain, floors and regions.
    pub ground: Ground,
    /// Animations and actors.
    pub plans: Plans,
    /// Sensors of vehicles and of the world.
    pub sensors: Sensors,
    /// Wind, rain, ice and gravity.
    pub environments: Environments,
    /// Controllers of several vehicles.
    pub fleets: Fleets,
    /// The surroundings that models perceive, if a model asks about the world around it.
    pub perception: Option<Box<Perception>>,
    /// Commands to come.
    pub commands: CommandQueue,
    /// Faults after which the run has continued.
    pub faults: Vec<FaultReport>,
    /// Collisions, if they are watched.
    pub collisions: Option<Box<CollisionLog>>,
    /// Faults of the simulated robots.
    pub robot_faults: RobotFaults,
    /// Changes of the world since it was opened, as the owner of the simulation describes them.
    pub edits: String,
    /// Limits beyond which a state counts as diverged.
    pub limits: Limits,
}

live_state! {
    State {
        state { clock, tables, physics, plans, sensors, environments, fleets }
        world {
            // these only follow from bodies, ground and time
            ground, perception,
            // inputs of the run
            commands, limits, seed,
        }
        // part of a snapshot in addition to the state, or written with the sensors on which faults act
        report { edits, faults, collisions, robot_faults }
    }
}

/// A model has faulted, and the world file requests that this ends the run.
pub(crate) struct FatalFault(pub Box<FaultReport>);

impl State {
    /// Returns the same state, which continues as this one would, bit for bit. The two share constants of the world:
    /// instances of models, walls, search trees, terrain, meshes and images. An engine that casts rays remains with
    /// this one.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self) -> Result<Self, SnapshotError> {
        let copies = &mut MemoryCopies::default();
        let tables = self.tables.iter().map(|table| table.duplicate(copies));
        Ok(Self {
            clock: self.clock,
            seed: self.seed,
            tables: tables.collect::<Result<_, _>>()?,
            physics: self.physics.duplicate()?,
            ground: self.ground.clone(),
            plans: self.plans.clone(),
            sensors: self.sensors.duplicate(copies)?,
            environments: self.environments.duplicate(copies)?,
            fleets: self.fleets.duplicate(copies)?,
            perception: self.perception.clone(),
            commands: self.commands.clone(),
            faults: self.faults.clone(),
            collisions: self.collisions.clone(),
            robot_faults: self.robot_faults.clone(),
            edits: self.edits.clone(),
            limits: self.limits,
        })
    }

    /// Returns the state as bytes, with the faults of the robots.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let numbers: usize =
            self.tables.iter().map(|table| table.vehicles.columns.state_count()).sum();
        let bytes = numbers * size_of::<f64>() + self.physics.bodies.len() * BYTES_PER_BODY;
        let mut to = Writer { bytes: Vec::with_capacity(bytes) };
        self.write(&mut to)?;
        self.robot_faults.write(&self.sensors, &mut to)?;
        Ok(to.bytes)
    }

    /// Reads what [`Self::encode`] has returned for a state of the same blueprint.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or a model rejects its memory.
    pub fn decode(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let mut from = Reader::new(bytes);
        self.read(&mut from)?;
        let Self { robot_faults, tables, sensors, .. } = self;
        robot_faults.read(tables, sensors, &mut from)?;
        from.finish()
    }

    /// Returns the calls that hold the states and memories of all models.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        let tables = self.tables.iter().flat_map(Table::calls).chain(self.fleets.calls());
        tables.chain(self.sensors.calls()).chain(self.environments.calls())
    }

    /// Returns the clock after some more steps.
    pub fn after(&self, steps: u64) -> Clock {
        Clock { steps: self.clock.steps + steps, ..self.clock }
    }

    /// Brings what models perceive up to the present state, if a model perceives.
    pub fn perceive(&mut self, clock: Clock) {
        let Self { tables, physics, perception, .. } = self;
        if let Some(perception) = perception.as_mut().filter(|seen| seen.demand.by_models) {
            perception.update(tables, physics, clock.time());
        }
    }

    /// Returns whether a dynamics class perceives, so that all tables move before any of them measures.
    pub fn measures_later(&self) -> bool {
        self.perception.as_ref().is_some_and(|seen| seen.demand.in_measurements)
    }

    /// Starts and ends the faults of the robots that take effect with the next step.
    #[inline]
    pub fn update_robot_faults(&mut self) {
        let Self { robot_faults, clock, seed, tables, sensors, .. } = self;
        if robot_faults.is_due(clock) {
            robot_faults.update(clock, *seed, tables, sensors);
        }
    }

    /// Settles the faults of all environments.
    ///
    /// # Errors
    /// [`FatalFault`] for the first one that ends the run.
    pub fn settle_environment_faults(&mut self, policy: &FaultPolicy) -> Result<(), FatalFault> {
        let faults = self.environments.take_faults(policy);
        self.settle_faults(faults)
    }

    /// Settles the faults of all tables: first those of controllers and dynamics classes, then those
    /// of the forces.
    ///
    /// # Errors
    /// [`FatalFault`] for the first one that ends the run.
    pub fn settle_table_faults(&mut self) -> Result<(), FatalFault> {
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
    ///
    /// # Errors
    /// [`FatalFault`] for the first one that ends the run.
    pub fn settle_faults(&mut self, mut faults: Vec<FaultReport>) -> Result<(), FatalFault> {
        if let Some(stop) = faults.iter().position(|fault| fault.action == FaultAction::Stop) {
            return Err(FatalFault(Box::new(faults.swap_remove(stop))));
        }
        self.faults.append(&mut faults);
        Ok(())
    }

    /// Skips the commands that acted on the completed steps.
    pub fn skip_commands(&mut self) {
        let last =
            self.clock.steps.checked_sub(1).map(|steps| Clock { steps, ..self.clock }.time());
        let is_done =
            |command: &ResolvedCommand| last.is_some_and(|time| commands::acts(command.time, time));
        self.commands.next = self.commands.resolved.partition_point(is_done);
    }

    /// Notes what touches at the end of a step, if collisions are watched.
    #[inline]
    pub fn note_collisions(&mut self, blueprint: &Blueprint) {
        let Some(mut log) = self.collisions.take() else { return };
        let begun = log.update(&self.physics, self.clock.time());
        if !begun.is_empty() {
            let pairs = begun.iter().flat_map(|(body, other)| [Some(*body), *other]);
            let bodies: BTreeSet<usize> = pairs.flatten().collect();
            let entities = self.entities(blueprint, |body| bodies.contains(&body));
            log.add(begun, self.clock.time(), &entities);
        }
        self.collisions = Some(log);
    }

    /// Returns the vehicles and movers whose bodies have wanted numbers, by these: the name of each, and whether it is a
    /// vehicle.
    pub fn entities<'s>(
        &'s self,
        blueprint: &'s Blueprint,
        is_wanted: impl Fn(usize) -> bool,
    ) -> HashMap<usize, (&'s str, bool)> {
        let lanes = self.tables.iter().flat_map(|table| &table.vehicles.lanes);
        let lanes = lanes.map(|lane| (lane.body.number(), (&*lane.fixed.name, true)));
        let movers = blueprint.mover_names.iter().zip(&blueprint.movers);
        let movers = movers.map(|(name, mover)| (mover.body.number(), (&**name, false)));
        lanes.chain(movers).filter(|(number, _)| is_wanted(*number)).collect()
    }

    /// Returns the body of a vehicle by its table and lane.
    pub fn body_of(&self, (table, lane): (usize, usize)) -> Body {
        self.tables[table].vehicles.lanes[lane].body
    }
}

/// Returns the surroundings that models perceive.
pub(crate) fn seen(perception: &Option<Box<Perception>>) -> Option<&Surroundings> {
    perception.as_ref().map(|perception| perception.surroundings())
}

/// Commands in the order of their times.
#[derive(Clone, Default)]
pub(crate) struct CommandQueue {
    /// All commands.
    pub resolved: Vec<ResolvedCommand>,
    /// Index of the first command that has not been carried out.
    pub next: usize,
}

impl CommandQueue {
    /// Returns the next command if it acts on a step that starts at `time`, s.
    pub fn due(&self, time: f64) -> Option<&ResolvedCommand> {
        let next = self.resolved.get(self.next);
        next.filter(|command| commands::acts(command.time, time))
    }
}

/// A command with the columns that it sets.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedCommand {
    /// Time from which it acts, s.
    pub time: f64,
    /// Index of the table.
    pub table: usize,
    /// Lane of the vehicle in the table.
    pub lane: usize,
    /// Columns and their new values.
    pub values: Vec<(Column, f64)>,
}
