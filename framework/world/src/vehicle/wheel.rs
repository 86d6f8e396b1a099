//! The wheels of a vehicle.

use std::sync::Arc;

use simhost_abi::{Model, WheelDesc, wheel_flag};
use simhost_model::View;

use super::friction::FRICTION;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::literal::parse_number;
use crate::models::setpoints;
use crate::reader::{ElementReader, Given};
use crate::tree::{Element, Text};
use crate::value;
use crate::visual::{self, Visual, read_visuals};
use crate::vocabulary::{Quantity, Section, Value, attribute, child, number, positive, section};

/// Way in which a wheel turns about its vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WheelTurning {
    /// Nothing: the wheel is fixed.
    Fixed,
    /// The steering of the dynamics class.
    Steered,
    /// The ground, as for a caster.
    Swivelling,
}

impl WheelTurning {
    fn of(desc: &WheelDesc) -> Self {
        match desc.flags {
            flags if flags & wheel_flag::STEERS != 0 => Self::Steered,
            flags if flags & wheel_flag::SWIVELS != 0 => Self::Swivelling,
            _ => Self::Fixed,
        }
    }

    /// Returns what turns a steered wheel with an input `steered`.
    fn with_inputs(self, model: &'static View<Model>, inputs: &[(String, f64)]) -> Self {
        let Some(port) = model.wheel_setpoints().find(|port| port.name() == "steered") else {
            return self;
        };
        let given = inputs.iter().find(|(name, _)| name == port.name());
        let steered = given.map_or(port.default, |(_, value)| *value);
        if self == Self::Steered && steered == 0.0 { Self::Fixed } else { self }
    }
}

/// A wheel of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelSpec {
    /// Name of its element, such as `l_wheel`, followed by a number if the element can be repeated.
    pub tag: String,
    /// Position ahead of the reference point in m.
    pub x: f64,
    /// Position left of the reference point in m.
    pub y: f64,
    /// Heading at zero steering in rad.
    pub yaw: f64,
    /// Cause of a turn of the wheel about its vertical axis.
    pub turning: WheelTurning,
    /// Mass in kg.
    pub mass: f64,
    /// Width in m.
    pub width: f64,
    /// Diameter in m.
    pub diameter: f64,
    /// Inclination against the vehicle in rad, positive with the top to the right.
    pub camber: f64,
    /// Distance in m by which the contact point trails the point where the steering axis meets the ground.
    pub mechanical_trail: f64,
    /// Moment of inertia about the axle in kg·m², if given.
    pub inertia: Option<f64>,
    /// Inputs of the dynamics class that the world file sets for this wheel, in the units of the
    /// ports.
    pub inputs: Vec<(String, f64)>,
    /// Red, green, blue and opacity, for a wheel without visuals.
    pub color: [u8; 4],
    /// Visuals, in the frame of the wheel.
    pub visuals: Arc<[Visual]>,
    /// Name of the visual of the vehicle that turns with the steering of this wheel.
    pub linked_yaw: Option<String>,
    /// Offset added to that rotation in rad.
    pub linked_yaw_offset: f64,
}

pub(crate) static WHEEL: Section = section(
    "wheel",
    "A wheel. The dynamics class determines the names of the elements.",
    &[
        attribute(
            "pos",
            Value::Row(&["X Y", "X Y YAW_DEG"]),
            "Position in m and heading at zero steering in degrees.",
        )
        .or_else("that of the dynamics class"),
        attribute("mass", positive("kg"), "Mass.").or("2"),
        attribute("width", positive("m"), "Width.").or("0.2"),
        attribute("diameter", positive("m"), "Twice the rolling radius.").or("0.4"),
        attribute(
            "inertia",
            Value::Formatted("a number in kg·m², greater than 0, or -1"),
            "Moment of inertia about the axle; -1 is that of a solid cylinder.",
        )
        .or("-1"),
        attribute("camber_deg", number("deg").at_least(-30.0).at_most(30.0), "Inclination against the vehicle, positive with the top to the right. Tyres with a camber stiffness push to that side.").or("0"),
        attribute("mechanical_trail", number("m"), "Distance by which the contact point trails the steering axis. A larger value makes the steering heavier.").or("0"),
        attribute("color", Value::Color, "Colour of a wheel without visuals.").or("#323232"),
        attribute(
            "linked_yaw",
            Value::Text,
            "Name of a `<visual>` of the vehicle that turns with the steering.",
        ),
        attribute("linked_yaw_offset_deg", number("deg"), "Offset added to that rotation.").or("0"),
        child(
            "friction",
            Value::Element(&FRICTION),
            "Friction model of this wheel. Without a class, it changes parameters of that of the vehicle.",
        )
        .or_else("that of the vehicle"),
        visual::ENTRY,
    ],
);

