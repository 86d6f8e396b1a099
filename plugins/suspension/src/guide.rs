//! A pair of wheels on the same layout of links: from the inputs of a suspension to its outputs.
//!
//! Both wheels use the layout of the left one; the right wheel is its mirror image. The travels are limited to the
//! range that the parameters declare and the links allow; beyond it, every output continues as a straight line.

use simhost_sdk::vectors::Vec3;
use simhost_sdk::{
    AxleKinematics, AxleMotion, CornerKinematics, CornerMotion, Params, Ports, State,
};

use crate::alignment::{Alignment, place};
use crate::corner::{Corner, CornerGeometry, Steer};
use crate::dual::Dual;
use crate::errors::Unreachable;
use crate::given::WheelSetting;
use crate::linkage::Posture;
use crate::pose::{Motion, Pose};
use crate::roll_centre::RollCentre;

/// Range of the travels.
#[derive(Clone, Copy, Debug, Default, Params)]
pub struct TravelRange {
    /// Largest travel in compression. The links must reach it at all positions of the rack. Beyond it, outputs
    /// continue as straight lines.
    #[param(default = 0.08, range = 0.0..=1.0, unit = "m")]
    bump_travel: f64,
    /// Largest travel in extension.
    #[param(default = 0.08, range = 0.0..=1.0, unit = "m")]
    rebound_travel: f64,
    /// Largest travel of the steering rack to each side.
    #[param(default = 0.04, range = 0.0..=0.5, unit = "m")]
    rack_travel: f64,
}

/// Inputs within their range, and their distances from the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limited {
    /// Inputs, m.
    pub inputs: [f64; 2],
    /// Distances, m; 0 for inputs within the range.
    pub beyond: [f64; 2],
}

impl TravelRange {
    /// Limits a wheel travel and a rack travel, m.
    #[inline(always)]
    pub fn limit(&self, travel: f64, rack: f64) -> Limited {
        let inside = self.limit_travel(travel);
        let rack_inside = between(rack, -self.rack_travel, self.rack_travel);
        Limited { inputs: [inside, rack_inside], beyond: [travel - inside, rack - rack_inside] }
    }

    /// Limits a wheel travel, m.
    #[inline(always)]
    pub fn limit_travel(&self, travel: f64) -> f64 {
        between(travel, -self.rebound_travel, self.bump_travel)
    }

    /// Returns the travels at both ends, m.
    pub fn travels(&self) -> [f64; 2] {
        [0.0 - self.rebound_travel, self.bump_travel]
    }

    /// Returns wheel travel and rack travel at the corners of the range, m.
    pub fn corners(&self) -> [[f64; 2]; 4] {
        let ([right, left], [down, up]) =
            ([0.0 - self.rack_travel, self.rack_travel], self.travels());
        [[down, right], [down, left], [up, right], [up, left]]
    }
}

/// Limits a number. Unlike [`f64::clamp`] it never panics.
#[inline(always)]
fn between(value: f64, least: f64, most: f64) -> f64 {
    let raised = if value < least { least } else { value };
    if raised > most { most } else { raised }
}

/// A layout of links of one wheel.
pub trait Layout {
    /// Returns what follows from the motion.
    fn geometry(&self) -> &CornerGeometry;

    /// Returns the pose at rest.
    fn rest(&self) -> Motion;

    /// Returns the motion at inputs, from a pose to start from.
    ///
    /// # Errors
    ///
    /// Inputs that the links do not allow.
    fn motion(&self, from: &Posture, inputs: [f64; 2]) -> Result<Motion, Unreachable>;
}

impl Layout for Corner {
    fn geometry(&self) -> &CornerGeometry {
        &self.geometry
    }

    fn rest(&self) -> Motion {
        *self.linkage.rest()
    }

    #[inline(always)]
    fn motion(&self, from: &Posture, inputs: [f64; 2]) -> Result<Motion, Unreachable> {
        self.linkage.solve(from, inputs)
    }
}

