//! Vehicles that leave the ground: ballistic flight, and landing.
//!
//! The plane of a vehicle is compared with the ground below its wheels, and below the ends of its body where these support
//! it. Without contact its centre of mass falls with g, and it keeps its rates of pitch and roll. Where a point reaches
//! the ground, an impulse below it stops it: an inelastic contact without a bounce, of a rigid body with its moments of
//! inertia about both axes. A vehicle whose front wheels have left an edge therefore turns about its rear wheels, which
//! carry a part of its weight, and continues to turn in the air. A vehicle with all points in the air is in free
//! flight: it keeps its horizontal velocity, and wheels carry nothing.
//!
//! Simplification: rotation in the air changes no horizontal velocity and ends at [`STEEPEST`], the body does not touch an
//! edge, and tyres and springs take up hops with less than [`HOP_SPEED`].

use simhost_scene::Pose3;
use simhost_sdk::math;
use smallvec::SmallVec;

use crate::live_state::live_state;

/// Vertical speed at which the ground falls away below a vehicle that stays on it, m/s: a hop of 13 mm.
pub(super) const HOP_SPEED: f64 = 0.5;

/// Vertical motion of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fall {
    /// Slopes of the plane of the vehicle, world frame.
    slopes: [f64; 2],
    /// Vertical velocity of the reference point, m/s.
    rising: f64,
    /// Rates of the angles of the slopes, world frame, rad/s.
    tilting: [f64; 2],
    /// The points that are in the air, one bit each.
    lifted: u32,
    /// Part of the weight that the ground carries while points are in the air.
    pub carried: f64,
    /// Whether all points are in the air.
    is_free: bool,
    /// Whether the vehicle has been placed and has not moved yet.
    is_placed: bool,
    /// Whether the vehicle has left the ground and not yet returned to it, so that it can stand on
    /// bodies.
    pub above_bodies: bool,
}

/// A plane, relative to the position and the heading of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Height at the reference point, m.
    height: f64,
    /// Slopes along and across.
    slopes: [f64; 2],
}

impl Plane {
    pub fn of(pose: &Pose3) -> Self {
        if pose.pitch == 0.0 && pose.roll == 0.0 {
            return Self { height: pose.z, slopes: [0.0; 2] };
        }
        let along = -math::tan(pose.pitch);
        let across = math::tan(pose.roll) / math::cos(pose.pitch);
        Self { height: pose.z, slopes: [along, across] }
    }

    /// Returns the height at a point, m.
    pub fn at(&self, [x, y]: [f64; 2]) -> f64 {
        self.height + x * self.slopes[0] + y * self.slopes[1]
    }

    /// Returns the plane and its rates after a flight of `dt` seconds.
    fn flown(self, rates: Self, centre: [f64; 2], [gravity, dt]: [f64; 2]) -> (Self, Self) {
        let (mut plane, mut new) = (self, rates);
        for axis in 0..2 {
            let (slope, turning) = (self.slopes[axis], rates.slopes[axis]);
            if turning != 0.0 {
                let angle = math::atan(slope) + dt * turning;
                let most = STEEPEST.max(math::atan(slope).abs());
                let bounded = angle.clamp(-most, most);
                new.slopes[axis] = if angle == bounded { turning } else { 0.0 };
                plane.slopes[axis] = math::tan(bounded);
            }
        }
        let lever = |rates: &Self| centre[0] * rates.slopes[0] + centre[1] * rates.slopes[1];
        let rising = rates.at(centre);
        plane.height += dt * (rising - 0.5 * gravity * dt) - dt * lever(&new);
        new.height -= gravity * dt + lever(&new) - lever(&rates);
        (plane, new)
    }

    fn pose(self, at: Pose3) -> Pose3 {
        let [along, across] = self.slopes;
        // the normal (−along, −across, 1) is the z axis of R_z R_y R_x
        let length = (1.0 + along * along + across * across).sqrt();
        let sin_roll = across / length;
        let roll = math::atan2(sin_roll, (1.0 - sin_roll * sin_roll).sqrt());
        Pose3 { z: self.height, pitch: -math::atan(along), roll, ..at }
    }
}

