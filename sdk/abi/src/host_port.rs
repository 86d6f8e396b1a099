//! The quantities of the host that models read and drive.
//!
//! The tables of this module are the only place that declares their names, units, scopes and
//! defaults. The host creates a column for each, and the SDK derives the structs of a friction model
//! from [`friction_ports!`](crate::friction_ports).
//!
//! A controller, a dynamics class or a sensor reads a quantity by declaring an input of its name. A
//! dynamics class adds further quantities with the outputs of its `measure` phase.

mod space;
mod suspension;

use crate::Scope;

pub use space::{SPACE_AIM_OUTPUTS, SPACE_RAY_RESULTS};
pub use suspension::{AXLE_INPUTS, AXLE_OUTPUTS};

/// A quantity of the host.
#[derive(Clone, Copy, Debug)]
pub struct HostPort {
    /// Name of the port.
    pub name: &'static str,
    /// SI unit; "1" for a pure number.
    pub unit: &'static str,
    /// One value per vehicle or per wheel.
    pub scope: Scope,
    /// Value where nothing drives the port.
    pub default: f64,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
}

const fn vehicle(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { name, unit, scope: Scope::Instance, default: 0.0, doc }
}

const fn wheel(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { name, unit, scope: Scope::Wheel, default: 0.0, doc }
}

/// Measurements that dynamics classes, controllers and sensors can read.
pub const MEASUREMENTS: &[HostPort] = &[
    vehicle("x", "m", "reference point, world frame"),
    vehicle("y", "m", "reference point, world frame"),
    vehicle("z", "m", "height of the ground below the reference point, world frame"),
    vehicle("yaw", "rad", "heading, counter-clockwise from the world x axis"),
    vehicle("vx", "m/s", "forward velocity of the reference point, vehicle frame"),
    vehicle("vy", "m/s", "leftward velocity of the reference point, vehicle frame"),
    vehicle("omega", "rad/s", "yaw rate, positive counter-clockwise"),
    vehicle("pitch", "rad", "pitch, positive nose down"),
    vehicle("roll", "rad", "roll, positive right side down"),
    vehicle("chassis_mass", "kg", "mass without the wheels"),
    vehicle("mass", "kg", "mass with the wheels"),
    vehicle("yaw_inertia", "kg·m²", "moment of inertia about the centre of mass"),
    vehicle("centre_x", "m", "centre of mass ahead of the reference point"),
    vehicle("centre_y", "m", "centre of mass left of the reference point"),
    vehicle(
        "slope_ax",
        "m/s²",
        "forward component of gravity along the ground, 0 where slopes do not push",
    ),
    vehicle(
        "slope_ay",
        "m/s²",
        "leftward component of gravity along the ground, 0 where slopes do not push",
    ),
    vehicle("gravity", "m/s²", "gravity of the world"),
    wheel("spin", "rad/s", "wheel spin, positive when rolling forwards"),
    wheel("wheel_steer", "rad", "steering angle, positive counter-clockwise"),
    wheel("radius", "m", "rolling radius"),
    wheel("wheel_x", "m", "wheel position ahead of the reference point"),
    wheel("wheel_y", "m", "wheel position left of the reference point"),
    wheel("wheel_vx", "m/s", "forward velocity of the wheel centre, vehicle frame"),
    wheel("wheel_vy", "m/s", "leftward velocity of the wheel centre, vehicle frame"),
    wheel(
        "steers",
        "1",
        "1 for a wheel that the class steers, 2 for a caster, 0 for a fixed wheel",
    ),
    vehicle("body_velocity_x", "m/s", "velocity of the reference point along x of the body"),
    vehicle("body_velocity_y", "m/s", "velocity of the reference point along y of the body"),
    vehicle("body_velocity_z", "m/s", "velocity of the reference point along z of the body"),
    vehicle(
        "body_specific_force_x",
        "m/s²",
        "acceleration of the reference point minus gravity, along x of the body",
    ),
    vehicle(
        "body_specific_force_y",
        "m/s²",
        "acceleration of the reference point minus gravity, along y of the body",
    ),
    vehicle(
        "body_specific_force_z",
        "m/s²",
        "acceleration of the reference point minus gravity, along z of the body",
    ),
    vehicle("body_rate_x", "rad/s", "angular velocity about x of the body"),
    vehicle("body_rate_y", "rad/s", "angular velocity about y of the body"),
    vehicle("body_rate_z", "rad/s", "angular velocity about z of the body"),
    vehicle("body_angular_acceleration_x", "rad/s²", "angular acceleration about x of the body"),
    vehicle("body_angular_acceleration_y", "rad/s²", "angular acceleration about y of the body"),
    vehicle("body_angular_acceleration_z", "rad/s²", "angular acceleration about z of the body"),
    wheel("wheel_angle", "rad", "rotation about the axle, not wrapped, positive forwards"),
    wheel("wheel_fx", "N", "forward force of the ground in the step before, vehicle frame"),
    wheel("wheel_fy", "N", "leftward force of the ground in the step before, vehicle frame"),
    wheel(
        "wheel_aligning_moment",
        "N·m",
        "aligning moment of the tyre in the step before, positive counter-clockwise",
    ),
    CAMBER,
    CAMBER_RATE,
    wheel("contact_normal_x", "1", "x of the unit normal of the ground at the wheel, world frame"),
    wheel("contact_normal_y", "1", "y of the unit normal of the ground at the wheel, world frame"),
    HostPort {
        default: 1.0,
        ..wheel(
            "contact_normal_z",
            "1",
            "z of the unit normal of the ground at the wheel, world frame",
        )
    },
    wheel("surface", "1", "property `surface` of the ground at the wheel, 0 outside all regions"),
];