/// Poses of both carriers at the end of the step before, from which the search of the next step starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct WarmStart {
    /// Travel of the left wheel.
    #[state(unit = "m")]
    travel_left: f64,
    /// Travel of the rack for the left wheel.
    #[state(unit = "m")]
    rack_left: f64,
    /// Forward displacement of the left wheel centre.
    #[state(unit = "m")]
    x_left: f64,
    /// Outboard displacement of the left wheel centre.
    #[state(unit = "m")]
    y_left: f64,
    /// Component along x of the unit quaternion of the left carrier.
    #[state(unit = "1")]
    turn_x_left: f64,
    /// Component along y of the unit quaternion of the left carrier.
    #[state(unit = "1")]
    turn_y_left: f64,
    /// Component along z of the unit quaternion of the left carrier.
    #[state(unit = "1")]
    turn_z_left: f64,
    /// Travel of the right wheel.
    #[state(unit = "m")]
    travel_right: f64,
    /// Travel of the rack for the right wheel.
    #[state(unit = "m")]
    rack_right: f64,
    /// Forward displacement of the right wheel centre.
    #[state(unit = "m")]
    x_right: f64,
    /// Outboard displacement of the right wheel centre.
    #[state(unit = "m")]
    y_right: f64,
    /// Component along x of the unit quaternion of the mirror image of the right carrier.
    #[state(unit = "1")]
    turn_x_right: f64,
    /// Component along y of the unit quaternion of the mirror image of the right carrier.
    #[state(unit = "1")]
    turn_y_right: f64,
    /// Component along z of the unit quaternion of the mirror image of the right carrier.
    #[state(unit = "1")]
    turn_z_right: f64,
}

impl WarmStart {
    /// Returns the pose of a carrier with its wheel centre at `rest` without inputs.
    #[inline(always)]
    fn posture(&self, is_right: bool, rest: Vec3) -> Posture {
        let [travel, rack, x, y, a, b, c] = if is_right {
            [
                self.travel_right,
                self.rack_right,
                self.x_right,
                self.y_right,
                self.turn_x_right,
                self.turn_y_right,
                self.turn_z_right,
            ]
        } else {
            [
                self.travel_left,
                self.rack_left,
                self.x_left,
                self.y_left,
                self.turn_x_left,
                self.turn_y_left,
                self.turn_z_left,
            ]
        };
        let w = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
        let position = rest + Vec3::new(x, y, travel);
        Posture { inputs: [travel, rack], pose: Pose { position, quaternion: [w, a, b, c] } }
    }

    /// Keeps the pose of a carrier.
    #[inline(always)]
    fn keep(&mut self, is_right: bool, rest: Vec3, motion: &Motion) {
        let [travel, rack] = motion.inputs;
        let Vec3 { x, y, .. } = motion.pose.position - rest;
        let [w, a, b, c] = motion.pose.quaternion;
        // both signs are the same rotation
        let [a, b, c] = if w < 0.0 { [-a, -b, -c] } else { [a, b, c] };
        if is_right {
            (self.travel_right, self.rack_right, self.x_right, self.y_right) = (travel, rack, x, y);
            (self.turn_x_right, self.turn_y_right, self.turn_z_right) = (a, b, c);
        } else {
            (self.travel_left, self.rack_left, self.x_left, self.y_left) = (travel, rack, x, y);
            (self.turn_x_left, self.turn_y_left, self.turn_z_left) = (a, b, c);
        }
    }
}

/// Quantities of a suspension that drive nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct SuspensionDetails {
    /// Kingpin inclination of the left wheel, positive with the top of the steering axis inboard.
    #[port(unit = "rad")]
    pub kingpin_inclination_left: f64,
    /// Kingpin inclination of the right wheel, positive with the top of the steering axis inboard.
    #[port(unit = "rad")]
    pub kingpin_inclination_right: f64,
    /// Scrub radius of the left wheel, positive with the contact point outboard of the steering axis.
    #[port(unit = "m")]
    pub scrub_left: f64,
    /// Scrub radius of the right wheel, positive with the contact point outboard of the steering axis.
    #[port(unit = "m")]
    pub scrub_right: f64,
    /// Mechanical trail of the left wheel, positive with the steering axis in front of the contact point.
    #[port(unit = "m")]
    pub trail_left: f64,
    /// Mechanical trail of the right wheel, positive with the steering axis in front of the contact point.
    #[port(unit = "m")]
    pub trail_right: f64,
    /// Compression of the left shock absorber per travel of its wheel.
    #[port(unit = "1")]
    pub shock_motion_ratio_left: f64,
    /// Compression of the right shock absorber per travel of its wheel.
    #[port(unit = "1")]
    pub shock_motion_ratio_right: f64,
    /// Slope of the path of the left contact point in the side view, forward per upward. With brakes in the wheel, it is
    /// the tangent of the anti-dive angle of a front axle, and the negative tangent of the anti-lift angle of a rear axle.
    #[port(unit = "1")]
    pub contact_slope_left: f64,
    /// Slope of the path of the right contact point in the side view.
    #[port(unit = "1")]
    pub contact_slope_right: f64,
    /// Slope of the path of the left wheel centre in the side view, forward per upward. With a drive shaft from the
    /// body, it is the negative tangent of the anti-squat angle of a rear axle.
    #[port(unit = "1")]
    pub centre_slope_left: f64,
    /// Slope of the path of the right wheel centre in the side view.
    #[port(unit = "1")]
    pub centre_slope_right: f64,
    /// Height above the ground of the roll centre from the path of the lowest points of the wheels, which move on the
    /// tyres; the kinematic roll centre follows from the paths of the carriers.
    #[port(unit = "m")]
    pub roll_centre_contact_path: f64,
}

