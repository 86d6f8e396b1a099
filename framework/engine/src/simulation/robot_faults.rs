//! Fault memories of the vehicles of a simulation.

use super::Simulation;
use crate::robot_faults::{FaultEntry, FaultMemory};

impl Simulation {
    /// Returns the fault memory of a vehicle. Vehicles are indexed as in [`Self::vehicle_names`].
    pub fn fault_memory(&self, vehicle: usize) -> &FaultMemory {
        self.state.robot_faults.memory(vehicle)
    }

    /// Returns whether the world has faults of robots, or entries have been added to a memory.
    pub fn has_robot_faults(&self) -> bool {
        self.state.robot_faults.is_used()
    }

    /// Returns all entries of fault memories from the one with the number `first` on, each with the name
    /// of its vehicle, in the order in which they were added. Clearing a memory does not change them. Only
    /// the last 10,000 are kept.
    pub fn fault_entries_from(&self, first: u64) -> impl Iterator<Item = (&str, &FaultEntry)> {
        self.state.robot_faults.log().from(first)
    }

    /// Returns the number that the next entry will have.
    pub fn fault_entry_count(&self) -> u64 {
        self.state.robot_faults.log().count()
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

    /// Returns the faults of a vehicle that are present: their indices in
    /// [`faults`](simhost_world::Vehicle::faults).
    pub fn present_faults(&self, vehicle: usize) -> impl Iterator<Item = usize> {
        self.state.robot_faults.present(vehicle)
    }
}
