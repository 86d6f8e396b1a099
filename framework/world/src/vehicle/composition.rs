//! The `<vehicle>` and `<vehicle:class>` elements, and the vehicle that both make together.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::FixedState;

use simhost_scene::Pose3;

use super::aerodynamics::{self, AERODYNAMICS, Aerodynamics};
use super::chassis::{self};
use super::description::Vehicle;
use super::dynamics::{self, DYNAMICS, Dynamics};
use super::fault_binding;
use super::friction::FRICTION;
use super::hidden_sensors;
use super::log::{self, LogLayer};
use super::odometry::{self, ODOMETRY, OdometrySettings};
use super::repeats::Repeats;
use super::resize::Resized;
use super::robot_fault::{self, FAULT, UnboundFault};
use super::scale::{self, SCALE, Scale};
use super::suspension::{self, SUSPENSION, UnboundSuspension};
use crate::animation::{ANIMATION, Animation, read_animation};
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::expansion::{FOR_ENTRY, IF_ENTRY, INCLUDE_ENTRY};
use crate::models::ModelUse;
use crate::pose::{self, has_pose, read_pose, read_velocity, report_missing_pose};
use crate::publish::{self, Publish, read_publish};
use crate::reader::ElementReader;
use crate::semantic::{self, read_semantic};
use crate::sensor::{SENSOR, SensorUse, UnnamedSensor, name_sensors, read_sensor};
use crate::spelling;
use crate::tree::{Element, Text};
use crate::visual::{self, Visual, read_visuals};
use crate::vocabulary::{Entry, Section, Value, attribute, child, count, joined, section};

pub(crate) static VEHICLE: Section = section("vehicle", "A vehicle.", INSTANCE).first_wins();
pub(crate) static CLASS: Section =
    section("vehicle:class", "Properties that the vehicles of a class share.", IN_CLASS)
        .first_wins();

const INSTANCE_LISTS: &[&[Entry]] = &[
    pose::BODY_POSE,
    COMMON,
    log::ENTRIES,
    &[
        attribute("name", Value::Text, "Name, unique among vehicles.").or_else("veh1, veh2, …"),
        attribute("class", Value::Text, "Name of a `<vehicle:class>` declared before."),
        attribute(
            "file",
            Value::Uri,
            "Vehicle file in JSON, which is used as a class; relative to this file.",
        )
        .unused("expansion replaces it by a class"),
    ],
];
const INSTANCE: &[Entry] = &joined::<{ count(INSTANCE_LISTS) }>(INSTANCE_LISTS);

const CLASS_LISTS: &[&[Entry]] = &[
    pose::BODY_POSE,
    COMMON,
    log::ENTRIES,
    &[attribute("name", Value::Text, "Name that `class` refers to.").required()],
];
const IN_CLASS: &[Entry] = &joined::<{ count(CLASS_LISTS) }>(CLASS_LISTS);

const COMMON: &[Entry] = &[
    pose::VELOCITY,
    child("dynamics", Value::Element(&DYNAMICS), "Wheels, chassis and controller.")
        .or_else("required here or in the class"),
    child("friction", Value::Element(&FRICTION), "Force between wheels and ground.")
        .or_else("class `default`"),
    child("aerodynamics", Value::Element(&AERODYNAMICS), "Drag and lift.")
        .or_else("no aerodynamic forces"),
    child(
        "suspension",
        Value::Element(&SUSPENSION),
        "Springs and dampers between wheels and body.",
    )
    .or_else("rigid: normal loads change immediately"),
    child("scale", Value::Element(&SCALE), "Another size with the same performance.")
        .or_else("the size that is described"),
    child("odometry", Value::Element(&ODOMETRY), "Errors of the odometry."),
    child("sensor", Value::Element(&SENSOR), "A sensor.").repeats(),
    child("fault", Value::Element(&FAULT), "A fault of the robot.").repeats(),
    visual::ENTRY,
    publish::ENTRY,
    semantic::ENTRY,
    child("animation", Value::Element(&ANIMATION), "A motion that is played instead of driving."),
    INCLUDE_ENTRY,
    IF_ENTRY,
    FOR_ENTRY,
    child(
        "controller",
        Value::Presence,
        "An old place of the controller, which belongs in `<dynamics>`.",
    ),
];

