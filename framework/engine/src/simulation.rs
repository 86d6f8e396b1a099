//! The simulation: a blueprint, a state, and the threads that step it.

mod capture;
mod changes;
mod commands;
mod ride;

use std::collections::BTreeSet;
use std::sync::Arc;

use simhost_scene::{Pose2, Pose3};

use crate::blueprint::{Blueprint, NameIndex};
use crate::clock::Clock;
use crate::collisions::{Collision, ContactPoint};
use crate::encoding::SnapshotError;
use crate::fault::FaultReport;
use crate::limits::Limits;
use crate::moment::Moment;
use crate::physics::{BodySearch, Overlaps, Touching};
use crate::readings::{BodyProperties, SensorInfo, VehicleSnapshot, WheelSnapshot};
use crate::robot_faults::{FaultEntry, FaultMemory, RobotFaults};
use crate::scan_engine::{ScanEngine, ScanFallback, ScanReport};
use crate::sensors::Sensors;
use crate::state::State;
use crate::step;
use crate::step::{StepError, TakeOverError};
use crate::table::EnergyBook;
use crate::workers::Workers;

pub use capture::UnknownCall;
pub use changes::PlaceError;

/// A world that is stepped.
///
/// Call [`Self::start`] once, or [`Self::restore`](crate::Simulation::restore) a snapshot, then
/// [`Self::step`] repeatedly.
pub struct Simulation {
    /// What never changes; copies share it.
    pub(crate) blueprint: Arc<Blueprint>,
    /// What a step changes.
    pub(crate) state: State,
    pub(crate) workers: Workers,
    /// Number of steps that tables have made on their own.
    pub(crate) steps_at_once: u64,
}

impl Simulation {
    /// Measures once, before the first step.
    ///
    /// # Errors
    /// [`StepError::Fault`] if a model faults and the world file requests that this ends the run.
    pub fn start(&mut self) -> Result<(), StepError> {
        step::start(&mut self.state, &self.blueprint)
    }

    /// Advances the world by one step.
    ///
    /// # Errors
    /// [`StepError`] if a model faults and the world file requests that this ends the run, or if a
    /// state has diverged.
    pub fn step(&mut self) -> Result<(), StepError> {
        step::step(&mut self.state, &self.blueprint, &self.workers)
    }

    /// Advances the world by `steps` steps, with the same result as that many calls of [`Self::step`]. Large worlds take less
    /// time.
    ///
    /// # Errors
    /// As for [`Self::step`].
    pub fn run(&mut self, steps: u64) -> Result<(), StepError> {
        let Self { blueprint, state, workers, steps_at_once } = self;
        step::run(state, blueprint, workers, steps, steps_at_once)
    }

