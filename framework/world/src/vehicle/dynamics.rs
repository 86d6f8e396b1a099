//! The `<dynamics>` element: wheels, chassis, controller and actuators of a vehicle.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::{Kind, Model};
use simhost_model::View;

use super::axle_suspension::{self, AxleSuspension};
use super::chassis;
use super::chassis::{Chassis, ChassisSource, Dimensions};
use super::wheel::{WheelSpec, read_wheels};
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::models::{
    CONNECT_ENTRY, Connect, FILE, FILE_ENTRY, ModelUse, bind, class_of, fitting_controller,
    inherit, required_class, with_values,
};
use crate::reader::{ElementReader, declare};
use crate::sources::Span;
use crate::spelling;
use crate::tree::Element;
use crate::visual::Visual;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Section, Value, element, number, section};

declare! {
    const ENTRIES {
        /// Class that converts actuator inputs to wheel torques and steering angles.
        class = attribute(Value::Class(Kind::Dynamics)).or_else("`vehicle_model_type` of the file `simulator_model`");
        /// File with parameters.
        file = FILE_ENTRY;
        /// The body.
        chassis = child(Value::Element(Chassis::SECTION)).or_else("from the dynamics class");
        /// Converts commands to actuator inputs.
        controller = child(Value::Element(&CONTROLLER)).or_else("class `raw`");
        /// Modifies a value between controller and dynamics class.
        actuator = child(Value::Element(ActuatorUse::SECTION)).repeats();
        /// Guides the wheels of an axle.
        suspension = child(Value::Element(AxleSuspension::SECTION)).repeats()
            .or_else("class `none`, for a dynamics class with wheel travel");
        /// Connections of inputs.
        connect = CONNECT_ENTRY;
        /// Not read here.
        visual = child(Value::Element(Visual::SECTION)).repeats().ignored("it belongs next to <dynamics>");
    }
}

pub(super) static DYNAMICS: Section = section(
    "dynamics",
    "Wheels, chassis and controller, with the parameters of the class.",
    ENTRIES,
)
.with_model(Kind::Dynamics);

/// The contents of a `<dynamics>` element.
#[derive(Debug)]
pub(super) struct Dynamics {
    pub model: Arc<ModelUse>,
    pub controller: Arc<ModelUse>,
    pub actuators: Arc<[ActuatorUse]>,
    pub suspensions: Arc<[AxleSuspension]>,
    pub chassis: ChassisSource,
    pub wheels: Arc<[WheelSpec]>,
    /// `<friction>` of wheels that have one, by the index of the wheel.
    pub(super) frictions: Arc<[(usize, Element)]>,
    /// Names of visuals that turn with a wheel, with the positions of the names.
    pub(super) linked: Vec<(String, Span)>,
}

pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Option<Dynamics> {
    let element = &*with_values(context, element, Kind::Dynamics);
    let mut reader = ElementReader::new(context, element, &DYNAMICS);
    // a dynamics class can have a group of parameters of this name, without a class
    let suspensions = reader.children_with("suspension", "class");
    let suspensions = axle_suspension::read(reader.context, &suspensions);
    let (model, span) = required_class(&mut reader, Kind::Dynamics)?;
    reader.text_of(FILE);
    let chassis = reader.child("chassis");
    let (mut wheels, frictions) = read_wheels(&mut reader, model.model);
    let controller = reader.child("controller");
    let actuators: Arc<[ActuatorUse]> = reader.value("actuator").unwrap_or_default();
    let connects = reader.value("connect").unwrap_or_default();
    let linked = linked_visuals(element, &wheels);
    let class = model.model;
    let errors = reader.context.report.error_count();
    let model = bind(&mut reader, Kind::Dynamics, model, span, None);
    let model = ModelUse { connects, ..model };
    let context = reader.finish();
    // the class has reported what is wrong with the file
    let is_valid = context.report.error_count() == errors;
    let dimensions = is_valid.then(|| Dimensions::read(context, &model)).flatten();
    if let Some(dimensions) = &dimensions {
        dimensions.size(&mut wheels, element);
    }
    let place = element.name_span;
    let chassis = chassis::read(context, chassis, class, dimensions.as_ref(), place);
    let mut controller = controller.map_or_else(|| element.without_content(), Element::clone);
    inherit(&mut controller, element);
    let controller = read_controller(context, &controller, class);
    let actuators = named(context, &actuators);
    let suspensions = axle_suspension::of_axles(context, &suspensions, class, &wheels);
    Some(Dynamics {
        model: Arc::new(model),
        controller: controller?,
        actuators,
        suspensions,
        chassis: chassis?,
        wheels: wheels.into(),
        frictions: frictions.into(),
        linked,
    })
}

