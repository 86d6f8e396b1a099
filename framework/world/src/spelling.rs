//! Old spellings of elements, classes and poses, which are read as they were meant.
//!
//! Each one is reported as a warning that shows the present spelling.

use std::borrow::Cow;

use simhost_abi::Kind;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
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
    let numbers: Option<Vec<f64>> = inner.iter().map(|number| parse_number(number)).collect();
    let numbers = numbers?;
    let present = present.filter(|_| is_longer).unwrap_or(name);
    report_pose(context, text.span, name, present, &inner.join(" "));
    Some(numbers)
}

fn report_pose(context: &mut Context<'_>, span: Span, name: &str, present: &str, numbers: &str) {
    let present = format!("<{present}>{numbers}</{present}>");
    report(context, span, &format!("this `{name}`"), &present);
}

/// Parses a finite number, decimal or hexadecimal (`0x…`). Surrounding white space is ignored.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u32::from_str_radix(digits, 16).ok().map(f64::from);
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Parses an integer the way `%i` of C's `scanf` does: decimal, hexadecimal after `0x`, octal after
/// a leading 0, up to the first character that is not a digit.
pub(super) fn parse_c_integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        None if digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    i64::from_str_radix(&digits[..end], radix).ok().map(|number| sign * number)
}

/// Parses a colour, `#RRGGBB` or `#RRGGBBAA`, into red, green, blue and opacity.
pub(super) fn parse_color(text: &str) -> Option<[u8; 4]> {
    let digits = text.strip_prefix('#')?;
    if !matches!(digits.len(), 6 | 8) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let channel = |index: usize| {
        digits
            .get(2 * index..2 * index + 2)
            .map_or(Some(255), |part| u8::from_str_radix(part, 16).ok())
    };
    Some([channel(0)?, channel(1)?, channel(2)?, channel(3)?])
}

/// Returns the items of a list, which are separated by white space or commas.
pub(super) fn list_items(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|item| !item.is_empty())
}

/// Splits a number with a unit, such as `15kg`, into both parts.
pub(super) fn split_unit(text: &str) -> Option<(&str, &str)> {
    let at = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+'))?;
    let (number, unit) = text.split_at(at);
    let is_unit =
        unit.len() < 10 && unit.chars().all(|c| c.is_alphabetic() || "/²³·°%".contains(c));
    (is_unit && parse_number(number).is_some()).then_some((number, unit))
}

#[cfg(test)]
mod tests {
    use super::{parse_c_integer, split_unit};

    #[test]
    fn integers_are_parsed_as_in_c() {
        for (text, expected) in [
            ("010", Some(8)),
            ("0x1F", Some(31)),
            ("1808.45", Some(1808)),
            ("1.23e+06", Some(1)),
            ("-7", Some(-7)),
            ("08", Some(0)),
            ("0", Some(0)),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(parse_c_integer(text), expected, "{text}");
        }
    }

    #[test]
    fn units_are_split_from_numbers() {
        assert_eq!(split_unit("15kg"), Some(("15", "kg")));
        assert_eq!(split_unit("-2.5m/s²"), Some(("-2.5", "m/s²")));
        assert_eq!(split_unit("kg"), None);
        assert_eq!(split_unit("15"), None);
    }
}