/// A wheel at its place.
#[derive(Clone, Copy, Debug)]
struct GuidedWheel {
    motion: Motion,
    alignment: Alignment,
    beyond: [f64; 2],
}

/// Both wheels of an axle, each on its own links.
#[derive(Clone, Debug)]
pub struct Guide<T> {
    layout: T,
    range: TravelRange,
    setting: WheelSetting,
    rest: Motion,
    at_rest: RestPlace,
}

/// Place of a wheel at rest.
#[derive(Clone, Copy, Debug)]
struct RestPlace {
    /// Longitudinal position of the wheel centre, m.
    centre_x: f64,
    /// Lateral position of the contact point of a wheel without radius, m.
    contact_y: f64,
    /// Change of that position per radius.
    contact_y_per_radius: f64,
    /// Length of the spring, m.
    spring: f64,
}

impl RestPlace {
    fn new(geometry: &CornerGeometry, rest: &Motion) -> Self {
        let [none, unit] = [0.0, 1.0].map(|radius| geometry.alignment_of(rest, radius));
        let contact_y = none.contact[1].value;
        Self {
            centre_x: none.centre[0].value,
            contact_y,
            contact_y_per_radius: unit.contact[1].value - contact_y,
            spring: none.spring_length.value,
        }
    }
}

/// Returns the value at inputs beyond the range.
#[inline(always)]
fn continued(dual: Dual, beyond: [f64; 2]) -> f64 {
    dual.value + dual.by[0] * beyond[0] + dual.by[1] * beyond[1]
}

/// Returns the work of the ground on a wheel per movement of an input: the virtual work of the forces at the contact
/// point along the path of the carrier, of the moments, and of a drive shaft, whose torque reacts on the body, so that
/// its part of the force acts along the path of the wheel centre.
#[inline(always)]
pub fn virtual_work(corner: &CornerMotion, wheel: &Alignment, input: usize, radius: f64) -> f64 {
    let [fx, fy, fz] = corner.force;
    let by_shaft = corner.shaft_torque / radius;
    let path = wheel.contact_path[input];
    let along = (fx - by_shaft) * path.x + by_shaft * wheel.centre[0].by[input];
    let moments =
        corner.overturning * wheel.camber.by[input] + corner.aligning * wheel.toe.by[input];
    along + fy * path.y + fz * path.z - moments
}

impl<T: Layout> Guide<T> {
    /// Creates both wheels of an axle from the links of the left one.
    ///
    /// # Errors
    ///
    /// Travels that the links do not allow.
    pub fn new(layout: T, range: TravelRange, setting: WheelSetting) -> Result<Self, String> {
        let rest = layout.rest();
        for inputs in range.corners() {
            layout.motion(&Posture::from(&rest), inputs).map_err(|error| error.to_string())?;
        }
        let at_rest = RestPlace::new(layout.geometry(), &rest);
        Ok(Self { layout, range, setting, rest, at_rest })
    }

    #[inline(always)]
    fn wheel(&self, corner: &CornerMotion, radius: f64, from: &Posture) -> GuidedWheel {
        let Limited { inputs, beyond } = self.range.limit(corner.travel, corner.rack);
        // the range has been checked, so that only inputs that are not numbers have no solution
        let motion = self.layout.motion(from, inputs).unwrap_or(self.rest);
        let alignment = self.layout.geometry().alignment_of(&motion, radius);
        GuidedWheel { motion, alignment, beyond }
    }

    #[inline(always)]
    fn both(&self, corners: &[CornerMotion; 2], radius: f64, from: &WarmStart) -> [GuidedWheel; 2] {
        let origin = self.rest.pose.position;
        let wheel =
            |side: usize| self.wheel(&corners[side], radius, &from.posture(side == 1, origin));
        [wheel(0), wheel(1)]
    }

