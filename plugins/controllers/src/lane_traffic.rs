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
//! Vehicles change lanes by MOBIL, see [`lane_change`].
//!
//! **Limit:** vehicles know neither signs nor lights, and no destination. They stop at the end of the network, more than 5 m
//! away from all lanes, and in a world without a road network.

mod lane_change;
mod vehicle;
mod way;

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;
use simhost_sdk::{LaneWay, RoadPoint};

use vehicle::Vehicles;
pub use vehicle::{InTraffic, Pace, TrafficCommands};
use way::{Leader, SPACING, Search, Way};

/// Distance from a lane beyond which a vehicle is lost, m.
const LOST: f64 = 5.0;
/// Time between decisions on a change of lanes, s.
const PERIOD: f64 = 0.5;
/// Shortest distance of the point that is steered to, m, and the preview time, s.
const PREVIEW: (f64, f64) = (3.0, 0.6);
/// Gap without a vehicle ahead, m.
const NO_GAP: f64 = 1000.0;
/// Difference between consecutive vehicles in the sequence of desired speeds: the golden ratio without its whole part, whose
/// multiples are spread most evenly between 0 and 1.
const SPREAD_STEP: f64 = 0.618_033_988_749_894_9;

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
    /// Largest deviation of the desired speed of a vehicle from `speed`, relative. A larger value makes vehicles overtake
    /// more often.
    #[param(default = 0.0, unit = "1", range = 0.0..=0.9)]
    speed_spread: f64,
    /// Weight p of the disadvantage of others in the decision to change lanes. A larger value makes vehicles change less
    /// often.
    #[param(default = 0.25, unit = "1", range = 0.0..)]
    politeness: f64,
    /// Advantage Δa above which a vehicle changes lanes. A larger value makes vehicles change less often.
    #[param(default = 0.2, unit = "m/s²", range = 0.0..)]
    changing_threshold: f64,
    /// Largest deceleration b_safe that a change may impose on the next follower. A larger value makes vehicles change into
    /// smaller gaps.
    #[param(default = 4.0, unit = "m/s²", above = 0.0)]
    safe_deceleration: f64,
    /// Duration of a change of lanes; with 0, vehicles keep their lanes. A larger value makes changes gentler.
    #[param(default = 4.0, unit = "s", range = 0.0..)]
    lane_change_time: f64,
}

impl LaneTraffic {
    /// Returns the pose of a vehicle in the middle of the lane to which it changes, or where it is.
    fn settled(&self, input: &InTraffic, pace: &Pace) -> PlanarPose {
        let shift = pace.shift(0.0, self.lane_change_time);
        let PlanarPose { x, y, yaw } = input.pose;
        let (sin, cos) = math::sin_cos(yaw);
        PlanarPose { x: x + shift * sin, y: y - shift * cos, yaw }
    }

    /// Returns the way of a vehicle: in its lane, or the lane to which it changes.
    fn way(&self, vehicles: &Vehicles<'_>, own: usize, pace: &Pace) -> Way {
        let (input, step) = (vehicles.inputs(own), vehicles.step(own));
        let pose = self.settled(&input, pace);
        let lane = step.lane_at([pose.x, pose.y, input.z], pose.yaw);
        let lane = lane.filter(|lane| lane.away <= LOST);
        lane.map_or(Way::NONE, |lane| Way::from_place(&step, &self.way_from(own, &lane)))
    }

    /// Returns the beginning of the way of a vehicle from a place: another one for each vehicle.
    fn way_from(&self, own: usize, lane: &RoadPoint) -> LaneWay<'static> {
        let turns = u64::from(self.turns) * (own as u64 + 1);
        LaneWay { turns, ..LaneWay::from_point(lane) }
    }

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

    /// Returns the desired speed of a vehicle for what lies ahead on its way within the braking distance, m/s.
    fn desired(&self, own: usize, speed: f64, way: &Way) -> f64 {
        let braking = (0.5 * speed * speed / self.deceleration).max(1.0);
        let near = way.points().iter().enumerate();
        let near = near.filter(|(place, _)| SPACING * *place as f64 <= braking);
        near.fold(self.free_speed(own), |least, (_, point)| {
            let curve = (self.lateral_acceleration / point.curvature.abs().max(1e-9)).sqrt();
            least.min(point.speed_limit).min(curve)
        })
    }

    /// Returns the desired speed of a vehicle where nothing limits it, m/s.
    fn free_speed(&self, own: usize) -> f64 {
        self.speed * (1.0 + self.speed_spread * (2.0 * spread(own) - 1.0))
    }

    /// Returns the vehicle ahead on a way, or its end if the network ends there.
    fn leader_on(&self, vehicles: &Vehicles<'_>, search: Search<'_>) -> Option<Leader> {
        let ahead = search.leader(vehicles);
        match search.way.end() {
            Some(end) => ahead.filter(|one| one.distance < end.distance).or(Some(end)),
            None => ahead,
        }
    }

    /// Returns the commands of a vehicle and its state after the step.
    fn drive(&self, vehicles: &Vehicles<'_>, own: usize) -> (TrafficCommands, Pace) {
        let (input, mut pace, step) =
            (vehicles.inputs(own), vehicles.state(own), vehicles.step(own));
        if pace.begun == 0.0 {
            // the vehicles decide one after the other
            let wait = PERIOD * spread(own);
            pace = Pace { begun: 1.0, speed: input.vx.max(0.0), wait, ..pace };
        }
        let way = self.way(vehicles, own, &pace);
        let search = Search { own, way: &way, aside: 0.0, unseen: None };
        let mut ahead = self.leader_on(vehicles, search);
        let shift = pace.shift(0.0, self.lane_change_time);
        if (pace.side - shift).abs() < way.reach() {
            let left = Search { aside: pace.side, ..search }.leader(vehicles);
            ahead = [ahead, left].into_iter().flatten().min_by(Leader::nearer);
        }
        let desired = self.desired(own, pace.speed, &way);
        if self.may_decide(&mut pace, step.dt)
            && let Some(side) = self.change_of_lane(vehicles, own, &pace, &way, ahead)
        {
            pace = Pace { side, elapsed: 0.0, ..pace };
        }
        let speed = pace.speed + step.dt * self.acceleration(pace.speed, desired, ahead);
        pace.speed = if way.is_empty() { 0.0 } else { speed.max(0.0) };
        let gap = ahead.map_or(NO_GAP, |one| one.distance - self.length);
        let omega = self.yaw_rate(&input.pose, &pace, &way);
        pace.elapsed += step.dt;
        if pace.elapsed >= self.lane_change_time {
            pace.side = 0.0;
        }
        (TrafficCommands { vx: pace.speed, omega, gap }, pace)
    }

    /// Returns the yaw rate that leads to one of the places on the way at a speed, m/s.
    fn yaw_rate(&self, pose: &PlanarPose, pace: &Pace, way: &Way) -> f64 {
        let speed = pace.speed;
        let preview = (speed * PREVIEW.1).max(PREVIEW.0);
        let Some(place) = way.at(preview) else { return 0.0 };
        // the time after which the vehicle is there
        let shift = pace.shift(preview / speed.max(1.0), self.lane_change_time);
        let [x, y] = way::beside(place, shift);
        let [along, aside] = pose.in_vehicle_frame([x, y]);
        speed * 2.0 * aside / (along * along + aside * aside).max(1e-6)
    }
}

