//! The simulation and its step.

mod ahead;
mod capture;
mod changes;
mod observe;
mod robot_faults;

use std::collections::HashMap;

use simhost_world::{FaultAction, FaultPolicy};

use crate::clock::Clock;
use crate::columns::Column;
use crate::commands::{Command, CommandError, CommandKind};
use crate::divergence::{self, Divergence, Limits};
use crate::environments::Environments;
use crate::fault::FaultReport;
use crate::fleets::Fleets;
use crate::ground::Ground;
use crate::model::ModelStamp;
use crate::moment::Moment;
use crate::perception::Perception;
use crate::physics::{Body, Physics};
use crate::plan::Plans;
use crate::robot_faults::RobotFaults;
use crate::scan_engine::ScanError;
use crate::sensors::Sensors;
use crate::surroundings::Surroundings;
use crate::table::{self, Table};
use crate::workers::{Crew, Workers};

pub use capture::UnknownCall;
pub use changes::PlaceError;

/// Number of vehicles from which a step is divided among threads. Below, waking a thread costs more
/// than it gains: one step of 1000 vehicles takes about 0.1 ms, waking a thread 0.05 ms.
const VEHICLES_FOR_THREADS: usize = 2000;
/// Number of rays from which a sample is divided among threads: 5000 take about 0.1 ms.
const RAYS_FOR_THREADS: usize = 5000;

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
    pub(crate) names: Vec<String>,
    pub(crate) physics: Physics,
    pub(crate) ground: Ground,
    pub(crate) plans: Plans,
    /// Whether the properties of regions are those at height 0, not at that of the wheel.
    pub(crate) regions_at_zero: bool,
    /// Number of parts of a step in which wheels and bodies move.
    pub(crate) substeps: u32,
    pub(crate) overlaps: Vec<(String, String)>,
    /// Blocks and actors that can move.
    pub(crate) movers: Vec<Mover>,
    pub(crate) sensors: Sensors,
    pub(crate) environments: Environments,
    pub(crate) fleets: Fleets,
    /// The surroundings that models perceive, if a model asks about the world around it.
    pub(crate) perception: Option<Box<Perception>>,
    pub(crate) clock: Clock,
    pub(crate) policy: FaultPolicy,
    pub(crate) seed: u64,
    pub(crate) workers: Workers,
    pub(crate) commands: Vec<PlannedCommand>,
    /// Index of the first command that has not been carried out.
    pub(crate) next_command: usize,
    pub(crate) faults: Vec<FaultReport>,
    pub(crate) robot_faults: RobotFaults,
    pub(crate) origin: Origin,
    /// Changes of the world since it was opened, as the owner of the simulation describes them.
    pub(crate) edits: String,
    pub(crate) limits: Limits,
    /// Number of steps that tables have made on their own.
    #[cfg(test)]
    pub(crate) steps_at_once: u64,
}

/// World and models of a simulation, for snapshots.
pub(crate) struct Origin {
    /// Fingerprint of the world.
    pub world: u128,
    /// The models.
    pub models: Vec<ModelStamp>,
}

/// A block or an actor that can move.
pub(crate) struct Mover {
    /// `block/NAME` or `actor/NAME`.
    pub label: String,
    /// Its body.
    pub body: Body,
    /// Index of the block in the world file; `None` for an actor.
    pub block: Option<usize>,
}

/// A command with the columns that it sets.
#[derive(Clone, Debug)]
pub(crate) struct PlannedCommand {
    time: f64,
    table: usize,
    lane: usize,
    values: Vec<(Column, f64)>,
}

impl PlannedCommand {
    /// Returns whether it acts on a step that starts at `time`, s.
    fn is_due(&self, time: f64) -> bool {
        time >= self.time - 1e-9
    }
}

impl Simulation {
    /// Measures once, before the first step.
    ///
    /// # Errors
    /// [`StepError::Fault`] if a model faults and the world file requests that this ends the run.
    pub fn start(&mut self) -> Result<(), StepError> {
        self.perceive(self.clock);
        let Self { tables, physics, clock, ground, seed, policy, environments, perception, .. } =
            self;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        let faults = environments.start(&moment, policy, tables, physics);
        for table in tables {
            table.start(&moment, physics.bodies(&table.vehicles.bodies));
        }
        self.robot_faults.start(self.clock.time(), self.seed);
        self.update_robot_faults();
        self.settle_faults(faults)?;
        self.settle_table_faults()
    }

