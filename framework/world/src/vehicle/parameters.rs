//! The parameters of `<vehicle>` and `<vehicle:class>`.

use std::sync::Arc;

use simhost_scene::Pose3;

use super::aerodynamics::Aerodynamics;
use super::dynamics::DYNAMICS;
use super::friction::FRICTION;
use super::log::{self, VehicleLog};
use super::odometry::OdometrySettings;
use super::robot_fault::{GivenFault, UnboundFault};
use super::scale::Scale;
use super::suspension::Suspension;
use crate::animation::{self, Animation};
use crate::expansion::{FOR_ENTRY, IF_ENTRY, INCLUDE_ENTRY};
use crate::pose;
use crate::publish::{self, Publish};
use crate::reader::declare;
use crate::semantic;
use crate::sensor::{SENSOR, SensorUse};
use crate::visual::{self, Visual};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Section, Value, section};

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
        pub suspension: Option<Suspension> =
            child(Value::Element(Suspension::SECTION)).or_else("rigid: normal loads change immediately");
        /// Another size with the same performance.
        pub scale: Option<Scale> = child(Value::Element(Scale::SECTION)).or_else("the size that is described");
        /// Errors of the odometry.
        pub odometry: OdometrySettings = child(Value::Element(OdometrySettings::SECTION));
        /// A sensor.
        pub sensors: Arc<[SensorUse]> = child(Value::Element(&SENSOR)).named("sensor").names_class().repeats();
        /// A fault of the robot.
        pub faults: Arc<[UnboundFault]> = child(Value::Element(GivenFault::SECTION)).named("fault").repeats();
        /// Visuals.
        pub visuals: Arc<[Visual]> = visual::ENTRY;
        /// Publication to other processes.
        pub publish: Option<Arc<Publish>> = publish::ENTRY;
        /// Semantic class.
        pub semantic: Option<Arc<str>> = semantic::ENTRY;
        /// A prescribed motion instead of driving.
        pub animation: Option<Arc<Animation>> =
            child(animation::ELEMENT),
            INCLUDE_ENTRY,
            IF_ENTRY,
            FOR_ENTRY,
            child(Value::Presence).named("controller")
                .doc("A former position of the controller, which belongs in `<dynamics>`.");
        /// The log.
        pub log: Option<Arc<VehicleLog>> = log::PATH, log::STARTS;
    }
}

declare! {
    const INSTANCE: VehicleParameters {
        /// Name, unique among vehicles.
        name = attribute(Value::Text).or_else("veh1, veh2, …");
        /// Name of a `<vehicle:class>` declared before.
        class = attribute(Value::Text);
        /// Vehicle file in JSON, which is used as a class; relative to this file.
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