    /// Returns a simulation in the same state, which continues as this one would, bit for bit. The two share what never
    /// changes: the blueprint, instances of models, walls, search trees, terrain, meshes and images. An engine that
    /// casts rays remains with this one.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self) -> Result<Self, SnapshotError> {
        Ok(Self {
            blueprint: Arc::clone(&self.blueprint),
            state: self.state.duplicate()?,
            workers: self.workers.clone(),
            steps_at_once: 0,
        })
    }

    /// Continues `old`: takes over its clock, bodies, plans, wheels, odometry, setpoints, states of models
    /// and environments, and the times at which sensors are due. State slots are matched by name and adjusted by the
    /// model's `migrate` ability; new slots start with their initial values. Commands must have been
    /// set.
    ///
    /// # Errors
    /// [`TakeOverError`] if the worlds differ or a model rejects a state.
    pub fn take_over(&mut self, old: &Self) -> Result<(), TakeOverError> {
        step::take_over(&mut self.state, &self.blueprint, &old.state, &old.blueprint)
    }

    /// Continues `old` in a changed world, from which this simulation has been built. Entities are matched
    /// by name. Those that `old` does not have start now, at the places of the description; those that only
    /// `old` has end. `is_changed` returns whether the parameters of a vehicle have changed: its models
    /// keep their states, and everything else of it is measured anew. Vehicles that have not changed, and
    /// that share their models with no vehicle that starts or ends, continue bit for bit as long as they
    /// touch nothing. Commands of [`Self::set_commands`] are not taken over.
    ///
    /// # Errors
    /// [`TakeOverError`] if a model rejects a state, or a new one faults.
    pub fn continue_changed(
        &mut self,
        old: &Self,
        is_changed: &dyn Fn(&str) -> bool,
    ) -> Result<(), TakeOverError> {
        let (state, blueprint) = (&mut self.state, &self.blueprint);
        step::continue_changed(state, blueprint, &old.state, &old.blueprint, is_changed)
    }

    /// Returns 128 bits over the results: poses, twists, wheel spins and steering angles, model
    /// states and last sensor readings, each labelled by name.
    ///
    /// Two builds or two versions of the program that compute the same have the same result hash,
    /// however they store it. Unlike [`Self::state_hash`](crate::Simulation::state_hash) it does not
    /// cover everything that decides the future: contact impulses and sleeping bodies, for example, are
    /// left out. The exact byte stream is specified in `framework/engine/src/result_hash.rs`.
    pub fn result_hash(&self) -> u128 {
        step::result_hash(&self.state, &self.blueprint)
    }

    /// Sets the seed of all random numbers that are drawn from the next step on.
    pub fn set_seed(&mut self, seed: u64) {
        self.state.seed = seed;
    }

    /// Sets the limits beyond which a state counts as diverged.
    pub fn set_limits(&mut self, limits: Limits) {
        self.state.limits = limits;
    }

    /// Returns the time after the completed steps.
    pub fn clock(&self) -> Clock {
        self.state.clock
    }

    /// Returns the pairs of objects that overlapped before the first step.
    pub fn overlaps(&self) -> &Overlaps {
        &self.blueprint.overlaps
    }

    /// Returns the names of the vehicles in the order of the world file, with their numbers.
    pub fn vehicle_names(&self) -> &Arc<NameIndex> {
        &self.blueprint.names
    }

    /// Returns the vehicles that have tipped over in this run, and the times at which they did, s.
    pub fn tipped(&self) -> impl Iterator<Item = (&str, f64)> {
        self.blueprint.places.iter().filter_map(|&(table, lane)| {
            let lane = &self.state.tables[table].vehicles.lanes[lane];
            Some((lane.fixed.name.as_str(), lane.tipped?))
        })
    }

    /// Returns the faults after which the run has continued, in the order of time.
    pub fn faults(&self) -> &[FaultReport] {
        &self.state.faults
    }

    /// Logs collisions from now on. This costs a look at everything that touches, in each step.
    pub fn watch_collisions(&mut self) {
        self.state.collisions.get_or_insert_default();
    }

    /// Takes over the log of collisions of a simulation whose bodies have other numbers.
    pub fn continue_collisions(&mut self, old: &Self) {
        self.state.collisions = old.state.collisions.as_ref().map(|log| Box::new(log.continued()));
    }

    /// Returns the present states of all vehicles in the order of the world file.
    pub fn vehicles(&self) -> impl Iterator<Item = VehicleSnapshot<'_>> {
        self.blueprint
            .places
            .iter()
            .map(|&(table, lane)| self.state.tables[table].vehicle(lane).snapshot())
    }

    /// Opens the energy books of all vehicles. Call after [`Self::start`]. Books cost some time.
    pub fn keep_energy_books(&mut self) {
        let State { tables, clock, seed, ground, .. } = &mut self.state;
        for table in tables {
            table.open_books();
            table.settle_energies(&Moment::new(*clock, *seed, ground), 0.0);
        }
    }

    /// Returns the energy book of a vehicle since [`Self::keep_energy_books`], or `None` if books have
    /// not been opened. Vehicles are indexed as in [`Self::vehicle_names`].
    pub fn energy_book(&self, vehicle: usize) -> Option<EnergyBook> {
        let &(table, lane) = self.blueprint.places.get(vehicle)?;
        self.state.tables[table].book(lane)
    }

    /// Returns the mass properties, springs and drive of the vehicles in the order of the world file.
    pub fn bodies(&self) -> impl Iterator<Item = BodyProperties> {
        let places = self.blueprint.places.iter();
        places.map(|&(table, lane)| self.state.tables[table].vehicle(lane).body())
    }

    /// Returns the present states of all wheels, vehicle by vehicle.
    pub fn wheels(&self) -> impl Iterator<Item = WheelSnapshot<'_>> {
        self.blueprint.places.iter().flat_map(|&(table, lane)| {
            let table = &self.state.tables[table];
            (0..table.vehicles.wheels.count)
                .map(move |wheel| table.vehicle(lane).wheel_snapshot(wheel))
        })
    }

    /// Returns the blocks and actors that can move: `block/NAME` or `actor/NAME`, and the pose of the
    /// origin of their outline in the world frame. Blocks come first, each group in the order of the
    /// world file.
    pub fn movers(&self) -> impl Iterator<Item = (&str, Pose2)> {
        self.blueprint.mover_names.iter().zip(&self.blueprint.movers).map(|(name, mover)| {
            let pose = self.state.physics.bodies.state(mover.body).pose();
            (name.as_str(), pose)
        })
    }

    /// Casts the rays of sensors in space on an engine from the next sample on. The CPU casts those of sensors
    /// whose readings have an influence on the state, unless the engine is required. If the engine fails, the
    /// CPU casts all rays from then on, or the step fails with [`StepError::Scan`](StepError::Scan)
    /// if the engine is required.
    pub fn set_scan_engine(&mut self, engine: Box<dyn ScanEngine>, is_required: bool) {
        self.state.sensors.set_engine(engine, is_required);
    }

    /// Returns all sensors in the order of the world file.
    pub fn sensors(&self) -> &[SensorInfo] {
        self.state.sensors.infos()
    }

    /// Returns the semantic classes that sensors see, in the order of their numbers; none in a world
    /// without sensors in space.
    pub fn classes(&self) -> &[String] {
        let perception = self.state.perception.as_ref();
        perception.map_or(&[], |perception| &perception.surroundings().classes)
    }
}