/// The vehicle names and classes read so far.
#[derive(Debug)]
pub(crate) struct Vehicles<'e> {
    pub names: HashSet<String, FixedState>,
    classes: ClassTable<VehicleLayer>,
    repeats: Repeats<'e>,
    resized: Resized,
}

impl Default for Vehicles<'_> {
    fn default() -> Self {
        let classes = ClassTable::new("vehicle:class");
        let (repeats, resized) = (Repeats::default(), Resized::default());
        Self { names: HashSet::default(), classes, repeats, resized }
    }
}

/// Definition of a vehicle in one element: the vehicle itself or its class.
#[derive(Debug, Default)]
struct VehicleLayer {
    pose: Option<Pose3>,
    /// Whether a pose is given, valid or not.
    has_pose: bool,
    has_dynamics: bool,
    velocity: Option<[f64; 3]>,
    skip_elevation_adjust: bool,
    dynamics: Option<Rc<Dynamics>>,
    /// A controller next to dynamics that are given elsewhere.
    controller: Option<Element>,
    friction: Option<Arc<ModelUse>>,
    odometry: Option<OdometrySettings>,
    aerodynamics: Option<Aerodynamics>,
    suspension: Option<UnboundSuspension>,
    scale: Option<Scale>,
    sensors: Vec<UnnamedSensor>,
    faults: Vec<UnboundFault>,
    visuals: Vec<Visual>,
    animation: Option<Arc<Animation>>,
    publish: Option<Arc<Publish>>,
    log: LogLayer,
    semantic: Option<Arc<str>>,
    /// Sensors and visuals of vehicles that add none of their own.
    shared: OnceCell<Equipment>,
}

/// Sensors and visuals of a vehicle.
#[derive(Clone, Debug)]
struct Equipment {
    sensors: Arc<[SensorUse]>,
    visuals: Arc<[Visual]>,
}

/// Reads a `<vehicle:class>`.
pub(crate) fn read_class<'e>(
    context: &mut Context<'_>,
    vehicles: &mut Vehicles<'e>,
    element: &'e Element,
) {
    let Vehicles { classes, repeats, .. } = vehicles;
    let name = element.attribute("name").and_then(Text::value);
    set_owner(context, "vehicle class", name.unwrap_or_default());
    classes.declare(context, element, |context| read(context, repeats, element, &CLASS, None));
}

/// Reads a `<vehicle>`. Returns `None` if it has errors.
pub(crate) fn read_vehicle<'e>(
    context: &mut Context<'_>,
    vehicles: &mut Vehicles<'e>,
    element: &'e Element,
) -> Option<Vehicle> {
    let name = read_name(context, vehicles, element.attribute("name"));
    set_owner(context, "vehicle", &name);
    let vehicle = compose(context, vehicles, element, &name);
    // errors in a class are reported once, when it is read
    if vehicle.is_none() && !context.report.has_errors() {
        context.report.error(element.name_span, "this vehicle is not complete", "");
    }
    vehicle
}

/// Sets the name of the vehicle or class that is being read, in the memory of the one before.
fn set_owner(context: &mut Context<'_>, kind: &str, name: &str) {
    context.owner.clear();
    for part in [kind, " `", name, "`"] {
        context.owner.push_str(part);
    }
}

