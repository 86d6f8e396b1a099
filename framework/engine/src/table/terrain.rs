//! Vehicles on the ground: height, pitch, roll, and the friction of the place of each wheel.

use std::sync::Arc;

use simhost_scene::Pose3;
use simhost_sdk::math;

use super::motion::Inclination;
use super::vehicles::{Ride, Vehicles, WEIGHTLESS};
use crate::ground::{
    Balance, Course, Fall, Ground, Patch, PathMotion, PathPoses, around, attitude,
    starting_attitude,
};
use crate::physics::{BodyState, Physics};
use crate::tilt::Tilt;

/// Acceleration along the normal of a plane that is due to rounding, m/s².
const ROUND_OFF: f64 = 1e-6;

/// Speed below which the height of the centre of mass does not change the pull of gravity, m/s.
const LEAST_SPEED: f64 = 0.01;

/// Height of a roof above the reference point of a vehicle up to which the vehicle can stand on it, m.
const ABOVE_ROOF: f64 = 0.02;

impl Vehicles {
    /// Places every vehicle on the ground below it, or lets it fall for `dt` seconds where the ground is
    /// out of reach. Without `dt`, vehicles start on the ground.
    pub fn follow_ground(&mut self, ground: &Ground, physics: &mut Physics, dt: Option<f64>) {
        if self.host.spatial && dt.is_none() {
            for lane in 0..self.lanes.len() {
                self.place_in_space(lane, ground, physics);
            }
        }
        if self.host.spatial {
            self.carry_heights(physics);
            return;
        }
        let mut tilts = false;
        for lane in 0..self.lanes.len() {
            tilts |= if dt.is_none() && self.lanes[lane].fixed.keeps_pose {
                self.start_in_air(lane, physics);
                true
            } else {
                self.follow_ground_below(lane, ground, physics, dt)
            };
        }
        if tilts && self.environment.dynamic_loads {
            self.read_bodies(physics.bodies.range(&self.bodies));
        }
    }

    /// Does so for one vehicle. Returns whether the vehicle or the ground below it is inclined or high.
    pub(super) fn follow_ground_below(
        &mut self,
        lane: usize,
        ground: &Ground,
        physics: &mut Physics,
        dt: Option<f64>,
    ) -> bool {
        let pose = self.pose3(lane);
        let (owner, attitude_columns) = (&self.lanes[lane], self.host.own.attitude);
        let contacts = Arc::clone(&owner.fixed.contacts);
        let reach = contacts.footing_radius + contacts.footing.climb;
        let mut patch = ground.near([pose.x, pose.y], reach);
        if owner.fall.above_bodies {
            patch = patch.with_roofs(physics.bodies.roofs(owner.body, pose.z + ABOVE_ROOF));
        } else if patch.is_level() && self.values(attitude_columns, lane) == [0.0; 3] {
            self.set_ride(lane, None);
            return false;
        }
        let place = if dt.is_some() { attitude } else { starting_attitude };
        let below = place(&patch, &contacts.footing, pose);
        let pose = match (contacts.falls, dt) {
            (true, Some(dt)) => self.fall(lane, &patch, [&pose, &below], physics, dt),
            _ => {
                self.lanes[lane].fall = Fall::on_ground(&below, self.course(lane, physics));
                below
            }
        };
        physics.bodies.set_height(self.lanes[lane].body, pose.z);
        self.set_values(attitude_columns, lane, [pose.z, pose.pitch, pose.roll]);
        self.tilt_with_ground(lane, physics);
        let ride = self.ride(lane, ground, &pose, physics);
        self.set_ride(lane, ride);
        true
    }

    /// Turns the velocity of a vehicle, which has been set as on level ground, along its plane, as that at the start of
    /// a world is.
    pub(super) fn turn_velocity(&mut self, lane: usize, ground: &Ground, physics: &mut Physics) {
        self.lanes[lane].normal = [0.0, 0.0, 1.0];
        self.set_tilt(lane, Tilt::LEVEL);
        self.read_bodies(physics.bodies.range(&self.bodies));
        let (pose, course) = (self.pose3(lane), self.course(lane, physics));
        let fall = &mut self.lanes[lane].fall;
        if *fall != Fall::default() && !fall.is_lifted() {
            *fall = Fall::on_ground(&pose, course);
        }
        self.tilt_with_ground(lane, physics);
        let ride = self.ride(lane, ground, &pose, physics);
        self.set_ride(lane, ride);
    }