impl WheelSpec {
    /// Returns the name of the wheel: its tag without `_wheel`.
    pub fn name(&self) -> &str {
        self.tag.strip_suffix("_wheel").unwrap_or(&self.tag)
    }

    /// Returns the wheel of a dynamics class whose element is not given.
    fn default_for(desc: &'static View<WheelDesc>, tag: &str) -> Self {
        Self {
            tag: tag.to_owned(),
            x: desc.x,
            y: desc.y,
            yaw: 0.0,
            turning: WheelTurning::of(desc),
            mass: WHEEL.default_number("mass"),
            width: WHEEL.default_number("width"),
            diameter: WHEEL.default_number("diameter"),
            camber: WHEEL.default_number("camber_deg"),
            mechanical_trail: WHEEL.default_number("mechanical_trail"),
            inertia: None,
            inputs: Vec::new(),
            color: WHEEL.default_color("color"),
            visuals: Arc::default(),
            linked_yaw: None,
            linked_yaw_offset: WHEEL.default_number("linked_yaw_offset_deg"),
        }
    }
}

/// Wheels, and the `<friction>` of those that have one, by the index of the wheel.
pub(super) type WheelElements = (Vec<WheelSpec>, Vec<(usize, Element)>);

/// Reads the wheels of a `<dynamics>` element. A wheel that is not given has its defaults.
pub(super) fn read_wheels(
    reader: &mut ElementReader<'_, '_, '_>,
    model: &'static View<Model>,
) -> WheelElements {
    let (mut wheels, mut frictions) = (Vec::new(), Vec::new());
    let mut add = |(wheel, friction): (WheelSpec, Option<&Element>)| {
        frictions.extend(friction.map(|friction| (wheels.len(), friction.clone())));
        wheels.push(wheel);
    };
    for desc in model.wheels() {
        let tag = desc.tag();
        reader.names.push(tag);
        let given = reader.claim(|name| name == tag);
        if desc.flags & wheel_flag::REPEATED == 0 {
            let default = WheelSpec::default_for(desc, tag);
            let (mut wheel, friction) = read(reader.context, given.last(), model, desc, default);
            if let (Some(Given::Child(element)), true) = (given.last(), is_placed_by(model, desc)) {
                place_by_class(reader, element, &mut wheel);
            }
            add((wheel, friction));
            continue;
        }
        if given.is_empty() {
            let owner = reader.element;
            let error = Diagnostic::error(format!("missing `<{tag}>` in `<{}>`", owner.name))
                .at(owner.name_span)
                .label("expected at least one")
                .help(format!("write <{tag} pos=\"X Y\"/> for each wheel"));
            reader.context.report.push(error);
        }
        for (number, given) in given.iter().enumerate() {
            let default = WheelSpec::default_for(desc, &format!("{tag}{}", number + 1));
            add(read(reader.context, Some(given), model, desc, default));
        }
    }
    (wheels, frictions)
}

