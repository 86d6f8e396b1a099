//! Continuing the faults of another simulation.

use std::collections::HashMap;

use super::{FaultMemory, FaultPlace, RobotFaults, next_change};
use crate::sensors::Sensors;
use crate::table::Table;

impl RobotFaults {
    /// Continues the faults of another simulation of the same or a changed world. Vehicles are matched by
    /// their names, and faults by their place in the vehicle.
    pub fn take_over(
        &mut self,
        (old, old_names): (&Self, &[String]),
        names: &[String],
        (tables, old_tables): (&mut [Table], &[Table]),
        (sensors, old_sensors): (&mut Sensors, &Sensors),
    ) {
        let known = old.faults.iter().enumerate();
        let known: HashMap<_, _> = known.map(|(id, fault)| (&fault.key, (id, fault))).collect();
        for (id, fault) in self.faults.iter_mut().enumerate() {
            let Some((old_id, before)) = known.get(&fault.key) else { continue };
            if !fault.schedule.continue_from(&before.schedule) {
                continue;
            }
            let is_present = fault.schedule.is_present();
            match (fault.place, before.place) {
                (Some(FaultPlace::Table(table)), Some(FaultPlace::Table(old_table))) => {
                    let held = old_tables[old_table]
                        .port_faults
                        .held(*old_id, &old_tables[old_table].vehicles);
                    let Table { port_faults, vehicles, .. } = &mut tables[table];
                    port_faults.mark(id, is_present);
                    port_faults.hold(id, &held, vehicles);
                }
                (Some(FaultPlace::Sensor(group, lane)), Some(FaultPlace::Sensor(old_group, _))) => {
                    let held = old_sensors.held_by_fault(old_group, *old_id);
                    sensors.set_fault(group, lane, id, is_present);
                    sensors.hold_by_fault((group, lane), id, held);
                }
                _ => {}
            }
        }
        if !old.memories.is_empty() {
            self.memories.resize(names.len(), FaultMemory::default());
        }
        for (name, memory) in names.iter().zip(&mut self.memories) {
            let number = old_names.iter().position(|known| known == name);
            if let Some(before) = number.and_then(|number| old.memories.get(number)) {
                *memory = before.clone();
            }
        }
        // vehicles that start now have entries already
        let own = std::mem::replace(&mut self.log, old.log.clone());
        for (name, entry) in own.from(0).filter(|(name, _)| !old_names.iter().any(|n| n == name)) {
            self.log.push(name, entry);
        }
        self.next = next_change(&self.faults);
    }
}