    /// Returns the motion of a vehicle that follows the curvature of the ground.
    fn ride(&self, lane: usize, ground: &Ground, pose: &Pose3, physics: &Physics) -> Option<Ride> {
        let owner = &self.lanes[lane];
        let is_used = self.environment.dynamic_loads || self.host.motion.is_some();
        if !is_used || owner.fall.is_lifted() || owner.fall.above_bodies {
            return None;
        }
        let BodyState { velocity: [vx, vy], heading, omega, .. } =
            *physics.bodies.state(owner.body);
        let ([cos, sin], [x, y]) = (heading, self.centre(lane));
        let velocity = [vx + omega * (sin * x + cos * y), vy - omega * (cos * x - sin * y)];
        let radius = owner.fixed.contacts.footing_radius;
        let gravity = self.environment.gravity;
        let motion = PathMotion { velocity, omega, radius, gravity };
        let PathPoses { poses, time } =
            around(ground, &owner.fixed.contacts.footing, pose, motion)?;
        let inclination = |at: &Pose3| {
            let (sin, cos) = math::sin_cos(at.yaw);
            let Inclination { pitch, roll } =
                Inclination::of(Tilt::new(at.pitch, at.roll).normal([cos, sin]), heading);
            [pitch, roll]
        };
        let [behind, here, ahead] = poses.each_ref().map(inclination);
        let turning = [0, 1].map(|axis| (ahead[axis] - behind[axis]) / (2.0 * time));
        let second = |before: f64, now: f64, next: f64| (next - 2.0 * now + before) / (time * time);
        let [pitching, rolling] = [0, 1].map(|axis| second(behind[axis], here[axis], ahead[axis]));
        let upright = owner.normal[2];
        let lift = upright * second(poses[0].z, poses[1].z, poses[2].z);
        let lifts = [lift, lift - x * pitching + y * rolling];
        let is_plane = lifts.iter().all(|lift| lift.abs() < ROUND_OFF);
        let [lift, centre_lift] = if is_plane { [0.0; 2] } else { lifts };
        let centre = self.centre_in_space(lane);
        let [behind, _, ahead] = poses.each_ref().map(|at| at.transform(centre)[2]);
        let rising = (ahead - behind) / (2.0 * time);
        Some(Ride { turning, lift, centre_lift, rising })
    }

    /// Sets the motion that follows the curvature of the ground, which loads the wheels like gravity.
    fn set_ride(&mut self, lane: usize, ride: Option<Ride>) {
        if self.lanes[lane].ride.is_none() && ride.is_none() {
            return;
        }
        let measured = &self.host.measured;
        let [vx, vy, omega] = self.values([measured.vx, measured.vy, measured.omega], lane);
        let [x, y] = self.centre(lane);
        let velocity = [vx - omega * y, vy + omega * x];
        let owner = &mut self.lanes[lane];
        owner.ride = ride;
        if !self.environment.dynamic_loads || owner.fall.is_free() {
            return;
        }
        let gravity = self.environment.gravity;
        let [mut along, mut across, mut normal] = owner.tilt.gravity(gravity);
        if let Some(Ride { centre_lift, rising, .. }) = ride {
            // the pull does the work of the height that the centre of mass gains
            let [vx, vy] = velocity;
            let power = -gravity * rising - along * vx - across * vy;
            let square = vx * vx + vy * vy;
            if square > LEAST_SPEED * LEAST_SPEED && power.abs() > ROUND_OFF * square.sqrt() {
                along += power / square * vx;
                across += power / square * vy;
            }
            normal = (normal + centre_lift).max(WEIGHTLESS);
        }
        self.set_values(self.host.own.slope_gravity, lane, [along, across, normal]);
    }

    /// Lets a vehicle go at the height and the inclination of the world file.
    fn start_in_air(&mut self, lane: usize, physics: &mut Physics) {
        let pose = self.pose3(lane);
        let fall = Fall::in_air(&pose, self.course(lane, physics));
        let owner = &mut self.lanes[lane];
        (owner.fall, owner.keeps_velocity) = (fall, true);
        physics.bodies.set_height(owner.body, pose.z);
        self.tilt_with_ground(lane, physics);
    }

    /// Advances the vertical motion of a vehicle between its plane and the ground `below` it.
    fn fall(
        &mut self,
        lane: usize,
        patch: &Patch<'_>,
        [pose, below]: [&Pose3; 2],
        physics: &Physics,
        dt: f64,
    ) -> Pose3 {
        let course = self.course(lane, physics);
        let gravity = self.environment.gravity;
        let centre = self.centre(lane);
        let owner = &mut self.lanes[lane];
        let contacts = Arc::clone(&owner.fixed.contacts);
        let balance = Balance { centre, gyration: owner.fixed.tipping.gyration };
        let (footing, fall) = (&contacts.footing, &mut owner.fall);
        let was_lifted = fall.is_lifted();
        let pose = footing.fall(fall, patch, [pose, below], course, &balance, [gravity, dt]);
        // wheels in the air carry nothing
        self.is_tipping |= fall.is_lifted();
        owner.keeps_velocity = was_lifted || fall.is_lifted();
        if fall.above_bodies && !fall.is_lifted() {
            fall.above_bodies = !physics.bodies.roofs(owner.body, pose.z + ABOVE_ROOF).is_empty();
        }
        pose
    }

