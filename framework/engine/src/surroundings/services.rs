//! The surroundings as a host of models that perceive.

use simhost_abi::host::{AnswerBuffer, ServiceHost};
use simhost_abi::{
    Contact, EarthPoint, NO_ENTITY, Neighbour, NeighbourQuery, Ray, RayHit, SurfacePoint,
};
use simhost_model::Entities;

use super::Surroundings;
use crate::ground::Ground;

/// The questions of one call.
pub(crate) struct Inquiry<'c> {
    surroundings: &'c Surroundings,
    ground: &'c Ground,
    /// Vehicles of the lanes.
    entities: &'c Entities,
}

impl<'c> Inquiry<'c> {
    /// Creates the questions of a call with these lanes.
    pub fn new(surroundings: &'c Surroundings, ground: &'c Ground, entities: &'c Entities) -> Self {
        Self { surroundings, ground, entities }
    }
}

impl ServiceHost for Inquiry<'_> {
    #[inline]
    fn offers(&self, _: &str) -> bool {
        true
    }

    #[inline]
    fn ground(&self, point: [f64; 3]) -> (f64, [f64; 2]) {
        self.ground.slope(point)
    }

    fn locate(&self, point: [f64; 3]) -> EarthPoint {
        self.ground.locate(point)
    }

    fn cast(&self, lane: usize, _: usize, ray: &Ray) -> RayHit {
        self.surroundings.cast(self.own(lane), ray)
    }

    fn own(&self, lane: usize) -> u32 {
        self.entities.vehicle(lane).unwrap_or(NO_ENTITY)
    }

    fn neighbours(
        &self,
        lane: usize,
        _: usize,
        query: &NeighbourQuery,
        found: &mut AnswerBuffer<'_, Neighbour>,
    ) -> usize {
        self.surroundings.query(self.own(lane), query, found)
    }

    fn contacts(&self, lane: usize, found: &mut AnswerBuffer<'_, Contact>) -> usize {
        let contacts = self.surroundings.contacts_of(self.own(lane));
        contacts.iter().for_each(|(_, contact)| found.push(*contact));
        contacts.len()
    }

    fn class_of(&self, entity: u32) -> u32 {
        self.surroundings.class_of(entity)
    }

    fn surface(&self, point: [f64; 3]) -> SurfacePoint {
        self.surroundings.surface(self.ground, point)
    }
}
