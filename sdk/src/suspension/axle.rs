//! The inputs and outputs of a suspension for one axle.

use crate::{Columns, Ports};

/// Declares [`AxleMotion`] and [`AxleKinematics`] from the table of ports in `simhost-abi`.
macro_rules! structs {
    (
        inputs { $( $input:ident, $in_unit:tt, $in_doc:tt; )* }
        outputs { $( $output:ident, $out_unit:tt, $out_doc:tt; )* }
    ) => {
        /// The inputs of a suspension for one axle: travel of its wheels and of the rack, and what the
        /// ground does to the wheels.
        ///
        /// The frame of the body has x forward, y to the left and z up. `X` is
        /// [`Suspension::Inputs`](crate::Suspension::Inputs).
        #[derive(Clone, Copy, Debug, Default)]
        pub struct AxleMotion<X = ()> {
            $(
                #[doc = concat!($in_doc, " Unit: ", $in_unit, ".")]
                pub $input: f64,
            )*
            /// Further quantities that the model reads: its
            /// [`Suspension::Inputs`](crate::Suspension::Inputs).
            pub more: X,
        }

        /// The inputs that every suspension reads.
        #[derive(Ports)]
        pub(super) struct Basic {
            $(
                #[doc = $in_doc]
                #[port(unit = $in_unit)]
                $input: f64,
            )*
        }

        impl<X: Columns> Columns for AxleMotion<X> {
            const COUNT: usize = Basic::COUNT + X::COUNT;
            #[inline(always)]
            fn load(get: impl Fn(usize) -> f64) -> Self {
                let Basic { $($input),* } = Basic::load(&get);
                Self { $($input,)* more: X::load(|k| get(Basic::COUNT + k)) }
            }
            #[inline(always)]
            fn store(&self, mut put: impl FnMut(usize, f64)) {
                Basic { $($input: self.$input),* }.store(&mut put);
                self.more.store(|k, value| put(Basic::COUNT + k, value));
            }
        }

        /// The outputs of a suspension for one axle.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
        pub struct AxleKinematics {
            $(
                #[doc = $out_doc]
                #[port(unit = $out_unit)]
                pub $output: f64,
            )*
        }
    };
}

simhost_abi::suspension_ports!(structs);

/// The inputs of a suspension for one wheel, in the frame of a left wheel: y points outboard, and what
/// acts on a right wheel is mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CornerMotion {
    /// Travel of the wheel centre, positive in bump, m.
    pub travel: f64,
    /// Rate of change of the travel, m/s.
    pub travel_rate: f64,
    /// Travel of the steering rack, positive outboard, m.
    pub rack: f64,
    /// Force of the ground on the wheel: forward, outboard, upward, N.
    pub force: [f64; 3],
    /// Overturning moment of the ground on the wheel, N·m, positive where it tilts the top inboard.
    pub overturning: f64,
    /// Aligning moment of the ground on the wheel, N·m, positive where it turns the front outboard.
    pub aligning: f64,
    /// Torque of the drive shaft on the wheel, positive forwards, N·m.
    pub shaft_torque: f64,
}

/// The outputs of a suspension for one wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CornerKinematics {
    /// Camber, positive with the top outboard, rad.
    pub camber: f64,
    /// Toe, positive with the front inboard, rad.
    pub toe: f64,
    /// Outboard displacement of the contact point, m.
    pub track: f64,
    /// Forward displacement of the wheel centre, m.
    pub longitudinal: f64,
    /// Caster angle, positive with the top of the steering axis rearward, rad.
    pub caster: f64,
    /// Compression of the spring, m.
    pub spring: f64,
    /// Compression of the spring per travel of the wheel.
    pub motion_ratio: f64,
    /// Upward force of the links on the body, N.
    pub jacking: f64,
}

