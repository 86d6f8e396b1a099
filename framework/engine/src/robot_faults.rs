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
mod state;
mod take_over;

use simhost_world::{FaultTarget, World};

use crate::clock::Clock;
use crate::result_hash::Items;
use crate::sensors::{SensorFault, Sensors};
use crate::table::Table;

pub(crate) use memory::Log;
pub use memory::{FaultEntry, FaultMemory};
use schedule::Schedule;

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
}

#[cfg(test)]
mod tests;
