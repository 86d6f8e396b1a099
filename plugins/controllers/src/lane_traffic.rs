//! Traffic on the lanes of a road network.
//!
//! Each vehicle follows the middle of its lane by pure pursuit, as [`lane_keeping`](crate::lane_keeping), with the yaw rate
//! ω = v 2 y / d². It keeps its distance by the *intelligent driver model*, dv/dt = a (1 − (v/v₀)⁴ − (s*/s)²) with
//! s* = s₀ + max(0, v T + v Δv / (2 √(a b))), for the gap s to the vehicle ahead and the approach rate Δv (M. Treiber,
//! A. Hennecke and D. Helbing, "Congested traffic states in empirical observations and microscopic simulations", Physical
//! Review E 62, 2000, eqs. 3 and 4). The desired speed v₀ is the smallest of the vehicle's own one, the speed limit, and
//! √(a_y/|κ|) in the sharpest curve within the braking distance.
//!
//! The vehicle ahead is the nearest one on the way. Where two vehicles cross, the later one in the world file gives way, so
//! that none waits for ever.
//!
//! **Limit:** vehicles do not change lanes, and know neither signs nor lights. They stop at the end of the network, more
//! than 5 m away from all lanes, and in a world without a road network.

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;
use simhost_sdk::{LaneWay, RoadPoint};

/// Number of places at which the way ahead is searched.
const PLACES: usize = 22;
/// Distance between them, m.
const SPACING: f64 = 4.0;
/// Distance from such a place at which a vehicle is on the way, m.
const ON_WAY: f64 = 2.4;
/// Shortest distance of the point that is steered to, m, and the preview time, s.
const PREVIEW: (f64, f64) = (3.0, 0.6);
/// Gap without a vehicle ahead, m.
const NO_GAP: f64 = 1000.0;
/// Distance from a lane beyond which a vehicle is lost, m.
const LOST: f64 = 5.0;

/// Drives vehicles along the lanes of a road network, each at a distance from the vehicle ahead.
#[derive(Params)]
pub struct LaneTraffic {
    /// Desired speed where nothing limits it. A larger value makes vehicles faster.
    #[param(default = 30.0, unit = "m/s", above = 0.0)]
    speed: f64,
    /// Time gap T. A larger value makes vehicles keep more distance.
    #[param(default = 1.5, unit = "s", above = 0.0)]
    time_gap: f64,
    /// Distance s₀ at standstill. A larger value makes vehicles stop further apart.
    #[param(default = 2.0, unit = "m", above = 0.0)]
    standstill_gap: f64,
    /// Largest acceleration a. A larger value makes vehicles start faster.
    #[param(default = 1.5, unit = "m/s²", above = 0.0)]
    acceleration: f64,
    /// Comfortable deceleration b. A larger value makes vehicles brake later.
    #[param(default = 2.0, unit = "m/s²", above = 0.0)]
    deceleration: f64,
    /// Lateral acceleration in curves. A larger value makes vehicles faster in curves.
    #[param(default = 2.0, unit = "m/s²", above = 0.0)]
    lateral_acceleration: f64,
    /// Length of vehicles, which the gap does not contain. A larger value makes vehicles keep more distance.
    #[param(default = 4.5, unit = "m", above = 0.0)]
    length: f64,
    /// Seed of turns at crossings; with 0, vehicles go straight on. Another value makes them take other turns.
    #[param(default = 0, unit = "1")]
    turns: u32,
}

/// Pose and speed of a vehicle.
#[derive(Ports)]
pub struct InTraffic {
    /// Pose.
    #[port(flatten)]
    pose: PlanarPose,
    /// Height of the reference point, world frame.
    #[port(unit = "m")]
    z: f64,
    /// Forward velocity.
    #[port(unit = "m/s")]
    vx: f64,
}

/// Commanded speed of a vehicle.
#[derive(Clone, Copy, State)]
pub struct Pace {
    /// Whether the speed is known, 1 or 0.
    #[state(discrete)]
    begun: f64,
    /// Commanded speed.
    #[state(unit = "m/s")]
    speed: f64,
}

