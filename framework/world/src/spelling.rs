//! Old spellings of elements, classes and poses, which are read as they were meant.
//!
//! Each one is reported as a warning that shows the present spelling.

use std::borrow::Cow;

use simhost_abi::Kind;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::literal::list_items;
use crate::sources::Span;
use crate::tree::{Attribute, Element, Origin, Text};

/// Old names of classes, with their present names.
const CLASSES: &[(Kind, &str, &str)] = &[
    (Kind::Dynamics, "car_ackermann", "ackermann"),
    // its wheels are driven by PID controllers too, without ROS
    (Kind::Controller, "ros2_control", "twist_pid"),
];

/// Names of poses in the plane, with the names of poses in space.
const IN_SPACE: &[(&str, &str)] = &[("init_pose", "init_pose3d"), ("time_pose", "time_pose3d")];

/// Old names of parameters of sensors, with their present names.
const SENSOR_PARAMETERS: &[(&str, &str)] = &[("maxRange", "max_range")];

/// Start of elements that name their class in their tag.
const ELEMENT: &str = "world:";
/// Start of sensors that name their class in their tag.
pub(crate) const SENSOR: &str = "sensor:";

/// Reports an old spelling.
pub(crate) fn report(context: &mut Context<'_>, span: Span, old: &str, present: &str) {
    let message = format!("{old} is read as `{present}`");
    context.report.push(Diagnostic::warning(message).at(span).label(format!("write {present}")));
}

/// Returns the present name of a class from its old name, which worlds can still use.
pub fn class(kind: Kind, name: &str) -> Option<&'static str> {
    let of =
        |(of, old, new): &(Kind, &str, &'static str)| (*of == kind && *old == name).then_some(*new);
    CLASSES.iter().find_map(of)
}

/// Returns an element of the world whose tag names its class, such as `<world:gridmap>`, in the
/// present spelling.
pub(crate) fn element(context: &mut Context<'_>, element: &Element) -> Option<Element> {
    let class = match element.name.strip_prefix(ELEMENT)? {
        "gridmap" => "occupancy_grid",
        class => class,
    };
    Some(classed(context, element, "element", class))
}

/// Returns a copy of an element with another name and a class, and reports it.
fn classed(context: &mut Context<'_>, element: &Element, name: &str, class: &str) -> Element {
    let present = format!("<{name} class=\"{class}\">");
    report(context, element.name_span, &format!("`<{}>`", element.name), &present);
    let text = Text { content: class.into(), span: element.name_span, origin: Origin::Written };
    let class = Attribute { name: "class".into(), name_span: element.name_span, text };
    let mut copy = Element { name: name.into(), ..element.clone() };
    copy.attributes.push(class);
    copy
}

/// Returns a sensor in the present spelling.
pub(crate) fn sensor<'e>(context: &mut Context<'_>, element: &'e Element) -> Cow<'e, Element> {
    let mut sensor = match element.name.strip_prefix(SENSOR) {
        Some(class) => Cow::Owned(classed(context, element, "sensor", class)),
        None => Cow::Borrowed(element),
    };
    if sensor.attribute("class").is_none()
        && let Some(at) = sensor.attributes.iter().position(|attribute| attribute.name == "type")
    {
        let attribute = &mut sensor.to_mut().attributes[at];
        attribute.name = "class".into();
        let present = format!("class=\"{}\"", attribute.text.content);
        report(context, attribute.name_span, "`type`", &present);
    }
    let candidates = (0..sensor.children.len()).filter(|index| {
        let name = sensor.children[*index].name.as_str();
        matches!(name, "pose" | "pose_3d") || SENSOR_PARAMETERS.iter().any(|(old, _)| *old == name)
    });
    for index in candidates.collect::<Vec<_>>() {
        let Some(present) = parameter(context, &sensor, &sensor.children[index]) else { continue };
        sensor.to_mut().children[index] = present;
    }
    sensor
}

/// Returns a parameter of a sensor in the present spelling, if it has an old one. A sensor whose class
/// declares the old name itself keeps it.
fn parameter(context: &mut Context<'_>, sensor: &Element, child: &Element) -> Option<Element> {
    let class = sensor.attribute("class")?.value()?;
    let variants = context.catalogue.find(Kind::Sensor, class).ok()?;
    let parameters = variants.first()?.model.params();
    let count =
        |name: &str| parameters.iter().find(|desc| desc.is_named(name)).map(|desc| desc.count);
    if let Some((old, name)) = SENSOR_PARAMETERS.iter().find(|(old, _)| *old == child.name) {
        count(name).filter(|_| count(old).is_none())?;
        report(context, child.name_span, &format!("`{old}`"), &format!("<{name}>"));
        return Some(Element { name: (*name).into(), ..child.clone() });
    }
    let text = child.text.as_ref()?;
    let (inner, is_bracketed) = without_brackets(text.value()?);
    let inner: Vec<&str> = list_items(inner).collect();
    let is_longer = child.name == "pose" && count("pose") == Some(3) && inner.len() == 6;
    let name = if is_longer { "pose_3d" } else { child.name.as_str() };
    if !(is_bracketed || is_longer) || count(name) != u32::try_from(inner.len()).ok() {
        return None;
    }
    let inner = inner.join(" ");
    report_pose(context, text.span, &child.name, name, &inner);
    let text = Text { content: inner.as_str().into(), ..text.clone() };
    Some(Element { name: name.into(), text: Some(text), ..child.clone() })
}

/// Returns the numbers of a pose without the brackets of `[x y z yaw pitch roll]`, and whether it had
/// some.
fn without_brackets(text: &str) -> (&str, bool) {
    let inner = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.map_or((text, false), |inner| (inner, true))
}

/// Returns the numbers of a pose in an old spelling: in brackets, or six of them where the layout has
/// three. `None` for anything else.
pub(crate) fn pose(
    context: &mut Context<'_>,
    text: &Text,
    name: &str,
    layouts: &[&str],
) -> Option<Vec<f64>> {
    let count = |layout: &&str| layout.split_whitespace().count();
    let planar = layouts.iter().find(|layout| layout.ends_with("X Y YAW_DEG"));
    let is_pose = planar.is_some() || layouts.iter().any(|layout| layout.ends_with("ROLL_DEG"));
    let (inner, is_bracketed) = without_brackets(text.value()?);
    let inner: Vec<&str> =
        if is_bracketed { list_items(inner).collect() } else { inner.split_whitespace().collect() };
    let fits = is_bracketed && layouts.iter().any(|layout| count(layout) == inner.len());
    let present = IN_SPACE.iter().find(|(planar, _)| *planar == name).map(|(_, name)| *name);
    let is_longer =
        present.is_some() && planar.is_some_and(|layout| count(layout) + 3 == inner.len());
    if !is_pose || !(fits || is_longer) {
        return None;
    }
    let numbers: Option<Vec<f64>> =
        inner.iter().map(|number| crate::literal::parse_number(number)).collect();
    let numbers = numbers?;
    let present = present.filter(|_| is_longer).unwrap_or(name);
    report_pose(context, text.span, name, present, &inner.join(" "));
    Some(numbers)
}

fn report_pose(context: &mut Context<'_>, span: Span, name: &str, present: &str, numbers: &str) {
    let present = format!("<{present}>{numbers}</{present}>");
    report(context, span, &format!("this `{name}`"), &present);
}
