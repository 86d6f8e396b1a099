//! The quantities that every vehicle has, whoever models it.
//!
//! A controller, a dynamics class or a sensor asks for one by declaring an input of that name. A
//! dynamics class adds its own with the outputs of its `measure` phase.

use crate::Scope;

/// A quantity of the host.
#[derive(Clone, Copy, Debug)]
pub struct HostPort {
    /// Name of the port.
    pub name: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// Per vehicle or per wheel.
    pub scope: Scope,
    /// What it means.
    pub doc: &'static str,
}

const fn body(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { name, unit, scope: Scope::Instance, doc }
}

const fn wheel(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { name, unit, scope: Scope::Wheel, doc }
}

/// What dynamics classes, controllers and sensors may read.
pub const MEASUREMENTS: &[HostPort] = &[
    body("x", "m", "reference point in the world frame"),
    body("y", "m", "reference point in the world frame"),
    body("z", "m", "height of the ground below the reference point, world frame"),
    body("yaw", "rad", "heading, counter-clockwise from the world x axis"),
    body("vx", "m/s", "forward velocity of the reference point, vehicle frame"),
    body("vy", "m/s", "leftward velocity of the reference point, vehicle frame"),
    body("omega", "rad/s", "yaw rate, counter-clockwise"),
    body("pitch", "rad", "pitch, positive nose down"),
    body("roll", "rad", "roll, positive right side down"),
    body("chassis_mass", "kg", "mass without the wheels"),
    body("mass", "kg", "mass with the wheels"),
    body("yaw_inertia", "kg·m²", "moment of inertia about the centre of mass"),
    body("centre_x", "m", "centre of mass ahead of the reference point"),
    body("centre_y", "m", "centre of mass left of the reference point"),
    body("slope_ax", "m/s²", "gravity along the ground forwards, as far as slopes push"),
    body("slope_ay", "m/s²", "gravity along the ground to the left, as far as slopes push"),
    body("gravity", "m/s²", "gravity of the world"),
    wheel("spin", "rad/s", "wheel spin, positive when rolling forwards"),
    wheel("wheel_steer", "rad", "steering angle, counter-clockwise"),
    wheel("radius", "m", "rolling radius"),
    wheel("wheel_x", "m", "position ahead of the reference point"),
    wheel("wheel_y", "m", "position left of the reference point"),
    wheel("wheel_vx", "m/s", "velocity of the wheel centre, vehicle frame"),
    wheel("wheel_vy", "m/s", "velocity of the wheel centre, vehicle frame"),
];

/// What a controller may drive on any vehicle, beside the inputs of its dynamics class: the
/// velocity of the reference point in the vehicle frame, imposed before the step.
pub const ACTUATORS: &[HostPort] = &[
    body("twist_vx", "m/s", "imposed forward velocity, vehicle frame"),
    body("twist_vy", "m/s", "imposed leftward velocity, vehicle frame"),
    body("twist_omega", "rad/s", "imposed yaw rate"),
];

/// What a friction model may read, for the wheel in its lane.
pub const WHEEL_INPUTS: &[HostPort] = &[
    body("vx", "m/s", "velocity of the wheel centre along its rolling direction, wheel frame"),
    body("vy", "m/s", "velocity of the wheel centre to its left, wheel frame"),
    body("spin", "rad/s", "wheel spin, positive when rolling forwards"),
    body("torque", "N·m", "motor and brake torque on the wheel, positive forwards"),
    body(
        "normal_force",
        "N",
        "force that presses the wheel on the ground, its own weight included",
    ),
    body("gravity", "m/s²", "gravity normal to the ground"),
    body("radius", "m", "rolling radius"),
    body("inertia", "kg·m²", "moment of inertia about the axle"),
    body("steer", "rad", "steering angle and mounting yaw of the wheel in the vehicle frame"),
    body("slope_fx", "N", "part of the weight on this wheel that acts along its rolling direction"),
    body("slope_fy", "N", "part of the weight on this wheel that acts to its left"),
    body("mu_override", "1", "friction coefficient of the ground here, negative where not given"),
    body("c_rr_override", "1", "rolling resistance of the ground here, negative where not given"),
];

/// What a friction model writes.
pub const WHEEL_OUTPUTS: &[HostPort] = &[
    body("fx", "N", "force of the ground on the wheel along its rolling direction, wheel frame"),
    body("fy", "N", "force of the ground on the wheel to its left, wheel frame"),
    body("spin_torque", "N·m", "torque on the wheel about its axle beside the motor's"),
];
