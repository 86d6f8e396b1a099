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
            MemberEvent::Sample(name) => Some(sensor(&self.session, name)?),
            _ => None,
        };
        let mut mask = Vec::with_capacity(self.members());
        for number in 0..self.members() {
            let is_ended = self.ends.has(number);
            let mut member = EventMember { ensemble: self, number };
            mask.push(match (event, sensor) {
                (MemberEvent::End, _) => is_ended,
                (_, Some(sensor)) => member.has_measured(sensor),
                (MemberEvent::Contact, _) => {
                    member.is_apart_and(|simulation| simulation.touches().any_vehicle())
                }
                _ => member.has_faulted(),
            });
        }
        Ok(mask)
    }
}

/// Returns the index of a sensor.
fn sensor(session: &Session, name: &str) -> Result<usize, Error> {
    let sensors = session.simulation().sensors();
    let names: Vec<String> =
        sensors.iter().map(|info| format!("{}/{}", info.vehicle, info.sensor)).collect();
    let known = names.iter().position(|known| known == name);
    known.ok_or_else(|| unknown("sensor", name, names.iter().map(String::as_str)).into())
}

/// A member whose events are looked at.
struct EventMember<'e> {
    ensemble: &'e mut Ensemble,
    number: usize,
}

impl EventMember<'_> {
    /// Returns the number of completed steps before the last call that stepped the ensemble.
    fn steps_before(&self) -> u64 {
        let of_session = self.ensemble.befores.get(&self.number).copied();
        let before = of_session.unwrap_or_else(|| self.ensemble.members.steps_before(self.number));
        before.min(self.ensemble.steps_of(self.number))
    }

    fn has_measured(&mut self, sensor: usize) -> bool {
        let before = self.steps_before();
        let look = |simulation: &simhost_engine::Simulation| {
            simulation.samples().has_measured_since(sensor, before)
        };
        match self.ensemble.sessions.get(&self.number).map(Session::simulation) {
            Some(simulation) => look(simulation),
            None => self.ensemble.members.look(self.number, look),
        }
    }

    /// Returns the result of `look` for a separate simulation; false without one, because nothing touches
    /// the member and no model has faulted.
    fn is_apart_and(&self, look: impl FnOnce(&simhost_engine::Simulation) -> bool) -> bool {
        match self.ensemble.sessions.get(&self.number).map(Session::simulation) {
            Some(simulation) => look(simulation),
            None => self.ensemble.members.simulation_of(self.number).is_some_and(look),
        }
    }

    fn has_faulted(&self) -> bool {
        if matches!(self.ensemble.ends.all()[self.number], Some(super::MemberEnd::Fault(_))) {
            return true;
        }
        let before = self.steps_before();
        self.is_apart_and(|simulation| {
            let clock = simulation.clock();
            let then = simhost_engine::Clock { steps: before, ..clock }.time();
            simulation.faults().iter().any(|fault| fault.time >= then)
        })
    }
}
