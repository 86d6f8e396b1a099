//! The world that is stepped.

use std::path::Path;

use simhost_world::{FaultAction, FaultPolicy, World};

use crate::build;
use crate::clock::Clock;
use crate::commands::{self, Command, Commands, CommandsError, Vocabulary};
use crate::divergence::Limits;
use crate::error::{BuildError, StepError};
use crate::fault::FaultReport;
use crate::ground::Ground;
use crate::moment::Moment;
use crate::physics::Physics;
use crate::plan::Plans;
use crate::readings::{BodyMass, SensorInfo, VehicleSnapshot, WheelSnapshot};
use crate::result_hash::Mover;
use crate::sensors::Sensors;
use crate::snapshot::ModelStamp;
use crate::table::{EnergyBook, Table};

/// How a world is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seed of every random draw.
    pub seed: u64,
    /// Threads; the results do not depend on it.
    pub threads: usize,
}

/// A world that is stepped.
pub struct Simulation {
    pub(crate) tables: Vec<Table>,
    /// Table and lane of every vehicle, in the order of the world file.
    pub(crate) places: Vec<(usize, usize)>,
    pub(crate) names: Vec<String>,
    pub(crate) physics: Physics,
    pub(crate) ground: Ground,
    pub(crate) plans: Plans,
    pub(crate) regions_at_zero: bool,
    /// Parts of a step in which wheels and bodies move.
    pub(crate) substeps: u32,
    pub(crate) overlaps: Vec<(String, String)>,
    /// Blocks and actors that can move.
    pub(crate) movers: Vec<Mover>,
    pub(crate) sensors: Sensors,
    pub(crate) clock: Clock,
    pub(crate) policy: FaultPolicy,
    pub(crate) seed: u64,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) commands: Commands,
    pub(crate) next_command: usize,
    pub(crate) faults: Vec<FaultReport>,
    pub(crate) origin: Origin,
    pub(crate) limits: Limits,
}

/// What a simulation is one of, for snapshots.
pub(crate) struct Origin {
    /// Fingerprint of the world.
    pub world: u128,
    pub models: Vec<ModelStamp>,
}

impl Simulation {
    /// Makes the models and bodies of a world.
    ///
    /// # Errors
    /// [`BuildError`] when a model refuses its parameters or a body makes no sense.
    pub fn new(world: &World, options: Options) -> Result<Self, BuildError> {
        build::build(world, options)
    }

