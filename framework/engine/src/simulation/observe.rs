//! Observation of a simulation: time, readings, energy books and the result hash.

use std::sync::Arc;

use simhost_scene::Pose2;

use super::Simulation;
use crate::clock::Clock;
use crate::fault::FaultReport;
use crate::name_index::NameIndex;
use crate::physics::Overlaps;
use crate::readings::{BodyProperties, SensorInfo, VehicleSnapshot, WheelSnapshot};
use crate::scan_engine::ScanEngine;
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
    /// CPU casts all rays from then on, or the step fails with [`StepError::Scan`](super::StepError::Scan)
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
