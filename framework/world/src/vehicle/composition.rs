//! The vehicle that a `<vehicle>` and its `<vehicle:class>` make together.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::FixedState;
use simhost_model::ParamValue;

use super::chassis::Chassis;
use super::description::Vehicle;
use super::dynamics::Dynamics;
use super::parameters::{CLASS, OdometryFrame, VEHICLE, VehicleParameters};
use super::repeats::Repeats;
use super::resize::Resized;
use super::wheel::WheelSpec;
use super::{chassis, dynamics, fault_target};
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::ModelUse;
use crate::reader::{ClassValues, ElementReader, Fields};
use crate::robot_description::{RobotDescription, check_wheels};
use crate::sensor::{SensorUse, name_sensors};
use crate::tree::{Element, Text};

/// The vehicle names and classes read so far.
#[derive(Debug)]
pub(crate) struct Vehicles<'e> {
    pub names: HashSet<String, FixedState>,
    classes: ClassTable<VehicleClass<'e>>,
    /// Values of vehicles without a class.
    defaults: ClassValues,
    repeats: Repeats<'e>,
    resized: Resized,
}

impl Default for Vehicles<'_> {
    fn default() -> Self {
        let classes = ClassTable::new("vehicle:class");
        let (repeats, resized) = (Repeats::default(), Resized::default());
        let (names, defaults) = (HashSet::default(), ClassValues::default());
        Self { names, classes, defaults, repeats, resized }
    }
}

/// A class of vehicles.
#[derive(Debug)]
struct VehicleClass<'e> {
    values: ClassValues,
    /// Whether dynamics are given, valid or not.
    has_dynamics: bool,
    models: VehicleModels<'e>,
    /// Sensors of vehicles that add no further sensors.
    sensors: OnceCell<Arc<[SensorUse]>>,
}

/// The models that a vehicle or a class gives.
#[derive(Debug, Default)]
struct VehicleModels<'e> {
    dynamics: Option<Rc<Dynamics>>,
    /// A controller next to dynamics that are given elsewhere.
    controller: Option<&'e Element>,
    friction: Option<Arc<ModelUse>>,
}

/// Reads a `<vehicle:class>`.
pub(crate) fn read_class<'e>(
    context: &mut Context<'_>,
    vehicles: &mut Vehicles<'e>,
    element: &'e Element,
) {
    let Vehicles { classes, repeats, .. } = vehicles;
    let name = element.attribute("name").and_then(Text::value);
    context.set_owner("vehicle class", name.unwrap_or_default());
    classes.declare(context, element, |context| {
        let mut reader = ElementReader::of_class(context, element, &CLASS).into_class();
        VehicleParameters::read(&mut reader, 0);
        let (values, has_dynamics) = (reader.take_values(), reader.is_given("dynamics"));
        let models = read_models(reader, repeats, None);
        VehicleClass { values, has_dynamics, models, sensors: OnceCell::new() }
    });
}

/// Reads a `<vehicle>`. Returns `None` if it has errors.
pub(crate) fn read_vehicle<'e>(
    context: &mut Context<'_>,
    vehicles: &mut Vehicles<'e>,
    element: &'e Element,
) -> Option<Vehicle> {
    let name = read_name(context, vehicles, element.attribute("name"));
    context.set_owner("vehicle", &name);
    let vehicle = compose(context, vehicles, element, &name);
    // errors in a class are reported once, when it is read
    if vehicle.is_none() && !context.report.has_errors() {
        context.report.error(element.name_span, "this vehicle is not complete", "");
    }
    vehicle
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
    let class = class.as_deref();
    read_defaults(context, vehicles, element);
    let reader = ElementReader::of_class(context, element, &VEHICLE);
    let mut reader = reader.of(Some(class.map_or(&vehicles.defaults, |class| &class.values)));
    let parameters = VehicleParameters::read(&mut reader, 0);
    let adds_sensors = reader.is_given("sensor");
    let inherits_dynamics = class.is_some_and(|class| class.has_dynamics);
    let has_dynamics = inherits_dynamics || reader.is_given("dynamics");
    let models = read_models(reader, &mut vehicles.repeats, class.map(|class| &class.models));
    let friction = models.friction;
    let friction = friction.or_else(|| vehicles.repeats.default_friction(context, element));
    if !has_dynamics {
        report_missing_dynamics(context, element, name);
    }
    let parameters = parameters?;
    let visuals = parameters.visuals;
    let shared = class.filter(|_| !adds_sensors).map(|class| &class.sensors);
    let sensors = named(context, &parameters.sensors, shared, name);
    let mut dynamics = models.dynamics?;
    if let Some(controller) = models.controller {
        dynamics = Rc::new(dynamics.with_controller(context, controller)?);
    }
    dynamics::check_linked(context, &dynamics, &visuals);
    let friction = friction?;
    let suspension = parameters.suspension.map(|one| one.bind(context, &dynamics.wheels));
    let vehicle = Vehicle {
        name: name.to_owned(),
        span: element.name_span,
        pose: parameters.pose,
        velocity: parameters.velocity,
        skip_elevation_adjust: parameters.skip_elevation_adjust,
        chassis: chassis::resolve(context, &dynamics.chassis, &visuals, element)?,
        wheels: Arc::clone(&dynamics.wheels),
        dynamics: Arc::clone(&dynamics.model),
        wheel_friction: vehicles.repeats.wheel_friction(context, &dynamics, &friction),
        friction,
        controller: Arc::clone(&dynamics.controller),
        actuators: Arc::clone(&dynamics.actuators),
        suspensions: Arc::clone(&dynamics.suspensions),
        sensors,
        readings: Arc::default(),
        sensor_readings: Arc::default(),
        actuator_readings: Arc::default(),
        faults: Arc::default(),
        aerodynamics: parameters.aerodynamics,
        suspension,
        odometry_multipliers: parameters.odometry.multipliers,
        has_true_odometry_frame: parameters.odometry.transform == OdometryFrame::Truth,
        animation: parameters.animation,
        visuals,
        publish: parameters.publish,
        log: parameters.log,
        semantic: parameters.semantic,
        robot: robot(context, parameters.robot, &dynamics.wheels, parameters.scale.is_some()),
    };
    let vehicle = match parameters.scale {
        Some(scale) => vehicles.resized.vehicle(context, vehicle, &scale)?,
        None => vehicle,
    };
    // with visuals, another body is seen
    if vehicle.visuals.is_empty() {
        warn(context, &vehicle.chassis, &vehicle.sensors);
    }
    if parameters.faults.is_empty() {
        return Some(vehicle);
    }
    let faults = fault_target::bind_fault(context, &vehicle, parameters.faults.iter());
    Some(Vehicle { faults, ..vehicle })
}