    /// Measures once; called before the first step.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn start(&mut self) -> Result<(), StepError> {
        let mut faults = Vec::new();
        let Self { tables, physics, clock, ground, seed, pool, .. } = self;
        let moment = Moment::new(*clock, *seed, ground);
        pool.install(|| {
            for table in tables {
                table.start(&moment, physics, &mut faults);
            }
        });
        self.settle_faults(faults)
    }

    /// Advances the world by one step.
    ///
    /// # Errors
    /// [`StepError`] when a model faulted and the world says that this ends the run, or when a body
    /// diverged.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.apply_commands();
        self.stand_on_ground();
        let faults = self.pre();
        self.settle_faults(faults)?;
        for part in 0..self.substeps {
            self.advance(part)?;
        }
        let begun = self.clock;
        self.clock.steps += 1;
        let faults = self.post(begun);
        self.settle_faults(faults)?;
        self.check_divergence()
    }

    /// Height, pitch and roll of the vehicles, and what the ground below their wheels is like.
    fn stand_on_ground(&mut self) {
        let Self { tables, ground, physics, clock, .. } = self;
        if !ground.is_level() {
            ground.update(clock.time(), physics);
            for table in tables.iter_mut() {
                table.follow_ground(ground, physics);
            }
        }
        for table in tables {
            table.ask_regions(ground, self.regions_at_zero);
        }
    }

    /// Steps that are too high to be climbed stop vehicles.
    fn stop_at_steps(&mut self, dt: f64) {
        let Self { tables, ground, physics, .. } = self;
        if !ground.is_level() {
            for table in tables.iter_mut() {
                table.stop_at_steps(ground, physics, dt);
            }
        }
    }

    /// Wheels and bodies move, for a part of the step.
    fn advance(&mut self, part: u32) -> Result<(), StepError> {
        let clock = self.clock.part(part, self.substeps);
        let faults = self.push(clock, part > 0);
        self.settle_faults(faults)?;
        self.follow_plans(clock);
        self.stop_at_steps(clock.dt);
        self.physics.step();
        for table in &mut self.tables {
            table.extrapolate(&mut self.physics);
        }
        Ok(())
    }

    /// Actors walk on and animations play.
    fn follow_plans(&mut self, clock: Clock) {
        if !self.plans.is_empty() {
            let end = Clock { steps: clock.steps + 1, ..clock };
            self.plans.advance(end.time(), clock.dt, &mut self.physics);
        }
    }

    /// Controllers and dynamics: torques and steering.
    fn pre(&mut self) -> Vec<FaultReport> {
        let mut faults = Vec::new();
        let Self { tables, physics, clock, ground, seed, pool, .. } = self;
        let moment = Moment::new(*clock, *seed, ground);
        pool.install(|| {
            for table in tables {
                table.pre(&moment, physics, &mut faults);
            }
        });
        faults
    }

    /// Friction and what else pushes: velocities of the bodies.
    fn push(&mut self, clock: Clock, goes_on: bool) -> Vec<FaultReport> {
        let mut faults = Vec::new();
        let Self { tables, physics, ground, seed, pool, .. } = self;
        let part = Moment::new(clock, *seed, ground);
        let [first, second] = [0, 1].map(|half| Moment::new(clock.part(half, 2), *seed, ground));
        pool.install(|| {
            for table in tables {
                if goes_on {
                    table.go_on(physics);
                }
                table.rehearse([&first, &second], physics, &mut faults);
                table.push(&part, physics, &mut faults);
            }
        });
        faults
    }

    /// Read-back, measurements, sensors.
    fn post(&mut self, begun: Clock) -> Vec<FaultReport> {
        let mut faults = Vec::new();
        let Self { tables, physics, plans, clock, ground, seed, policy, sensors, pool, .. } = self;
        let step = Moment::new(begun, *seed, ground);
        let end = Moment::new(*clock, *seed, ground);
        pool.install(|| {
            for table in tables.iter_mut() {
                table.post(&step, physics, &mut faults);
            }
            sensors.sample(&end, tables, physics, plans, policy, &mut faults);
        });
        faults
    }

    /// The set-points that act from this step on.
    fn apply_commands(&mut self) {
        let time = self.clock.time();
        while let Some(command) = self.commands.rows.get(self.next_command) {
            if !command.is_due(time) {
                break;
            }
            let columns = &mut self.tables[command.table].columns;
            for (column, value) in &command.values {
                columns.get_mut(*column)[command.lane] = *value;
            }
            self.next_command += 1;
        }
    }

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

    fn check_divergence(&self) -> Result<(), StepError> {
        self.divergence().map_or(Ok(()), |found| Err(StepError::Diverged(Box::new(found))))
    }

    /// Reads commands for the vehicles of this world.
    ///
    /// # Errors
    /// [`CommandsError`] with file and line.
    pub fn load_commands(&mut self, path: &Path) -> Result<(), CommandsError> {
        self.commands = commands::read(path, &self.names, |vehicle| self.vocabulary(vehicle))?;
        self.skip_commands();
        Ok(())
    }

    /// Goes to the first command that the steps done have not carried out.
    pub(crate) fn skip_commands(&mut self) {
        let done =
            self.clock.steps.checked_sub(1).map(|steps| Clock { steps, ..self.clock }.time());
        let is_done = |command: &Command| done.is_some_and(|time| command.is_due(time));
        self.next_command = self.commands.rows.partition_point(is_done);
    }

    fn vocabulary(&self, vehicle: &str) -> Option<Vocabulary> {
        let number = self.names.iter().position(|name| name == vehicle)?;
        let (table, lane) = self.places[number];
        Some(Vocabulary { table, lane, kinds: self.tables[table].command_kinds() })
    }

    /// Time after the steps done.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// What overlapped before the first step: pairs of names as messages have them.
    pub fn overlaps(&self) -> &[(String, String)] {
        &self.overlaps
    }

    /// Names of the vehicles, in the order of the world file.
    pub fn vehicle_names(&self) -> &[String] {
        &self.names
    }

    /// Faults after which the run went on, in order of time.
    pub fn faults(&self) -> &[FaultReport] {
        &self.faults
    }

    /// All vehicles, in the order of the world file.
    pub fn vehicles(&self) -> impl Iterator<Item = VehicleSnapshot<'_>> {
        self.places.iter().map(|&(table, lane)| self.tables[table].snapshot(lane))
    }

    /// Begins energy books of all vehicles; called after [`Self::start`]. They cost some time.
    pub fn keep_energy_books(&mut self) {
        for table in &mut self.tables {
            table.keep_books();
        }
    }

    /// What every part of a vehicle has worked since books are kept; none where they are not. Vehicles
    /// count as in [`Self::vehicle_names`].
    pub fn energy_book(&self, vehicle: usize) -> Option<EnergyBook> {
        let &(table, lane) = self.places.get(vehicle)?;
        self.tables[table].book(lane)
    }

    /// What the vehicles weigh, in the order of the world file.
    pub fn masses(&self) -> impl Iterator<Item = BodyMass> {
        self.places.iter().map(|&(table, lane)| {
            let lane = &self.tables[table].lanes[lane];
            BodyMass { mass: lane.mass, yaw_inertia: lane.inertia, centre: lane.centre }
        })
    }

    /// All wheels, vehicle by vehicle.
    pub fn wheels(&self) -> impl Iterator<Item = WheelSnapshot<'_>> {
        self.places.iter().flat_map(|&(table, lane)| {
            let table = &self.tables[table];
            (0..table.wheels).map(move |wheel| table.wheel_snapshot(lane, wheel))
        })
    }

    /// All sensors, in the order of the world file.
    pub fn sensors(&self) -> &[SensorInfo] {
        self.sensors.infos()
    }

    /// The samples of the last step: number of the sensor, and its numbers.
    pub fn readings(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.sensors.readings()
    }
}
