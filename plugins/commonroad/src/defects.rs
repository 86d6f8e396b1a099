//! Deviations of commonroad-vehicle-models 3.0.2 from its published equations.
//!
//! The registered classes have none of them. Each deviation can be enabled in tests, to show that
//! the models agree with the reference where it is right, and to show the effect of each
//! correction.

/// The defects of the reference that a model reproduces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defects {
    /// The vertical shift S_Vx of the longitudinal force is added inside the sine. STD, MB.
    pub shift_in_sine: bool,
    /// β̇ of the kinematic model contains (tan²δ·b/L)² instead of (tanδ·b/L)². ST, STD, MB.
    pub squared_tangent: bool,
    /// The kinematic model of MB uses the roll angle as the slip angle.
    pub roll_as_slip: bool,
    /// Slip is divided by a wheel speed that can be zero. MB.
    pub slip_by_zero: bool,
    /// Beyond a stop (hitch angle, wheel spin) the rate is zero in both directions, because the
    /// reference resets the caller's state instead. KST, STD, MB.
    pub stops_hold: bool,
    /// Load transfer uses the height of the sprung mass instead of the whole vehicle. ST, STD.
    pub sprung_height: bool,
    /// The models switch abruptly, and nothing brings yaw rate and slip angle at rest to the values
    /// that the steering angle implies. ST, STD, MB, F1TENTH.
    pub hard_switch: bool,
    /// Valid for driving forwards only: lateral forces push instead of hold in reverse (ST), wheels
    /// do not turn backwards (STD, MB), and the position moves forwards (MB).
    pub forwards_only: bool,
    /// A lifted wheel pulls on the ground. MB.
    pub pulling_tyres: bool,
}

impl Defects {
    /// No defects: the published equations.
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

    /// All defects: the reference implementation.
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
