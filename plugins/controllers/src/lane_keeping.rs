//! A driver that keeps to the lanes of a road network and to their speed limits.
//!
//! **Steering** as of [`path_driver`](crate::path_driver): pure pursuit, κ = 2 y / d², of the point on the middle of the lane
//! that the vehicle reaches after a preview time (R. C. Coulter, CMU-RI-TR-92-01, 1992, eq. 4), with the steering angle
//! atan(l κ) for the wheelbase l. On an arc, a vehicle that does not slip stays on the middle of the lane.
//!
//! **Speed:** the smallest of the speed to keep, the speed limits, and √(a/|κ|) in curves of curvature κ for a comfortable
//! lateral acceleration a, each as far ahead as the vehicle needs to brake to it: v² = v_i² + 2 b d_i at the distance d_i
//! for a comfortable deceleration b. Motors and brakes act in proportion to the error of the speed, the motors up to a largest
//! torque. The driver looks at 25 places, which are close together nearby. A limit counts from the place before on, because it may
//! begin right after that.
//!
//! **Limit:** the driver does not see a curve between two places that is sharper than the road there. It does not see other
//! vehicles, and does not change lanes. It stops at the end of the network, more than 5 m away from all lanes, and in a world without a road network.

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;
use simhost_sdk::{LaneWay, RoadPoint};

use crate::driver::DrivenFront;
use crate::path_driver::pursuit;
use crate::pedals::BrakedFront;

/// Number of places ahead at which the driver looks at limits and curves.
const PLACES: usize = 25;
/// Shortest distance of the point that is steered to, m.
const NEAREST: f64 = 2.0;
/// Distance from a lane beyond which the driver is lost, m.
const LOST: f64 = 5.0;

/// Keeps to the lanes of a road network and to their speed limits.
#[derive(Params)]
pub struct LaneKeeping {
    /// Speed to keep where nothing limits it. A larger value makes the vehicle faster.
    #[param(default = 30.0, unit = "m/s", above = 0.0)]
    speed: f64,
    /// Preview time of the driver. A larger value makes the vehicle steer earlier and cut corners.
    #[param(default = 0.6, unit = "s", above = 0.0)]
    preview: f64,
    /// Lateral acceleration in curves. A larger value makes the vehicle faster in curves.
    #[param(default = 2.0, unit = "m/s²", above = 0.0)]
    lateral_acceleration: f64,
    /// Deceleration before limits and curves. A larger value makes the vehicle brake later.
    #[param(default = 1.5, unit = "m/s²", above = 0.0)]
    deceleration: f64,
    /// Torque of all motors or brakes together for an error of 1 m/s. A larger value keeps the speed more closely.
    #[param(default = 2000.0, unit = "N·m·s/m", range = 0.0..)]
    speed_gain: f64,
    /// Largest torque of all motors together. A larger value accelerates faster, until the driven wheels spin.
    #[param(default = 1500.0, unit = "N·m", above = 0.0)]
    max_torque: f64,
    /// Seed of turns at crossings; with 0, the vehicle goes straight on. Another value makes it take other turns.
    #[param(default = 0, unit = "1")]
    turns: u32,
}

/// Pose and motion of the vehicle, and its geometry.
#[derive(Ports)]
pub struct OnRoad {
    /// Pose.
    #[port(flatten)]
    pose: PlanarPose,
    /// Height of the reference point, world frame.
    #[port(unit = "m")]
    z: f64,
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

impl LaneKeeping {
    /// Returns the speed that is allowed now by what is at these distances ahead, m; `found` ends with the network.
    fn allowed(&self, distances: &[f64], found: &[RoadPoint]) -> f64 {
        let braked =
            |limit: f64, distance: f64| (limit * limit + 2.0 * self.deceleration * distance).sqrt();
        let mut allowed = self.speed;
        // what is at a place can begin right after the one before
        let begin = distances.iter().take(1).chain(distances);
        for (point, distance) in found.iter().zip(begin) {
            let curve = (self.lateral_acceleration / point.curvature.abs().max(1e-9)).sqrt();
            allowed = allowed.min(braked(point.speed_limit.min(curve), *distance));
        }
        // the network ends between the last place and the next one
        let last = found.len().checked_sub(1).map_or(0.0, |last| distances[last]);
        if found.len() < distances.len() { allowed.min(braked(0.0, last)) } else { allowed }
    }

