//! The wheels of a vehicle.

use std::sync::Arc;

use simhost_abi::{Kind, Model, WheelDesc, wheel_flag};
use simhost_model::View;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{ModelUse, bind, class_of, setpoints};
use crate::reader::{ElementReader, Fields, Given, declare};
use crate::spelling::parse_number;
use crate::tree::{Element, Text};
use crate::visual::Visual;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Quantity, Section, Value, element, number, positive, section};
use crate::{value, visual};

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

/// The place of a wheel.
const PLACE: Entry = attribute(Value::Row(&["X Y", "X Y YAW_DEG"]))
    .named("pos")
    .doc("Position in m and heading at zero steering in degrees.")
    .or_else("from the dynamics class");

declare! {
    /// A wheel. The dynamics class determines the names of the elements.
    section = element("wheel").with(&[PLACE]);

    /// A wheel of a vehicle.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WheelSpec {
        /// Mass.
        pub mass: f64 = attribute(positive("kg")).or("2");
        /// Width.
        pub width: f64 = attribute(positive("m")).or("0.2");
        /// Twice the rolling radius.
        pub diameter: f64 = attribute(positive("m")).or("0.4");
        /// Moment of inertia about the axle; -1 computes the inertia of a solid cylinder.
        pub(super) given_inertia: Option<Text> =
            attribute(Value::Formatted("a number in kg·m², greater than 0, or -1")).named("inertia").or("-1");
        /// Inclination against the vehicle, positive with the top to the right. Tyres with a camber stiffness push to that side.
        pub camber: f64 = attribute(number("deg").at_least(-30.0).at_most(30.0)).named("camber_deg").or("0");
        /// Distance by which the contact point trails the steering axis. A larger value makes the steering heavier.
        pub mechanical_trail: f64 = attribute(number("m")).or("0");
        /// Colour of a wheel without visuals.
        pub color: [u8; 4] = attribute(Value::Color).or("#323232");
        /// Name of a `<visual>` of the vehicle that turns with the steering.
        pub linked_yaw: Option<String> = attribute(Value::Text);
        /// Offset added to this rotation.
        pub linked_yaw_offset: f64 =
            attribute(number("deg")).named("linked_yaw_offset_deg").or("0"),
            child(Value::Element(&FRICTION)).named("friction")
                .doc("Friction model of this wheel. Without a class, it changes parameters of the friction model of the vehicle.")
                .or_else("from the vehicle");
        /// Visuals, in the frame of the wheel.
        pub visuals: Arc<[Visual]> = visual::APPEARANCE_ENTRY;
        /// Moment of inertia about the axle in kg·m², if given.
        pub inertia: Option<f64> => |_| None;
        /// Name of its element, such as `l_wheel`, followed by a number if the element can be repeated.
        pub tag: String => |_| String::new();
        /// Position ahead of the reference point in m.
        pub x: f64 => |_| 0.0;
        /// Position left of the reference point in m.
        pub y: f64 => |_| 0.0;
        /// Heading at zero steering in rad.
        pub yaw: f64 => |_| 0.0;
        /// Cause of a turn of the wheel about its vertical axis.
        pub turning: WheelTurning => |_| WheelTurning::Fixed;
        /// Inputs of the dynamics class that the world file sets for this wheel, in the units of the ports.
        pub inputs: Vec<(String, f64)> => |_| Vec::new();
    }
}