/// Twist, and the gap to the vehicle ahead.
#[derive(Ports)]
pub struct TrafficCommands {
    /// Forward velocity.
    #[port(unit = "m/s")]
    vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
    /// Gap to the vehicle ahead; 1000 m if there is none.
    #[port(unit = "m", publish)]
    gap: f64,
}

/// The vehicle ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leader {
    /// Distance between the reference points along the way, m.
    distance: f64,
    /// Velocity along the way, m/s.
    speed: f64,
}

impl LaneTraffic {
    /// Returns the acceleration for a speed, a desired speed, m/s, and the vehicle ahead.
    fn acceleration(&self, speed: f64, desired: f64, leader: Option<Leader>) -> f64 {
        let ratio = speed / desired.max(0.1);
        let square = ratio * ratio;
        let interaction = leader.map_or(0.0, |leader| {
            let gap = (leader.distance - self.length).max(0.1);
            let approach = speed * (speed - leader.speed);
            let root = 2.0 * (self.acceleration * self.deceleration).sqrt();
            let wanted = self.standstill_gap + (speed * self.time_gap + approach / root).max(0.0);
            (wanted / gap) * (wanted / gap)
        });
        self.acceleration * (1.0 - square * square - interaction)
    }

    /// Returns the desired speed for what lies ahead within the braking distance, m/s.
    fn desired(&self, speed: f64, distances: &[f64], found: &[RoadPoint]) -> f64 {
        let braking = 0.5 * speed * speed / self.deceleration;
        let near =
            found.iter().zip(distances).filter(|(_, distance)| **distance <= braking.max(1.0));
        near.fold(self.speed, |least, (point, _)| {
            let curve = (self.lateral_acceleration / point.curvature.abs().max(1e-9)).sqrt();
            least.min(point.speed_limit).min(curve)
        })
    }
}

/// Returns the position of a vehicle relative to a place of a lane: along its direction and to its left, m.
fn relative(place: &RoadPoint, pose: &PlanarPose) -> [f64; 2] {
    let [x, y, _] = place.position;
    PlanarPose { x, y, yaw: place.heading }.in_vehicle_frame([pose.x, pose.y])
}

/// Returns the vehicle ahead of vehicle `own` on its way, given the places on it.
fn leader(
    vehicles: &Group<'_, InTraffic, TrafficCommands, Pace>,
    own: usize,
    distances: &[f64],
    way: &[RoadPoint],
) -> Option<Leader> {
    let mut nearest: Option<Leader> = None;
    let reach = distances.last().map_or(0.0, |last| last + ON_WAY);
    let at = vehicles.inputs(own).pose;
    for other in (0..vehicles.len()).filter(|other| *other != own) {
        let input = vehicles.inputs(other);
        let pose = input.pose;
        let is_far = (pose.x - at.x).abs() > reach || (pose.y - at.y).abs() > reach;
        if is_far {
            continue;
        }
        let met = way.iter().zip(distances).find_map(|(place, distance)| {
            let [along, aside] = relative(place, &pose);
            let level = (input.z - place.position[2]).abs() < 2.0;
            let is_near = along.abs() <= 0.5 * SPACING && aside.abs() < ON_WAY && level;
            let (_, same) = math::sin_cos(pose.yaw - place.heading);
            let gives_way = same > 0.7 || other < own;
            (is_near && gives_way && distance + along > 0.0)
                .then_some(Leader { distance: distance + along, speed: input.vx * same })
        });
        nearest = match (nearest, met) {
            (Some(one), Some(met)) if met.distance >= one.distance => Some(one),
            (one, met) => met.or(one),
        };
    }
    nearest
}

/// Returns the yaw rate that leads to one of the places on the way at a speed, m/s.
fn yaw_rate(pose: &PlanarPose, speed: f64, way: &[RoadPoint]) -> f64 {
    let target = ((speed * PREVIEW.1).max(PREVIEW.0) / SPACING).ceil() as usize;
    let Some(place) = way.get(target).or(way.last()) else { return 0.0 };
    let [along, aside] = pose.in_vehicle_frame([place.position[0], place.position[1]]);
    speed * 2.0 * aside / (along * along + aside * aside).max(1e-6)
}

