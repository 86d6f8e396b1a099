//! Fault memories of the vehicles of a simulation.

use super::Simulation;
use crate::robot_faults::{FaultEntry, FaultMemory, RobotFaults};

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