/// Returns the name of a vehicle. A vehicle without one is `veh1`, `veh2`, …
fn read_name(
    context: &mut Context<'_>,
    vehicles: &mut Vehicles<'_>,
    given: Option<&Text>,
) -> String {
    let Some((text, name)) = given.and_then(|text| Some((text, text.value()?))) else {
        let mut numbered = (vehicles.names.len() + 1..).map(|number| format!("veh{number}"));
        let name = numbered.find(|name| !vehicles.names.contains(name)).unwrap_or_default();
        vehicles.names.insert(name.clone());
        return name;
    };
    if name.is_empty() {
        context.report.error(text.span, "empty vehicle name", "");
    }
    if !vehicles.names.insert(name.to_owned()) {
        let error = Diagnostic::duplicate_name("vehicle", name, text.span);
        context.report.push(error.help("give each vehicle its own name, or none"));
    }
    name.to_owned()
}

fn compose<'e>(
    context: &mut Context<'_>,
    vehicles: &mut Vehicles<'e>,
    element: &'e Element,
    name: &str,
) -> Option<Vehicle> {
    let class = match element.attribute("class") {
        Some(text) => Some(vehicles.classes.find(context, text)?),
        None => None,
    };
    let base = class.as_ref().and_then(|class| class.friction.clone());
    let repeats = &mut vehicles.repeats;
    let own = read(context, repeats, element, &VEHICLE, base.as_ref());
    let layers: Vec<&VehicleLayer> = [&own].into_iter().chain(class.as_deref()).collect();
    if !layers.iter().any(|layer| layer.has_pose) {
        report_missing_pose(context, element, name);
    }
    let friction = match layers.iter().find_map(|layer| layer.friction.clone()) {
        Some(friction) => Some(friction),
        None => repeats.default_friction(context, element),
    };
    if !layers.iter().any(|layer| layer.has_dynamics) {
        let error = Diagnostic::error(format!("vehicle `{name}` has no dynamics"))
            .at(element.name_span)
            .help("write <dynamics class=\"…\">");
        context.report.push(error);
    }
    let Equipment { sensors, visuals } = equipment(context, &own, class.as_deref(), name);
    let mut dynamics = layers.iter().find_map(|layer| layer.dynamics.clone())?;
    if let Some(controller) = layers.iter().find_map(|layer| layer.controller.as_ref()) {
        dynamics = Rc::new(dynamics.with_controller(context, controller)?);
    }
    dynamics::check_linked(context, &dynamics, &visuals);
    let friction = friction?;
    let odometry = layers.iter().find_map(|layer| layer.odometry);
    let odometry = odometry.unwrap_or_else(odometry::default);
    let suspension = layers.iter().find_map(|layer| layer.suspension.as_ref());
    let suspension = suspension.map(|one| one.bind(context, &dynamics.wheels));
    let vehicle = Vehicle {
        name: name.to_owned(),
        span: element.name_span,
        pose: layers.iter().find_map(|layer| layer.pose)?,
        velocity: layers.iter().find_map(|layer| layer.velocity).unwrap_or_default(),
        skip_elevation_adjust: layers.iter().any(|layer| layer.skip_elevation_adjust),
        chassis: chassis::resolve(context, &dynamics.chassis, &visuals, element)?,
        wheels: Arc::clone(&dynamics.wheels),
        dynamics: Arc::clone(&dynamics.model),
        wheel_friction: vehicles.repeats.wheel_friction(context, &dynamics, &friction),
        friction,
        controller: Arc::clone(&dynamics.controller),
        actuators: Arc::clone(&dynamics.actuators),
        sensors,
        readings: Arc::default(),
        faults: Arc::default(),
        aerodynamics: layers.iter().find_map(|layer| layer.aerodynamics).unwrap_or_default(),
        suspension,
        odometry_multipliers: odometry.multipliers,
        has_true_odometry_frame: odometry.is_true,
        animation: layers.iter().find_map(|layer| layer.animation.clone()),
        visuals,
        publish: layers.iter().find_map(|layer| layer.publish.clone()),
        log: log::resolve(layers.iter().map(|layer| &layer.log)),
        semantic: layers.iter().find_map(|layer| layer.semantic.clone()),
    };
    let vehicle = match layers.iter().find_map(|layer| layer.scale) {
        Some(scale) => vehicles.resized.vehicle(context, vehicle, &scale)?,
        None => vehicle,
    };
    // with visuals, another body is seen
    if vehicle.visuals.is_empty() {
        hidden_sensors::warn(context, &vehicle.chassis, &vehicle.sensors);
    }
    if layers.iter().all(|layer| layer.faults.is_empty()) {
        return Some(vehicle);
    }
    let faults = layers.iter().flat_map(|layer| &layer.faults);
    Some(Vehicle { faults: fault_binding::bind(context, &vehicle, faults), ..vehicle })
}

