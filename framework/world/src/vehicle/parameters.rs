//! The parameters of `<vehicle>` and `<vehicle:class>`.

use std::sync::Arc;

use simhost_model::{ScalingLaw, Size};
use simhost_scene::Pose3;

use super::description;
use super::description::{Aerodynamics, VehicleLog};
use super::dynamics::DYNAMICS;
use super::robot_fault::{GivenFault, UnboundFault};
use super::suspension::BodySprings;
use super::wheel::FRICTION;
use crate::animation::Animation;
use crate::expansion::{FOR_ENTRY, IF_ENTRY, INCLUDE_ENTRY};
use crate::publish::Publish;
use crate::reader::{Words, declare, words};
use crate::robot_description::RobotDescription;
use crate::sensor::{SENSOR, SensorUse};
use crate::sources::Span;
use crate::visual::Visual;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Section, Value, element, number, section};
use crate::{animation, pose, publish, semantic, visual};

declare! {
    /// What a vehicle and its class give, apart from the dynamics class, its controller and the friction model.
    #[derive(Clone, Debug)]
    pub(super) struct VehicleParameters {
        /// Initial pose of the reference point.
        pub pose: Pose3 = pose::INITIAL, pose::INITIAL_3D;
        /// Whether the height of the pose is kept.
        pub skip_elevation_adjust: bool = pose::KEPT_HEIGHT;
        // `read_models` in composition.rs reads dynamics, friction and controller
        /// Initial velocity.
        pub velocity: [f64; 3] =
            pose::VELOCITY,
            child(Value::Element(&DYNAMICS)).named("dynamics").doc("Wheels, chassis and controller.")
                .or_else("required here or in the class"),
            child(Value::Element(&FRICTION)).named("friction").doc("Force between wheels and ground.")
                .or_else("class `default`");
        /// Drag and lift.
        pub aerodynamics: Aerodynamics = child(Value::Element(Aerodynamics::SECTION)).or_else("no aerodynamic forces");
        /// Springs and dampers between wheels and body.
        pub suspension: Option<BodySprings> =
            child(Value::Element(BodySprings::SECTION)).or_else("rigid: normal loads change immediately");
        /// Another size with the same performance.
        pub scale: Option<Scale> = child(Value::Element(Scale::SECTION)).or_else("the size that is described");
        /// Errors of the odometry.
        pub odometry: OdometrySettings = child(Value::Element(OdometrySettings::SECTION));
        /// A sensor.
        pub sensors: Arc<[SensorUse]> = child(Value::Element(&SENSOR)).named("sensor").names_class().repeats();
        /// A fault of the robot.
        pub faults: Arc<[UnboundFault]> = child(Value::Element(GivenFault::SECTION)).named("fault").repeats();
        /// Visuals.
        pub visuals: Arc<[Visual]> = visual::APPEARANCE_ENTRY;
        /// Publication to other processes.
        pub publish: Option<Arc<Publish>> = publish::ENTRY;
        /// Semantic class.
        pub semantic: Option<Arc<str>> = semantic::ENTRY;
        /// The file of the robot from which the vehicle was made.
        pub robot: Option<Arc<RobotDescription>> =
            child(Value::Element(RobotDescription::SECTION)).named("robot_description");
        /// A prescribed motion instead of driving.
        pub animation: Option<Arc<Animation>> =
            child(animation::ELEMENT),
            INCLUDE_ENTRY,
            IF_ENTRY,
            FOR_ENTRY,
            child(Value::Presence).named("controller")
                .doc("A former position of the controller, which belongs in `<dynamics>`.");
        /// The log.
        pub log: Option<Arc<VehicleLog>> = description::PATH, description::STARTS;
    }
}

declare! {
    const INSTANCE: VehicleParameters {
        /// Name, unique among vehicles.
        name = attribute(Value::Text).or_else("veh1, veh2, …");
        /// Name of a `<vehicle:class>` declared before.
        class = attribute(Value::Text);
        /// Vehicle file in JSON, or a robot in URDF or SDF, which is used as a class; relative to this file.
        file = attribute(Value::Uri).unused("expansion replaces it by a class");
    }
}

declare! {
    const OF_CLASS: VehicleParameters {
        /// Name that `class` refers to.
        name = attribute(Value::Text).required();
    }
}

pub(crate) static VEHICLE: Section = section("vehicle", "A vehicle.", INSTANCE).first_wins();
pub(crate) static CLASS: Section =
    section("vehicle:class", "Properties that the vehicles of a class share.", OF_CLASS)
        .first_wins();

declare! {
    /// Factors on the increments of the odometry pose.
    section = element("odometry");

    /// The odometry of a vehicle.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct OdometrySettings {
        /// Factors on the increments of x, y and yaw.
        pub multipliers: [f64; 3] =
            attribute(number("1")).named("x_multiplier").doc("Factor on forward motion.").or("1"),
            attribute(number("1")).named("y_multiplier").doc("Factor on leftward motion.").or("1"),
            attribute(number("1")).named("yaw_multiplier").doc("Factor on rotation.").or("1");
        /// Pose of the vehicle in its frame `odom` in the stream `tf`: the pose of the odometry, or
        /// the true pose, so that `odom` stays at the origin of `map`.
        pub transform: OdometryFrame = attribute(Value::Choice(OdometryFrame::WORDS)).or("odometry");
    }
}

/// The pose of a vehicle in the frame of its odometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OdometryFrame {
    Odometry,
    /// The true pose: the frame rests at the origin of the world.
    Truth,
}

words!(OdometryFrame { "odometry" => Odometry, "truth" => Truth });

declare! {
    /// Size of the vehicle relative to its description. Masses, inertias, torques, gearing and drag follow,
    /// so that the velocity over time v(t) stays the same.
    section = element("scale");

    /// The size of a vehicle relative to its description.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) struct Scale {
        /// Factor on all lengths.
        factor: f64 = attribute(number("1").at_least(0.001).at_most(1000.0)).required();
        /// Whether the mass grows with the third power of the size, or stays the same.
        law: ScalingLaw = attribute(Value::Choice(ScalingLaw::WORDS)).or("constant_density");
        /// Position of the element.
        pub span: Span => |reader| reader.element.name_span;
    }
}

words!(ScalingLaw { "constant_density" => ConstantDensity, "constant_mass" => ConstantMass });

impl Scale {
    /// Returns the size.
    pub fn size(&self) -> Size {
        Size { factor: self.factor, law: self.law }
    }
}
