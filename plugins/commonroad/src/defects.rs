//! What commonroad-vehicle-models 3.0.2 does otherwise than its equations say.
//!
//! The registered classes are without any of it. Each can be switched on, so that tests show that the models
//! are those of the reference where it is right, and what a correction changes.

/// Which defects of the reference a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defects {
    /// The vertical shift S_Vx of the longitudinal force is added inside the sine. STD, MB.
    pub shift_in_sine: bool,
    /// β̇ of the kinematic model has tan²δ·b/L squared where tanδ·b/L belongs. ST, STD, MB.
    pub squared_tangent: bool,
    /// The kinematic model of MB takes the roll angle for the slip angle.
    pub roll_as_slip: bool,
    /// Slip is divided by a wheel's speed that may be zero. MB.
    pub slip_by_zero: bool,
    /// Beyond a stop (hitch angle, wheel spin) the rate is zero in both directions, as the reference
    /// puts the caller's state back instead. KST, STD, MB.
    pub stops_hold: bool,
    /// Load moves by the height of the sprung mass, not of the whole. ST, STD.
    pub sprung_height: bool,
    /// One model takes over from the other in a jump, and nothing leads yaw rate and slip to what
    /// the steering wants at rest. ST, STD, MB, F1TENTH.
    pub hard_switch: bool,
    /// Made for driving forwards: lateral forces push instead of hold when going backwards (ST), wheels
    /// do not turn backwards (STD, MB), and the position moves forwards (MB).
    pub forwards_only: bool,
    /// A lifted wheel pulls at the ground. MB.
    pub pulling_tyres: bool,
}

impl Defects {
    /// None: the equations as they are meant.
    pub const NONE: Self = Self {
        shift_in_sine: false,
        squared_tangent: false,
        roll_as_slip: false,
        slip_by_zero: false,
        stops_hold: false,
        sprung_height: false,
        hard_switch: false,
        forwards_only: false,
        pulling_tyres: false,
    };

    /// All: the reference as it is.
    pub const UPSTREAM: Self = Self {
        shift_in_sine: true,
        squared_tangent: true,
        roll_as_slip: true,
        slip_by_zero: true,
        stops_hold: true,
        sprung_height: true,
        hard_switch: true,
        forwards_only: true,
        pulling_tyres: true,
    };
}