    fn roll_centre(&self, wheel: &GuidedWheel) -> RollCentre {
        RollCentre::new(&self.layout.geometry().construction, &wheel.motion, &wheel.alignment)
    }

    fn steer(&self, wheel: &GuidedWheel) -> Steer {
        self.layout.geometry().steer(&wheel.motion, place(&wheel.alignment.contact))
    }

    /// Returns the outputs of the suspension, and keeps the poses.
    #[inline(always)]
    pub fn kinematics<X>(&self, axle: &AxleMotion<X>, warm: &mut WarmStart) -> AxleKinematics {
        let radius = self.setting.radius(axle.wheel_radius);
        let corners = axle.corners();
        let wheels = self.both(&corners, radius, warm);
        let outputs = |side: usize| self.outputs(&corners[side], &wheels[side], radius);
        let outputs = [outputs(0), outputs(1)];
        let [left, right] = [self.roll_centre(&wheels[0]), self.roll_centre(&wheels[1])];
        for (side, wheel) in wheels.iter().enumerate() {
            warm.keep(side == 1, self.rest.pose.position, &wheel.motion);
        }
        let roll_centres = [
            0.5 * (left.kinematic + right.kinematic),
            0.5 * (left.constructed + right.constructed),
        ];
        AxleKinematics::new(outputs, roll_centres)
    }

    #[inline(always)]
    fn outputs(&self, corner: &CornerMotion, wheel: &GuidedWheel, radius: f64) -> CornerKinematics {
        let GuidedWheel { alignment, beyond, .. } = wheel;
        let RestPlace { centre_x, contact_y, contact_y_per_radius, spring } = self.at_rest;
        let at = |dual| continued(dual, *beyond);
        CornerKinematics {
            camber: at(alignment.camber),
            toe: at(alignment.toe),
            track: at(alignment.contact[1]) - (contact_y + contact_y_per_radius * radius),
            longitudinal: at(alignment.centre[0]) - centre_x,
            caster: self.steer(wheel).caster,
            spring: spring - at(alignment.spring_length),
            motion_ratio: alignment.spring_motion_ratio(),
            jacking: corner.force[2] - virtual_work(corner, alignment, 0, radius),
        }
    }

    /// Returns further quantities at poses that [`Self::kinematics`] has kept.
    pub fn details<X>(&self, axle: &AxleMotion<X>, warm: &WarmStart) -> SuspensionDetails {
        let radius = self.setting.radius(axle.wheel_radius);
        let wheels = self.both(&axle.corners(), radius, warm);
        let [left, right] = [self.steer(&wheels[0]), self.steer(&wheels[1])];
        let slope = |side: usize| {
            let path = wheels[side].alignment.contact_path[0];
            path.x / path.z
        };
        let height = |side: usize| self.roll_centre(&wheels[side]).contact_path;
        SuspensionDetails {
            kingpin_inclination_left: left.kingpin_inclination,
            kingpin_inclination_right: right.kingpin_inclination,
            scrub_left: left.scrub,
            scrub_right: right.scrub,
            trail_left: left.trail,
            trail_right: right.trail,
            shock_motion_ratio_left: wheels[0].alignment.shock_motion_ratio(),
            shock_motion_ratio_right: wheels[1].alignment.shock_motion_ratio(),
            contact_slope_left: slope(0),
            contact_slope_right: slope(1),
            centre_slope_left: wheels[0].alignment.centre[0].by[0],
            centre_slope_right: wheels[1].alignment.centre[0].by[0],
            roll_centre_contact_path: 0.5 * (height(0) + height(1)),
        }
    }
}

/// Implements a suspension whose field `guide` is an `Option<Guide<_>>`, with a function `prepare`.
macro_rules! guided_suspension {
    ($model:ident, $prepare:item) => {
        #[model]
        impl Suspension for $model {
            $prepare

            fn kinematics(
                &self,
                axle: &AxleMotion,
                _: &Step,
                warm: &mut $crate::guide::WarmStart,
            ) -> AxleKinematics {
                let Some(guide) = &self.guide else { return AxleKinematics::default() };
                guide.kinematics(axle, warm)
            }

            type Published = $crate::guide::SuspensionDetails;

            fn publish(
                &self,
                axle: &AxleMotion,
                _: &AxleKinematics,
                _: &Step,
                warm: &$crate::guide::WarmStart,
            ) -> $crate::guide::SuspensionDetails {
                let Some(guide) = &self.guide else { return Default::default() };
                guide.details(axle, warm)
            }
        }
    };
}
pub(crate) use guided_suspension;
