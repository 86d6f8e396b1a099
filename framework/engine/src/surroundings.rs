//! The world at one instant as models perceive it: entities, and answers to questions about them.

mod decals;
mod figure;
mod look;
mod services;

use std::cell::RefCell;
use std::collections::BTreeSet;

use simhost_abi::host::AnswerBuffer;
use simhost_abi::{Contact, Neighbour, NeighbourQuery, Ray, RayHit, SurfacePoint, entity_kind};
use simhost_sensing::{Beam, Places, Space};

use crate::daylight::Daylight;
use crate::ground::Ground;

pub(crate) use decals::Sheet;
pub(crate) use figure::{Figure, Gate};
pub(crate) use look::Looks;
pub(crate) use services::Inquiry;

thread_local! {
    /// Distances of the entities in a circle, whose bits have the order of the numbers because none is negative; their
    /// numbers and their indices.
    static FOUND: RefCell<Vec<(u64, u32, u32)>> = const { RefCell::new(Vec::new()) };
}

/// Numbers of all entities of a world: kind after kind, and within a kind in the order of the world file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    /// Kind of each group of numbers, and the first number after it.
    ends: Vec<(u32, u32)>,
}

impl Numbers {
    /// Adds the entities of a kind. Returns the number of the first one.
    pub fn add(&mut self, kind: u32, count: usize) -> u32 {
        let first = self.ends.last().map_or(0, |(_, end)| *end);
        self.ends.push((kind, first + count as u32));
        first
    }

    /// Returns the kind of an entity, or 0 for a number without one.
    pub fn kind(&self, number: u32) -> u32 {
        self.ends.iter().find(|(_, end)| number < *end).map_or(0, |(kind, _)| *kind)
    }
}

/// The world at one instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    /// Numbers of all entities.
    pub numbers: Numbers,
    /// The shapes that rays meet. Those that move are in it from the first call of [`Self::space`] on.
    pub scenery: Space,
    /// Planes that move.
    pub gates: Vec<Gate>,
    /// Numbers of the blocks that can move.
    pub movable: BTreeSet<u32>,
    /// Vehicles, blocks and actors, sorted by number, with a distance of 0.
    pub entities: Vec<Neighbour>,
    /// Shapes of the entities, in the same order.
    pub figures: Vec<Figure>,
    /// Semantic classes of the entities, in the same order.
    pub entity_classes: Vec<u16>,
    /// Contacts of the last step with the numbers of the vehicles that have them, sorted by number.
    pub contacts: Vec<(u32, Contact)>,
    /// Reference points of the entities.
    pub places: Places,
    /// Numbers of the blocks without contacts, which sensors see and models do not perceive.
    pub ghosts: Vec<u32>,
    /// Names of the semantic classes by their numbers.
    pub classes: Vec<String>,
    /// Light of sun and sky.
    pub daylight: Daylight,
    /// Whether the properties of regions are those at height 0, not at that of the ground.
    pub regions_at_zero: bool,
}

impl Surroundings {
    /// Returns the shapes that rays meet at this instant.
    #[inline]
    pub fn space(&self) -> &Space {
        self.scenery.place_moving(|solids| {
            let figures = self.figures.iter().zip(&self.entities);
            let moving = figures.filter(|(figure, _)| figure.moves);
            moving.for_each(|(figure, entity)| figure.add_to(solids, entity));
            self.gates.iter().for_each(|gate| gate.add_to(solids));
        });
        &self.scenery
    }

    /// Returns whether a mask selects an entity.
    fn selects(&self, mask: u32, own: u32, number: u32) -> bool {
        if self.ghosts.binary_search(&number).is_ok() {
            return false;
        }
        let kind = if number == own { entity_kind::OWN } else { self.numbers.kind(number) };
        mask & kind != 0
    }

    /// Returns what a ray of the vehicle `own` meets.
    fn cast(&self, own: u32, ray: &Ray) -> RayHit {
        let nothing = RayHit { point: ray.origin, ..RayHit::NOTHING };
        let accepts = |number| self.selects(ray.mask, own, number);
        let Some(beam) = Beam::new(ray.origin, ray.direction, ray.max_range) else {
            return nothing;
        };
        self.space().cast(&beam, &accepts).map_or(nothing, |strike| RayHit {
            range: strike.range,
            point: beam.at(strike.range),
            normal: strike.normal,
            entity: strike.number,
            kind: self.numbers.kind(strike.number),
        })
    }

    /// Adds the nearest entities in a circle to `found`, and returns the number of all of them.
    fn query(
        &self,
        own: u32,
        query: &NeighbourQuery,
        found: &mut AnswerBuffer<'_, Neighbour>,
    ) -> usize {
        FOUND.with_borrow_mut(|keys| {
            keys.clear();
            self.places.within(query.centre, query.radius, |item, distance| {
                let entity = &self.entities[item];
                let kind = if entity.entity == own { entity_kind::OWN } else { entity.kind };
                if query.mask & kind != 0 {
                    keys.push((distance.to_bits(), entity.entity, item as u32));
                }
            });
            let total = keys.len();
            if total > found.capacity() {
                keys.select_nth_unstable(found.capacity());
                keys.truncate(found.capacity());
            }
            keys.sort_unstable();
            for &(distance, _, item) in &*keys {
                let distance = f64::from_bits(distance);
                found.push(Neighbour { distance, ..self.entities[item as usize] });
            }
            total
        })
    }

    /// Returns the contacts of a vehicle, each with its number.
    fn contacts_of(&self, own: u32) -> &[(u32, Contact)] {
        let first = self.contacts.partition_point(|(vehicle, _)| *vehicle < own);
        let count = self.contacts[first..].partition_point(|(vehicle, _)| *vehicle == own);
        &self.contacts[first..first + count]
    }

    /// Returns the number of the semantic class of an entity, 0 for one that has no pose.
    fn class_of(&self, entity: u32) -> u32 {
        let place = self.entities.binary_search_by_key(&entity, |one| one.entity);
        place.map_or(0, |place| u32::from(self.entity_classes[place]))
    }

    /// Returns the ground at or below a point.
    fn surface(&self, ground: &Ground, point: [f64; 3]) -> SurfacePoint {
        let [x, y, _] = point;
        let (height, [slope_x, slope_y]) = ground.slope(point);
        let length = (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
        let at = [x, y, if self.regions_at_zero { 0.0 } else { height }];
        let property = |name, outside| ground.property(name, at).unwrap_or(outside);
        SurfacePoint {
            height,
            normal: [0.0 - slope_x / length, 0.0 - slope_y / length, 1.0 / length],
            mu: property("friction_mu", -1.0),
            c_rr: property("friction_C_rr", -1.0),
            surface: property("surface", 0.0),
        }
    }
}

#[cfg(test)]
mod tests;
