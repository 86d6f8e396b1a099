//! Parts that all drivers share: a path, a speed, measurements, and actuators.

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

use crate::pedals::{BrakedEngine, BrakedFront};

/// A corner of a path.
#[derive(Params, Clone, Copy, Debug)]
pub struct Corner {
    /// Position, world frame.
    #[param(required, unit = "m")]
    x: f64,
    /// Position, world frame.
    #[param(required, unit = "m")]
    y: f64,
}

/// Path and speed of a driver.
#[derive(Params)]
pub struct DriverTrack {
    /// Corners of the path, at least two. Beyond the last corner, the path continues straight.
    /// Without corners, it is the x axis of the world.
    corner: Vec<Corner>,
    /// Speed to keep. A larger value makes the vehicle faster.
    #[param(default = 10.0, unit = "m/s", above = 0.0)]
    speed: f64,
    /// Torque of all motors or brakes together for an error of 1 m/s. A larger value keeps the speed more closely.
    #[param(default = 500.0, unit = "N·m·s/m", range = 0.0..)]
    speed_gain: f64,
    /// Largest torque of all motors together. A larger value accelerates faster, until the driven wheels spin.
    #[param(default = 1500.0, unit = "N·m", above = 0.0)]
    max_torque: f64,
    /// Lateral acceleration in curves, for which the driver slows down ahead of them; none by default. A larger value makes the
    /// vehicle faster in curves. The curvature at a corner is its angle divided by half of the lengths before and after it.
    #[param(unit = "m/s²", above = 0.0)]
    lateral_acceleration: Option<f64>,
    /// Deceleration ahead of curves. A larger value makes the driver brake later.
    #[param(default = 2.0, unit = "m/s²", above = 0.0)]
    deceleration: f64,
}

/// Pose and speed of the vehicle, and its geometry.
#[derive(Ports)]
pub struct Driven {
    /// Pose.
    #[port(flatten)]
    pub(crate) pose: PlanarPose,
    /// Forward velocity estimated from the wheels.
    #[port(unit = "m/s")]
    pub(crate) odometry_vx: f64,
    /// Wheelbase: distance between the axles.
    #[port(unit = "m")]
    pub(crate) wheelbase: f64,
    /// Largest steering angle.
    #[port(unit = "rad")]
    pub(crate) max_steer: f64,
}

/// Actuators of an Ackermann vehicle with motors on the front wheels and brakes, and the deviation from the path.
#[derive(Ports)]
pub struct DrivenFront {
    /// Actuators.
    #[port(flatten)]
    pub(crate) actuators: BrakedFront,
    /// Distance of the vehicle from the path, positive to the left of it.
    #[port(unit = "m", publish)]
    pub(crate) deviation: f64,
}

/// Actuators of a vehicle with one engine and brakes, and the deviation from the path.
#[derive(Ports)]
pub struct DrivenEngine {
    /// Actuators.
    #[port(flatten)]
    pub(crate) actuators: BrakedEngine,
    /// Distance of the vehicle from the path, positive to the left of it.
    #[port(unit = "m", publish)]
    pub(crate) deviation: f64,
}

/// The place of a path that is nearest to a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PathPlace {
    /// Number of the corner before it.
    corner: usize,
    /// Distance from that corner, m.
    on: f64,
    /// Distance of the position to the left of the path, m.
    pub deviation: f64,
}

impl DriverTrack {
    /// Checks the path, and sets the default.
    pub(crate) fn prepare(&mut self) -> Result<(), String> {
        if self.corner.is_empty() {
            self.corner = [0.0, 1.0].map(|x| Corner { x, y: 0.0 }).into();
        }
        let count = self.corner.len();
        if count < 2 {
            return Err(format!("found {count} corners, expected at least two"));
        }
        let is_same = |pair: &[Corner]| pair[0].x == pair[1].x && pair[0].y == pair[1].y;
        match self.corner.windows(2).position(is_same) {
            Some(number) => {
                Err(format!("corner {} is corner {number}, expected another place", number + 1))
            }
            None => Ok(()),
        }
    }

    /// Returns the place of the path that is nearest to a position.
    pub(crate) fn nearest(&self, at: [f64; 2]) -> PathPlace {
        let mut best = (f64::INFINITY, PathPlace { corner: 0, on: 0.0, deviation: 0.0 });
        for (corner, pair) in self.corner.windows(2).enumerate() {
            let (along, aside, length) = relative(pair, at);
            let is_last = corner + 2 == self.corner.len();
            let most = if is_last { f64::INFINITY } else { length };
            let on = along.clamp(0.0, most);
            let distance = (along - on) * (along - on) + aside * aside;
            if distance < best.0 {
                let deviation = aside.signum() * distance.sqrt();
                best = (distance, PathPlace { corner, on, deviation });
            }
        }
        best.1
    }

