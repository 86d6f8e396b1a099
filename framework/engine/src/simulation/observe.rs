//! Observation of a simulation: time, readings, energy books and the result hash.

use std::collections::BTreeSet;
use std::sync::Arc;

use simhost_scene::{Pose2, Pose3};

use super::Simulation;
use crate::clock::Clock;
use crate::collisions::{Collision, ContactPoint};
use crate::fault::FaultReport;
use crate::name_index::NameIndex;
use crate::physics::{BodySearch, Overlaps, Touching};
use crate::readings::{BodyMass, SensorInfo, VehicleSnapshot, WheelSnapshot};
use crate::scan_engine::{ScanEngine, ScanFallback, ScanReport};
use crate::table::EnergyBook;

impl Simulation {
    /// Returns the time after the completed steps.
    pub fn clock(&self) -> Clock {
        self.state.clock
    }

    /// Returns the pairs of objects that overlapped before the first step.
    pub fn overlaps(&self) -> &Overlaps {
        &self.blueprint.overlaps
    }

    /// Returns the names of the vehicles in the order of the world file.
    pub fn vehicle_names(&self) -> &[String] {
        &self.blueprint.names
    }

    /// Returns the same names with their numbers.
    pub fn vehicle_index(&self) -> &Arc<NameIndex> {
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

    /// Returns whether something touches a vehicle at the end of the last step.
    pub fn has_contact(&self) -> bool {
        let mut touching = BTreeSet::new();
        self.state.physics.for_each_touch(|touch| {
            touching.insert(touch.body.number());
        });
        let mut lanes = self.state.tables.iter().flat_map(|table| &table.vehicles.lanes);
        !touching.is_empty() && lanes.any(|lane| touching.contains(&lane.body.number()))
    }

    /// Returns whether a vehicle, by its index in [`Self::vehicle_names`], is less than `distance`, m, from a body or an
    /// obstacle at its height now. If [collisions are watched](Self::watch_collisions), a touch after the time `since`, s,
    /// and at most half a second ago, counts as well. Bodies that a joint connects do not count. `search` is empty, or
    /// has been [brought up](Self::update_search) to the present state.
    pub fn is_near_something(
        &self,
        vehicle: usize,
        distance: f64,
        since: f64,
        search: &BodySearch,
    ) -> bool {
        let body = self.state.body_of(self.blueprint.places[vehicle]);
        let log = self.state.collisions.as_ref();
        log.is_some_and(|log| log.has_touched_since(body.number(), since))
            || self.state.physics.is_near(body, distance, search)
    }

    /// Brings a search for bodies up to the present state, so that [`Self::is_near_something`] for all vehicles does not
    /// compare each of them with each body.
    pub fn update_search(&self, search: &mut BodySearch) {
        self.state.physics.update_search(search);
    }

    /// Returns the points at which bodies touch at the end of the last step, those between two bodies once.
    pub fn contacts(&self) -> Vec<ContactPoint<'_>> {
        let entities = self.state.entities(&self.blueprint, |_| true);
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

    /// Returns whether a sensor, by its index in [`Self::sensors`], has measured after a number of steps, up to now.
    pub fn has_measured_since(&self, sensor: usize, steps: u64) -> bool {
        self.state.sensors.has_measured_since(sensor, &Clock { steps, ..self.state.clock })
    }

    /// Logs collisions from now on. This costs a look at everything that touches, in each step.
    pub fn watch_collisions(&mut self) {
        self.state.collisions.get_or_insert_default();
    }

    /// Takes over the log of collisions of a simulation whose bodies have other numbers.
    pub fn continue_collisions(&mut self, old: &Self) {
        self.state.collisions = old.state.collisions.as_ref().map(|log| Box::new(log.continued()));
    }

    /// Returns the collisions of vehicles since [`Self::watch_collisions`], in the order of time. Those within half a
    /// second of a touch with the same partner belong to it.
    pub fn collisions(&self) -> &[Collision] {
        self.state.collisions.as_ref().map_or(&[], |log| log.begun())
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
        for table in &mut self.state.tables {
            table.open_books();
        }
    }

    /// Returns the energy book of a vehicle since [`Self::keep_energy_books`], or `None` if books have
    /// not been opened. Vehicles are indexed as in [`Self::vehicle_names`].
    pub fn energy_book(&self, vehicle: usize) -> Option<EnergyBook> {
        let &(table, lane) = self.blueprint.places.get(vehicle)?;
        self.state.tables[table].book(lane)
    }

    /// Returns the mass properties of the vehicles in the order of the world file.
    pub fn masses(&self) -> impl Iterator<Item = BodyMass> {
        self.blueprint
            .places
            .iter()
            .map(|&(table, lane)| self.state.tables[table].vehicle(lane).body_mass())
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
            let pose = self.state.physics.state(mover.body).pose();
            (name.as_str(), pose)
        })
    }

    /// Casts the rays of sensors in space on an engine from the next sample on. The CPU casts those of sensors
    /// whose readings have an influence on the state, unless the engine is required. If the engine fails, the
    /// CPU casts all rays from then on, or the step fails with [`StepError::Scan`](super::StepError::Scan)
    /// if the engine is required.
    pub fn set_scan_engine(&mut self, engine: Box<dyn ScanEngine>, is_required: bool) {
        self.state.sensors.set_engine(engine, is_required);
    }

    /// Returns the failure of the engine of [`Self::set_scan_engine`], after which the CPU casts all rays.
    pub fn scan_fallback(&self) -> Option<&ScanFallback> {
        self.state.sensors.scan_fallback()
    }

    /// Returns the use of the engine of [`Self::set_scan_engine`], if there is one.
    pub fn scan_report(&self) -> Option<ScanReport> {
        self.state.sensors.scan_report()
    }

    /// Returns all sensors in the order of the world file.
    pub fn sensors(&self) -> &[SensorInfo] {
        self.state.sensors.infos()
    }

    /// Returns the samples of the last step: index of the sensor, and its numbers.
    pub fn readings(&self) -> impl Iterator<Item = (usize, Vec<f64>)> {
        self.state.sensors.readings()
    }

    /// Returns whether a sensor has given a sample in the last step. Sensors are indexed as in
    /// [`Self::sensors`].
    pub fn is_sampled(&self, sensor: usize) -> bool {
        self.state.sensors.is_fresh(sensor)
    }

    /// Returns the pose of a sensor's rays at its last sample, in the frame of its vehicle, or of the world
    /// if it has none. All of it is 0 before the first sample, and for sensors without rays.
    pub fn sensor_origin(&self, sensor: usize) -> Pose3 {
        self.state.sensors.origin(sensor)
    }

    /// Returns the semantic classes that sensors see, in the order of their numbers; none in a world
    /// without sensors in space.
    pub fn classes(&self) -> &[String] {
        let perception = self.state.perception.as_ref();
        perception.map_or(&[], |perception| &perception.surroundings().classes)
    }
}