/// Contact points of a vehicle and the distribution of its mass, seen from above in the frame of its heading.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stance {
    /// Points relative to the reference point, m.
    pub points: SmallVec<[[f64; 2]; 8]>,
    /// Heights of the ground below them, m.
    pub heights: SmallVec<[f64; 8]>,
    /// Centre of mass relative to the reference point, m.
    pub centre: [f64; 2],
    /// Squares of the radii of gyration for rotation along, which is pitch, and across, m².
    pub gyration: [f64; 2],
}

impl Stance {
    /// Raises a plane at points that are below their least value, as impulses there would do. Returns their sum, in units
    /// of the plane times the mass.
    fn hold(&self, plane: &mut Plane, least: impl Fn(usize) -> Option<f64>) -> f64 {
        let arms = |[x, y]: [f64; 2]| [x - self.centre[0], y - self.centre[1]];
        let by = self.gyration.map(|square| 1.0 / square.max(LEAST_GYRATION));
        let mut impulses: SmallVec<[f64; 8]> = self.points.iter().map(|_| 0.0).collect();
        for _ in 0..SWEEPS {
            for (number, point) in self.points.iter().enumerate() {
                let Some(least) = least(number) else { continue };
                let [x, y] = arms(*point);
                let lack = least - plane.at(*point);
                let wanted = impulses[number] + lack / (1.0 + x * x * by[0] + y * y * by[1]);
                let change = wanted.max(0.0) - impulses[number];
                impulses[number] += change;
                let turned = [change * x * by[0], change * y * by[1]];
                plane.slopes = [plane.slopes[0] + turned[0], plane.slopes[1] + turned[1]];
                // the plane is raised at the centre of mass
                let [cx, cy] = self.centre;
                plane.height += change - cx * turned[0] - cy * turned[1];
            }
        }
        impulses.iter().sum()
    }
}

/// Square of the least radius of gyration, m².
const LEAST_GYRATION: f64 = 1e-4;
/// Sweeps over the contacts of a vehicle.
const SWEEPS: usize = 40;
/// Inclination in the air at which rotation ends, rad.
const STEEPEST: f64 = 1.2;
/// Gap below which a point touches the ground, m.
const TOUCHING: f64 = 1e-4;

/// Motion of a vehicle as seen from above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// Cosine and sine of the heading.
    pub heading: [f64; 2],
    /// Velocity, world frame, m/s.
    pub velocity: [f64; 2],
}

impl Course {
    /// Converts a vector of the world to the frame of the heading.
    pub(super) fn to_heading(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.heading;
        [cos * x + sin * y, cos * y - sin * x]
    }

    /// Converts a vector of the frame of the heading to the world.
    fn to_world(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.heading;
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// Returns the vertical velocity of a vehicle that follows a plane with these slopes, m/s.
    fn rising(self, slopes: [f64; 2]) -> f64 {
        let [vx, vy] = self.to_heading(self.velocity);
        vx * slopes[0] + vy * slopes[1]
    }
}

live_state! { Fall { state { slopes, rising, tilting, lifted, carried, is_free, is_placed, above_bodies } } }

impl Fall {
    /// Creates the motion of a vehicle that is placed on ground of this pose.
    pub fn on_ground(ground: &Pose3, course: Course) -> Self {
        let slopes = Plane::of(ground).slopes;
        let rising = course.rising(slopes);
        Self { slopes: course.to_world(slopes), rising, is_placed: true, ..Self::default() }
    }

    /// Creates the motion of a vehicle that is let go in the air at a pose.
    pub fn in_air(pose: &Pose3, course: Course) -> Self {
        let slopes = course.to_world(Plane::of(pose).slopes);
        Self { slopes, lifted: u32::MAX, is_free: true, above_bodies: true, ..Self::default() }
    }

    /// Returns whether a part of the vehicle is in the air.
    pub fn is_lifted(&self) -> bool {
        self.lifted > 0
    }

