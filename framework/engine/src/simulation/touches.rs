//! Contacts and collisions of a simulation.

use std::collections::BTreeSet;

use super::Simulation;
use crate::blueprint::Blueprint;
use crate::collisions::{Collision, ContactPoint};
use crate::physics::{BodySearch, Touching};
use crate::state::State;

/// What touches in a simulation.
#[derive(Clone, Copy)]
pub struct Touches<'s> {
    blueprint: &'s Blueprint,
    state: &'s State,
}

impl<'s> Touches<'s> {
    /// Returns whether something touches a vehicle at the end of the last step.
    pub fn any_vehicle(&self) -> bool {
        let mut touching = BTreeSet::new();
        self.state.physics.for_each_touch(|touch| {
            touching.insert(touch.body.number());
        });
        let mut lanes = self.state.tables.iter().flat_map(|table| &table.vehicles.lanes);
        !touching.is_empty() && lanes.any(|lane| touching.contains(&lane.body.number()))
    }

    /// Returns whether a vehicle, by its index in [`Simulation::vehicle_names`], is less than `distance`, m, from a body or an
    /// obstacle at its height now. If [collisions are watched](Simulation::watch_collisions), a touch after the time `since`, s,
    /// and at most half a second ago, counts as well. Bodies that a joint connects do not count. `search` is empty, or
    /// has been [brought up](Self::update_search) to the present state.
    pub fn is_near(&self, vehicle: usize, distance: f64, since: f64, search: &BodySearch) -> bool {
        let body = self.state.body_of(self.blueprint.places[vehicle]);
        let log = self.state.collisions.as_ref();
        log.is_some_and(|log| log.has_touched_since(body.number(), since))
            || self.state.physics.is_near(body, distance, search)
    }

    /// Brings a search for bodies up to the present state, so that [`Self::is_near`] for all vehicles does not
    /// compare each of them with each body.
    pub fn update_search(&self, search: &mut BodySearch) {
        search.update(&self.state.physics.bodies);
    }

    /// Returns the points at which bodies touch at the end of the last step, those between two bodies once.
    pub fn points(&self) -> Vec<ContactPoint<'s>> {
        let entities = self.state.entities(self.blueprint, |_| true);
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

    /// Returns the collisions of vehicles since [`Simulation::watch_collisions`], in the order of time. Those within half a
    /// second of a touch with the same partner belong to it.
    pub fn collisions(&self) -> &'s [Collision] {
        self.state.collisions.as_ref().map_or(&[], |log| log.begun())
    }
}

impl Simulation {
    /// Returns what touches at the end of the last step.
    pub fn touches(&self) -> Touches<'_> {
        Touches { blueprint: &self.blueprint, state: &self.state }
    }
}
