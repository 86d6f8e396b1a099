//! The rigid axle as a model of the kind `suspension`.
//!
//! Springs and dampers act at the wheel centres: the compression of the spring is the travel, and the motion ratio is
//! 1. A spring that is inboard of the wheels is described by its effect at the wheels.

use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use super::{RigidAxle, RigidAxlePoints, UpperLinks};
use crate::alignment::Alignment;
use crate::five_link::LinkEnds;
use crate::given::{WheelSetting, check_complete};
use crate::guide::{TravelRange, virtual_work};
use crate::hardpoints::StrutEnds;
use crate::linkage::Posture;
use crate::pose::{Motion, Pose};

/// Length of the springs at the wheels at rest, m. It has no effect.
const SPRING: f64 = 0.4;

/// Hardpoints of an axle at rest.
#[derive(Clone, Copy, Debug, Default, Params)]
pub struct RigidAxleParams {
    /// Centre of the left wheel.
    #[param(unit = "m")]
    wheel_centre: Option<[f64; 3]>,
    /// Joint of the left lower link at the body. The right link is its mirror image.
    #[param(unit = "m")]
    lower_inner: Option<[f64; 3]>,
    /// Joint of the left lower link at the axle.
    #[param(unit = "m")]
    lower_outer: Option<[f64; 3]>,
    /// Joint of the upper link at the body. Without a Panhard rod, it belongs to the left one of two links.
    #[param(unit = "m")]
    upper_inner: Option<[f64; 3]>,
    /// Joint of the upper link at the axle.
    #[param(unit = "m")]
    upper_outer: Option<[f64; 3]>,
    /// Joint of the Panhard rod at the body. With a rod, there is one upper link.
    #[param(unit = "m")]
    panhard_body: Option<[f64; 3]>,
    /// Joint of the Panhard rod at the axle.
    #[param(unit = "m")]
    panhard_axle: Option<[f64; 3]>,
}

impl RigidAxleParams {
    fn check(&self) -> Result<(), String> {
        let rod = [
            ("panhard_body", self.panhard_body.is_some()),
            ("panhard_axle", self.panhard_axle.is_some()),
        ];
        check_complete(&rod)?;
        let mut points = vec![
            ("wheel_centre", self.wheel_centre.is_some()),
            ("lower_inner", self.lower_inner.is_some()),
            ("lower_outer", self.lower_outer.is_some()),
            ("upper_inner", self.upper_inner.is_some()),
            ("upper_outer", self.upper_outer.is_some()),
        ];
        if rod[0].1 {
            points.extend(rod);
        }
        check_complete(&points)
    }

    fn hardpoints(&self, setting: &WheelSetting) -> RigidAxlePoints {
        let place = |given: Option<[f64; 3]>, example: [f64; 3]| given.unwrap_or(example).into();
        let centre: Vec3 = place(self.wheel_centre, [0.0, 0.74, 0.31]);
        let upper = LinkEnds {
            inner: place(self.upper_inner, [0.4, 0.45, 0.45]),
            outer: place(self.upper_outer, [0.02, 0.1, 0.46]),
        };
        let rod = self.panhard_body.zip(self.panhard_axle);
        let spring = StrutEnds { top: centre + Vec3::Z * SPRING, lower: centre };
        RigidAxlePoints {
            wheel: setting.wheel(centre),
            lower: LinkEnds {
                inner: place(self.lower_inner, [0.5, 0.5, 0.25]),
                outer: place(self.lower_outer, [0.0, 0.5, 0.22]),
            },
            upper: match rod {
                None => UpperLinks::Pair(upper),
                Some((inner, outer)) => UpperLinks::Panhard {
                    upper,
                    rod: LinkEnds { inner: inner.into(), outer: outer.into() },
                },
            },
            spring,
            shock: spring,
        }
    }
}

/// Rigid axles on four links, or on three links and a Panhard rod, from hardpoints. Without hardpoints, the axle has
/// a pair of lower links and a pair of oblique upper links. The wheels do not steer.
#[derive(Params)]
pub struct RigidAxleSuspension {
    /// Hardpoints.
    #[param(flatten)]
    points: RigidAxleParams,
    /// Wheel.
    #[param(flatten)]
    setting: WheelSetting,
    /// Range of the travels.
    #[param(flatten)]
    range: TravelRange,
    /// Both wheels.
    #[param(skip)]
    axle: Option<RigidAxle>,
}