    /// Returns whether the whole vehicle is in the air.
    pub fn is_free(&self) -> bool {
        self.is_free
    }

    /// Returns whether a wheel is in the air.
    pub fn lifts(&self, wheel: usize) -> bool {
        wheel < u32::BITS as usize && self.lifted >> wheel & 1 == 1
    }

    /// Returns the vertical velocity of the reference point, m/s, if a part of the vehicle is in the air.
    pub fn rising(&self) -> Option<f64> {
        self.is_lifted().then_some(self.rising)
    }

    /// Advances the vehicle by `dt` seconds. `pose` has the new position and the height of before,
    /// `ground` is the pose on the ground below.
    pub(super) fn advance(
        &mut self,
        pose: &Pose3,
        ground: &Pose3,
        stance: &Stance,
        course: Course,
        [gravity, dt]: [f64; 2],
    ) -> Pose3 {
        if self.is_placed {
            *self = Self { is_placed: false, ..Self::on_ground(ground, course) };
            return *ground;
        }
        let was = Plane { height: pose.z, slopes: course.to_heading(self.slopes) };
        let rates = Plane { height: self.rising, slopes: course.to_heading(self.tilting) };
        let below = Plane::of(ground);
        let follow = course.rising(below.slopes);
        let (mut fallen, mut falling) = was.flown(rates, stance.centre, [gravity, dt]);
        let lift =
            |plane: &Plane, number: usize| plane.at(stance.points[number]) - stance.heights[number];
        let slack = if self.is_lifted() { 0.0 } else { HOP_SPEED * dt };
        let numbers = || 0..stance.points.len();
        if numbers().all(|number| lift(&fallen, number) <= slack) {
            let followed = ((below.height - was.height) / dt).min(follow.max(0.0));
            let rising = followed.max(self.rising - gravity * dt);
            let slopes = course.to_world(below.slopes);
            *self = Self { slopes, rising, above_bodies: self.above_bodies, ..Self::default() };
            return *ground;
        }
        let reached: SmallVec<[bool; 8]> =
            numbers().map(|number| lift(&fallen, number) <= 0.0).collect();
        stance.hold(&mut fallen, |number| Some(stance.heights[number]));
        // the ground can sink, but a step does not throw a vehicle up
        let follows = |number: usize| {
            let at = stance.points[number];
            let followed = (stance.heights[number] - was.at(at)) / dt;
            reached[number].then_some(followed.min(follow.max(0.0)))
        };
        let pushed = stance.hold(&mut falling, follows);
        let lifted = numbers().filter(|number| lift(&fallen, *number) > TOUCHING);
        self.is_free = lifted.clone().count() == stance.points.len();
        let bit = |number: usize| 1u32.checked_shl(number as u32).unwrap_or(0);
        self.lifted = lifted.fold(0, |all, number| all | bit(number));
        self.carried = (pushed / (gravity * dt).max(f64::MIN_POSITIVE)).min(1.0);
        self.slopes = course.to_world(fallen.slopes);
        (self.rising, self.tilting) = (falling.height, course.to_world(falling.slopes));
        self.above_bodies = true;
        fallen.pose(*pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AHEAD: Course = Course { heading: [1.0, 0.0], velocity: [1.0, 0.0] };

    const WHEELS: [[f64; 2]; 4] = [[0.5, 0.4], [-0.5, 0.4], [0.5, -0.4], [-0.5, -0.4]];

    /// Returns a vehicle over ground at these heights, with its centre of mass in the middle.
    fn over(heights: [f64; 4]) -> Stance {
        Stance {
            points: WHEELS.into_iter().collect(),
            heights: heights.into_iter().collect(),
            centre: [0.0; 2],
            gyration: [0.1; 2],
        }
    }

    /// The ground falls away by 2 m below a level vehicle.
    #[test]
    fn a_vehicle_above_an_edge_falls_with_g_and_lands_without_a_bounce() {
        let (mut fall, dt) = (Fall::default(), 1e-3);
        let (mut pose, ground) = (Pose3 { z: 2.0, ..Pose3::default() }, Pose3::default());
        let mut landed = None;
        for step in 1..1000 {
            pose = fall.advance(&pose, &ground, &over([ground.z; 4]), AHEAD, [9.81, dt]);
            let time = f64::from(step) * dt;
            if landed.is_none() && pose.z > 0.0 {
                assert!((pose.z - (2.0 - 0.5 * 9.81 * time * time)).abs() < 1e-9);
                assert!(fall.is_free());
            } else {
                landed.get_or_insert(time);
                assert!(pose.z == 0.0 && !fall.is_lifted());
            }
        }
        let expected = (2.0f64 * 2.0 / 9.81).sqrt();
        assert!((landed.expect("it lands") - expected).abs() < 2.0 * dt);
    }

    #[test]
    fn a_vehicle_on_sinking_ground_does_not_hop_and_one_that_climbs_a_step_is_not_thrown() {
        let (mut fall, dt) = (Fall::default(), 5e-3);
        let mut pose = Pose3::default();
        let mut lifted = 0;
        for step in 1..400 {
            let ground = Pose3 { z: -f64::from(step) * dt, ..Pose3::default() };
            pose = fall.advance(&pose, &ground, &over([ground.z; 4]), AHEAD, [9.81, dt]);
            lifted += u32::from(fall.is_lifted());
        }
        // until it has the speed of the ground
        assert!(f64::from(lifted) * dt < 0.25, "{lifted}");
        let ground = Pose3 { z: pose.z + 0.2, ..Pose3::default() };
        for _ in 0..10 {
            pose = fall.advance(&pose, &ground, &over([ground.z; 4]), AHEAD, [9.81, dt]);
            assert_eq!(pose.z, ground.z);
        }
    }

    /// The front has left an edge: it turns about the rear wheels, with θ̈ = g a/(k² + a²). When these leave it, too, the
    /// body keeps its rates, where it took those of the front.
    #[test]
    fn a_vehicle_turns_over_an_edge_and_goes_on_turning() {
        let (mut fall, dt) = (Fall::default(), 1e-3);
        let (mut pose, ground) =
            (Pose3 { z: 5.0, ..Pose3::default() }, Pose3 { z: 5.0, ..Pose3::default() });
        for _ in 0..200 {
            let mut stance = over([0.0, 5.0, 0.0, 5.0]);
            stance.points.iter_mut().for_each(|point| point[0] *= math::cos(pose.pitch));
            pose = fall.advance(&pose, &ground, &stance, AHEAD, [9.81, dt]);
            assert!(fall.is_lifted() && !fall.is_free() && fall.lifts(0) && !fall.lifts(1));
            let rear = pose.z + 0.5 * math::sin(pose.pitch);
            assert!((rear - 5.0).abs() < 1e-3, "the rear stands: {rear}");
        }
        let turning = 9.81 * 0.5 / (0.1 + 0.25);
        assert!((pose.pitch - 0.5 * turning * 0.04).abs() < 0.05 * pose.pitch, "{}", pose.pitch);
        // the part that the rear wheels carry
        assert!((fall.carried - 0.1 / 0.35).abs() < 0.1, "{}", fall.carried);
        let (start, rising) = (pose, fall.rising().expect("it is lifted"));
        let (mut last, mut rate) = (pose, 0.2 * turning);
        for step in 1..=300 {
            pose = fall.advance(&pose, &Pose3::default(), &over([0.0; 4]), AHEAD, [9.81, dt]);
            let time = f64::from(step) * dt;
            let falls = start.z + time * rising - 0.5 * 9.81 * time * time;
            assert!(
                fall.is_free() && (pose.z - falls).abs() < 1e-6,
                "{} instead of {falls}",
                pose.z
            );
            let now = (pose.pitch - last.pitch) / dt;
            let allowed = if step == 1 { 0.05 } else { 1e-3 };
            assert!((now - rate).abs() < allowed * rate, "{now} rad/s after {time} s");
            (last, rate) = (pose, now);
        }
    }
}
