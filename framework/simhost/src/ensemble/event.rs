//! Events of some members, as masks.

use super::Ensemble;
use crate::error::Error;
use crate::inputs::unknown;
use crate::session::Session;

/// Something that happens to some members and not to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemberEvent<'n> {
    /// The member stands still, see [`Member::end`](super::Member::end).
    End,
    /// A model has faulted in the last call that stepped the ensemble.
    Fault,
    /// Something touches a vehicle at the end of the last step.
    Contact,
    /// A sensor, `VEHICLE/SENSOR`, has measured in the last call that stepped the ensemble, so that its reading is new.
    Sample(&'n str),
}

impl Ensemble {
    /// Returns for each member whether an event has happened.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such sensor.
    pub fn events(&mut self, event: MemberEvent<'_>) -> Result<Vec<bool>, Error> {
        let sensor = match event {
            MemberEvent::Sample(name) => Some(self.sensor(name)?),
            _ => None,
        };
        let mut mask = Vec::with_capacity(self.members());
        for member in 0..self.members() {
            mask.push(match (event, sensor) {
                (MemberEvent::End, _) => self.ends.has(member),
                (_, Some(sensor)) => self.has_measured(member, sensor),
                (MemberEvent::Contact, _) => {
                    self.of_member_apart(member, simhost_engine::Simulation::has_contact)
                }
                _ => self.has_faulted(member),
            });
        }
        Ok(mask)
    }

    /// Returns the index of a sensor.
    fn sensor(&self, name: &str) -> Result<usize, Error> {
        let sensors = self.session.simulation().sensors();
        let names: Vec<String> =
            sensors.iter().map(|info| format!("{}/{}", info.vehicle, info.sensor)).collect();
        let known = names.iter().position(|known| known == name);
        known.ok_or_else(|| unknown("sensor", name, names.iter().map(String::as_str)).into())
    }

    /// Returns the number of completed steps of a member before the last call that stepped the ensemble.
    fn steps_before(&self, member: usize) -> u64 {
        let of_session = self.befores.get(&member).copied();
        let before = of_session.unwrap_or_else(|| self.members.steps_before(member));
        before.min(self.steps_of(member))
    }

    fn has_measured(&mut self, member: usize, sensor: usize) -> bool {
        let before = self.steps_before(member);
        let look =
            |simulation: &simhost_engine::Simulation| simulation.has_measured_since(sensor, before);
        match self.sessions.get(&member).map(Session::simulation) {
            Some(simulation) => look(simulation),
            None => self.members.look(member, look),
        }
    }

    /// Returns the result of `look` for a member with a separate simulation; false for all others,
    /// because nothing touches them and no model has faulted.
    fn of_member_apart(
        &self,
        member: usize,
        look: impl FnOnce(&simhost_engine::Simulation) -> bool,
    ) -> bool {
        match self.sessions.get(&member).map(Session::simulation) {
            Some(simulation) => look(simulation),
            None => self.members.simulation_of(member).is_some_and(look),
        }
    }

    fn has_faulted(&self, member: usize) -> bool {
        if matches!(self.ends.all()[member], Some(super::MemberEnd::Fault(_))) {
            return true;
        }
        let before = self.steps_before(member);
        self.of_member_apart(member, |simulation| {
            let clock = simulation.clock();
            let then = simhost_engine::Clock { steps: before, ..clock }.time();
            simulation.faults().iter().any(|fault| fault.time >= then)
        })
    }
}