/// Quantities that a fleet can read in addition to the [`MEASUREMENTS`] with one value per vehicle.
pub const FLEET_INPUTS: &[HostPort] = &[HostPort {
    default: 1.0,
    ..vehicle("enabled", "1", "1, or 0 after a model of the vehicle has faulted")
}];

/// Number of the last [`MEASUREMENTS`], of wheels, that the host computes only where a model reads them.
const ON_DEMAND_COUNT: usize = 10;

/// Number of the [`MEASUREMENTS`] before them, of vehicles, that the host computes only where a model
/// reads them.
const MOTION_COUNT: usize = 12;

const SPLIT: (&[HostPort], &[HostPort]) =
    MEASUREMENTS.split_at(MEASUREMENTS.len() - ON_DEMAND_COUNT - MOTION_COUNT);

/// The measurements that the host always computes.
pub const ALWAYS_MEASURED: &[HostPort] = SPLIT.0;

/// The motion of the body in space, which the host computes only where a model reads it: velocity,
/// specific force, angular velocity and angular acceleration.
pub const MOTION: &[HostPort] = SPLIT.1.split_at(MOTION_COUNT).0;

/// The measurements of wheels that the host computes only if a model reads them.
pub const ON_DEMAND: &[HostPort] = MEASUREMENTS.split_at(MEASUREMENTS.len() - ON_DEMAND_COUNT).1;

/// Further inputs of a friction model, whose lanes are wheels: [`ON_DEMAND`], then [`BRAKING`].
pub const CONTACT_INPUTS: &[HostPort] = &{
    let mut ports = [CAMBER; ON_DEMAND_COUNT + BRAKING.len()];
    let mut place = 0;
    while place < ports.len() {
        let port = match place < ON_DEMAND_COUNT {
            true => ON_DEMAND[place],
            false => BRAKING[place - ON_DEMAND_COUNT],
        };
        ports[place] = HostPort { scope: Scope::Instance, ..port };
        place += 1;
    }
    ports
};

/// Inputs of a friction model that solves the brake together with the contact. For a model that
/// reads the first input, `torque` is the torque of the motor only.
pub const BRAKING: [HostPort; 2] = [
    wheel("brake_limit", "N·m", "largest torque of the brake, against the spin, at least 0"),
    wheel(
        "slope_fx",
        "N",
        "part of the forward pull of slope and air that this wheel has to hold, 0 without a brake torque",
    ),
];

const CAMBER: HostPort = wheel(
    "camber",
    "rad",
    "inclination of the wheel against the vehicle, positive with the top to the right; 0 unless the dynamics class sets it",
);
const CAMBER_RATE: HostPort = wheel(
    "camber_rate",
    "rad/s",
    "rate of change of the camber; 0 unless the dynamics class sets it",
);

/// Inputs of the host that a controller can drive on any vehicle in addition to the inputs of its dynamics
/// class: the velocity of the reference point in the vehicle frame, imposed before the step.
pub const ACTUATORS: &[HostPort] = &[
    vehicle("twist_vx", "m/s", "imposed forward velocity, vehicle frame"),
    vehicle("twist_vy", "m/s", "imposed leftward velocity, vehicle frame"),
    vehicle("twist_omega", "rad/s", "imposed yaw rate, positive counter-clockwise"),
];

/// Measurements of a dynamics class that the host reads, if the class has them: the twist estimated
/// from the wheels, which moves the odometry pose.
pub const ODOMETRY: &[HostPort] = &[
    vehicle("odometry_vx", "m/s", "forward velocity estimated from the wheels, vehicle frame"),
    vehicle("odometry_vy", "m/s", "leftward velocity estimated from the wheels, vehicle frame"),
    vehicle("odometry_omega", "rad/s", "yaw rate estimated from the wheels, counter-clockwise"),
];