/// Returns a number of a vehicle between 0 and 1, which differs from the numbers of its neighbours in the file.
fn spread(own: usize) -> f64 {
    (SPREAD_STEP * (own as f64 + 1.0)).fract()
}

#[model]
impl Fleet for LaneTraffic {
    const COMMANDS: CommandKinds = &[command!("twist": "vx", "", "omega")];

    fn command(&self, vehicles: &mut Group<'_, InTraffic, TrafficCommands, Pace>) {
        for own in 0..vehicles.len() {
            let (commands, pace) = self.drive(vehicles, own);
            vehicles.set(own, &commands, &pace);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::way::PLACES;
    use super::*;

    pub(super) fn traffic() -> LaneTraffic {
        LaneTraffic {
            speed: 30.0,
            time_gap: 1.5,
            standstill_gap: 2.0,
            acceleration: 1.5,
            deceleration: 2.0,
            lateral_acceleration: 2.0,
            length: 4.5,
            turns: 0,
            speed_spread: 0.2,
            politeness: 0.25,
            changing_threshold: 0.2,
            safe_deceleration: 4.0,
            lane_change_time: 4.0,
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
    fn desired_speeds_are_spread_around_the_mean() {
        let traffic = traffic();
        let speeds: Vec<f64> = (0..1000).map(|own| traffic.free_speed(own)).collect();
        assert!(speeds.iter().all(|speed| (24.0..=36.0).contains(speed)));
        assert!((speeds.iter().sum::<f64>() / 1000.0 - 30.0).abs() < 0.05);
        // no two of ten neighbours in the file are alike
        let differ = |pair: &[f64]| (pair[0] - pair[1]).abs() > 1.0;
        assert!(speeds.windows(2).all(differ));
    }

    #[test]
    fn a_change_of_lanes_is_smooth() {
        let pace = Pace { begun: 1.0, speed: 10.0, side: -3.5, elapsed: 0.0, wait: 0.0 };
        let shift = |time: f64| pace.shift(time, 4.0);
        assert_eq!((shift(0.0), shift(2.0), shift(4.0), shift(9.0)), (-3.5, -1.75, 0.0, 0.0));
        // the largest lateral acceleration of the polynomial is 10/√3 w/T²
        let peak = (0..400).map(|n| 0.01 * f64::from(n)).map(|time| {
            ((shift(time + 0.01) - 2.0 * shift(time) + shift((time - 0.01).max(0.0))) / 1e-4).abs()
        });
        let peak = peak.fold(0.0, f64::max);
        assert!((peak - 10.0 / 3.0_f64.sqrt() * 3.5 / 16.0).abs() < 0.01, "{peak}");
    }

    #[test]
    fn only_curves_within_the_braking_distance_slow_down() {
        let bend = RoadPoint { speed_limit: 20.0, curvature: 0.02, ..RoadPoint::NONE };
        let free = RoadPoint { speed_limit: f64::INFINITY, curvature: 0.0, ..RoadPoint::NONE };
        let traffic = LaneTraffic { speed_spread: 0.0, ..traffic() };
        let way = |bend_at: usize| {
            let place = |at: usize| if at == bend_at { bend } else { free };
            Way::of_points(&std::array::from_fn::<_, PLACES, _>(place))
        };
        // 12 m/s brake within 36 m, and the places are 4 m apart
        assert_eq!(traffic.desired(0, 12.0, &way(9)), 10.0);
        assert_eq!(traffic.desired(0, 12.0, &way(10)), 30.0);
    }
}