/// Reads a `<dynamics>` element with a controller that is written next to it.
pub(super) fn read_with(
    context: &mut Context<'_>,
    element: &Element,
    controller: &Element,
) -> Option<Dynamics> {
    report_outer(context, controller);
    let mut whole = element.clone();
    whole.children.push(controller.clone());
    read(context, &whole)
}

/// Warns of a controller outside of `<dynamics>`.
fn report_outer(context: &mut Context<'_>, controller: &Element) {
    let class = controller.attribute("class").map_or("…", |class| &class.content);
    let present = format!("<dynamics …><controller class=\"{class}\">…</controller></dynamics>");
    spelling::report(context, controller.name_span, "`<controller>` of a vehicle", &present);
}

/// Warns of a controller next to `<dynamics>` that contain one already.
pub(super) fn report_second(context: &mut Context<'_>, controller: &Element) {
    let label = "ignored: the controller in <dynamics> is used";
    context.report.warning(controller.name_span, "duplicate `controller`", label);
}

impl Dynamics {
    /// Returns the same dynamics with another controller, which the vehicle or its class contains.
    pub(super) fn with_controller(
        &self,
        context: &mut Context<'_>,
        controller: &Element,
    ) -> Option<Self> {
        report_outer(context, controller);
        Some(Self {
            model: Arc::clone(&self.model),
            controller: read_controller(context, controller, self.model.model.model)?,
            actuators: Arc::clone(&self.actuators),
            suspensions: Arc::clone(&self.suspensions),
            chassis: self.chassis.clone(),
            wheels: Arc::clone(&self.wheels),
            frictions: Arc::clone(&self.frictions),
            linked: self.linked.clone(),
        })
    }
}

fn linked_visuals(element: &Element, wheels: &[WheelSpec]) -> Vec<(String, Span)> {
    let place = |wheel: &WheelSpec| {
        let tag = element.children.iter().rfind(|child| child.name == wheel.tag)?;
        Some((wheel.linked_yaw.clone()?, tag.attribute("linked_yaw")?.span))
    };
    wheels.iter().filter_map(place).collect()
}

/// Reports wheels that refer to a visual which the vehicle does not have.
pub(super) fn check_linked(context: &mut Context<'_>, dynamics: &Dynamics, visuals: &[Visual]) {
    for (name, span) in &dynamics.linked {
        if visuals.iter().any(|visual| visual.name == *name) {
            continue;
        }
        let known = visuals.iter().map(|visual| visual.name.as_str());
        let message = format!("unknown visual `{name}`");
        let diagnostic = Diagnostic::new(context.unknown_severity(), message)
            .at(*span)
            .label(did_you_mean(name, known))
            .help("give the vehicle a <visual> with this <name>");
        context.report.push(diagnostic);
    }
}

/// Reason why some settings of controllers have no effect.
const NOT_READ: &str = "it is in MVSim's manual, but MVSim does not read it";

const DEFAULT_CLASS: &str = "raw";

const DOC: &str = "Converts commands to actuator inputs, with the parameters of the class.";

const CLASS: Entry = attribute(Value::Class(Kind::Controller))
    .named("class")
    .doc("Class of the controller.")
    .or(DEFAULT_CLASS);