    /// Gives the loads of the wheels of a vehicle that are in the air to the others.
    pub(super) fn unload_lifted(&mut self, lane: usize) {
        let (count, fall) = (self.lanes.len(), self.lanes[lane].fall);
        if !fall.is_lifted() || fall.is_free() {
            return;
        }
        let [force, gravity] = [self.host.contact.normal_force, self.host.contact.gravity];
        let loads = (0..self.wheels.count).map(|wheel| self.value(force, wheel * count + lane));
        let (mut all, mut standing) = (0.0, 0.0);
        for (wheel, load) in loads.enumerate() {
            all += load;
            standing += if fall.lifts(wheel) { 0.0 } else { load };
        }
        for wheel in 0..self.wheels.count {
            let at = wheel * count + lane;
            if fall.lifts(wheel) {
                self.set_values([force, gravity], at, [0.0, WEIGHTLESS]);
            } else if standing > 0.0 {
                let load = self.value(force, at) * all / standing;
                self.set_values([force], at, [load]);
            }
        }
    }

    fn course(&self, lane: usize, physics: &Physics) -> Course {
        let BodyState { velocity, heading, .. } = *physics.bodies.state(self.lanes[lane].body);
        Course { heading, velocity }
    }

    /// Places a vehicle on the highest ground below `ceiling`, m, before the first step.
    pub fn place_on_ground(&mut self, lane: usize, ceiling: f64, ground: &Ground) {
        let pose = self.pose3(lane);
        let patch = ground.near([pose.x, pose.y], self.lanes[lane].fixed.contacts.footing_radius);
        let height = patch.height(pose.x, pose.y, ceiling);
        self.columns.get_mut(self.host.own.attitude[0])[lane] = height;
    }

    /// Sets friction and rolling resistance of the ground for every wheel. Outside all regions, they are
    /// −1, or what environments have set if `keeps` is true. Regions are queried at the height of the
    /// wheel, or at 0 if `at_zero` is true.
    pub fn update_ground_properties(&mut self, ground: &Ground, at_zero: bool, keeps: bool) {
        let contact = &self.host.contact;
        let inputs =
            [("friction_mu", contact.mu_override), ("friction_C_rr", contact.c_rr_override)];
        for (property, column) in inputs {
            if !ground.has_property(property) {
                continue;
            }
            for index in 0..self.wheel_count() {
                let [x, y, z] = self.wheel_place(index);
                let height = if at_zero { 0.0 } else { z };
                match ground.property(property, [x, y, height]) {
                    Some(value) => self.columns.get_mut(column)[index] = value,
                    None if keeps => {}
                    None => self.columns.get_mut(column)[index] = -1.0,
                }
            }
        }
    }

    /// Sets friction and rolling resistance of the ground to −1 for every wheel.
    pub fn clear_surface(&mut self) {
        let contact = &self.host.contact;
        for column in [contact.mu_override, contact.c_rr_override] {
            self.columns.get_mut(column).fill(-1.0);
        }
    }

    /// Sets friction and rolling resistance of the ground for the wheels for which they are not
    /// negative.
    pub fn offer_surface(&mut self, values: [&[f64]; 2]) {
        let contact = &self.host.contact;
        for (column, values) in [contact.mu_override, contact.c_rr_override].into_iter().zip(values)
        {
            for (own, value) in self.columns.get_mut(column).iter_mut().zip(values) {
                if *value >= 0.0 {
                    *own = *value;
                }
            }
        }
    }

    /// Sets the normal of the ground and its property `surface` for every wheel, if a model reads them.
    pub fn update_contacts(&mut self, ground: &Ground, at_zero: bool) {
        if let Some(normal) = self.host.normal.filter(|_| !ground.is_level()) {
            let radius = self.host.measured.radius;
            for index in 0..self.wheel_count() {
                let ([x, y, z], climb) = (self.wheel_place(index), self.value(radius, index));
                let (_, [slope_x, slope_y]) = ground.slope([x, y, z + climb]);
                let length = (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
                let values = [-slope_x / length, -slope_y / length, 1.0 / length];
                self.set_values(normal, index, values);
            }
        }
        if let Some(surface) = self.host.surface.filter(|_| ground.has_property("surface")) {
            for index in 0..self.wheel_count() {
                let [x, y, z] = self.wheel_place(index);
                let height = if at_zero { 0.0 } else { z };
                let value = ground.property("surface", [x, y, height]).unwrap_or(0.0);
                self.columns.get_mut(surface)[index] = value;
            }
        }
    }

    /// Returns the point of the vehicle's plane below a wheel, world frame, m.
    pub fn wheel_place(&self, index: usize) -> [f64; 3] {
        let measured = &self.host.measured;
        let [x, y] = self.values([measured.wheel_x, measured.wheel_y], index);
        self.pose3(index % self.lanes.len()).transform([x, y, 0.0])
    }
}
