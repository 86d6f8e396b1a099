//! Odometry of vehicles that steer with their wheels, as a single track.

use simhost_sdk::math;

use super::{Axle, Increment, Odometry, Rolled, SpeedFrom};

/// Wheelbase below which the heading does not change, m.
const LEAST_DISTANCE: f64 = 1e-3;
/// Least part of the way of the vehicle that a wheel rolls from which the way is computed.
const LEAST_PART: f64 = 1e-3;

/// The axles of a vehicle.
#[derive(Clone, Copy, Debug)]
struct Axles {
    /// Positions ahead of the reference point, m.
    front: f64,
    rear: f64,
}

impl Axles {
    fn of(wheels: &[Rolled]) -> Self {
        let count = wheels.len().max(1) as f64;
        let middle = wheels.iter().map(|wheel| wheel.x).sum::<f64>() / count;
        let mean = |is_front: bool| {
            let axle = wheels.iter().filter(|wheel| (wheel.x > middle) == is_front);
            let (sum, n) = axle.fold((0.0, 0.0), |(sum, n), wheel| (sum + wheel.x, n + 1.0));
            if n > 0.0 { sum / n } else { middle }
        };
        Self { front: mean(true), rear: mean(false) }
    }

    fn base(self) -> f64 {
        self.front - self.rear
    }

    fn is_front(self, wheel: &Rolled) -> bool {
        wheel.x > 0.5 * (self.front + self.rear)
    }
}

/// Returns whether the class steers a wheel of the rear axle.
pub(super) fn steers_rear(wheels: &[Rolled]) -> bool {
    let axles = Axles::of(wheels);
    axles.base() >= LEAST_DISTANCE
        && wheels.iter().any(|wheel| wheel.is_steered && !axles.is_front(wheel))
}

impl Odometry {
    /// Returns the motion of the centre of mass, which lies `centre` m ahead of the reference point.
    pub(super) fn bicycle(&self, wheels: &[Rolled], centre: f64) -> Increment {
        let axles = Axles::of(wheels);
        let (base, behind) = (axles.base(), centre - axles.rear);
        if base < LEAST_DISTANCE {
            let way = self.mean_way(wheels, axles, 0.0);
            return Increment { ahead: centre, way, slip: 0.0, turn: 0.0 };
        }
        let reverse = wheels.first().is_some_and(|first| first.sign < 0.0);
        let negate = if self.flipped_reverse && reverse { -1.0 } else { 1.0 };
        // tangent of the steering angle of the single track
        let exact = self.tangent(wheels, axles);
        let (tangent, curvature) = (negate * exact, exact / base);
        let (part, base) = match self.symmetric_wheelbase {
            true => (0.5, 2.0 * behind),
            false => (behind / base, base),
        };
        let slip = math::atan(part * tangent);
        let mut way = self.mean_way(wheels, axles, curvature);
        if !self.mean_wheel_speed {
            // from the middle of the rear axle to the centre of mass
            way /= math::cos(slip);
        }
        let mut turn = way * math::cos(slip) * tangent / base;
        if self.flipped_reverse && reverse {
            // an unsigned speed with a steering angle of the other sign
            turn = -turn;
        }
        Increment { ahead: centre, way, slip, turn }
    }

    /// Returns the tangent of the steering angle of the single track.
    fn tangent(&self, wheels: &[Rolled], axles: Axles) -> f64 {
        let front = || wheels.iter().filter(|wheel| axles.is_front(wheel));
        let count = front().count().max(1) as f64;
        if self.mean_steering {
            return math::tan(front().map(|wheel| wheel.steer).sum::<f64>() / count);
        }
        // the turning centre lies at R = L cot δ + y
        let curvature = |wheel: &Rolled| {
            let tangent = math::tan(wheel.steer);
            tangent / (wheel.x - axles.rear + wheel.y * tangent)
        };
        axles.base() * front().map(curvature).sum::<f64>() / count
    }

    /// Returns the way of the middle of the rear axle, m, on a path of this curvature, 1/m.
    fn mean_way(&self, wheels: &[Rolled], axles: Axles, curvature: f64) -> f64 {
        let is_driven = |wheel: &Rolled| axles.is_front(wheel) == (self.driven == Axle::Front);
        let way = |wheel: &Rolled| self.way_of(wheel, axles, curvature);
        if matches!(self.speed_from, SpeedFrom::Fastest | SpeedFrom::Slowest) {
            // the first of equal ones counts
            let sign = if self.speed_from == SpeedFrom::Fastest { 1.0 } else { -1.0 };
            let mut first: [Option<f64>; 2] = [None; 2];
            let beats = |way: f64, other: Option<f64>| {
                other.is_none_or(|other| sign * way.abs() > sign * other.abs())
            };
            for way in wheels.iter().filter_map(way) {
                if beats(way, first[0]) {
                    first = [Some(way), first[0]];
                } else if beats(way, first[1]) {
                    first[1] = Some(way);
                }
            }
            let [one, other] = first;
            return 0.5 * (one.unwrap_or(0.0) + other.or(one).unwrap_or(0.0));
        }
        let is_used = |wheel: &&Rolled| match self.speed_from {
            SpeedFrom::Driven => is_driven(wheel),
            SpeedFrom::Free => !is_driven(wheel),
            SpeedFrom::All | SpeedFrom::Fastest | SpeedFrom::Slowest => true,
        };
        let ways = wheels.iter().filter(is_used).filter_map(way);
        let (sum, count) = ways.fold((0.0, 0.0), |(sum, n), way| (sum + way, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// Returns the way of the middle of the rear axle by one wheel, m; `None` if the wheel turns on the
    /// spot.
    fn way_of(&self, wheel: &Rolled, axles: Axles, curvature: f64) -> Option<f64> {
        if self.mean_wheel_speed {
            return Some(wheel.way);
        }
        let (sin, cos) = math::sin_cos(wheel.steer);
        let part = (1.0 - wheel.y * curvature) * cos + curvature * (wheel.x - axles.rear) * sin;
        (part.abs() > LEAST_PART).then(|| wheel.way / part)
    }
}