    /// Returns the point of the path at `ahead` m beyond a place.
    pub(crate) fn ahead(&self, of: PathPlace, ahead: f64) -> [f64; 2] {
        let (mut left, mut number) = (of.on + ahead, of.corner);
        loop {
            let pair = &self.corner[number..number + 2];
            let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
            let length = (dx * dx + dy * dy).sqrt();
            if left <= length || number + 2 == self.corner.len() {
                let part = left / length;
                return [pair[0].x + part * dx, pair[0].y + part * dy];
            }
            (left, number) = (left - length, number + 1);
        }
    }

    /// Returns the direction of the path at a place, rad.
    pub(crate) fn direction(&self, of: PathPlace) -> f64 {
        let pair = &self.corner[of.corner..of.corner + 2];
        math::atan2(pair[1].y - pair[0].y, pair[1].x - pair[0].x)
    }

    /// Returns the speed to drive at a place, m/s: the least of the speed to keep and, for each corner ahead at the distance d
    /// with the curvature κ, √(a / κ + 2 b d) for the lateral acceleration a and the deceleration b.
    pub(crate) fn speed_at(&self, place: PathPlace) -> f64 {
        let Some(lateral) = self.lateral_acceleration else { return self.speed };
        let lengths = |number: usize| {
            let pair = &self.corner[number..number + 2];
            (pair[1].x - pair[0].x, pair[1].y - pair[0].y)
        };
        let length = |(dx, dy): (f64, f64)| (dx * dx + dy * dy).sqrt();
        let mut speed = self.speed;
        // beyond this distance, a curve of any curvature has no effect
        let most = self.speed * self.speed / (2.0 * self.deceleration);
        let mut start = -place.on;
        for number in place.corner..self.corner.len() - 1 {
            let before = number.checked_sub(1).map(lengths);
            let after = lengths(number);
            // the curve of a corner reaches to the middle of the lines before and after it
            if let Some(before) = before {
                let half = 0.5 * (length(before) + length(after));
                let cross = before.0 * after.1 - before.1 * after.0;
                let angle = math::atan2(cross, before.0 * after.0 + before.1 * after.1).abs();
                let is_past = start + 0.5 * length(after) < 0.0;
                let ahead = (start - 0.5 * length(before)).max(0.0);
                if angle > 0.0 && !is_past {
                    let square = lateral * half / angle + 2.0 * self.deceleration * ahead;
                    speed = speed.min(square.sqrt());
                }
            }
            start += length(after);
            if start > most {
                break;
            }
        }
        speed
    }

    /// Returns the torque of all motors together that keeps the speed, negative for the brakes.
    fn torque(&self, vehicle: &Driven, place: PathPlace) -> f64 {
        (self.speed_gain * (self.speed_at(place) - vehicle.odometry_vx)).min(self.max_torque)
    }

    /// Drives a vehicle at a place with motors on the front wheels and a steering angle, rad.
    pub(crate) fn front(&self, vehicle: &Driven, steer: f64, place: PathPlace) -> DrivenFront {
        let actuators = BrakedFront::of(self.torque(vehicle, place), vehicle.limited(steer));
        DrivenFront { actuators, deviation: place.deviation }
    }

    /// Drives a vehicle at a place with an engine and a steering angle, rad.
    pub(crate) fn engine(&self, vehicle: &Driven, steer: f64, place: PathPlace) -> DrivenEngine {
        let actuators = BrakedEngine::of(self.torque(vehicle, place), vehicle.limited(steer));
        DrivenEngine { actuators, deviation: place.deviation }
    }
}

impl Driven {
    /// Returns the position of the reference point, m.
    pub(crate) fn position(&self) -> [f64; 2] {
        [self.pose.x, self.pose.y]
    }

    fn limited(&self, steer: f64) -> f64 {
        steer.clamp(-self.max_steer, self.max_steer)
    }
}

/// Returns a position along and to the left of the line between two corners, and its length, m.
fn relative(pair: &[Corner], at: [f64; 2]) -> (f64, f64, f64) {
    let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
    let length = (dx * dx + dy * dy).sqrt();
    let (x, y) = (at[0] - pair[0].x, at[1] - pair[0].y);
    ((x * dx + y * dy) / length, (y * dx - x * dy) / length, length)
}