    /// Advances the world by one step.
    ///
    /// # Errors
    /// [`StepError`] if a model faults and the world file requests that this ends the run, or if a
    /// state has diverged.
    pub fn step(&mut self) -> Result<(), StepError> {
        let workers = self.workers.clone();
        let crew = workers.crew(self.names.len() >= VEHICLES_FOR_THREADS);
        self.apply_commands();
        self.update_environments()?;
        self.update_ground()?;
        let start = self.clock;
        self.command_fleets()?;
        for part in 0..self.substeps {
            let clock = start.substep(part, self.substeps);
            if part > 0 && self.perception.as_ref().is_some_and(|seen| seen.demand.in_forces) {
                self.perceive(clock);
            }
            self.push(start, clock, part == 0, crew);
            self.settle_table_faults()?;
            self.follow_plans(clock);
            self.stop_at_ledges(clock.dt);
            self.move_solved_bodies();
            let is_last = part + 1 == self.substeps;
            if is_last {
                self.impose_on_solved(clock.dt);
            }
            self.finish_substep(start, clock.dt, is_last, crew);
        }
        self.clock.steps += 1;
        self.physics.settle_placed();
        self.settle_table_faults()?;
        self.sample_sensors()?;
        self.update_robot_faults();
        let found =
            divergence::find(&self.tables, &self.fleets, &self.physics, self.clock, &self.limits);
        found.map_or(Ok(()), |found| Err(StepError::Diverged(Box::new(found))))
    }

    /// Sets the inputs of controllers by the commands that act from this step on.
    fn apply_commands(&mut self) {
        if self.next_command == self.commands.len() {
            return;
        }
        let time = self.clock.time();
        while let Some(command) = self.commands.get(self.next_command) {
            if !command.is_due(time) {
                break;
            }
            let columns = &mut self.tables[command.table].vehicles.columns;
            for (column, value) in &command.values {
                columns.get_mut(*column)[command.lane] = *value;
            }
            self.next_command += 1;
        }
    }

    /// Updates the states of environments and the gravity.
    fn update_environments(&mut self) -> Result<(), StepError> {
        if self.environments.is_empty() {
            return Ok(());
        }
        if self.perception.as_ref().is_some_and(|seen| seen.demand.in_weather) {
            self.perceive(self.clock);
        }
        let Self { tables, physics, clock, ground, seed, policy, environments, perception, .. } =
            self;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        let faults = environments.update(&moment, policy, tables, physics);
        self.settle_faults(faults)
    }

    /// Updates height, pitch and roll of the vehicles, the wind that blows on them, and the ground
    /// properties of their wheels.
    fn update_ground(&mut self) -> Result<(), StepError> {
        let Self { tables, ground, physics, clock, environments, .. } = self;
        if !ground.is_level() {
            ground.update(clock.time(), physics);
            ground.drop_blocks(physics, environments.gravity(), clock.dt);
            for table in tables.iter_mut() {
                table.vehicles.follow_ground(ground, physics, Some(clock.dt));
            }
        } else {
            for table in tables.iter().filter(|table| table.vehicles.host.spatial) {
                table.vehicles.carry_heights(physics);
            }
        }
        // for everything up to the motion of the bodies
        self.perceive(self.clock);
        let Self { tables, ground, clock, environments, seed, policy, perception, .. } = self;
        let mut faults = Vec::new();
        if !environments.is_empty() {
            let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
            faults = environments.apply(&moment, policy, tables);
        }
        if ground.has_properties() || !ground.is_level() {
            let (at_zero, keeps) = (self.regions_at_zero, environments.has_surface());
            for table in tables {
                table.vehicles.update_ground_properties(ground, at_zero, keeps);
                table.vehicles.update_contacts(ground, at_zero);
            }
        }
        self.settle_faults(faults)
    }

    /// Lets the fleets set the inputs of the controllers of their vehicles.
    fn command_fleets(&mut self) -> Result<(), StepError> {
        if self.fleets.is_empty() {
            return Ok(());
        }
        let Self { tables, clock, ground, seed, policy, fleets, perception, .. } = self;
        let moment = Moment::new(*clock, *seed, ground).with(seen(perception));
        let faults = fleets.command(&moment, tables, policy);
        self.settle_faults(faults)
    }

    /// Runs controllers and dynamics classes in the first substep, and computes the velocities of the
    /// bodies from friction and other forces.
    fn push(&mut self, start: Clock, clock: Clock, is_first: bool, crew: Crew<'_>) {
        let Self { tables, physics, ground, seed, perception, .. } = self;
        let moment = |clock| Moment::new(clock, *seed, ground).with(seen(perception));
        let moments = [moment(start), moment(clock)];
        table::for_each(crew, tables, physics, &|table, bodies| {
            table.begin_substep(&moments, is_first, bodies);
        });
    }