const STEER: HostPort = wheel("steer", "rad", "steering angle, positive counter-clockwise");
const SPIN: HostPort = wheel("spin", "rad/s", "wheel spin, positive when rolling forwards");

/// Outputs of the phase `drive` of a dynamics class. All from `brake_torque` on can be left out.
pub const DRIVE_OUTPUTS: &[HostPort] = &[
    wheel("torque", "N·m", "motor torque, positive forwards"),
    STEER,
    wheel("brake_torque", "N·m", "largest torque of the brake, against the spin"),
    CAMBER,
    CAMBER_RATE,
    wheel("drive_inertia", "kg·m²", "moment of inertia that the powertrain adds to the wheel"),
    wheel("contact_load", "N", "force that presses the wheel on the ground"),
    wheel("contact_vx", "m/s", "velocity of the contact point along the heading"),
    wheel("contact_vy", "m/s", "velocity of the contact point to the left"),
    wheel("contact_radius", "m", "distance of the wheel centre from the contact point"),
];

/// Outputs of the phase `wrench` of a dynamics class. The camber can be left out.
pub const WRENCH_OUTPUTS: &[HostPort] = &[
    vehicle("force_x", "N", "forward force, vehicle frame"),
    vehicle("force_y", "N", "leftward force, vehicle frame"),
    vehicle("moment", "N·m", "moment about the reference point, positive counter-clockwise"),
    SPIN,
    STEER,
    CAMBER,
    CAMBER_RATE,
];

/// Outputs of the phase `motion` of a dynamics class: the motion at the end of the step. The camber can
/// be left out, and so can all of [`SPATIAL_OUTPUTS`] together.
pub const MOTION_OUTPUTS: &[HostPort] = &[
    vehicle("x", "m", "reference point, world frame"),
    vehicle("y", "m", "reference point, world frame"),
    vehicle("yaw", "rad", "heading, counter-clockwise from the world x axis"),
    vehicle("vx", "m/s", "forward velocity of the reference point, vehicle frame"),
    vehicle("vy", "m/s", "leftward velocity of the reference point, vehicle frame"),
    vehicle("omega", "rad/s", "yaw rate, positive counter-clockwise"),
    SPIN,
    STEER,
    CAMBER,
    CAMBER_RATE,
    SPATIAL[0],
    SPATIAL[1],
    SPATIAL[2],
    SPATIAL[3],
    SPATIAL[4],
    SPATIAL[5],
];

/// Further outputs of the phase `motion` of a class that integrates all six degrees of freedom. A class
/// without them follows the ground. A class has all of them or none.
pub const SPATIAL_OUTPUTS: &[HostPort] = &SPATIAL;

/// Outputs of the phase `energy` of a dynamics class that moves its body with the forces of friction models. The phase
/// has all of them.
pub const ENERGY_OUTPUTS: &[HostPort] = &[
    vehicle("kinetic_energy", "J", "kinetic energy without the spin of the wheels"),
    vehicle("potential_energy", "J", "energy of height and of springs"),
    vehicle("tyre_energy", "J", "energy of compressed tyres, a part of the potential energy"),
    vehicle(
        "compression_power",
        "W",
        "power with which the motion of the wheels compresses the tyres",
    ),
    vehicle("tyre_power", "W", "power of the ground on the wheels, without the spin"),
    vehicle("damping_power", "W", "power of dampers and links on the vehicle"),
    vehicle("air_power", "W", "power of the air on the vehicle"),
];

const SPATIAL: [HostPort; 6] = [
    vehicle("z", "m", "height of the reference point, world frame"),
    vehicle("pitch", "rad", "pitch, positive nose down"),
    vehicle("roll", "rad", "roll, positive right side down"),
    vehicle("vz", "m/s", "velocity of the reference point along the z axis of the vehicle"),
    vehicle("pitch_rate", "rad/s", "angular velocity about the y axis of the vehicle"),
    vehicle("roll_rate", "rad/s", "angular velocity about the x axis of the vehicle"),
];

/// Outputs of the phase `aim` of a sensor, all optional: the fan of its rays.
pub const AIM_OUTPUTS: &[HostPort] = &[
    vehicle("origin_x", "m", "origin of the fan ahead of the reference point"),
    vehicle("origin_y", "m", "origin of the fan left of the reference point"),
    vehicle("origin_z", "m", "origin of the fan above the ground"),
    vehicle("origin_yaw", "rad", "heading of the fan in the vehicle frame"),
    HostPort { default: f64::INFINITY, ..vehicle("max_range", "m", "largest range") },
    HostPort {
        default: 1.0,
        ..vehicle("see_bodies", "1", "1 when vehicles and movable blocks are seen, or else 0")
    },
    HostPort { scope: Scope::Ray, ..vehicle("angle", "rad", "angle from the heading of the fan") },
];

