//! Surroundings that a model can ask about in a test, without a world: every answer follows from the
//! question, the lane and the time, so that it does not depend on the division of a batch.

use std::sync::atomic::{AtomicBool, Ordering};

use simhost_abi::host::{AnswerBuffer, ServiceHost};
use simhost_abi::{
    Contact, EARTH_SERVICE, EarthPoint, GROUND_SERVICE, Neighbour, NeighbourQuery, ROADS_SERVICE,
    Ray, RayHit, SurfacePoint, entity_kind,
};
use simhost_sdk::Random;

use crate::draw::key;

/// Number of neighbours beyond the capacity of a crowd.
const BEYOND: usize = 1 << 20;

/// The surroundings of a model in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surroundings {
    /// The host has no services.
    Absent,
    /// The host has services, but not these.
    NotFound,
    /// Nothing is around the vehicle.
    Empty,
    /// More neighbours than any capacity, and rays that all meet something.
    Crowded,
}

/// The questions of one call.
pub(crate) struct Inquiry {
    kind: Surroundings,
    key: u64,
}

/// Whether a model has asked for a service that it has to declare.
static ASKED: AtomicBool = AtomicBool::new(false);

impl Surroundings {
    /// All of them, with words for messages.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Absent, "on a host without services"),
        (Self::NotFound, "on a host without services for the world around a vehicle"),
        (Self::Empty, "with nothing around the vehicle"),
        (Self::Crowded, "with more neighbours than its capacity"),
    ];

    /// Creates the questions of a call at a step of a seed.
    pub fn inquiry(self, seed: u64, step: u64) -> Inquiry {
        Inquiry { kind: self, key: key(seed, &[step, 77]) }
    }
}

/// Returns whether a model has asked about the world around it since the last call of this function.
pub(crate) fn take_asked() -> bool {
    ASKED.swap(false, Ordering::Relaxed)
}

impl Inquiry {
    /// Returns numbers that follow from the lane and a number of the question.
    fn draws(&self, lane: usize, number: usize) -> Random {
        Random::new(key(self.key, &[lane as u64, number as u64]))
    }

    /// Returns whether there are more neighbours than any capacity, and rays all meet something.
    fn is_crowded(&self) -> bool {
        self.kind == Surroundings::Crowded
    }
}

impl ServiceHost for Inquiry {
    fn offers(&self, id: &str) -> bool {
        match id {
            GROUND_SERVICE => false,
            // no ability of a model, because the answer does not depend on the world around it
            EARTH_SERVICE | ROADS_SERVICE => true,
            _ => {
                ASKED.store(true, Ordering::Relaxed);
                self.kind != Surroundings::NotFound
            }
        }
    }

    fn cast(&self, lane: usize, number: usize, ray: &Ray) -> RayHit {
        let Ray { origin, direction, max_range, .. } = *ray;
        let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
        let is_met = self.is_crowded() && length > 0.0 && length.is_finite();
        let range = max_range.min(10.0) * self.draws(lane, number).uniform();
        let unit = direction.map(|part| part / length);
        if !(is_met && range >= 0.0) {
            return RayHit { point: origin, ..RayHit::NOTHING };
        }
        RayHit {
            range,
            point: [0, 1, 2].map(|axis| origin[axis] + range * unit[axis]),
            normal: unit.map(|part| -part),
            entity: 100_000,
            kind: entity_kind::WALL,
        }
    }

    /// Locates a point on a sphere, with the origin of the world at 40° north and 10° east. A host without
    /// services for the world around a vehicle does not know it.
    fn locate(&self, [x, y, z]: [f64; 3]) -> EarthPoint {
        if self.kind == Surroundings::NotFound {
            return EarthPoint::UNKNOWN;
        }
        let radius = 6.4e6;
        EarthPoint {
            latitude: 0.7 + y / radius,
            longitude: 0.17 + x / radius,
            height: z,
            easting: x,
            northing: y,
            zone: 32,
            band: 84,
            is_covered: 1,
            ..EarthPoint::UNKNOWN
        }
    }

    /// Touches the vehicle everywhere in a crowd.
    fn contacts(&self, lane: usize, found: &mut AnswerBuffer<'_, Contact>) -> usize {
        if !self.is_crowded() {
            return 0;
        }
        for k in 0..found.capacity() {
            let mut random = self.draws(lane, k);
            let (sin, cos) = simhost_sdk::math::sin_cos(6.0 * random.uniform());
            let (point, normal) = ([2.0 * cos, 2.0 * sin], [-cos, -sin]);
            found.push(Contact { point, normal, force: 1e3 * random.uniform(), ..Contact::NONE });
        }
        found.capacity() + BEYOND
    }

    fn class_of(&self, _: u32) -> u32 {
        1
    }

    fn own(&self, lane: usize) -> u32 {
        lane as u32
    }

    fn neighbours(
        &self,
        lane: usize,
        number: usize,
        query: &NeighbourQuery,
        found: &mut AnswerBuffer<'_, Neighbour>,
    ) -> usize {
        if !self.is_crowded() {
            return 0;
        }
        let (NeighbourQuery { centre, radius, .. }, capacity) = (*query, found.capacity());
        for k in 0..capacity {
            let mut random = self.draws(lane, number * capacity + k);
            let distance = radius.clamp(0.0, 100.0) * (k + 1) as f64 / (capacity + 1) as f64;
            let (sin, cos) = simhost_sdk::math::sin_cos(6.0 * random.uniform());
            let velocity = [random.normal(), random.normal()];
            found.push(Neighbour {
                distance,
                position: [centre[0] + distance * cos, centre[1] + distance * sin, 0.0],
                yaw: 6.0 * random.uniform() - 3.0,
                velocity,
                yaw_rate: random.normal(),
                radius: 0.5,
                box_min: [-0.4, -0.3, 0.0],
                box_max: [0.4, 0.3, 1.0],
                entity: 1000 + k as u32,
                kind: entity_kind::VEHICLE,
                ..Neighbour::NONE
            });
        }
        capacity + BEYOND
    }

    fn surface(&self, [_, _, z]: [f64; 3]) -> SurfacePoint {
        let is_known = self.is_crowded() && z.is_finite();
        let (height, mu) = if is_known { (z.clamp(-10.0, 10.0), 0.3) } else { (0.0, -1.0) };
        SurfacePoint { height, mu, ..SurfacePoint::LEVEL }
    }
}