/// Samples of all sensors. Sensors are indexed as in [`Simulation::sensors`].
#[derive(Clone, Copy)]
pub struct Samples<'s> {
    sensors: &'s Sensors,
    clock: Clock,
}

impl<'s> Samples<'s> {
    /// Returns the number of rays of all sensors.
    pub fn ray_count(&self) -> usize {
        self.sensors.ray_count()
    }

    /// Returns the samples of the last step: index of the sensor, and its numbers.
    pub fn readings(&self) -> impl Iterator<Item = (usize, Vec<f64>)> + use<'s> {
        self.sensors.readings()
    }

    /// Returns whether a sensor has given a sample in the last step.
    pub fn is_sampled(&self, sensor: usize) -> bool {
        self.sensors.is_fresh(sensor)
    }

    /// Returns the pose of a sensor's rays at its last sample, in the frame of its vehicle, or of the world
    /// if it has none. All of it is 0 before the first sample, and for sensors without rays.
    pub fn origin(&self, sensor: usize) -> Pose3 {
        self.sensors.origin(sensor)
    }

    /// Returns whether a sensor, has measured after a number of steps, up to now.
    pub fn has_measured_since(&self, sensor: usize, steps: u64) -> bool {
        self.sensors.has_measured_since(sensor, &Clock { steps, ..self.clock })
    }

    /// Returns the failure of the engine of [`Simulation::set_scan_engine`], after which the CPU casts all rays.
    pub fn scan_fallback(&self) -> Option<&'s ScanFallback> {
        self.sensors.scan_fallback()
    }

    /// Returns the use of the engine of [`Simulation::set_scan_engine`], if there is one.
    pub fn scan_report(&self) -> Option<ScanReport> {
        self.sensors.scan_report()
    }
}

impl Simulation {
    /// Returns the samples of all sensors.
    pub fn samples(&self) -> Samples<'_> {
        Samples { sensors: &self.state.sensors, clock: self.state.clock }
    }
}

/// Fault memories of the vehicles, which are indexed as in [`Simulation::vehicle_names`].
#[derive(Clone, Copy)]
pub struct FaultMemories<'s> {
    of: &'s RobotFaults,
}