    /// Lets rapier move the bodies that can touch something.
    fn move_solved_bodies(&mut self) {
        // plans, ledges and ropes may have changed what the tables have checked
        let checked = self.plans.is_empty() && self.ground.is_level();
        let stay = checked && !self.tables.iter().any(|table| table.leaves_search);
        let vehicles = self.tables.first().map(|table| table.vehicles.bodies.start);
        self.physics.step_solved(vehicles.filter(|_| stay));
    }

    /// Overwrites the velocities of bodies that rapier has moved, as far as their contacts permit.
    fn impose_on_solved(&mut self, dt: f64) {
        let Self { tables, physics, .. } = self;
        if physics.is_free() {
            return;
        }
        let mut imposes = false;
        for table in tables {
            let bodies = table.vehicles.bodies.clone();
            imposes |= table.impose_on_solved(physics.bodies_mut(&bodies));
        }
        if imposes {
            physics.limit_prescribed(dt);
        }
    }

    /// Moves the bodies that rapier does not move by a substep of `dt` seconds. Reads all bodies and
    /// measures after the last substep.
    fn finish_substep(&mut self, start: Clock, dt: f64, is_last: bool, crew: Crew<'_>) {
        let Self { tables, physics, ground, seed, limits, .. } = self;
        let Limits { speed, yaw_rate, .. } = *limits;
        let step = Moment::new(start, *seed, ground);
        let measures_later =
            self.perception.as_ref().is_some_and(|seen| seen.demand.in_measurements);
        table::for_each(crew, tables, physics, &|table, bodies| {
            table.finish_substep(dt, bodies);
            if is_last && measures_later {
                table.end_motion(&step, bodies);
            } else if is_last {
                table.post(&step, bodies);
                table.check_states(speed, yaw_rate, bodies);
            }
        });
        if is_last && measures_later {
            self.measure_after_motion(start, crew);
        }
    }

    /// Measures after the motion of all bodies, for a dynamics class that perceives the others.
    fn measure_after_motion(&mut self, start: Clock, crew: Crew<'_>) {
        self.perceive(Clock { steps: start.steps + 1, ..start });
        let Self { tables, physics, ground, seed, limits, perception, .. } = self;
        let Limits { speed, yaw_rate, .. } = *limits;
        let step = Moment::new(start, *seed, ground).with(seen(perception));
        table::for_each(crew, tables, physics, &|table, bodies| {
            table.measure(&step);
            table.check_states(speed, yaw_rate, bodies);
        });
    }

    /// Brings what models perceive up to the present state, if a model perceives.
    fn perceive(&mut self, clock: Clock) {
        let Self { tables, physics, perception, .. } = self;
        if let Some(perception) = perception.as_mut().filter(|seen| seen.demand.by_models) {
            perception.update(tables, physics, clock.time());
        }
    }

    /// Lets the faults of the robots begin and end that act from the next step on.
    #[inline]
    fn update_robot_faults(&mut self) {
        let Self { robot_faults, clock, seed, tables, sensors, .. } = self;
        if robot_faults.is_due(clock) {
            robot_faults.update(clock, *seed, tables, sensors);
        }
    }

    /// Moves actors and animated bodies.
    fn follow_plans(&mut self, clock: Clock) {
        if !self.plans.is_empty() {
            let end = Clock { steps: clock.steps + 1, ..clock };
            self.plans.advance(end.time(), clock.dt, &mut self.physics);
        }
    }

    /// Stops vehicles at ledges that are too high to be climbed.
    fn stop_at_ledges(&mut self, dt: f64) {
        let Self { tables, ground, physics, .. } = self;
        if !ground.is_level() {
            for table in tables.iter_mut() {
                table.vehicles.stop_at_ledges(ground, physics, dt);
            }
        }
    }