/// Returns the robot from which a vehicle was made. A vehicle of another size is not this robot.
fn robot(
    context: &mut Context<'_>,
    robot: Option<Arc<RobotDescription>>,
    wheels: &[WheelSpec],
    is_scaled: bool,
) -> Option<Arc<RobotDescription>> {
    let robot = robot.filter(|_| !is_scaled)?;
    check_wheels(context, &robot, wheels.iter().map(|wheel| wheel.tag.as_str()));
    Some(robot)
}

/// Reads the values of vehicles without a class, if that has not been done.
fn read_defaults(context: &mut Context<'_>, vehicles: &mut Vehicles<'_>, element: &Element) {
    if vehicles.defaults.is_empty() {
        let nothing = element.without_content();
        vehicles.defaults = ClassValues::read::<VehicleParameters>(context, &nothing, &VEHICLE);
    }
}

fn report_missing_dynamics(context: &mut Context<'_>, element: &Element, name: &str) {
    let error = Diagnostic::error(format!("vehicle `{name}` has no dynamics"))
        .at(element.name_span)
        .help("write <dynamics class=\"…\">");
    context.report.push(error);
}

/// Returns the sensors of a vehicle and its class with their names. Vehicles that add none share those in `shared`.
fn named(
    context: &mut Context<'_>,
    sensors: &[SensorUse],
    shared: Option<&OnceCell<Arc<[SensorUse]>>>,
    vehicle: &str,
) -> Arc<[SensorUse]> {
    if let Some(known) = shared.and_then(OnceCell::get) {
        return Arc::clone(known);
    }
    let named = name_sensors(context, sensors.iter(), vehicle).into();
    match shared {
        Some(shared) => Arc::clone(shared.get_or_init(|| named)),
        None => named,
    }
}

/// Reads the models of a vehicle or a class, and finishes the element. A vehicle has the models of its class where it
/// gives none.
fn read_models<'e>(
    mut reader: ElementReader<'_, '_, 'e>,
    repeats: &mut Repeats<'e>,
    class: Option<&VehicleModels<'e>>,
) -> VehicleModels<'e> {
    let (dynamics, friction) = (reader.child("dynamics"), reader.child("friction"));
    let controller = reader.child("controller");
    let context = reader.finish();
    let has_inner = |element: &Element| element.children.iter().any(|c| c.name == "controller");
    let own = match (dynamics, controller) {
        (Some(element), Some(controller)) if !has_inner(element) => {
            dynamics::read_with(context, element, controller).map(Rc::new)
        }
        (Some(element), outer) => {
            outer.into_iter().for_each(|outer| dynamics::report_second(context, outer));
            repeats.dynamics(context, element)
        }
        (None, _) => None,
    };
    let base = class.and_then(|class| class.friction.as_ref());
    let friction = friction.and_then(|element| repeats.friction(context, element, base));
    VehicleModels {
        dynamics: own.or_else(|| class?.dynamics.clone()),
        controller: controller
            .filter(|_| dynamics.is_none())
            .or_else(|| class.and_then(|class| class.controller)),
        friction: friction.or_else(|| base.cloned()),
    }
}

/// Warns of sensors that see nothing but the chassis of their vehicle, in which they are.
fn warn(context: &mut Context<'_>, chassis: &Chassis, sensors: &[SensorUse]) {
    for SensorUse { name, model, .. } in sensors {
        // a camera at the default place does not see its vehicle
        let mut params = model.model.model.params().iter();
        let default = params.find(|desc| desc.key() == "pose_3d").map(ParamValue::default_of);
        let is_placed = model.value("pose_3d") != default.as_ref();
        let is_hidden =
            is_placed && model.value("ignore_parent_body") == Some(&ParamValue::Bool(false));
        let Some(ParamValue::Items(pose)) = model.value("pose_3d").filter(|_| is_hidden) else {
            continue;
        };
        let [ParamValue::Number(x), ParamValue::Number(y), ParamValue::Number(z), ..] = &**pose
        else {
            continue;
        };
        if chassis.contains([*x, *y, *z]) {
            let message = format!(
                "sensor `{name}` is inside the chassis of its vehicle, which hides everything else"
            );
            let help =
                "move it with <pose_3d>, or write <ignore_parent_body>true</ignore_parent_body>";
            let warning = Diagnostic::warning(message).at(model.span).label("inside the chassis");
            context.report.push(warning.help(help));
        }
    }
}
