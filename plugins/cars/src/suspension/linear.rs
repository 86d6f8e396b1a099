//! A suspension whose outputs are linear in the travel of the wheel and of the rack.
//!
//! The contact point moves outboard by h/(t/2) per travel for a roll centre at the height h and a track t,
//! which gives the jacking force of lateral forces; anti-dive and anti-squat are the forward movement of the
//! contact point and of the wheel centre per travel. A wheel that leans lifts its contact point by R γ′ sin γ per
//! travel, which gives the jacking force of its load. Source: W. F. Milliken and D. L. Milliken, *Race Car
//! Vehicle Dynamics*, 1995, chapter 17.

use simhost_sdk::prelude::*;

/// Rates of change per travel.
#[derive(Params)]
pub struct Linear {
    /// Camber at rest. A negative value leans the tops inboard.
    #[param(default = 0.0, range = -20.0..=20.0, unit = "deg", scale = math::DEG)]
    camber: f64,
    /// Change of camber per travel. A more negative value keeps the outer wheel more upright in a curve.
    #[param(default = 0.0, unit = "deg/m", scale = math::DEG, scaling = Scaling::PER_LENGTH)]
    camber_gain: f64,
    /// Toe at rest. A positive value turns the fronts inboard.
    #[param(default = 0.0, range = -10.0..=10.0, unit = "deg", scale = math::DEG)]
    toe: f64,
    /// Change of toe per travel. At the front, a negative value makes the car understeer more.
    #[param(default = 0.0, unit = "deg/m", scale = math::DEG, scaling = Scaling::PER_LENGTH)]
    toe_gain: f64,
    /// Angle by which the rack turns both wheels to the left per its travel to the left.
    #[param(default = 0.0, unit = "deg/m", scale = math::DEG, scaling = Scaling::PER_LENGTH)]
    steer_gain: f64,
    /// Caster angle at rest.
    #[param(default = 0.0, range = -30.0..=30.0, unit = "deg", scale = math::DEG)]
    caster: f64,
    /// Change of the caster angle per travel.
    #[param(default = 0.0, unit = "deg/m", scale = math::DEG, scaling = Scaling::PER_LENGTH)]
    caster_gain: f64,
    /// Height of the roll centre above the ground at rest. A larger value makes the body roll less and lifts
    /// it in curves.
    #[param(default = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    roll_centre: f64,
    /// Change of the height of the roll centre per travel of both wheels.
    #[param(default = -1.0, unit = "1")]
    roll_centre_gain: f64,
    /// Forward movement of the contact point per travel, with the wheel held by its brake. A positive value
    /// at the front and a negative value at the rear keep the body level when braking.
    #[param(default = 0.0, unit = "1")]
    anti_dive: f64,
    /// Forward movement of the wheel centre per travel, which acts on the force of a drive shaft. A negative
    /// value at the rear keeps the body level when driving off.
    #[param(default = 0.0, unit = "1")]
    anti_squat: f64,
    /// Compression of the spring per travel. A larger value makes the axle stiffer.
    #[param(default = 1.0, above = 0.0, unit = "1")]
    motion_ratio: f64,
}

impl Linear {
    fn corner(&self, corner: &CornerMotion, axle: &AxleMotion, height: f64) -> CornerKinematics {
        let CornerMotion { travel, rack, .. } = *corner;
        let camber = self.camber + self.camber_gain * travel;
        let radius = axle.wheel_radius.max(1e-3);
        let rates = TravelRates {
            contact_x: self.anti_dive,
            contact_y: height / axle.half_track.max(1e-3),
            // a wheel that leans further lifts its contact point
            contact_rise: radius * self.camber_gain * math::sin(camber),
            centre_x: self.anti_squat,
            camber: self.camber_gain,
            toe: self.toe_gain,
        };
        CornerKinematics {
            camber,
            // a rack that moves outboard turns the front outboard
            toe: self.toe + self.toe_gain * travel - self.steer_gain * rack,
            track: rates.contact_y * travel,
            longitudinal: self.anti_squat * travel,
            caster: self.caster + self.caster_gain * travel,
            spring: self.motion_ratio * travel,
            motion_ratio: self.motion_ratio,
            jacking: corner.jacking(&rates, radius),
        }
    }
}

#[model]
impl Suspension for Linear {
    const TIME_INVARIANT: bool = true;

    fn kinematics(&self, axle: &AxleMotion, _: &Step, _: &mut ()) -> AxleKinematics {
        let both = 0.5 * (axle.travel_left + axle.travel_right);
        let height = self.roll_centre + self.roll_centre_gain * both;
        let corners = axle.corners().map(|corner| self.corner(&corner, axle, height));
        AxleKinematics::new(corners, [height; 2])
    }
}
