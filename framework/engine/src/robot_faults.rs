//! Faults of the simulated robots: when they begin and end, and the memories in which they are kept.
//!
//! Onsets are times, not steps: a fault acts on the first step that starts at its onset or later. Those
//! of a [rate](simhost_world::FaultOnset::Rate) are the events of a Poisson process, drawn window by window
//! from the seed of the run, so that they depend neither on the length of the step nor on anything else
//! that is drawn, and a run that is forked with another seed has other faults.
//!
//! The effects act in the tables ([`PortFaults`](crate::table::PortFaults)) and in the groups of sensors.

mod memory;
mod schedule;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use simhost_world::{FaultSeverity, FaultTarget, World};

use crate::clock::Clock;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::result_hash::Items;
use crate::sensors::{SensorFault, Sensors};
use crate::table::Table;
use schedule::{Schedule, ScheduleState};

pub(crate) use memory::Log;
pub use memory::{FaultEntry, FaultMemory};

/// Deviation up to which a time counts as reached, s.
const REACHED: f64 = 1e-9;

/// The faults of all vehicles.
#[derive(Clone, Default)]
pub(crate) struct RobotFaults {
    faults: Vec<Fault>,
    /// One memory per vehicle; none in a world without faults in which nothing has added an entry.
    memories: Vec<FaultMemory>,
    /// Time of the next change, s.
    next: f64,
    /// All entries, which has no influence on the simulation.
    log: Log,
}

/// A fault of a vehicle.
#[derive(Clone)]
struct Fault {
    /// Index of the vehicle.
    vehicle: usize,
    /// Name of the vehicle, and index of the fault among those of the vehicle.
    key: (String, usize),
    /// Entry without a time.
    entry: FaultEntry,
    schedule: Schedule,
    place: Option<FaultPlace>,
}

/// Place of an effect.
#[derive(Clone, Copy)]
enum FaultPlace {
    /// Index of the table.
    Table(usize),
    /// Group and lane of the sensor.
    Sensor(usize, usize),
}

/// The faults of another simulation, with what they act on.
pub struct OldRobots<'a> {
    pub faults: &'a RobotFaults,
    /// Names of the vehicles.
    pub names: &'a [String],
    pub tables: &'a [Table],
    pub sensors: &'a Sensors,
}

impl RobotFaults {
    /// Prepares the faults of a world whose vehicles are in the lanes `places` of `tables`.
    pub fn new(
        world: &World,
        tables: &mut [Table],
        places: &[(usize, usize)],
        sensors: &mut Sensors,
        seed: u64,
    ) -> Self {
        let mut faults: Vec<Fault> = Vec::new();
        let mut first_sensor = 0;
        let of_sensors = if world.vehicles.iter().any(|vehicle| !vehicle.faults.is_empty()) {
            sensors.places().to_vec()
        } else {
            return Self { next: f64::INFINITY, ..Self::default() };
        };
        for (number, vehicle) in world.vehicles.iter().enumerate() {
            let gives_readings = |sensor: &&simhost_world::SensorUse| sensor.gives_readings();
            for (index, fault) in vehicle.faults.iter().enumerate() {
                let id = faults.len();
                let (table, lane) = places[number];
                let place = match &fault.effect {
                    None => None,
                    Some((FaultTarget::Port { place, wheel }, effect)) => {
                        tables[table].add_port_fault(id, lane, place, *wheel, *effect);
                        Some(FaultPlace::Table(table))
                    }
                    Some((FaultTarget::Sensor { sensor, output }, effect)) => {
                        let before = vehicle.sensors[..*sensor].iter().filter(gives_readings);
                        let (group, lane) = of_sensors[first_sensor + before.count()];
                        let (output, effect) = (*output, *effect);
                        sensors.add_fault(group, lane, SensorFault { fault: id, output, effect });
                        Some(FaultPlace::Sensor(group, lane))
                    }
                };
                faults.push(Fault {
                    vehicle: number,
                    key: (vehicle.name.clone(), index),
                    entry: FaultEntry::of(fault),
                    schedule: Schedule::new(fault, (number as u64) << 32 | index as u64, seed),
                    place,
                });
            }
            first_sensor += vehicle.sensors.iter().filter(gives_readings).count();
        }
        let memories = vec![FaultMemory::default(); world.vehicles.len()];
        let next = next_change(&faults);
        Self { faults, memories, next, log: Log::default() }
    }

