//! The world at one instant as models perceive it: entities, and answers to questions about them.

mod decals;
mod figure;
mod look;

use std::cell::RefCell;
use std::collections::BTreeSet;

use simhost_abi::host::{AnswerBuffer, ServiceHost};
use simhost_abi::{
    Contact, EarthPoint, LaneQuery, NO_ENTITY, Neighbour, NeighbourQuery, ROADS_SERVICE, Ray,
    RayHit, RoadPoint, SurfacePoint, entity_kind,
};
use simhost_model::Entities;
use simhost_sensing::{Beam, Places, Space};

use crate::daylight::Daylight;
use crate::ground::Ground;

pub(crate) use decals::Sheet;
pub(crate) use figure::{Figure, Gate};
pub(crate) use look::Looks;

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
    fn offers(&self, id: &str) -> bool {
        id != ROADS_SERVICE || self.ground.offers(id)
    }

    #[inline]
    fn ground(&self, point: [f64; 3]) -> (f64, [f64; 2]) {
        self.ground.slope(point)
    }

    fn locate(&self, point: [f64; 3]) -> EarthPoint {
        self.ground.locate(point)
    }

    fn lane_at(&self, pose: [f64; 4]) -> RoadPoint {
        self.ground.lane_at(pose)
    }

    fn lanes_ahead(
        &self,
        from: &LaneQuery,
        route: &[u32],
        distances: &[f64],
        found: &mut AnswerBuffer<'_, RoadPoint>,
    ) {
        self.ground.lanes_ahead(from, route, distances, found);
    }

    fn lane_route(&self, from: u32, to: u32, found: &mut AnswerBuffer<'_, u32>) -> usize {
        self.ground.lane_route(from, to, found)
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

#[cfg(test)]
mod tests {
    use simhost_abi::NO_ENTITY;

    use super::*;

    /// Fifty vehicles and fifty actors on a spiral, of which several have the same distance.
    fn crowd() -> Surroundings {
        let mut all = Surroundings::default();
        all.numbers.add(entity_kind::VEHICLE, 50);
        all.numbers.add(entity_kind::BLOCK, 7);
        all.numbers.add(entity_kind::ACTOR, 50);
        let numbers = (0..50).chain(57..107);
        all.entities = numbers
            .map(|number: u32| {
                let (sin, cos) = simhost_sdk::math::sin_cos(f64::from(number % 8) * 0.5);
                let radius = f64::from(number / 5);
                let position = [radius * cos, radius * sin, 0.0];
                Neighbour {
                    position,
                    entity: number,
                    kind: all.numbers.kind(number),
                    ..Neighbour::NONE
                }
            })
            .collect();
        let points = all.entities.iter().map(|entity| [entity.position[0], entity.position[1]]);
        all.places.update(points);
        all
    }

    fn ask(all: &Surroundings, query: &NeighbourQuery, capacity: usize) -> (usize, Vec<u32>) {
        let mut found = vec![Neighbour::NONE; capacity];
        let total = all.query(3, query, &mut AnswerBuffer::over(&mut found));
        (total, found[..total.min(capacity)].iter().map(|one| one.entity).collect())
    }

    #[test]
    fn the_nearest_come_first_whatever_the_capacity() {
        let all = crowd();
        for mask in [entity_kind::VEHICLE, entity_kind::ACTOR, entity_kind::ALL | entity_kind::OWN]
        {
            for (centre, radius) in [([0.0; 2], 7.0), ([2.0, 3.0], 30.0), ([0.5, 0.0], 0.1)] {
                let query = NeighbourQuery::new(centre, radius).of(mask);
                let mut expected: Vec<(f64, u32)> = Vec::new();
                for one in &all.entities {
                    let [dx, dy] = [one.position[0] - centre[0], one.position[1] - centre[1]];
                    let distance = (dx * dx + dy * dy).sqrt();
                    let kind = if one.entity == 3 { entity_kind::OWN } else { one.kind };
                    if distance <= radius && mask & kind != 0 {
                        expected.push((distance, one.entity));
                    }
                }
                expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let numbers: Vec<u32> = expected.iter().map(|(_, number)| *number).collect();
                for capacity in [0, 1, 2, 3, 8, 50, 200] {
                    let (total, found) = ask(&all, &query, capacity);
                    assert_eq!(total, numbers.len(), "{query:?}");
                    assert_eq!(found, numbers[..capacity.min(total)], "{query:?}, {capacity}");
                }
            }
        }
    }

    #[test]
    fn numbers_follow_the_kinds() {
        let all = crowd();
        let kinds = [0, 49, 50, 56, 57, 106, 107, NO_ENTITY].map(|number| all.numbers.kind(number));
        let (vehicle, block, actor) =
            (entity_kind::VEHICLE, entity_kind::BLOCK, entity_kind::ACTOR);
        assert_eq!(kinds, [vehicle, vehicle, block, block, actor, actor, 0, 0]);
    }

    #[test]
    fn the_own_vehicle_is_selected_by_its_own_bit() {
        let all = crowd();
        assert!(!all.selects(entity_kind::ALL, 3, 3) && all.selects(entity_kind::ALL, 4, 3));
        assert!(all.selects(entity_kind::OWN, 3, 3) && !all.selects(entity_kind::OWN, 4, 3));
    }
}
