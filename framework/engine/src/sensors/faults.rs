//! Faults of the robots that act on sensors: their onset, their end, and what they hold.

use simhost_world::FaultEffect;

use super::Sensors;
use super::effects::{Effect, Effects, SensorFault, readings};

impl Sensors {
    /// Adds the effect of a fault on a sensor.
    pub fn add_fault(&mut self, group: usize, lane: usize, fault: SensorFault) {
        let effect = Effect { lane, fault, is_present: false, dropped: false, held: Vec::new() };
        self.groups[group].effects.effects.push(effect);
    }

    /// Lets a fault begin or end.
    pub fn set_fault(&mut self, group: usize, lane: usize, fault: usize, is_present: bool) {
        let has_readings = self.groups[group].has_sample(lane);
        let group = &mut self.groups[group];
        let held: Vec<f64> = match has_readings {
            true => readings(&group.read, &group.columns, lane).collect(),
            false => Vec::new(),
        };
        let Effects { effects, is_active, .. } = &mut group.effects;
        for one in effects.iter_mut().filter(|one| one.fault.fault == fault) {
            one.is_present = is_present;
            one.held.clone_from(&held);
        }
        *is_active = effects.iter().any(|one| one.is_present);
    }

    /// Returns whether a fault has dropped the last sample, and the readings that it holds.
    pub fn held_by_fault(&self, group: usize, fault: usize) -> (bool, Vec<f64>) {
        let mut effects = self.groups[group].effects.effects.iter();
        effects.find(|one| one.fault.fault == fault).map_or((false, Vec::new()), |one| {
            // no other effect uses them
            let holds = one.is_present && one.fault.effect == FaultEffect::Stuck;
            (one.dropped, if holds { one.held.clone() } else { Vec::new() })
        })
    }

    /// Replaces what [`Self::held_by_fault`] returns. Readings of another number are not those of the
    /// sensor.
    pub fn hold_by_fault(
        &mut self,
        (group, lane): (usize, usize),
        fault: usize,
        (dropped, held): (bool, Vec<f64>),
    ) {
        let group = &mut self.groups[group];
        let count = readings(&group.read, &group.columns, lane).count();
        let mut effects = group.effects.effects.iter_mut();
        if let Some(one) = effects.find(|one| one.fault.fault == fault) {
            one.dropped = dropped;
            if held.is_empty() || held.len() == count {
                one.held = held;
            }
        }
    }
}