/// Inputs of the phase `read` of a sensor: the results of its rays.
pub const RAY_RESULTS: &[HostPort] = &[HostPort {
    scope: Scope::Ray,
    default: f64::INFINITY,
    ..vehicle("range", "m", "distance to the first contour, infinite for none")
}];

/// Inputs of the phase `read` of a sensor that do not change during a run.
pub const SENSOR_CONSTANTS: &[HostPort] = &[
    HostPort { default: 0.1, ..vehicle("sample_period", "s", "time between two samples") },
    vehicle("origin_height", "m", "height of the origin of the world above the ellipsoid"),
    vehicle("world_to_enu", "rad", "rotation from the axes of the world to east-north-up"),
];

/// Calls a macro with the ports of friction models: `inputs { … } outputs { … }`, each entry being
/// `name, unit, default, doc;`. All of them are of scope instance, and a lane is a wheel.
#[macro_export]
macro_rules! friction_ports {
    ($then:ident) => {
        $then! {
            inputs {
                vx, "m/s", 0.0, "Velocity of the wheel centre along its rolling direction.";
                vy, "m/s", 0.0, "Velocity of the wheel centre to its left.";
                spin, "rad/s", 0.0, "Wheel spin, positive when rolling forwards.";
                torque, "N·m", 0.0, "Motor and brake torque on the wheel, positive forwards.";
                normal_force, "N", 0.0,
                    "Normal load: force that presses the wheel on the ground, its own weight included.";
                gravity, "m/s²", 0.0, "Gravity normal to the ground.";
                radius, "m", 0.0, "Rolling radius.";
                inertia, "kg·m²", 0.0, "Moment of inertia about the axle.";
                steer, "rad", 0.0,
                    "Steering angle plus mounting yaw of the wheel, vehicle frame.";
                slope_fy, "N", 0.0,
                    "Part of the leftward pull of slope and air that this wheel has to hold.";
                mu_override, "1", -1.0,
                    "Friction coefficient of the ground here, negative where the ground has none.";
                c_rr_override, "1", -1.0,
                    "Rolling resistance of the ground here, negative where the ground has none.";
                coupling, "1", 0.0,
                    "How much less mass the wheel has to move than rests on it, because all wheels together turn the vehicle: that mass divided by the other, less 1.";
            }
            outputs {
                fx, "N", 0.0,
                    "Force of the ground on the wheel along its rolling direction, wheel frame.";
                fy, "N", 0.0, "Force of the ground on the wheel to its left, wheel frame.";
                spin_torque, "N·m", 0.0,
                    "Torque on the wheel about its axle in addition to motor and brake; the host integrates the spin with it.";
            }
        }
    };
}

/// Declares the tables of friction models.
macro_rules! tables {
    (
        inputs { $( $input:ident, $in_unit:literal, $in_default:literal, $in_doc:literal; )* }
        outputs { $( $output:ident, $out_unit:literal, $out_default:literal, $out_doc:literal; )* }
    ) => {
        /// Inputs of a friction model, for the wheel in its lane.
        pub const WHEEL_INPUTS: &[HostPort] = &[$( HostPort {
            name: stringify!($input),
            unit: $in_unit,
            scope: Scope::Instance,
            default: $in_default,
            doc: $in_doc,
        } ),*];

        /// Outputs of a friction model.
        pub const WHEEL_OUTPUTS: &[HostPort] = &[$( HostPort {
            name: stringify!($output),
            unit: $out_unit,
            scope: Scope::Instance,
            default: $out_default,
            doc: $out_doc,
        } ),*];
    };
}

friction_ports!(tables);

const fn port(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { name, unit, scope: Scope::Instance, default: 0.0, doc }
}

/// Inputs of the phases `wind` and `surface` of an environment: a point, world frame.
pub const POINT_INPUTS: &[HostPort] = &[
    port("x", "m", "x of the point, world frame"),
    port("y", "m", "y of the point, world frame"),
    port("z", "m", "height of the point, world frame"),
];

/// Outputs of the phase `wind` of an environment: the velocity of the air at the point.
pub const WIND_OUTPUTS: &[HostPort] = &[
    port("wind_x", "m/s", "velocity of the air along the x axis, world frame"),
    port("wind_y", "m/s", "velocity of the air along the y axis, world frame"),
    port("wind_z", "m/s", "upward velocity of the air, world frame"),
];

/// Outputs of the phase `surface` of an environment: the ground at the point.
pub const SURFACE_OUTPUTS: &[HostPort] = &[
    port("mu", "1", "friction coefficient, negative where the environment gives none"),
    port("c_rr", "1", "rolling resistance, negative where the environment gives none"),
];

/// Outputs of the phase `gravity` of an environment.
pub const GRAVITY_OUTPUTS: &[HostPort] =
    &[port("gravity", "m/s²", "gravity, negative if the environment gives none")];
