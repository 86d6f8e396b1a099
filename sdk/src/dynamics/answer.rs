//! The outputs of a dynamics class.

use simhost_abi::{PortDesc, Scope};

use crate::columns::{PortList, port};
use crate::{Columns, Ports};

/// An output of [`crate::Dynamics::drive`]: `()`, [`Wrench`], [`Motion`] or [`SpatialMotion`].
pub trait Drive: Ports + sealed::Answer {}

impl Drive for () {}
impl Drive for Wrench {}
impl Drive for Motion {}
impl Drive for SpatialMotion {}

/// Force and moment on a vehicle, from a class that computes them itself. No friction model acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct Wrench {
    /// Forward force, vehicle frame.
    #[port(unit = "N")]
    pub force_x: f64,
    /// Leftward force, vehicle frame.
    #[port(unit = "N")]
    pub force_y: f64,
    /// Moment about the reference point, positive counter-clockwise.
    #[port(unit = "N·m")]
    pub moment: f64,
}

/// Pose and velocity of the reference point at the end of the step, from a class that integrates
/// them itself. An obstacle stops the body, and the class reads the actual pose in the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct Motion {
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub x: f64,
    /// Position of the reference point, world frame.
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
    /// Yaw rate, positive counter-clockwise.
    #[port(unit = "rad/s")]
    pub omega: f64,
}

/// Pose and velocity in space of the reference point at the end of the step, from a class that
/// integrates all six degrees of freedom itself. The vehicle does not follow the ground: it stands,
/// falls or flies where the class puts it. The orientation is `R_z(yaw) R_y(pitch) R_x(roll)`, and the
/// velocities are those along and about the axes of the vehicle.
///
/// The class reads its motion back from `x`, `y`, `z`, `yaw`, `pitch`, `roll` and from
/// `body_velocity_x` to `body_rate_z`, so that it continues from the actual motion after an obstacle has
/// stopped the body, which happens in the plane: the outline of the vehicle stays upright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct SpatialMotion {
    /// Position, heading, velocities along x and y and angular velocity about z.
    #[port(flatten)]
    pub planar: Motion,
    /// Height of the reference point, world frame.
    #[port(unit = "m")]
    pub z: f64,
    /// Pitch, positive nose down.
    #[port(unit = "rad")]
    pub pitch: f64,
    /// Roll, positive right side down.
    #[port(unit = "rad")]
    pub roll: f64,
    /// Velocity along the z axis of the vehicle.
    #[port(unit = "m/s")]
    pub vz: f64,
    /// Angular velocity about the y axis of the vehicle.
    #[port(unit = "rad/s")]
    pub pitch_rate: f64,
    /// Angular velocity about the x axis of the vehicle.
    #[port(unit = "rad/s")]
    pub roll_rate: f64,
}

/// Properties of an output that the descriptor needs.
pub(crate) mod sealed {
    pub trait Answer {
        /// Id of the phase.
        const PHASE: &'static str;
        /// Whether the class sets torques (true) or spins (false) of wheels.
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

impl sealed::Answer for SpatialMotion {
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

const CAMBER: [PortDesc; 2] = [
    port("camber", "rad", Scope::Wheel, "inclination, positive with the top to the right"),
    port("camber_rate", "rad/s", Scope::Wheel, "rate of change of the camber"),
];

const DRIVE_INERTIA: [PortDesc; 1] =
    [port("drive_inertia", "kg·m²", Scope::Wheel, "inertia that the powertrain adds to the wheel")];

const CONTACT: [PortDesc; 4] = [
    port("contact_load", "N", Scope::Wheel, "force that presses the wheel on the ground"),
    port("contact_vx", "m/s", Scope::Wheel, "velocity of the contact point along the heading"),
    port("contact_vy", "m/s", Scope::Wheel, "velocity of the contact point to the left"),
    port(
        "contact_radius",
        "m",
        Scope::Wheel,
        "distance of the wheel centre from the contact point",
    ),
];

/// Number of outputs for the contact of a wheel.
pub(super) const CONTACT_OUTPUTS: usize = CONTACT.len();
/// Largest number of outputs of a wheel for camber, inertia and contact.
pub(super) const MOST_FURTHER: usize = CAMBER.len() + DRIVE_INERTIA.len() + CONTACT.len();

/// Number of outputs for the camber of a wheel.
pub(super) const CAMBER_OUTPUTS: usize = CAMBER.len();

/// Returns the outputs of the phase: outputs of the class, then outputs of the wheels (torque or
/// spin, steering angle, brake torque with torques, and camber, inertia of the powertrain and contact if
/// the class sets them).
pub(super) const fn outputs<A: Drive>(
    sets_camber: bool,
    sets_inertia: bool,
    advances: bool,
) -> PortList {
    assert!(A::TORQUES || !sets_inertia, "only a class that sets torques has SETS_DRIVE_INERTIA");
    assert!(A::TORQUES || !advances, "only a class that sets torques has ADVANCES");
    let list = PortList::join(A::PORTS, if A::TORQUES { &TORQUES } else { &SPINS });
    let list = PortList::join(list.as_slice(), if sets_camber { &CAMBER } else { &[] });
    let list = PortList::join(list.as_slice(), if sets_inertia { &DRIVE_INERTIA } else { &[] });
    PortList::join(list.as_slice(), if advances { &CONTACT } else { &[] })
}

/// Returns the outputs of the phase `advance`: the motion, then the spins.
pub(super) const fn advanced() -> PortList {
    PortList::join(<SpatialMotion as Ports>::PORTS, SPINS.split_at(1).0)
}

/// Returns the number of outputs of wheels besides camber, inertia and contact.
pub(super) const fn wheel_outputs<A: Drive>() -> usize {
    if A::TORQUES { TORQUES.len() } else { SPINS.len() }
}

/// Returns the number of outputs for camber, inertia and contact.
pub(super) const fn further_outputs(
    sets_camber: bool,
    sets_inertia: bool,
    advances: bool,
) -> usize {
    (if sets_camber { CAMBER.len() } else { 0 })
        + sets_inertia as usize
        + (if advances { CONTACT_OUTPUTS } else { 0 })
}

/// Returns the number of outputs before the outputs of the wheels.
pub(super) const fn own_outputs<A: Drive>() -> usize {
    <A as Columns>::COUNT
}
