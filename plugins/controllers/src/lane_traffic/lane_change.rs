//! Decisions on changes of lanes by *MOBIL*, minimizing overall braking induced by lane changes.
//!
//! A vehicle changes lanes if its advantage outweighs the disadvantage of the vehicles behind it in both lanes,
//! ã_c − a_c + p (ã_n − a_n + ã_o − a_o) > Δa, and if no vehicle has to brake harder than b_safe, ã_n ≥ −b_safe (A. Kesting,
//! M. Treiber and D. Helbing, "General lane-changing model MOBIL for car-following models", Transportation Research Record
//! 1999, 2007, eqs. 3 and 4). The accelerations a before and ã after the change come from the intelligent driver model;
//! c is the vehicle itself, n the new and o the old vehicle behind it. The same limit of deceleration holds for the vehicle
//! itself.
//!
//! **Simplifications:** the criterion is symmetric: there is no rule to keep to one side. Changes lead to a lane of the same
//! road in the same direction. A vehicle that changes lanes reacts to the vehicles ahead in both lanes until it has left the
//! old one, and decides anew after the change.

use simhost_sdk::RoadPoint;
use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

use super::vehicle::{Pace, Vehicles};
use super::way::SPACING;
use super::way::{Leader, Search, Way, beside, relative};
use super::{LaneTraffic, PERIOD};

/// Lowest speed at which vehicles change lanes, m/s.
const LOWEST_SPEED: f64 = 2.0;
/// Largest difference of the directions of lanes next to each other, as the cosine of the angle.
const PARALLEL: f64 = 0.95;
/// Gap to vehicles next to it, in addition to their length, m.
const BESIDE_GAP: f64 = 1.0;
/// Distance behind a vehicle within which others matter to its decision, m.
const BEHIND: f64 = 80.0;

/// Accelerations before and after a change, m/s².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Effect {
    before: f64,
    after: f64,
}

impl Effect {
    fn gain(self) -> f64 {
        self.after - self.before
    }
}

/// The way of a vehicle, and the vehicle ahead on it.
struct Ahead<'w> {
    way: &'w Way,
    leader: Option<Leader>,
}

/// Effect of a change on the vehicles that it concerns. No vehicle behind means no effect on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Outlook {
    own: Effect,
    new_follower: Effect,
    old_follower: Effect,
}

/// A vehicle behind another one.
struct Follower {
    number: usize,
    /// Distance between the reference points along its way, m.
    distance: f64,
    /// Velocity of the vehicle ahead along its way, m/s.
    speed: f64,
    way: Way,
}

/// A lane to which a vehicle can change.
struct Target {
    way: Way,
    /// Distance of the vehicle from the middle of the lane, positive to the left, m.
    side: f64,
    /// Pose of the vehicle in the middle of the lane.
    pose: PlanarPose,
    height: f64,
}

impl LaneTraffic {
    /// Returns the incentive of a change, m/s².
    fn incentive(&self, outlook: &Outlook) -> f64 {
        let others = outlook.new_follower.gain() + outlook.old_follower.gain();
        outlook.own.gain() + self.politeness * others
    }

    /// Returns whether no vehicle has to brake hard after a change.
    fn is_safe(&self, outlook: &Outlook) -> bool {
        let least = outlook.new_follower.after.min(outlook.own.after);
        least >= -self.safe_deceleration
    }

    /// Returns whether a vehicle decides in a step of a length, s, and counts the time to the next decision.
    pub(super) fn may_decide(&self, pace: &mut Pace, dt: f64) -> bool {
        pace.wait -= dt;
        if pace.wait > 0.0 {
            return false;
        }
        pace.wait += PERIOD;
        self.lane_change_time > 0.0 && pace.side == 0.0 && pace.speed >= LOWEST_SPEED
    }

    /// Returns the distance of the present lane from the lane to which a vehicle changes, positive to the left, m, if it
    /// changes.
    pub(super) fn change_of_lane(
        &self,
        vehicles: &Vehicles<'_>,
        own: usize,
        pace: &Pace,
        way: &Way,
        ahead: Option<Leader>,
    ) -> Option<f64> {
        let place = way.points().first()?;
        let mut best: Option<(f64, f64)> = None;
        for direction in [1.0, -1.0] {
            let Some(target) = self.target(vehicles, own, place, direction) else { continue };
            if self.is_occupied(vehicles, own, &target) {
                continue;
            }
            let outlook = self.outlook(vehicles, own, pace, Ahead { way, leader: ahead }, &target);
            let incentive = self.incentive(&outlook);
            let is_better = best.is_none_or(|(known, _)| incentive > known);
            if self.is_safe(&outlook) && incentive > self.changing_threshold && is_better {
                best = Some((incentive, target.side));
            }
        }
        best.map(|(_, side)| side)
    }

    /// Returns the lane next to a place, to its left for a positive direction.
    fn target(
        &self,
        vehicles: &Vehicles<'_>,
        own: usize,
        place: &RoadPoint,
        direction: f64,
    ) -> Option<Target> {
        let (input, step) = (vehicles.inputs(own), vehicles.step(own));
        let [x, y] = beside(place, direction * place.width);
        let lane = step.lane_at([x, y, place.position[2]], place.heading)?;
        let is_next = (lane.lane - place.lane).abs() == 1
            && lane.lane.signum() == place.lane.signum()
            && lane.road == place.road
            && lane.away == 0.0;
        let (_, same) = math::sin_cos(lane.heading - place.heading);
        if !is_next || same < PARALLEL {
            return None;
        }
        let way = Way::from_place(&step, &self.way_from(own, &lane));
        let first = way.points().first()?;
        let [_, side] = relative(first, &input.pose);
        let [x, y] = beside(first, 0.0);
        let pose = PlanarPose { x, y, yaw: first.heading };
        let is_beside = (0.5 * place.width..1.6 * place.width).contains(&side.abs());
        is_beside.then_some(Target { way, side, pose, height: input.z })
    }