impl LaneTraffic {
    /// Returns the commands of a vehicle and its speed.
    fn drive(
        &self,
        vehicles: &Group<'_, InTraffic, TrafficCommands, Pace>,
        own: usize,
        distances: &[f64; PLACES],
    ) -> (TrafficCommands, Pace) {
        let (input, pace, step) = (vehicles.inputs(own), vehicles.state(own), vehicles.step(own));
        let pose = input.pose;
        let speed = if pace.begun == 0.0 { input.vx.max(0.0) } else { pace.speed };
        let mut way = [RoadPoint::NONE; PLACES];
        let lane = step.lane_at([pose.x, pose.y, input.z], pose.yaw);
        let count = lane.filter(|lane| lane.away <= LOST).map_or(0, |lane| {
            // another way for each vehicle
            let turns = u64::from(self.turns) * (own as u64 + 1);
            let from = LaneWay { turns, ..LaneWay::from_point(&lane) };
            step.lanes_ahead(&from, distances, &mut way)
        });
        let way = &way[..count];
        let mut ahead = leader(vehicles, own, distances, way);
        if count < PLACES {
            // the network ends between the last place and the next one
            let end = Leader { distance: SPACING * count as f64, speed: 0.0 };
            ahead = ahead.filter(|one| one.distance < end.distance).or(Some(end));
        }
        let desired = self.desired(speed, distances, way);
        let speed = speed + step.dt * self.acceleration(speed, desired, ahead);
        let speed = if count == 0 { 0.0 } else { speed.max(0.0) };
        let gap = ahead.map_or(NO_GAP, |one| one.distance - self.length);
        let omega = yaw_rate(&pose, speed, way);
        (TrafficCommands { vx: speed, omega, gap }, Pace { begun: 1.0, speed })
    }
}

#[model]
impl Fleet for LaneTraffic {
    const COMMANDS: CommandKinds = &[command!("twist": "vx", "", "omega")];

    fn command(&self, vehicles: &mut Group<'_, InTraffic, TrafficCommands, Pace>) {
        let distances = std::array::from_fn(|place| SPACING * place as f64);
        for own in 0..vehicles.len() {
            let (commands, pace) = self.drive(vehicles, own, &distances);
            vehicles.set(own, &commands, &pace);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traffic() -> LaneTraffic {
        LaneTraffic {
            speed: 30.0,
            time_gap: 1.5,
            standstill_gap: 2.0,
            acceleration: 1.5,
            deceleration: 2.0,
            lateral_acceleration: 2.0,
            length: 4.5,
            turns: 0,
        }
    }

    #[test]
    fn the_gap_of_equilibrium_needs_no_acceleration() {
        // v = v₀/2 behind a vehicle of the same speed: s = (s₀ + v T)/√(1 − 1/16)
        let gap = (2.0 + 10.0 * 1.5) / (15.0_f64 / 16.0).sqrt();
        let leader = Leader { distance: gap + 4.5, speed: 10.0 };
        assert!(traffic().acceleration(10.0, 20.0, Some(leader)).abs() < 1e-12);
        assert_eq!(traffic().acceleration(0.0, 20.0, None), 1.5);
        assert_eq!(traffic().acceleration(20.0, 20.0, None), 0.0);
    }

    #[test]
    fn only_curves_within_the_braking_distance_slow_down() {
        let bend = RoadPoint { speed_limit: 20.0, curvature: 0.02, ..RoadPoint::NONE };
        let free = RoadPoint { speed_limit: f64::INFINITY, curvature: 0.0, ..RoadPoint::NONE };
        // 20 m/s brake within 100 m
        assert_eq!(traffic().desired(20.0, &[0.0, 99.0], &[free, bend]), 10.0);
        assert_eq!(traffic().desired(20.0, &[0.0, 101.0], &[free, bend]), 30.0);
    }
}