/// Reads a wheel, and returns its `<friction>` too.
fn read<'e>(
    context: &mut Context<'_>,
    given: Option<&Given<'e>>,
    model: &'static View<Model>,
    desc: &'static View<WheelDesc>,
    default: WheelSpec,
) -> (WheelSpec, Option<&'e Element>) {
    let Some(Given::Child(element)) = given else { return (default, None) };
    let element: &'e Element = element;
    let mut reader = ElementReader::new(context, element, &WHEEL);
    reader.names.extend(model.wheel_setpoints().map(|port| port.key()));
    let mut wheel = default;
    read_position(&mut reader, desc, &mut wheel);
    wheel.mass = reader.number("mass");
    wheel.width = reader.number("width");
    wheel.diameter = reader.number("diameter");
    wheel.camber = reader.number("camber_deg");
    wheel.mechanical_trail = reader.number("mechanical_trail");
    wheel.color = reader.color("color");
    wheel.linked_yaw = reader.given_text("linked_yaw");
    wheel.linked_yaw_offset = reader.number("linked_yaw_offset_deg");
    let inertia = reader.text_of("inertia");
    wheel.inputs = setpoints(&mut reader, model.wheel_setpoints());
    wheel.turning = wheel.turning.with_inputs(model, &wheel.inputs);
    let (visuals, friction) = (reader.children(&["visual"]), reader.child("friction"));
    reader.finish();
    wheel.inertia = inertia.and_then(|text| read_inertia(context, text));
    wheel.visuals = read_visuals(context, &visuals).into();
    (wheel, friction)
}

fn read_position(
    reader: &mut ElementReader<'_, '_, '_>,
    desc: &'static View<WheelDesc>,
    wheel: &mut WheelSpec,
) {
    let is_given = reader.is_given("pos");
    if let Some(row) = reader.given_row("pos") {
        (wheel.x, wheel.y) = (row[0], row[1]);
        wheel.yaw = row.get(2).copied().unwrap_or(0.0).to_radians();
    } else if !is_given
        && reader.context.profile.wheels_at_half_metre
        && desc.flags & wheel_flag::PLACED_BY_MODEL == 0
    {
        (wheel.x, wheel.y) = (0.0, -0.5);
    }
}

/// Parameters with which a dynamics class places its front wheels.
const FRONT_AXLE: [&str; 2] = ["f_wheels_x", "f_wheels_d"];

/// Returns whether a class has parameters that place a wheel.
fn is_placed_by(model: &'static View<Model>, desc: &WheelDesc) -> bool {
    let has = |key: &&str| model.params().iter().any(|param| param.key() == *key);
    desc.flags & wheel_flag::PLACED_BY_MODEL != 0 && FRONT_AXLE.iter().all(has)
}

/// Puts a wheel back where the class places it, with a warning, if the parameters of the class are given or
/// the profile reads them alone. Otherwise its `pos` acts.
fn place_by_class(
    reader: &mut ElementReader<'_, '_, '_>,
    element: &Element,
    wheel: &mut WheelSpec,
) {
    let Some(position) = element.attribute("pos") else { return };
    let (profile, owner) = (reader.context.profile, reader.element);
    let is_given = |key: &&str| {
        owner.attribute(key).is_some() || owner.children.iter().any(|child| child.name == *key)
    };
    let given = FRONT_AXLE.into_iter().find(is_given);
    let reason = match given {
        Some(key) => format!("`{key}` is given"),
        None if profile.front_wheels_by_parameters => {
            format!(
                "in profile {}, `f_wheels_x` and `f_wheels_d` place the front wheels",
                profile.name
            )
        }
        None => return,
    };
    (wheel.x, wheel.y) = (0.0, 0.0);
    let message = format!("`pos` of <{}> has no effect: {reason}", wheel.tag);
    let warning = Diagnostic::warning(message)
        .at(position.span)
        .help("remove `pos`, or `f_wheels_x` and `f_wheels_d`");
    reader.context.report.push(warning);
}

/// Reads a moment of inertia. −1 means that it is not given.
fn read_inertia(context: &mut Context<'_>, text: &Text) -> Option<f64> {
    let value = text.value()?;
    if parse_number(value) == Some(-1.0) {
        return None;
    }
    let quantity = Quantity::positive("inertia", "kg·m²");
    value::in_range(context, text, value, &quantity, "a number")
}