static CONTROLLER: Section = section(
    "controller",
    DOC,
    &[
        CLASS,
        FILE_ENTRY,
        CONNECT_ENTRY,
        child(number("N·m")).named("l_torque").doc("Torque of the left wheel.").ignored(NOT_READ),
        child(number("N·m")).named("r_torque").doc("Torque of the right wheel.").ignored(NOT_READ),
    ],
)
.with_model(Kind::Controller);

/// The section of a controller of another vendor, which has only the names that its class declares.
static OF_OTHER_VENDOR: Section =
    section("controller", DOC, &[CLASS, FILE_ENTRY, CONNECT_ENTRY]).with_model(Kind::Controller);

/// Reads the controller of a `<dynamics>` element. Of the variants of its class, the first one that
/// fits the dynamics class is used.
fn read_controller(
    context: &mut Context<'_>,
    element: &Element,
    dynamics: &'static View<Model>,
) -> Option<Arc<ModelUse>> {
    let element = &*with_values(context, element, Kind::Controller);
    let mut reader = ElementReader::new(context, element, &CONTROLLER);
    let (candidates, span) = class_of(&mut reader, Kind::Controller, DEFAULT_CLASS)?;
    if candidates.first().is_some_and(|model| !model.is_built_in()) {
        reader = ElementReader::new(context, element, &OF_OTHER_VENDOR);
        reader.text_of("class");
    }
    reader.text_of(FILE);
    let connects = reader.value("connect").unwrap_or_default();
    let model = fitting_controller(reader.context, &candidates, dynamics, span)?;
    let model = bind(&mut reader, Kind::Controller, model, span, None);
    reader.finish();
    Some(Arc::new(ModelUse { connects, ..model }))
}

declare! {
    /// Modifies a value between controller and dynamics class, with the parameters of the class.
    /// Several actuators on one port form a chain in the order of the file.
    section = element("actuator").with_model(Kind::Actuator);

    /// An actuator of a vehicle.
    #[derive(Clone, Debug)]
    pub struct ActuatorUse {
        /// The model with its parameters.
        pub model: ModelUse =
            attribute(Value::Class(Kind::Actuator)).named("class").doc("Class of the actuator.").required();
        /// Input of the dynamics class that the controller or the world file sets, such as
        /// `steer`, or a component of an imposed twist, such as `twist_vx`.
        pub port: String = attribute(Value::Text).required();
        /// Name, unique within the vehicle.
        pub name: String = attribute(Value::Text).or_else("the class, with a number if it is repeated");
        /// The sensors that inputs of the model read.
        pub(super) connects: Arc<[Connect]> = CONNECT_ENTRY;
        /// Position of the name of the port.
        pub port_span: Span => |reader| reader.span_of("port");
        /// Position of its name.
        pub(super) span: Span => |reader| reader.span_of("name");
    }
}

/// Gives actuators without a name the name of their class.
fn named(context: &mut Context<'_>, actuators: &[ActuatorUse]) -> Arc<[ActuatorUse]> {
    let mut names = HashSet::new();
    let actuators = actuators.iter().map(|one| {
        let name = match one.name.is_empty() {
            true => automatic_name(one.model.model.id(), &mut names),
            false => given_name(context, &one.name, one.span, &mut names),
        };
        let mut named = ActuatorUse { name, ..one.clone() };
        named.model.connects = Arc::clone(&one.connects);
        named
    });
    actuators.collect()
}

/// Returns the name that the world file gives. Reports a duplicate.
fn given_name(
    context: &mut Context<'_>,
    name: &str,
    span: Span,
    names: &mut HashSet<String>,
) -> String {
    if !names.insert(name.to_owned()) {
        let error = Diagnostic::duplicate_name("actuator", name, span);
        context.report.push(error.help("give each actuator its own name, or none"));
    }
    name.to_owned()
}

/// Returns the class, with a number if the name is in use: `backlash`, `backlash#2` and so on.
fn automatic_name(class: &str, names: &mut HashSet<String>) -> String {
    let mut numbered = (2..).map(|number| format!("{class}#{number}"));
    let mut name = class.to_owned();
    while !names.insert(name.clone()) {
        name = numbered.next().unwrap_or_default();
    }
    name
}