/// Makes a driver with front motors a controller, and declares the driver with an engine, which differs in its actuators only.
macro_rules! drivers {
    ($(#[$doc:meta])* $name:ident, $driver:ident, $inputs:ty) => {
        $(#[$doc])*
        #[derive(Params)]
        pub struct $name {
            /// The driver.
            #[param(flatten)]
            driver: $driver,
        }

        #[model]
        impl Controller for $name {
            fn prepare(&mut self) -> Result<(), String> {
                self.driver.track.prepare()
            }

            fn control(&self, vehicle: &$inputs, _: &Step, _: &mut ()) -> DrivenEngine {
                let (steer, place) = self.driver.steer(vehicle);
                self.driver.track.engine(vehicle.as_ref(), steer, place)
            }
        }

        #[model]
        impl Controller for $driver {
            fn prepare(&mut self) -> Result<(), String> {
                self.track.prepare()
            }

            fn control(&self, vehicle: &$inputs, _: &Step, _: &mut ()) -> DrivenFront {
                let (steer, place) = self.steer(vehicle);
                self.track.front(vehicle.as_ref(), steer, place)
            }
        }
    };
}

pub(crate) use drivers;

impl AsRef<Driven> for Driven {
    fn as_ref(&self) -> &Driven {
        self
    }
}

#[cfg(test)]
impl DriverTrack {
    /// Returns a path for tests, with a speed of 10 m/s.
    pub(crate) fn through(corners: &[[f64; 2]]) -> Self {
        let corner = corners.iter().map(|&[x, y]| Corner { x, y }).collect();
        Self {
            corner,
            speed: 10.0,
            speed_gain: 500.0,
            max_torque: 1500.0,
            lateral_acceleration: None,
            deceleration: 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_ahead_is_on_the_path() {
        let track = DriverTrack::through(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]);
        for (at, ahead, point, deviation, direction) in [
            ([2.0, 1.0], 3.0, [5.0, 0.0], 1.0, 0.0),
            ([2.0, -1.0], 10.0, [10.0, 2.0], -1.0, 0.0),
            ([11.0, 8.0], 1.0, [10.0, 9.0], -1.0, std::f64::consts::FRAC_PI_2),
            // beyond the ends
            ([-3.0, 4.0], 1.0, [1.0, 0.0], 5.0, 0.0),
            ([9.0, 15.0], 2.0, [10.0, 17.0], 1.0, std::f64::consts::FRAC_PI_2),
        ] {
            let place = track.nearest(at);
            assert_eq!((track.ahead(place, ahead), place.deviation), (point, deviation), "{at:?}");
            assert!((track.direction(place) - direction).abs() < 1e-15);
        }
    }

    /// A straight line of 100 m, and an arc to the left of the radius 50 m with corners every 0.5 m.
    #[test]
    fn the_driver_slows_down_ahead_of_a_curve() {
        let arc = (1..200).map(|number| 0.01 * f64::from(number));
        let arc = arc.map(|angle| [100.0 + 50.0 * angle.sin(), 50.0 - 50.0 * angle.cos()]);
        let corners: Vec<_> = [[0.0, 0.0], [100.0, 0.0]].into_iter().chain(arc).collect();
        let track = DriverTrack {
            speed: 30.0,
            lateral_acceleration: Some(2.0),
            ..DriverTrack::through(&corners)
        };
        let at = |x: f64, y: f64| track.speed_at(track.nearest([x, y]));
        for x in [0.0_f64, 20.0, 60.0, 95.0] {
            let expected = (2.0 * 50.0 + 2.0 * 2.0 * (100.0 - x)).sqrt().min(30.0);
            assert!((at(x, 0.5) / expected - 1.0).abs() < 5e-3, "{x}: {} {expected}", at(x, 0.5));
        }
        let inside = at(100.0 + 50.0 * f64::sin(1.0), 50.0 - 50.0 * f64::cos(1.0));
        assert!((inside - 10.0).abs() < 0.01, "{inside}");
        // behind the curve
        let [x, y] = corners[corners.len() - 1];
        assert_eq!(at(x + 30.0 * f64::cos(1.985), y + 30.0 * f64::sin(1.985)), 30.0);
        let straight = DriverTrack::through(&[[0.0, 0.0], [9.0, 0.0], [20.0, 0.0]]);
        let careful = DriverTrack { lateral_acceleration: Some(0.1), ..straight };
        assert_eq!(careful.speed_at(careful.nearest([0.0, 0.0])), 10.0);
    }

    #[test]
    fn wrong_paths_are_refused() {
        for corners in [&[[0.0, 0.0]][..], &[[1.0, 2.0], [1.0, 2.0]]] {
            assert!(DriverTrack::through(corners).prepare().is_err());
        }
        let mut none = DriverTrack::through(&[]);
        assert_eq!(none.prepare(), Ok(()));
        assert_eq!(none.ahead(none.nearest([3.0, 1.0]), 2.0), [5.0, 0.0]);
    }

    #[test]
    fn the_speed_is_kept_by_motors_or_brakes() {
        let track = DriverTrack::through(&[[0.0, 0.0], [1.0, 0.0]]);
        let vehicle = |odometry_vx| Driven {
            pose: PlanarPose::default(),
            odometry_vx,
            wheelbase: 2.5,
            max_steer: 0.5,
        };
        let place = track.nearest([0.0; 2]);
        let slow = track.front(&vehicle(8.0), 0.9, place).actuators;
        assert_eq!(
            (slow.torque_front_left, slow.torque_front_right, slow.brake_torque, slow.steer),
            (500.0, 500.0, 0.0, 0.5)
        );
        let standing = track.engine(&vehicle(0.0), 0.0, place).actuators;
        assert_eq!((standing.torque_engine, standing.brake_torque), (1500.0, 0.0));
        let fast = track.engine(&vehicle(11.0), -0.9, place).actuators;
        assert_eq!((fast.torque_engine, fast.brake_torque, fast.steer), (0.0, 500.0, -0.5));
    }
}