    /// Returns whether something changes at the time of a clock or before.
    #[inline]
    pub fn is_due(&self, clock: &Clock) -> bool {
        // most worlds have no faults, and a time takes two divisions
        self.next < f64::INFINITY && clock.time() + REACHED >= self.next
    }

    /// Lets random faults begin no earlier than at a time, s, at which their vehicles start.
    pub fn start(&mut self, time: f64, seed: u64) {
        self.faults.iter_mut().for_each(|fault| fault.schedule.start(time, seed));
        self.next = next_change(&self.faults);
    }

    /// Starts and ends the faults that are due.
    pub fn update(
        &mut self,
        clock: &Clock,
        seed: u64,
        tables: &mut [Table],
        sensors: &mut Sensors,
    ) {
        let time = clock.time() + REACHED;
        if time < self.next {
            return;
        }
        let mut found: Vec<(f64, usize)> = Vec::new();
        for (id, fault) in self.faults.iter_mut().enumerate() {
            let before = fault.schedule.is_present();
            fault.schedule.advance(time, seed, |onset| found.push((onset, id)));
            let is_present = fault.schedule.is_present();
            if is_present != before {
                set_present(id, fault.place, is_present, tables, sensors);
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (onset, id) in found {
            let Fault { vehicle, key: (name, _), entry, .. } = &self.faults[id];
            let entry = FaultEntry { time: onset, ..entry.clone() };
            self.log.push(name, &entry);
            self.memories[*vehicle].push(entry);
        }
        self.next = next_change(&self.faults);
    }

    /// Adds the entries of all memories to the items of a result hash. `names` are those of the vehicles.
    pub fn add_results(&self, names: &[String], items: &mut Items) {
        for (name, memory) in names.iter().zip(&self.memories) {
            for FaultEntry { sensor, severity, code, time, .. } in memory.entries() {
                let label = format!("vehicle/{name}/fault_memory/{sensor}/{code}");
                items.add(label, &[f64::from(severity.level()), *time]);
            }
        }
    }
}

/// Switches the effect of a fault on or off.
fn set_present(
    id: usize,
    place: Option<FaultPlace>,
    is_present: bool,
    tables: &mut [Table],
    sensors: &mut Sensors,
) {
    match place {
        Some(FaultPlace::Table(table)) => {
            let Table { port_faults, vehicles, .. } = &mut tables[table];
            port_faults.set(id, is_present, vehicles);
        }
        Some(FaultPlace::Sensor(group, lane)) => sensors.set_fault(group, lane, id, is_present),
        None => {}
    }
}

/// Returns the time of the next change, s.
fn next_change(faults: &[Fault]) -> f64 {
    faults.iter().map(|fault| fault.schedule.next_change()).fold(f64::INFINITY, f64::min)
}

/// Reading and changing fault memories.
impl RobotFaults {
    /// Returns the memory of a vehicle.
    pub fn memory(&self, vehicle: usize) -> &FaultMemory {
        self.memories.get(vehicle).unwrap_or(const { &FaultMemory::new() })
    }

    /// Returns whether there are faults, or entries have been added to a memory.
    pub fn is_used(&self) -> bool {
        !self.faults.is_empty() || self.log.count() > 0
    }

    /// Returns all entries of all memories.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Adds an entry to the memory of the vehicle with an index; `names` are those of all vehicles.
    pub fn add(&mut self, vehicle: usize, names: &[String], entry: FaultEntry) {
        self.memories.resize(names.len(), FaultMemory::default());
        self.log.push(&names[vehicle], &entry);
        self.memories[vehicle].push(entry);
    }

    /// Clears the memory of a vehicle.
    pub fn clear(&mut self, vehicle: usize) {
        if let Some(memory) = self.memories.get_mut(vehicle) {
            memory.clear();
        }
    }

    /// Returns the indices of the present faults of a vehicle.
    pub fn present(&self, vehicle: usize) -> impl Iterator<Item = usize> {
        let faults = self.faults.iter().filter(move |fault| fault.vehicle == vehicle);
        faults.filter(|fault| fault.schedule.is_present()).map(|fault| fault.key.1)
    }

    /// Continues the faults of another simulation of the same or a changed world. Vehicles are matched by
    /// their names, and faults by their place in the vehicle.
    pub fn take_over(
        &mut self,
        names: &[String],
        tables: &mut [Table],
        sensors: &mut Sensors,
        old: OldRobots<'_>,
    ) {
        let known = old.faults.faults.iter().enumerate();
        let known: HashMap<_, _> = known.map(|(id, fault)| (&fault.key, (id, fault))).collect();
        for (id, fault) in self.faults.iter_mut().enumerate() {
            let Some((old_id, before)) = known.get(&fault.key) else { continue };
            if !fault.schedule.continue_from(&before.schedule) {
                continue;
            }
            let is_present = fault.schedule.is_present();
            match (fault.place, before.place) {
                (Some(FaultPlace::Table(table)), Some(FaultPlace::Table(old_table))) => {
                    let held = old.tables[old_table]
                        .port_faults
                        .held(*old_id, &old.tables[old_table].vehicles);
                    let Table { port_faults, vehicles, .. } = &mut tables[table];
                    port_faults.mark(id, is_present);
                    port_faults.hold(id, &held, vehicles);
                }
                (Some(FaultPlace::Sensor(group, lane)), Some(FaultPlace::Sensor(old_group, _))) => {
                    let held = old.sensors.held_by_fault(old_group, *old_id);
                    sensors.set_fault(group, lane, id, is_present);
                    sensors.hold_by_fault(group, lane, id, held.0, held.1);
                }
                _ => {}
            }
        }
        if !old.faults.memories.is_empty() {
            self.memories.resize(names.len(), FaultMemory::default());
        }
        for (name, memory) in names.iter().zip(&mut self.memories) {
            let number = old.names.iter().position(|known| known == name);
            if let Some(before) = number.and_then(|number| old.faults.memories.get(number)) {
                *memory = before.clone();
            }
        }
        // vehicles that start now have entries already
        let own = std::mem::replace(&mut self.log, old.faults.log.clone());
        for (name, entry) in own.from(0).filter(|(name, _)| !old.names.iter().any(|n| n == name)) {
            self.log.push(name, entry);
        }
        self.next = next_change(&self.faults);
    }
}

/// An entry of a memory.
///
/// A world without them adds no bytes.
#[derive(Serialize, Deserialize)]
struct Entry {
    sensor: String,
    level: u32,
    code: u32,
    time: f64,
    text: String,
}

impl From<&FaultEntry> for Entry {
    fn from(entry: &FaultEntry) -> Self {
        let FaultEntry { sensor, severity, code, time, text } = entry.clone();
        Self { sensor, level: severity.level(), code, time, text }
    }
}

impl RobotFaults {
    /// Writes the state.
    ///
    /// # Errors
    /// [`SnapshotError`] if it cannot be encoded.
    pub fn write(&self, sensors: &Sensors, to: &mut Writer) -> Result<(), SnapshotError> {
        // the log has no influence on the simulation; the next change follows from the faults
        let Self { faults, memories, next: _, log: _ } = self;
        if faults.is_empty() && memories.iter().all(FaultMemory::is_empty) {
            return Ok(());
        }
        for (id, fault) in faults.iter().enumerate() {
            let ScheduleState { next, is_onset, ends } = fault.schedule.state();
            to.put(&(next, is_onset, ends))?;
            if let Some(FaultPlace::Sensor(group, _)) = fault.place {
                to.put(&sensors.held_by_fault(group, id))?;
            }
        }
        let memories = memories.iter().map(|memory| memory.entries().map(Entry::from).collect());
        to.put(&memories.collect::<Vec<Vec<Entry>>>())
    }

    /// Reads the state of the same faults. The columns of the tables must have been read.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged.
    pub fn read(
        &mut self,
        tables: &mut [Table],
        sensors: &mut Sensors,
        from: &mut Reader<'_>,
    ) -> Result<(), DecodeError> {
        if from.is_at_end() {
            self.memories.iter_mut().for_each(FaultMemory::clear);
            return if self.faults.is_empty() {
                Ok(())
            } else {
                Err(DecodeError::damaged("the faults of the robots are missing"))
            };
        }
        for (id, Fault { schedule, place, .. }) in self.faults.iter_mut().enumerate() {
            let (next, is_onset, ends) = from.take()?;
            schedule.set_state(ScheduleState { next, is_onset, ends });
            match *place {
                Some(FaultPlace::Table(table)) => {
                    tables[table].port_faults.mark(id, schedule.is_present());
                }
                Some(FaultPlace::Sensor(group, lane)) => {
                    set_present(id, *place, schedule.is_present(), tables, sensors);
                    let (dropped, held) = from.take()?;
                    sensors.hold_by_fault(group, lane, id, dropped, held);
                }
                None => {}
            }
        }
        let memories = from.take::<Vec<Vec<Entry>>>()?;
        self.memories.resize(memories.len(), FaultMemory::default());
        for (memory, entries) in self.memories.iter_mut().zip(memories) {
            let mut list = std::collections::VecDeque::new();
            for Entry { sensor, level, code, time, text } in entries {
                let severity = FaultSeverity::ALL.into_iter().find(|one| one.level() == level);
                let severity = severity.ok_or_else(|| DecodeError::damaged("unknown severity"))?;
                list.push_back(FaultEntry { sensor, severity, code, time, text });
            }
            memory.replace(list);
        }
        self.next = next_change(&self.faults);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use simhost_world::{FaultSeverity, World};

    use crate::build::Options;
    use crate::commands::TimedCommand;
    use crate::robot_faults::FaultEntry;
    use crate::simulation::Simulation;
    use crate::snapshot::Fit;
    use crate::tests::{read, started};

    /// Returns a car with raw torques and these faults, at the step `dt`, s.
    fn world(dt: f64, vehicle: &str) -> World {
        let text = format!(
            "<mvsim_world><simul_timestep>{dt}</simul_timestep><vehicle name=\"car\"><dynamics \
         class=\"ackermann\"><controller class=\"raw\"/></dynamics><sensor class=\"laser\" \
         name=\"scan\"><sensor_period>0.1</sensor_period></sensor><init_pose>0 0 0</init_pose>\
         <init_vel>5 0 0</init_vel>{vehicle}</vehicle></mvsim_world>"
        );
        read(&text)
    }

    fn steer(simulation: &mut Simulation, angle: f64) {
        let steers =
            |value: &Option<String>| value.as_ref().is_some_and(|name| name.contains("steer"));
        let kinds = simulation.command_kinds(0);
        let kind = kinds.iter().find(|kind| kind.values.iter().any(steers)).expect("it steers");
        let values =
            kind.values.iter().map(|value| if steers(value) { angle } else { 0.0 }).collect();
        let (vehicle, kind) = ("car".to_owned(), kind.name.clone());
        let command = TimedCommand { time: 0.0, vehicle, kind, values };
        simulation.command(&command).expect("the controller steers");
    }

    /// Returns the steering angle of a front wheel, rad.
    fn angle(simulation: &Simulation) -> f64 {
        let wheel = |name: &str| simulation.wheels().find(|wheel| wheel.wheel == name);
        wheel("fl").expect("it has the wheel").steer
    }

    const MEMORY: &str = "<fault sensor=\"oil\" severity=\"critical\" code=\"3\" rate=\"2\"/>";

    #[test]
    fn random_onsets_do_not_depend_on_the_step() {
        let times = |dt: f64, seed: u64| -> Vec<f64> {
            let mut simulation = started(&world(dt, MEMORY), seed);
            simulation.run((20.0 / dt).round() as u64).expect("nothing faults");
            simulation.fault_memories().of(0).entries().map(|entry| entry.time).collect()
        };
        let fine = times(0.002, 1);
        assert!((20..=60).contains(&fine.len()), "{}", fine.len());
        assert_eq!(fine, times(0.01, 1));
        assert_ne!(fine, times(0.01, 2));
    }

    #[test]
    fn a_stuck_steering_stays_and_returns() {
        let fault = "<fault sensor=\"steering\" severity=\"failure\" at=\"0.1\" until=\"0.2\" \
                 target=\"steer\" effect=\"stuck\"/>";
        let mut simulation = started(&world(0.01, fault), 1);
        steer(&mut simulation, 0.2);
        simulation.run(10).expect("nothing faults");
        let before = angle(&simulation);
        steer(&mut simulation, -0.1);
        simulation.run(10).expect("nothing faults");
        assert_eq!(angle(&simulation), before);
        assert_eq!(simulation.fault_memories().present(0).count(), 0, "it has just ended");
        simulation.run(1).expect("nothing faults");
        assert!((angle(&simulation) - before).abs() > 0.1, "{}", angle(&simulation));
    }

    #[test]
    fn effects_on_one_port_follow_each_other_and_end_in_any_order() {
        let faults = "<fault sensor=\"steering\" severity=\"damaged\" at=\"0.1\" until=\"0.3\" \
                  target=\"steer\" effect=\"scale\" value=\"0.5\"/>\
                  <fault sensor=\"steering\" severity=\"damaged\" at=\"0.2\" until=\"0.4\" \
                  target=\"steer\" effect=\"offset\" value=\"0.03\"/>";
        let mut simulation = started(&world(0.01, faults), 1);
        let mut without = started(&world(0.01, ""), 1);
        let expect = |simulation: &Simulation, without: &mut Simulation, input: f64| {
            steer(without, input);
            without.run(1).expect("nothing faults");
            assert!((angle(simulation) - angle(without)).abs() < 1e-12, "{input}");
        };
        steer(&mut simulation, 0.2);
        for (steps, input) in [(10, 0.2), (10, 0.1), (10, 0.13), (10, 0.23), (10, 0.2)] {
            simulation.run(steps).expect("nothing faults");
            expect(&simulation, &mut without, input);
        }
    }

    #[test]
    fn a_sensor_that_drops_out_gives_no_samples() {
        let fault = "<fault sensor=\"scan\" severity=\"failure\" at=\"0.3\" until=\"0.6\" \
                 target=\"scan\" effect=\"dropout\"/>";
        let mut simulation = started(&world(0.01, fault), 1);
        let mut times = Vec::new();
        for _ in 0..100 {
            simulation.step().expect("nothing faults");
            if simulation.samples().readings().next().is_some() {
                times.push((simulation.clock().time() * 10.0).round() as u32);
            }
        }
        // the fault acts on steps that start at its onset or later
        assert_eq!(times, [1, 2, 3, 7, 8, 9, 10]);
    }

    #[test]
    fn readings_are_replaced() {
        let range = |effect: &str| {
            let fault = format!(
                "<fault sensor=\"scan\" severity=\"damaged\" at=\"0\" target=\"scan/range\" {effect}/>"
            );
            let mut simulation = started(&world(0.01, &fault), 1);
            simulation.run(10).expect("nothing faults");
            let (_, reading) = simulation.samples().readings().next().expect("a sample");
            reading[0]
        };
        let own = range("effect=\"offset\" value=\"0\"");
        assert_eq!(range("effect=\"off\""), 0.0);
        assert_eq!(range("effect=\"scale\" value=\"0.5\""), 0.5 * own);
        assert_eq!(range("effect=\"offset\" value=\"2\""), own + 2.0);
    }

    const ALL: &str = "<fault sensor=\"steering\" severity=\"failure\" at=\"0.1\" target=\"steer\" \
                   effect=\"stuck\"/>\
                   <fault sensor=\"scan\" severity=\"damaged\" rate=\"3\" duration=\"0.15\" \
                   target=\"scan\" effect=\"stuck\"/>\
                   <fault sensor=\"wheel\" severity=\"damaged\" rate=\"4\" duration=\"0.05\" \
                   target=\"wheel/rl/torque\" effect=\"scale\" value=\"0.2\" text=\"slips\"/>\
                   <fault sensor=\"brake\" severity=\"ok\" rate=\"5\"/>";

    /// Returns the world with all faults, and its simulation after some steps to the left.
    fn steered(steps: u64) -> (World, Simulation) {
        let world = world(0.01, ALL);
        let mut simulation = started(&world, 3);
        steer(&mut simulation, 0.2);
        simulation.run(steps).expect("nothing faults");
        (world, simulation)
    }

    #[test]
    fn snapshots_continue_bit_for_bit() {
        let (world, mut simulation) = steered(37);
        let snapshot = simulation.snapshot().expect("no memory");
        simulation.run(100).expect("nothing faults");
        let mut other =
            Simulation::new(&world, Options { seed: 3, threads: 2 }).expect("the world is right");
        other.restore(&snapshot, Fit::Exact).expect("it fits");
        for _ in 0..100 {
            other.step().expect("nothing faults");
        }
        assert!(simulation.fault_memories().of(0).len() > 5);
        assert_eq!(simulation.fault_memories().of(0), other.fault_memories().of(0));
        assert_eq!(simulation.result_hash(), other.result_hash());
        assert_eq!(
            simulation.state_hash().expect("no memory"),
            other.state_hash().expect("no memory")
        );
    }

    #[test]
    fn another_simulation_of_the_world_takes_over() {
        let (world, simulation) = steered(50);
        let mut next = started(&world, 3);
        next.take_over(&simulation).expect("the worlds are the same");
        assert_eq!(next.fault_memories().of(0), simulation.fault_memories().of(0));
        assert_eq!(
            next.fault_memories().present(0).collect::<Vec<_>>(),
            simulation.fault_memories().present(0).collect::<Vec<_>>()
        );
        let held = angle(&simulation);
        steer(&mut next, -0.2);
        next.run(20).expect("nothing faults");
        assert_eq!(angle(&next), held);
    }

    #[test]
    fn memories_are_read_by_sensor_and_severity_and_cleared() {
        let mut simulation = started(&world(0.01, ""), 1);
        let without = simulation.state_hash().expect("no memory");
        assert!(!simulation.fault_memories().is_used());
        let mut add = |sensor: &str, severity: FaultSeverity| {
            let (sensor, text) = (sensor.to_owned(), String::new());
            simulation
                .add_fault_entry(0, FaultEntry { sensor, severity, code: 7, time: 0.0, text });
        };
        add("brake", FaultSeverity::ServiceRequired);
        add("engine", FaultSeverity::Failure);
        add("brake", FaultSeverity::Critical);
        let memory = simulation.fault_memories().of(0);
        assert_eq!((memory.len(), memory.of_sensor("brake").count()), (3, 2));
        assert_eq!(memory.at_least(FaultSeverity::Critical).count(), 2);
        assert_eq!(memory.at_least(FaultSeverity::Ok).count(), 3);
        assert_eq!(memory.worst(), Some(FaultSeverity::Failure));
        assert_ne!(simulation.state_hash().expect("no memory"), without);
        assert_eq!(simulation.fault_memories().entries_from(1).count(), 2);
        simulation.clear_fault_memory(0);
        assert!(simulation.fault_memories().of(0).is_empty());
        assert_eq!(simulation.fault_memories().entry_count(), 3);
    }
}
