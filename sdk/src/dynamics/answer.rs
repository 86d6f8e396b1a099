//! What a dynamics class answers.

use simhost_abi::{PortDesc, Scope};

use crate::columns::{PortList, port};
use crate::{Columns, Ports};

/// What [`crate::Dynamics::drive`] answers: `()`, [`Wrench`] or [`Motion`].
pub trait Drive: Ports + sealed::Answer {}

impl Drive for () {}
impl Drive for Wrench {}
impl Drive for Motion {}

/// Force and moment on a vehicle: the class makes them itself, and no friction model acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct Wrench {
    /// Force forwards, vehicle frame.
    #[port(unit = "N")]
    pub force_x: f64,
    /// Force to the left, vehicle frame.
    #[port(unit = "N")]
    pub force_y: f64,
    /// Moment about the reference point, counter-clockwise.
    #[port(unit = "N·m")]
    pub moment: f64,
}

/// Pose and velocity of the reference point at the end of the step: the class integrates them
/// itself. Where something is in the way the body stops there, and the class reads so in the next
/// step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct Motion {
    /// World frame.
    #[port(unit = "m")]
    pub x: f64,
    /// World frame.
    #[port(unit = "m")]
    pub y: f64,
    /// Heading, counter-clockwise from the world x axis.
    #[port(unit = "rad")]
    pub yaw: f64,
    /// Forward velocity, vehicle frame.
    #[port(unit = "m/s")]
    pub vx: f64,
    /// Leftward velocity, vehicle frame.
    #[port(unit = "m/s")]
    pub vy: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    pub omega: f64,
}

/// How the kind of an answer looks at the boundary.
pub(super) mod sealed {
    pub trait Answer {
        /// Id of the phase.
        const PHASE: &'static str;
        /// Whether wheels are given torques, or spins.
        const TORQUES: bool;
    }
}

impl sealed::Answer for () {
    const PHASE: &'static str = "drive";
    const TORQUES: bool = true;
}

impl sealed::Answer for Wrench {
    const PHASE: &'static str = "wrench";
    const TORQUES: bool = false;
}

impl sealed::Answer for Motion {
    const PHASE: &'static str = "motion";
    const TORQUES: bool = false;
}

const STEER: PortDesc = port("steer", "rad", Scope::Wheel, "steering angle, counter-clockwise");
const TORQUES: [PortDesc; 3] = [
    port("torque", "N·m", Scope::Wheel, "motor torque, positive forwards"),
    STEER,
    port("brake_torque", "N·m", Scope::Wheel, "largest torque of the brake, against the spin"),
];
const SPINS: [PortDesc; 2] =
    [port("spin", "rad/s", Scope::Wheel, "wheel spin, positive when rolling forwards"), STEER];

/// The outputs of the phase: of the answer, then of the wheels (torque or spin, and steering).
pub(super) const fn outputs<A: Drive>() -> PortList {
    PortList::join(A::PORTS, if A::TORQUES { &TORQUES } else { &SPINS })
}

/// Number of outputs before those of the wheels.
pub(super) const fn own_outputs<A: Drive>() -> usize {
    <A as Columns>::COUNT
}