    /// Returns whether a vehicle is, or is about to be, next to another one in a lane.
    fn is_occupied(&self, vehicles: &Vehicles<'_>, own: usize, target: &Target) -> bool {
        let place = target.pose;
        let is_beside = |pose: PlanarPose, height: f64| {
            let [along, aside] = place.in_vehicle_frame([pose.x, pose.y]);
            along.abs() < self.length + BESIDE_GAP
                && aside.abs() < target.way.reach()
                && (height - target.height).abs() < 2.0
        };
        (0..vehicles.len()).filter(|other| *other != own).any(|other| {
            let (input, pace) = (vehicles.inputs(other), vehicles.state(other));
            is_beside(input.pose, input.z)
                || pace.side != 0.0 && is_beside(self.settled(&input, &pace), input.z)
        })
    }

    /// Returns what a change to a lane means.
    fn outlook(
        &self,
        vehicles: &Vehicles<'_>,
        own: usize,
        pace: &Pace,
        present: Ahead<'_>,
        target: &Target,
    ) -> Outlook {
        let search = Search { own, way: &target.way, aside: 0.0, unseen: None };
        let leader = self.leader_on(vehicles, search);
        let accelerate = |way: &Way, leader| {
            self.acceleration(pace.speed, self.desired(own, pace.speed, way), leader)
        };
        let effect = Effect {
            before: accelerate(present.way, present.leader),
            after: accelerate(&target.way, leader),
        };
        let input = vehicles.inputs(own);
        let new = self.follower(vehicles, own, &target.pose, input.z);
        let old = self.follower(vehicles, own, &input.pose, input.z);
        let after =
            |follower: &Follower| Leader { distance: follower.distance, speed: follower.speed };
        Outlook {
            own: effect,
            new_follower: new.map_or(Effect::default(), |one| Effect {
                before: self.free_of(vehicles, &one, own),
                after: self.behind(vehicles, &one, Some(after(&one))),
            }),
            old_follower: old.map_or(Effect::default(), |one| Effect {
                before: self.behind(vehicles, &one, Some(after(&one))),
                after: self.free_of(vehicles, &one, own),
            }),
        }
    }

    /// Returns the acceleration of a vehicle behind another one.
    fn behind(&self, vehicles: &Vehicles<'_>, one: &Follower, leader: Option<Leader>) -> f64 {
        let speed = vehicles.inputs(one.number).vx.max(0.0);
        self.acceleration(speed, self.desired(one.number, speed, &one.way), leader)
    }

    /// Returns the acceleration of a vehicle as if another one were not there.
    fn free_of(&self, vehicles: &Vehicles<'_>, one: &Follower, unseen: usize) -> f64 {
        let search = Search { own: one.number, way: &one.way, aside: 0.0, unseen: Some(unseen) };
        self.behind(vehicles, one, self.leader_on(vehicles, search))
    }

    /// Returns the nearest vehicle on whose way a pose of a vehicle is.
    fn follower(
        &self,
        vehicles: &Vehicles<'_>,
        own: usize,
        pose: &PlanarPose,
        height: f64,
    ) -> Option<Follower> {
        let speed = vehicles.inputs(own).vx;
        let mut nearest: Option<Follower> = None;
        for number in (0..vehicles.len()).filter(|number| *number != own) {
            let (input, pace) = (vehicles.inputs(number), vehicles.state(number));
            let [along, _] = pose.in_vehicle_frame([input.pose.x, input.pose.y]);
            let distance = (input.pose.x - pose.x).hypot(input.pose.y - pose.y);
            let limit = nearest.as_ref().map_or(BEHIND, |one| one.distance);
            // no way is shorter than the straight line
            if distance > limit || along > SPACING {
                continue;
            }
            let way = self.way(vehicles, number, &pace);
            let Some(met) = way.find(pose, height, 0.0) else { continue };
            if met.same > 0.7 && met.distance > 0.0 && met.distance < limit {
                let (distance, speed) = (met.distance, speed * met.same);
                nearest = Some(Follower { number, distance, speed, way });
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::traffic;
    use super::*;

    fn outlook(own: [f64; 2], new: [f64; 2], old: [f64; 2]) -> Outlook {
        let [own, new_follower, old_follower] =
            [own, new, old].map(|[before, after]| Effect { before, after });
        Outlook { own, new_follower, old_follower }
    }

    #[test]
    fn the_incentive_weighs_the_own_advantage_against_that_of_others() {
        // eq. 4 with p = 0.25: 1.2 + 0.25 (−0.8 + 0.4)
        let change = outlook([-0.5, 0.7], [0.3, -0.5], [-0.2, 0.2]);
        assert!((traffic().incentive(&change) - 1.1).abs() < 1e-15);
        let egoist = LaneTraffic { politeness: 0.0, ..traffic() };
        assert!((egoist.incentive(&change) - 1.2).abs() < 1e-15);
    }

    #[test]
    fn a_change_is_safe_up_to_the_limit() {
        let of = |own: f64, new: f64| outlook([0.0, own], [0.0, new], [0.0, -9.0]);
        assert!(traffic().is_safe(&of(0.0, -4.0)) && traffic().is_safe(&of(-4.0, 0.0)));
        assert!(!traffic().is_safe(&of(0.0, -4.01)) && !traffic().is_safe(&of(-4.01, 0.0)));
    }
}