    /// Returns the actuators for a steering angle, rad, and a speed, m/s.
    fn act(&self, vehicle: &OnRoad, steer: f64, speed: f64) -> BrakedFront {
        let torque = (self.speed_gain * (speed - vehicle.odometry_vx)).min(self.max_torque);
        BrakedFront::of(torque, steer.clamp(-vehicle.max_steer, vehicle.max_steer))
    }
}

#[model]
impl Controller for LaneKeeping {
    fn control(&self, vehicle: &OnRoad, step: &Step, _: &mut ()) -> DrivenFront {
        let PlanarPose { x, y, yaw } = vehicle.pose;
        let lane = step.lane_at([x, y, vehicle.z], yaw).filter(|lane| lane.away <= LOST);
        let Some(lane) = lane else {
            return DrivenFront { actuators: self.act(vehicle, 0.0, 0.0), deviation: 0.0 };
        };
        let ahead = (vehicle.odometry_vx * self.preview).max(NEAREST);
        // as far as the vehicle needs to stop
        let reach = 2.0 * ahead + vehicle.odometry_vx * vehicle.odometry_vx / self.deceleration;
        let mut distances = [0.0; PLACES];
        for (place, distance) in distances.iter_mut().enumerate().skip(1) {
            let part = (place - 1) as f64 / (PLACES - 2) as f64;
            *distance = ahead + part * part * (reach - ahead).max(0.0);
        }
        let way = LaneWay { turns: u64::from(self.turns), ..LaneWay::from_point(&lane) };
        let mut found = [RoadPoint::NONE; PLACES];
        let count = step.lanes_ahead(&way, &distances, &mut found);
        let speed = self.allowed(&distances, &found[..count]);
        let steer = match &found[..count] {
            [_, RoadPoint { position: [x, y, _], .. }, ..] => {
                math::atan(vehicle.wheelbase * pursuit(&vehicle.pose, [*x, *y]))
            }
            _ => 0.0,
        };
        DrivenFront { actuators: self.act(vehicle, steer, speed), deviation: lane.t }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driver() -> LaneKeeping {
        LaneKeeping {
            speed: 30.0,
            preview: 0.6,
            lateral_acceleration: 2.0,
            deceleration: 1.5,
            speed_gain: 500.0,
            max_torque: 1500.0,
            turns: 0,
        }
    }

    fn point(speed_limit: f64, curvature: f64) -> RoadPoint {
        RoadPoint { speed_limit, curvature, ..RoadPoint::NONE }
    }

    #[test]
    fn limits_and_curves_count_from_the_braking_distance_on() {
        let driver = driver();
        let free = point(f64::INFINITY, 0.0);
        assert_eq!(driver.allowed(&[0.0, 10.0], &[free, free]), 30.0);
        assert_eq!(driver.allowed(&[0.0], &[point(10.0, 0.0)]), 10.0);
        // v² = 10² + 2 · 1.5 · 23: the limit begins between 23 m and 30 m
        let distances = [0.0, 23.0, 30.0];
        assert_eq!(driver.allowed(&distances, &[free, free, point(10.0, 0.0)]), 13.0);
        // √(2/0.02) = 10
        assert_eq!(driver.allowed(&distances, &[free, free, point(f64::INFINITY, -0.02)]), 13.0);
        // the network ends 6 m ahead
        assert_eq!(driver.allowed(&[0.0, 6.0, 9.0], &[free, free]), 18.0_f64.sqrt());
    }

    #[test]
    fn the_torque_of_the_motors_is_limited_and_the_torque_of_the_brakes_is_not() {
        let vehicle = |odometry_vx| OnRoad {
            pose: PlanarPose::default(),
            z: 0.0,
            odometry_vx,
            wheelbase: 2.5,
            max_steer: 0.6,
        };
        let driver = driver();
        let slow = driver.act(&vehicle(2.0), 0.0, 4.0);
        assert_eq!((slow.torque_front_left, slow.torque_front_right), (500.0, 500.0));
        let standing = driver.act(&vehicle(0.0), 0.0, 10.0);
        assert_eq!((standing.torque_front_left, standing.torque_front_right), (750.0, 750.0));
        assert_eq!(driver.act(&vehicle(10.0), 0.0, 0.0).brake_torque, 5000.0);
    }

    #[test]
    fn without_roads_the_vehicle_brakes() {
        let pose = PlanarPose::default();
        let vehicle = OnRoad { pose, z: 0.0, odometry_vx: 4.0, wheelbase: 2.5, max_steer: 0.6 };
        let DrivenFront { actuators, deviation } =
            driver().control(&vehicle, &Step::new(0.0, 0.01), &mut ());
        assert_eq!((actuators.brake_torque, actuators.steer, deviation), (2000.0, 0.0, 0.0));
    }
}