/// Pose of the axle at the end of the step before, from which the search of the next step starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct AxleStart {
    /// Travel of the left wheel.
    #[state(unit = "m")]
    travel_left: f64,
    /// Travel of the right wheel.
    #[state(unit = "m")]
    travel_right: f64,
    /// Forward displacement of the middle of the axle.
    #[state(unit = "m")]
    x: f64,
    /// Leftward displacement of the middle of the axle.
    #[state(unit = "m")]
    y: f64,
    /// Upward displacement of the middle of the axle.
    #[state(unit = "m")]
    z: f64,
    /// Component along x of the unit quaternion of the axle.
    #[state(unit = "1")]
    turn_x: f64,
    /// Component along y of the unit quaternion of the axle.
    #[state(unit = "1")]
    turn_y: f64,
    /// Component along z of the unit quaternion of the axle.
    #[state(unit = "1")]
    turn_z: f64,
}

impl AxleStart {
    #[inline(always)]
    fn posture(&self, rest: Vec3) -> Posture {
        let Self { travel_left, travel_right, x, y, z, turn_x: a, turn_y: b, turn_z: c } = *self;
        let w = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
        let pose = Pose { position: rest + Vec3::new(x, y, z), quaternion: [w, a, b, c] };
        Posture { inputs: [travel_left, travel_right], pose }
    }

    #[inline(always)]
    fn of_motion(motion: &Motion, rest: Vec3) -> Self {
        let [travel_left, travel_right] = motion.inputs;
        let Vec3 { x, y, z } = motion.pose.position - rest;
        let [w, a, b, c] = motion.pose.quaternion;
        let [turn_x, turn_y, turn_z] = if w < 0.0 { [-a, -b, -c] } else { [a, b, c] };
        Self { travel_left, travel_right, x, y, z, turn_x, turn_y, turn_z }
    }
}

impl RigidAxle {
    /// Returns the alignment of both wheels of a radius, m, each in the frame of a left wheel. Their inputs are the
    /// travels of the wheel itself and of the other one.
    #[inline(always)]
    pub fn alignments(&self, motion: &Motion, radius: f64) -> [Alignment; 2] {
        let alignment = |motion| self.geometry.alignment_of(motion, radius);
        [alignment(motion), alignment(&motion.mirrored())]
    }
}

#[model]
impl Suspension for RigidAxleSuspension {
    fn prepare(&mut self) -> Result<(), String> {
        self.points.check()?;
        let points = self.points.hardpoints(&self.setting);
        let axle = points.axle().map_err(|error| error.to_string())?;
        let rest = Posture::from(axle.linkage.rest());
        let [down, up] = self.range.travels();
        for travels in [[down, down], [down, up], [up, down], [up, up]] {
            axle.solve(&rest, travels).map_err(|error| error.to_string())?;
        }
        self.axle = Some(axle);
        Ok(())
    }

    fn kinematics(&self, axle: &AxleMotion, _: &Step, start: &mut AxleStart) -> AxleKinematics {
        let Some(links) = &self.axle else { return AxleKinematics::default() };
        let radius = self.setting.radius(axle.wheel_radius);
        let rest = links.linkage.rest();
        let origin = rest.pose.position;
        let corners = axle.corners();
        let inside = [0, 1].map(|side| self.range.limit_travel(corners[side].travel));
        // the range has been checked, so that only travels that are not numbers have no solution
        let motion = links.solve(&start.posture(origin), inside).unwrap_or(*rest);
        *start = AxleStart::of_motion(&motion, origin);
        let (wheels, at_rest) =
            (links.alignments(&motion, radius), links.alignments(rest, radius)[0]);
        let outputs = |side: usize| {
            let (own, other) = (&wheels[side], &wheels[1 - side]);
            let beyond = [side, 1 - side].map(|side| corners[side].travel - inside[side]);
            let at = |dual: crate::dual::Dual| {
                dual.value + dual.by[0] * beyond[0] + dual.by[1] * beyond[1]
            };
            // a travel moves both wheels
            let work = virtual_work(&corners[side], own, 0, radius)
                + virtual_work(&corners[1 - side], other, 1, radius);
            CornerKinematics {
                camber: at(own.camber),
                toe: at(own.toe),
                track: at(own.contact[1]) - at_rest.contact[1].value,
                longitudinal: at(own.centre[0]) - at_rest.centre[0].value,
                caster: 0.0,
                spring: corners[side].travel,
                motion_ratio: 1.0,
                jacking: corners[side].force[2] - work,
            }
        };
        let ground = 0.5 * (wheels[0].contact[2].value + wheels[1].contact[2].value);
        let roll_centre = links.roll_centre(&motion, ground);
        AxleKinematics::new([outputs(0), outputs(1)], [roll_centre; 2])
    }
}