/// How far a wheel moves per metre of its travel, in the frame of [`CornerMotion`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TravelRates {
    /// Forward movement of the material point of the wheel carrier at the contact point, m/m.
    pub contact_x: f64,
    /// Outboard movement of that point, m/m.
    pub contact_y: f64,
    /// Upward movement of that point relative to the wheel centre, m/m: 0 for a carrier that
    /// does not turn, and R γ′ sin γ for a wheel of radius R whose camber γ changes by γ′ per travel.
    pub contact_rise: f64,
    /// Forward movement of the wheel centre, m/m.
    pub centre_x: f64,
    /// Change of camber, rad/m.
    pub camber: f64,
    /// Change of toe, rad/m.
    pub toe: f64,
}

impl<X> AxleMotion<X> {
    /// Returns the inputs of the left and of the right wheel.
    #[inline(always)]
    pub fn corners(&self) -> [CornerMotion; 2] {
        let left = CornerMotion {
            travel: self.travel_left,
            travel_rate: self.travel_rate_left,
            rack: self.rack,
            force: [self.fx_left, self.fy_left, self.fz_left],
            overturning: self.mx_left,
            aligning: self.mz_left,
            shaft_torque: self.shaft_torque_left,
        };
        let right = CornerMotion {
            travel: self.travel_right,
            travel_rate: self.travel_rate_right,
            rack: -self.rack,
            force: [self.fx_right, -self.fy_right, self.fz_right],
            overturning: -self.mx_right,
            aligning: -self.mz_right,
            shaft_torque: self.shaft_torque_right,
        };
        [left, right]
    }
}

impl CornerMotion {
    /// Returns the jacking force of ideal links, N, positive upwards on the body: the forces of the
    /// ground work along the path of the wheel, and what the spring does not carry, the links do.
    ///
    /// With the virtual travel δz of the wheel, the ground does the work (F_x ∂x/∂z + F_y ∂y/∂z +
    /// F_z ∂z_c/∂z − M_x ∂γ/∂z − M_z ∂ψ/∂z) δz on the carrier, whose sum is the force on the spring; the
    /// links carry F_z less that sum. z_c is the height of the contact point, whose rate is 1 plus
    /// [`TravelRates::contact_rise`]. The torque of a drive shaft reacts on the body, so its part of F_x acts along
    /// the path of the wheel centre, not of the contact point (anti-squat of a driven axle;
    /// W. F. Milliken and D. L. Milliken, *Race Car Vehicle Dynamics*, 1995, section 17.2). Braking
    /// torque within the wheel leaves the path of the contact point (anti-dive, anti-lift).
    #[inline(always)]
    pub fn jacking(&self, rates: &TravelRates, wheel_radius: f64) -> f64 {
        let [fx, fy, fz] = self.force;
        let by_shaft = self.shaft_torque / wheel_radius;
        // moments in the sense of the angles: camber outboard, toe inboard
        let turned = -self.overturning * rates.camber - self.aligning * rates.toe;
        let along = (fx - by_shaft) * rates.contact_x + by_shaft * rates.centre_x;
        -(along + fy * rates.contact_y + fz * rates.contact_rise + turned)
    }
}

impl AxleKinematics {
    /// Returns the outputs for the left and the right wheel and the heights of the roll centre above the
    /// ground, kinematic and constructed, m.
    #[inline(always)]
    pub fn new(
        [left, right]: [CornerKinematics; 2],
        [roll_centre_kinematic, roll_centre_constructed]: [f64; 2],
    ) -> Self {
        Self {
            camber_left: left.camber,
            camber_right: right.camber,
            toe_left: left.toe,
            toe_right: right.toe,
            track_left: left.track,
            track_right: right.track,
            longitudinal_left: left.longitudinal,
            longitudinal_right: right.longitudinal,
            caster_left: left.caster,
            caster_right: right.caster,
            spring_left: left.spring,
            spring_right: right.spring,
            motion_ratio_left: left.motion_ratio,
            motion_ratio_right: right.motion_ratio,
            jacking_left: left.jacking,
            jacking_right: right.jacking,
            roll_centre_kinematic,
            roll_centre_constructed,
        }
    }
}
