//! The controller of a vehicle.

use std::sync::Arc;

use simhost_abi::{Kind, Model};
use simhost_model::View;

use crate::context::Context;
use crate::models::{
    CONNECT_ENTRY, FILE, FILE_ENTRY, ModelUse, bind, class_of, fitting_controller, with_values,
};
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Section, Value, number, section};

/// Reason why some settings of controllers have no effect.
const NOT_READ: &str = "it is in MVSim's manual, but MVSim does not read it";

const DEFAULT_CLASS: &str = "raw";

const DOC: &str = "Converts commands to actuator inputs, with the parameters of the class.";

const CLASS: Entry = attribute(Value::Class(Kind::Controller))
    .named("class")
    .doc("Class of the controller.")
    .or(DEFAULT_CLASS);

pub(super) static CONTROLLER: Section = section(
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
pub(super) fn read(
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