impl WheelSpec {
    /// Returns the name of the wheel: its tag without `_wheel`.
    pub fn name(&self) -> &str {
        self.tag.strip_suffix("_wheel").unwrap_or(&self.tag)
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
    let mut add = |(wheel, friction): (WheelSpec, Option<Element>)| {
        frictions.extend(friction.map(|friction| (wheels.len(), friction)));
        wheels.push(wheel);
    };
    for desc in model.wheels() {
        let tag = desc.tag();
        reader.names.push(tag);
        let given = reader.claim(|name| name == tag);
        if desc.flags & wheel_flag::REPEATED == 0 {
            let read = read(reader, given.last(), model, desc, tag.to_owned());
            let Some((mut wheel, friction)) = read else { continue };
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
            let tag = format!("{tag}{}", number + 1);
            read(reader, Some(given), model, desc, tag).into_iter().for_each(&mut add);
        }
    }
    (wheels, frictions)
}

/// Reads a wheel, and returns its `<friction>` too. A wheel without an element has its defaults.
fn read(
    owner: &mut ElementReader<'_, '_, '_>,
    given: Option<&Given<'_>>,
    model: &'static View<Model>,
    desc: &'static View<WheelDesc>,
    tag: String,
) -> Option<(WheelSpec, Option<Element>)> {
    let empty = Element::new(WheelSpec::SECTION.name.into(), owner.element.name_span);
    let given = match given {
        Some(Given::Child(element)) => Some(*element),
        _ => None,
    };
    let mut reader = ElementReader::new(owner.context, given.unwrap_or(&empty), WheelSpec::SECTION);
    reader.names.extend(model.wheel_setpoints().map(|port| port.key()));
    let wheel = WheelSpec::read(&mut reader, WheelSpec::SECTION.index("mass"));
    let mut place = [desc.x, desc.y, 0.0];
    if given.is_some() {
        read_position(&mut reader, desc, &mut place);
    }
    let inputs = setpoints(&mut reader, model.wheel_setpoints());
    let friction = reader.child("friction").cloned();
    reader.take("pos");
    let context = reader.finish();
    let wheel = wheel?;
    let inertia = wheel.given_inertia.as_ref().and_then(|text| read_inertia(context, text));
    let turning = WheelTurning::of(desc).with_inputs(model, &inputs);
    let [x, y, yaw] = place;
    Some((WheelSpec { inertia, tag, x, y, yaw, turning, inputs, ..wheel }, friction))
}

fn read_position(
    reader: &mut ElementReader<'_, '_, '_>,
    desc: &'static View<WheelDesc>,
    place: &mut [f64; 3],
) {
    let is_given = reader.is_given("pos");
    if let Some(row) = reader.row_at(WheelSpec::SECTION.index("pos")) {
        *place = [row[0], row[1], row.get(2).copied().unwrap_or(0.0)];
    } else if !is_given
        && reader.context.profile.wheels_at_half_metre
        && desc.flags & wheel_flag::PLACED_BY_MODEL == 0
    {
        (place[0], place[1]) = (0.0, -0.5);
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

/// The friction model of a wheel with a separate model.
#[derive(Clone, Debug)]
pub struct WheelFriction {
    /// Index of the wheel.
    pub wheel: usize,
    /// The model.
    pub model: Arc<ModelUse>,
}

declare! {
    const ENTRIES {
        /// Class of the friction model.
        class =
            attribute(Value::Class(Kind::Friction))
                .or_else("from the vehicle's class, or `default`; in a wheel, from the vehicle");
    }
}

pub(super) static FRICTION: Section = section(
    "friction",
    "Force between wheels and ground, with the parameters of the class.",
    ENTRIES,
)
.with_model(Kind::Friction);

/// Reads the friction model of a vehicle or of a wheel. An element without a class modifies `base`,
/// the model of the vehicle's class or of the vehicle, unless the profile makes it independent.
pub(super) fn read_friction(
    context: &mut Context<'_>,
    element: &Element,
    base: Option<&Arc<ModelUse>>,
) -> Option<Arc<ModelUse>> {
    let base = modified(context, element, base);
    let mut reader = ElementReader::new(context, element, &FRICTION);
    let (model, span) = match base {
        Some(base) => (base.model.clone(), base.span),
        None => {
            let (variants, span) = class_of(&mut reader, Kind::Friction, "default")?;
            (variants.first()?.clone(), span)
        }
    };
    reader.take("class");
    let model = bind(&mut reader, Kind::Friction, model, span, base.map(|base| &**base));
    reader.finish();
    Some(Arc::new(model))
}

/// Returns the model that an element modifies.
fn modified<'b>(
    context: &Context<'_>,
    element: &Element,
    base: Option<&'b Arc<ModelUse>>,
) -> Option<&'b Arc<ModelUse>> {
    base.filter(|_| !context.profile.friction_stands_alone && element.attribute("class").is_none())
}

/// Returns the friction model of a vehicle without `<friction>`. Errors are reported at `place`.
pub(crate) fn default_friction(
    context: &mut Context<'_>,
    place: &Element,
) -> Option<Arc<ModelUse>> {
    read_friction(context, &place.without_content(), None)
}