    /// Samples the sensors that are due.
    fn sample_sensors(&mut self) -> Result<(), StepError> {
        if self.sensors.is_empty() {
            return Ok(());
        }
        let is_scanned = self.sensors.is_scan_due(&self.clock);
        let Self { tables, physics, plans, clock, ground, seed, policy, perception, .. } = self;
        if let Some(seen) = perception.as_mut().filter(|seen| seen.demand.in_samples || is_scanned)
        {
            seen.update(tables, physics, clock.time());
        }
        let (sensors, workers, perception) = (&mut self.sensors, &self.workers, &self.perception);
        let end = Moment::new(*clock, *seed, ground).with(seen(perception));
        let crew = workers.crew(sensors.due_rays(clock) >= RAYS_FOR_THREADS);
        let faults = sensors.sample(&end, tables, physics, plans, policy, crew);
        let faults = faults.map_err(StepError::Scan)?;
        sensors.deliver(tables, &self.clock);
        self.settle_faults(faults)
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

    /// Replaces all commands. Commands whose time has passed are not carried out.
    ///
    /// # Errors
    /// [`CommandError`] if a vehicle or an input is unknown, a number is not finite, or the commands are
    /// not sorted by time.
    pub fn set_commands(
        &mut self,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<(), CommandError> {
        let mut latest = f64::NEG_INFINITY;
        let mut planned = Vec::new();
        let numbers = self.names.iter().enumerate().map(|(number, name)| (name.as_str(), number));
        // names are unique
        let numbers: HashMap<&str, usize> = numbers.collect();
        for command in commands {
            let time = command.time;
            if time < latest {
                return Err(CommandError::Order { time, latest });
            }
            planned.push(self.plan(command, &numbers)?);
            latest = time;
        }
        self.commands = planned;
        self.skip_commands();
        Ok(())
    }

    /// Carries out a command now, whatever its time; it acts from the next step on.
    ///
    /// # Errors
    /// [`CommandError`] if the vehicle or an input is unknown, or a number is not finite.
    pub fn command(&mut self, command: Command) -> Result<(), CommandError> {
        let number = self.names.iter().position(|name| *name == command.vehicle);
        let name = command.vehicle.clone();
        let numbers = number.map(|number| (name.as_str(), number)).into_iter().collect();
        let planned = self.plan(command, &numbers)?;
        let columns = &mut self.tables[planned.table].vehicles.columns;
        for (column, value) in planned.values {
            columns.get_mut(column)[planned.lane] = value;
        }
        Ok(())
    }

    /// Looks up the columns that a command sets. `numbers` are the numbers of the vehicles by name.
    fn plan(
        &self,
        command: Command,
        numbers: &HashMap<&str, usize>,
    ) -> Result<PlannedCommand, CommandError> {
        let Command { time, vehicle, values } = command;
        if !time.is_finite() || values.iter().any(|(_, value)| !value.is_finite()) {
            return Err(CommandError::NotFinite { time, vehicle });
        }
        let Some(&number) = numbers.get(vehicle.as_str()) else {
            return Err(CommandError::Vehicle { time, vehicle });
        };
        let (table, lane) = self.places[number];
        let inputs = &self.tables[table].commands;
        let column = |(input, value): (String, f64)| match inputs.get(&input) {
            Some(column) => Ok((column, value)),
            None => Err(CommandError::Input { time, vehicle: vehicle.clone(), input }),
        };
        let values = values.into_iter().map(column).collect::<Result<_, _>>()?;
        Ok(PlannedCommand { time, table, lane, values })
    }

    /// Skips the commands that acted on the completed steps.
    pub(crate) fn skip_commands(&mut self) {
        let last =
            self.clock.steps.checked_sub(1).map(|steps| Clock { steps, ..self.clock }.time());
        let is_done = |command: &PlannedCommand| last.is_some_and(|time| command.is_due(time));
        self.next_command = self.commands.partition_point(is_done);
    }

    /// Returns the first of the commands that have been set for each fleet that overrides it: the names of
    /// the vehicle and of the fleet.
    pub fn overridden_commands(&self) -> Vec<(&str, &str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        if self.fleets.is_empty() {
            return found;
        }
        for PlannedCommand { table, lane, values, .. } in &self.commands {
            let columns: Vec<Column> = values.iter().map(|(column, _)| *column).collect();
            let Some(fleet) = self.fleets.overriding(*table, *lane, &columns) else { continue };
            if !found.iter().any(|(_, known)| *known == fleet) {
                found.push((&self.tables[*table].vehicles.lanes[*lane].name, fleet));
            }
        }
        found
    }

    /// Returns the kinds of commands that the controller of a vehicle accepts. Vehicles are indexed as
    /// in [`Self::vehicle_names`].
    pub fn command_kinds(&self, vehicle: usize) -> Vec<CommandKind> {
        let place = self.places.get(vehicle);
        place.map_or(Vec::new(), |&(table, _)| self.tables[table].command_kinds())
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