impl<'s> FaultMemories<'s> {
    /// Returns the fault memory of a vehicle.
    pub fn of(&self, vehicle: usize) -> &'s FaultMemory {
        self.of.memory(vehicle)
    }

    /// Returns whether the world has faults of robots, or entries have been added to a memory.
    pub fn is_used(&self) -> bool {
        self.of.is_used()
    }

    /// Returns all entries of fault memories from the one with the number `first` on, each with the name
    /// of its vehicle, in the order in which they were added. Clearing a memory does not change them. Only
    /// the last 10,000 are kept.
    pub fn entries_from(
        &self,
        first: u64,
    ) -> impl Iterator<Item = (&'s str, &'s FaultEntry)> + use<'s> {
        self.of.log().from(first)
    }

    /// Returns the number that the next entry will have.
    pub fn entry_count(&self) -> u64 {
        self.of.log().count()
    }

    /// Returns the faults of a vehicle that are present: their indices in
    /// [`faults`](simhost_world::Vehicle::faults).
    pub fn present(&self, vehicle: usize) -> impl Iterator<Item = usize> + use<'s> {
        self.of.present(vehicle)
    }
}

impl Simulation {
    /// Returns the fault memories of the vehicles.
    pub fn fault_memories(&self) -> FaultMemories<'_> {
        FaultMemories { of: &self.state.robot_faults }
    }

    /// Adds an entry to the fault memory of a vehicle. Vehicles are indexed as in
    /// [`Self::vehicle_names`].
    ///
    /// # Panics
    /// Panics if there is no such vehicle.
    pub fn add_fault_entry(&mut self, vehicle: usize, entry: FaultEntry) {
        assert!(vehicle < self.blueprint.names.len(), "the world has the vehicle");
        self.state.robot_faults.add(vehicle, &self.blueprint.names, entry);
    }

    /// Clears the fault memory of a vehicle. Faults that are present stay, with their effects.
    pub fn clear_fault_memory(&mut self, vehicle: usize) {
        self.state.robot_faults.clear(vehicle);
    }
}

/// What touches in a simulation.
#[derive(Clone, Copy)]
pub struct Touches<'s> {
    blueprint: &'s Blueprint,
    state: &'s State,
}

impl<'s> Touches<'s> {
    /// Returns whether something touches a vehicle at the end of the last step.
    pub fn any_vehicle(&self) -> bool {
        let mut touching = BTreeSet::new();
        self.state.physics.for_each_touch(|touch| {
            touching.insert(touch.body.number());
        });
        let mut lanes = self.state.tables.iter().flat_map(|table| &table.vehicles.lanes);
        !touching.is_empty() && lanes.any(|lane| touching.contains(&lane.body.number()))
    }

    /// Returns whether a vehicle, by its index in [`Simulation::vehicle_names`], is less than `distance`, m, from a body or an
    /// obstacle at its height now. If [collisions are watched](Simulation::watch_collisions), a touch after the time `since`, s,
    /// and at most half a second ago, counts as well. Bodies that a joint connects do not count. `search` is empty, or
    /// has been [brought up](Self::update_search) to the present state.
    pub fn is_near(&self, vehicle: usize, distance: f64, since: f64, search: &BodySearch) -> bool {
        let body = self.state.body_of(self.blueprint.places[vehicle]);
        let log = self.state.collisions.as_ref();
        log.is_some_and(|log| log.has_touched_since(body.number(), since))
            || self.state.physics.is_near(body, distance, search)
    }

    /// Brings a search for bodies up to the present state, so that [`Self::is_near`] for all vehicles does not
    /// compare each of them with each body.
    pub fn update_search(&self, search: &mut BodySearch) {
        search.update(&self.state.physics.bodies);
    }

