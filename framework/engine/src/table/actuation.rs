//! The actuators of a table: a chain of models between the controller and the dynamics class.

use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::model::Call;

/// An actuator of all vehicles of a table. It acts on one of their ports.
#[derive(Clone)]
pub(super) struct Actuator {
    /// Name, unique within the vehicle.
    pub name: String,
    /// Its phase `actuate`.
    pub call: Call,
    /// Whether its lanes are wheels.
    pub by_wheel: bool,
    /// Unit of the port.
    pub unit: &'static str,
    /// Quantities of vehicles that an actuator of wheels reads, and the columns with one value per wheel
    /// to which they are copied.
    pub spread: Vec<(Column, Column)>,
}

impl Actuator {
    /// Copies the quantities of vehicles to their wheels.
    pub fn spread(&self, vehicles: &mut Vehicles) {
        let count = vehicles.lanes.len();
        for (from, to) in &self.spread {
            let (from, to) = vehicles.columns.read_and_write(*from, *to);
            to.chunks_mut(count).for_each(|wheel| wheel.copy_from_slice(from));
        }
    }

    /// Returns the indices of the lanes of the vehicle in lane `lane` of `count`.
    pub fn lanes(
        &self,
        lane: usize,
        count: usize,
        wheels: usize,
    ) -> impl Iterator<Item = usize> + use<> {
        (0..if self.by_wheel { wheels } else { 1 }).map(move |wheel| wheel * count + lane)
    }
}