/// Returns the sensors and visuals of a vehicle and its class together.
fn equipment(
    context: &mut Context<'_>,
    own: &VehicleLayer,
    class: Option<&VehicleLayer>,
    name: &str,
) -> Equipment {
    let shared = class.filter(|_| own.sensors.is_empty() && own.visuals.is_empty());
    if let Some(known) = shared.and_then(|class| class.shared.get()) {
        return known.clone();
    }
    let layers = || [own].into_iter().chain(class);
    let sensors = layers().flat_map(|layer| &layer.sensors);
    let sensors = name_sensors(context, sensors, name).into();
    let visuals = layers().flat_map(|layer| layer.visuals.iter().cloned()).collect();
    let equipment = Equipment { sensors, visuals };
    match shared {
        Some(class) => class.shared.get_or_init(|| equipment).clone(),
        None => equipment,
    }
}

/// Reads a vehicle or a class. `base` is the friction model of the vehicle's class.
fn read<'e>(
    context: &mut Context<'_>,
    repeats: &mut Repeats<'e>,
    element: &'e Element,
    section: &'static Section,
    base: Option<&Arc<ModelUse>>,
) -> VehicleLayer {
    let mut reader = ElementReader::of_class(context, element, section);
    let mut layer = VehicleLayer {
        pose: read_pose(&mut reader),
        has_pose: has_pose(&mut reader),
        velocity: read_velocity(&mut reader),
        skip_elevation_adjust: reader.is_given("skip_elevation_adjust"),
        animation: read_animation(&mut reader),
        publish: read_publish(&mut reader),
        log: log::read(&mut reader),
        semantic: read_semantic(&mut reader),
        ..VehicleLayer::default()
    };
    let (dynamics, friction) = (reader.child("dynamics"), reader.child("friction"));
    let odometry = reader.child("odometry");
    let aerodynamics = reader.child("aerodynamics");
    let suspension = reader.child("suspension");
    let scale = reader.child("scale");
    let controller = reader.child("controller");
    let (sensors, visuals) = (reader.children(&["sensor"]), reader.children(&["visual"]));
    let faults = reader.children(&["fault"]);
    let old_sensors = reader.claim_children(spelling::SENSOR);
    reader.finish();
    layer.has_dynamics = dynamics.is_some();
    let has_inner = |element: &Element| element.children.iter().any(|c| c.name == "controller");
    layer.dynamics = match (dynamics, controller) {
        (Some(element), Some(controller)) if !has_inner(element) => {
            dynamics::read_with(context, element, controller).map(Rc::new)
        }
        (Some(element), outer) => {
            outer.into_iter().for_each(|outer| dynamics::report_second(context, outer));
            repeats.dynamics(context, element)
        }
        (None, _) => None,
    };
    layer.controller = controller.filter(|_| dynamics.is_none()).cloned();
    layer.friction = friction.and_then(|element| repeats.friction(context, element, base));
    layer.odometry = odometry.map(|element| odometry::read(context, element));
    layer.aerodynamics = aerodynamics.map(|element| aerodynamics::read(context, element));
    layer.scale = scale.and_then(|element| scale::read(context, element));
    layer.suspension = suspension.and_then(|element| suspension::read(context, element));
    let sensors =
        sensors.into_iter().chain(old_sensors).filter_map(|element| read_sensor(context, element));
    layer.sensors = sensors.collect();
    let faults = faults.into_iter().filter_map(|element| robot_fault::read(context, element));
    layer.faults = faults.collect();
    layer.visuals = read_visuals(context, &visuals);
    layer
}