    /// Returns the points at which bodies touch at the end of the last step, those between two bodies once.
    pub fn points(&self) -> Vec<ContactPoint<'s>> {
        let entities = self.state.entities(self.blueprint, |_| true);
        let mut found = Vec::new();
        self.state.physics.for_each_touch(|touch| {
            let number = touch.body.number();
            let is_first = touch.other.is_none_or(|other| number < other.number());
            if let Some((entity, _)) = entities.get(&number).filter(|_| is_first) {
                let Touching { point, normal, force, .. } = *touch;
                found.push(ContactPoint { entity, point, normal, force });
            }
        });
        found
    }

    /// Returns the collisions of vehicles since [`Simulation::watch_collisions`], in the order of time. Those within half a
    /// second of a touch with the same partner belong to it.
    pub fn collisions(&self) -> &'s [Collision] {
        self.state.collisions.as_ref().map_or(&[], |log| log.begun())
    }
}

impl Simulation {
    /// Returns what touches at the end of the last step.
    pub fn touches(&self) -> Touches<'_> {
        Touches { blueprint: &self.blueprint, state: &self.state }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    mod contacts;
    mod edges;

    mod falling;
    mod imposed;
    mod weather;

    pub(crate) mod batteries;
    pub(crate) mod estimators;
    mod readings;

    use simhost_world::World;

    use crate::build::Options;
    use crate::commands::{CommandError, CommandKind, TimedCommand};
    use crate::simulation::Simulation;
    use crate::tests::read;

    fn vehicle(name: &str, friction: &str, y: f64) -> String {
        format!(
            "<vehicle name=\"{name}\"><dynamics class=\"differential\"><controller class=\"raw\"/>\
         </dynamics>{friction}<sensor class=\"laser\" name=\"scan\"><sensor_period>0.02\
         </sensor_period></sensor><init_pose>0 {y} 0</init_pose><init_vel>1 0 0</init_vel></vehicle>"
        )
    }

    fn world(elements: &[String]) -> World {
        let block = "<block name=\"box\"><mass>10</mass><shape_from_visual/><geometry type=\"box\" \
                 lx=\"1\" ly=\"1\" lz=\"1\"/><init_pose>5 5 0</init_pose></block>";
        world_of(block, elements)
    }

    fn world_of(first: &str, elements: &[String]) -> World {
        let text = format!(
            "<mvsim_world><simul_timestep>0.01</simul_timestep>{first}{}</mvsim_world>",
            elements.concat()
        );
        read(&text)
    }

    /// Two vehicles that do not share a table.
    fn two_tables() -> [String; 2] {
        [
            vehicle("a", "<friction class=\"default\"/>", 0.0),
            vehicle("b", "<friction class=\"wardiagnemma\"/>", 3.0),
        ]
    }

    fn simulation(world: &World, steps: usize) -> Simulation {
        let mut simulation =
            Simulation::new(world, Options { seed: 1, threads: 1 }).expect("the world is right");
        simulation.start().expect("nothing faults");
        for _ in 0..steps {
            simulation.step().expect("nothing faults");
        }
        simulation
    }

    #[test]
    fn the_order_of_tables_does_not_count() {
        let mut simulation = simulation(&world(&two_tables()), 5);
        assert_eq!(simulation.state.tables.len(), 2);
        let (results, state) =
            (simulation.result_hash(), simulation.state_hash().expect("no memory"));
        simulation.state.tables.reverse();
        let blueprint =
            std::sync::Arc::get_mut(&mut simulation.blueprint).expect("it is not shared");
        for (table, _) in &mut blueprint.places {
            *table = 1 - *table;
        }
        assert_eq!(simulation.result_hash(), results);
        assert_ne!(simulation.state_hash().expect("no memory"), state);
    }

