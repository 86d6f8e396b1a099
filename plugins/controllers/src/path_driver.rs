//! A driver that keeps a speed and steers along a path.
//!
//! The driver looks at the point of the path that the vehicle reaches after a preview time (C. C. MacAdam, "An optimal preview
//! control for linear systems", Journal of Dynamic Systems, Measurement, and Control 102, 1980) and steers the arc that
//! leads there: pure pursuit, κ = 2 y / d², with that point at (x, y) in the vehicle frame and d² = x² + y² (R. C. Coulter,
//! CMU-RI-TR-92-01, 1992, eq. 4). The steering angle is atan(l κ) for the wheelbase l, times a gain that makes up for
//! understeer. Motors and brakes act in proportion to the error of the speed.
//!
//! **Limit:** the driver neither delays nor tires, and does not slow down for curves.

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

use crate::pedals::BrakedFront;

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

/// Keeps a speed and steers along a path.
#[derive(Params)]
pub struct PathDriver {
    /// Corners of the path, at least two. Beyond the last corner, the path continues straight.
    /// Without corners, it is the x axis of the world.
    corner: Vec<Corner>,
    /// Speed to keep. A larger value makes the vehicle faster.
    #[param(default = 10.0, unit = "m/s", above = 0.0)]
    speed: f64,
    /// Preview time of the driver. A larger value makes the vehicle steer earlier and cut corners.
    #[param(default = 0.8, unit = "s", above = 0.0)]
    preview: f64,
    /// Factor of the steering angle. A larger value compensates more understeer, and steers more
    /// abruptly.
    #[param(default = 1.0, unit = "1", range = 0.0..)]
    gain: f64,
    /// Torque of all motors or brakes together for an error of 1 m/s. A larger value keeps the speed more closely.
    #[param(default = 500.0, unit = "N·m·s/m", range = 0.0..)]
    speed_gain: f64,
}

/// Pose and motion of the vehicle, and its geometry.
#[derive(Ports)]
pub struct Driven {
    /// Pose.
    #[port(flatten)]
    pose: PlanarPose,
    /// Forward velocity estimated from the wheels.
    #[port(unit = "m/s")]
    odometry_vx: f64,
    /// Wheelbase: distance between the axles.
    #[port(unit = "m")]
    wheelbase: f64,
    /// Largest steering angle.
    #[port(unit = "rad")]
    max_steer: f64,
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

impl PathDriver {
    /// Returns the point of the path at `ahead` m beyond the one nearest to a position, and the distance of the position to
    /// the left of the path, m.
    fn look(&self, at: [f64; 2], ahead: f64) -> ([f64; 2], f64) {
        let mut nearest = (f64::INFINITY, 0, 0.0, 0.0);
        for (number, pair) in self.corner.windows(2).enumerate() {
            let (along, aside, length) = relative(pair, at);
            let is_last = number + 2 == self.corner.len();
            let most = if is_last { f64::INFINITY } else { length };
            let on = along.clamp(0.0, most);
            let distance = (along - on) * (along - on) + aside * aside;
            if distance < nearest.0 {
                nearest = (distance, number, on, aside.signum() * distance.sqrt());
            }
        }
        let (_, mut number, on, deviation) = nearest;
        let mut left = on + ahead;
        loop {
            let pair = &self.corner[number..number + 2];
            let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
            let length = (dx * dx + dy * dy).sqrt();
            if left <= length || number + 2 == self.corner.len() {
                let part = left / length;
                return ([pair[0].x + part * dx, pair[0].y + part * dy], deviation);
            }
            (left, number) = (left - length, number + 1);
        }
    }
}

/// Returns the curvature of the arc that leads from a pose to a point, 1/m, positive to the left.
pub(crate) fn pursuit(pose: &PlanarPose, point: [f64; 2]) -> f64 {
    let [x, y] = pose.in_vehicle_frame(point);
    2.0 * y / (x * x + y * y).max(1e-6)
}

/// Returns a position along and to the left of the line between two corners, and its length, m.
fn relative(pair: &[Corner], at: [f64; 2]) -> (f64, f64, f64) {
    let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
    let length = (dx * dx + dy * dy).sqrt();
    let (x, y) = (at[0] - pair[0].x, at[1] - pair[0].y);
    ((x * dx + y * dy) / length, (y * dx - x * dy) / length, length)
}

#[model]
impl Controller for PathDriver {
    fn prepare(&mut self) -> Result<(), String> {
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

    fn control(&self, vehicle: &Driven, _: &Step, _: &mut ()) -> DrivenFront {
        let ahead = (vehicle.odometry_vx * self.preview).max(1.0);
        let (point, deviation) = self.look([vehicle.pose.x, vehicle.pose.y], ahead);
        let curvature = pursuit(&vehicle.pose, point);
        let steer = self.gain * math::atan(vehicle.wheelbase * curvature);
        let torque = self.speed_gain * (self.speed - vehicle.odometry_vx);
        let half = 0.5 * torque.max(0.0);
        let steer = steer.clamp(-vehicle.max_steer, vehicle.max_steer);
        let actuators = BrakedFront {
            torque_front_left: half,
            torque_front_right: half,
            brake_torque: (-torque).max(0.0),
            steer,
        };
        DrivenFront { actuators, deviation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driver(corners: &[[f64; 2]]) -> PathDriver {
        let corner = corners.iter().map(|&[x, y]| Corner { x, y }).collect();
        PathDriver { corner, speed: 10.0, preview: 1.0, gain: 1.0, speed_gain: 500.0 }
    }

    #[test]
    fn the_point_ahead_is_on_the_path() {
        let driver = driver(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]);
        for (at, ahead, point, deviation) in [
            ([2.0, 1.0], 3.0, [5.0, 0.0], 1.0),
            ([2.0, -1.0], 10.0, [10.0, 2.0], -1.0),
            ([11.0, 8.0], 1.0, [10.0, 9.0], -1.0),
            // beyond the ends
            ([-3.0, 4.0], 1.0, [1.0, 0.0], 5.0),
            ([9.0, 15.0], 2.0, [10.0, 17.0], 1.0),
        ] {
            assert_eq!(driver.look(at, ahead), (point, deviation), "{at:?}");
        }
    }

    /// A vehicle on a circle through the point ahead, with the tangent of its heading, steers this circle.
    #[test]
    fn the_arc_leads_to_the_point() {
        let driver = driver(&[[0.0, 6.0], [100.0, 6.0]]);
        let pose = PlanarPose::default();
        let vehicle = Driven { pose, odometry_vx: 8.0, wheelbase: 2.5, max_steer: 0.9 };
        // the point is (8, 6), on a circle of radius (8² + 6²) / (2 · 6)
        let DrivenFront { actuators, deviation } =
            driver.control(&vehicle, &Step::new(0.0, 0.01), &mut ());
        assert!((actuators.steer - (2.5_f64 / (100.0 / 12.0)).atan()).abs() < 1e-12);
        assert_eq!((actuators.torque_front_left, actuators.brake_torque), (500.0, 0.0));
        assert_eq!(deviation, -6.0);
        for corners in [&[[0.0, 0.0]][..], &[[1.0, 2.0], [1.0, 2.0]]] {
            assert!(self::driver(corners).prepare().is_err());
        }
    }
}