    #[test]
    fn the_order_in_the_world_file_does_not_count() {
        let [a, b] = two_tables();
        // sensor noise is keyed by the number of the vehicle, and begins with the second step
        let forwards = simulation(&world(&[a.clone(), b.clone()]), 1).result_hash();
        let backwards = simulation(&world(&[b, a]), 1).result_hash();
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn vehicles_that_share_a_table_hash_as_those_that_do_not() {
        let same = [vehicle("a", "", 0.0), vehicle("b", "", 3.0)];
        let mut apart = same.clone();
        // another class makes another table; it does not matter before the first step
        let friction = "<friction class=\"wardiagnemma\"/><sensor ";
        apart[1] = apart[1].replace("<sensor ", friction);
        let (same, apart) = (simulation(&world(&same), 0), simulation(&world(&apart), 0));
        assert_eq!((same.state.tables.len(), apart.state.tables.len()), (1, 2));
        assert_eq!(same.result_hash(), apart.result_hash());
    }

    #[test]
    fn one_bit_of_one_wheel_counts() {
        let mut simulation = simulation(&world(&two_tables()), 5);
        let before = simulation.result_hash();
        let table = &mut simulation.state.tables[1];
        let spin = table.vehicles.host.measured.spin;
        let value = &mut table.vehicles.columns.get_mut(spin)[1];
        *value = f64::from_bits(value.to_bits() ^ 1);
        assert_ne!(simulation.result_hash(), before);
    }

    #[test]
    fn blocks_count_and_readings_do_not() {
        let mut simulation = simulation(&world(&two_tables()), 5);
        let before = simulation.result_hash();
        let body = simulation.blueprint.movers[0].body;
        let [vx, vy] = simulation.state.physics.bodies.state(body).velocity;
        simulation.state.physics.bodies.set_velocity(body, [vx + 1.0, vy], 0.0);
        let moved = simulation.result_hash();
        assert_ne!(moved, before);
        let state = simulation.state_hash().expect("no memory fails");
        simulation.state.sensors.disturb_reading();
        assert_eq!(simulation.result_hash(), moved);
        assert_eq!(simulation.state_hash().expect("no memory fails"), state);
    }

    #[test]
    fn the_name_of_a_vehicle_counts() {
        let named = |name: &str| simulation(&world(&[vehicle(name, "", 0.0)]), 0).result_hash();
        assert_ne!(named("a"), named("c"));
    }

    #[test]
    fn commands_are_checked_when_they_are_set() {
        let mut simulation = simulation(&world(&two_tables()), 0);
        let kind = simulation.command_kinds(0)[0].clone();
        let command = |time: f64, vehicle: &str, kind: &CommandKind, value: f64| TimedCommand {
            time,
            vehicle: vehicle.to_owned(),
            kind: kind.name.clone(),
            values: vec![value; kind.values.len()],
        };
        assert_eq!(simulation.set_commands(&[command(0.0, "a", &kind, 1.0)]), Ok(()));
        let mut error =
            |commands: &[TimedCommand]| simulation.set_commands(commands).expect_err("wrong");
        let unknown = error(&[command(0.5, "c", &kind, 1.0)]);
        assert_eq!(unknown, CommandError::Vehicle { time: 0.5, vehicle: "c".to_owned() });
        let warp = CommandKind { name: "warp".to_owned(), values: vec![None] };
        let unknown = error(&[command(0.5, "a", &warp, 1.0)]);
        let expected =
            "the controller of vehicle 'a' has no command `warp` with 1 values (command at 0.5 s)";
        assert_eq!(unknown.to_string(), expected);
        let unsorted = error(&[command(1.0, "a", &kind, 1.0), command(0.5, "a", &kind, 1.0)]);
        assert_eq!(unsorted, CommandError::Order { time: 0.5, latest: 1.0 });
        let unfinite = error(&[command(0.5, "a", &kind, f64::NAN)]);
        assert_eq!(unfinite, CommandError::NotFinite { time: 0.5, vehicle: "a".to_owned() });
    }

    #[test]
    fn a_sensor_reads_the_same_alone_and_in_a_batch() {
        let readings = |elements: &[String]| -> Vec<(usize, Vec<f64>)> {
            let simulation = simulation(&world(elements), 6);
            simulation.samples().readings().collect()
        };
        // the second vehicle is out of range of the first
        let [near, far] = [vehicle("a", "", 0.0), vehicle("b", "", 500.0)];
        let (alone, batch) = (readings(std::slice::from_ref(&near)), readings(&[near, far]));
        assert_eq!((alone.len(), batch.len()), (1, 2));
        assert_eq!(alone[0], batch[0]);
        assert_ne!(batch[0].1, batch[1].1);
    }
}
