//! Property regions: boxes in which a property has a value.

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, declare};
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::field::{child, class};
use crate::vocabulary::{Value, element, number};

/// A box in which a property has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyRegion {
    /// Name of the property, such as `friction_mu`.
    pub property: String,
    /// Corner with the smallest coordinates, in the world frame in m.
    pub min: [f64; 3],
    /// Corner with the largest coordinates, in the world frame in m.
    pub max: [f64; 3],
    /// Value of the property within the box.
    pub value: PropertyValue,
    /// Position of the declaration.
    pub span: Span,
}

impl PropertyRegion {
    /// Returns whether a point of the world frame lies in the box or on its surface.
    pub fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|axis| self.min[axis] <= point[axis] && point[axis] <= self.max[axis])
    }
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// A number in the unit of the property.
    Number(f64),
    /// A boolean.
    Bool(bool),
    /// A text.
    Text(String),
}

declare! {
    /// A box in which a property has a value. Where regions of one property overlap, the first one in the file applies.
    section = element("element class=\"property_region\"").with(&[class("property_region")]);

    /// A region as given.
    #[derive(Clone)]
    pub(crate) struct GivenRegion {
        /// Extent along x in m.
        x: [f64; 2] =
            child(number("m")).named("x_min").doc("Smallest x.").or("-1"),
            child(number("m")).named("x_max").doc("Largest x.").or("1").rises();
        /// Extent along y in m.
        y: [f64; 2] =
            child(number("m")).named("y_min").doc("Smallest y.").or("-1"),
            child(number("m")).named("y_max").doc("Largest y.").or("1").rises();
        /// Extent along z in m.
        z: [f64; 2] =
            child(number("m")).named("z_min").doc("Smallest z.").or("-1000"),
            child(number("m")).named("z_max").doc("Largest z.").or("1000").rises();
        /// friction_mu, friction_C_rr, terrain (both, by a name such as gravel), surface, gps_no_coverage, or a property that a plugin reads.
        property: Option<String> = child(Value::Text).named("property_name").required();
        /// Value of a numeric property.
        number: Option<f64> = child(number("")).named("value_double");
        /// Value of a boolean property.
        flag: Option<bool> = child(Value::Bool).named("value_bool");
        /// Value of a textual property.
        text: Option<String> = child(Value::Text).named("value_string");
    }
}

/// Kinds of ground with their friction coefficient and their coefficient of rolling resistance, for tyres of cars.
///
/// Sources: friction of roads, gravel, snow and ice, the averages for sliding tyres, and rolling resistance of roads and rolled
/// gravel, J. Y. Wong, "Theory of Ground Vehicles", chapter 1; rolling resistance of soil (here grass) and sand, J. Carvill,
/// "Mechanical Engineer's Data Handbook", 1993. Estimates: friction of grass and sand, which varies widely, and rolling
/// resistance of snow and ice.
const TERRAINS: [(&str, f64, f64); 7] = [
    ("asphalt", 0.75, 0.013),
    ("wet_asphalt", 0.45, 0.013),
    ("gravel", 0.55, 0.02),
    ("grass", 0.35, 0.08),
    ("sand", 0.4, 0.15),
    ("snow", 0.15, 0.03),
    ("ice", 0.07, 0.01),
];

/// Reads the regions of an element: one, or two for a kind of ground.
pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> Vec<PropertyRegion> {
    let element = reader.element;
    let Some(given) = reader.fields::<GivenRegion>() else { return Vec::new() };
    let GivenRegion { x, y, z, property, number, flag, text } = given;
    let property = reader.require("property_name", property);
    let context = reader.finish();
    let number = number.map(PropertyValue::Number);
    let value = number.or(flag.map(PropertyValue::Bool)).or(text.map(PropertyValue::Text));
    let Some(value) = value else {
        let error = Diagnostic::error("a property region without a value")
            .at(element.name_span)
            .label("expected <value_double>, <value_bool> or <value_string>")
            .help("write <value_double>0.3</value_double>, or a boolean or a text");
        context.report.push(error);
        return Vec::new();
    };
    let Some(property) = property else { return Vec::new() };
    let (min, max, span) = ([x[0], y[0], z[0]], [x[1], y[1], z[1]], element.name_span);
    let region = |property: &str, value: PropertyValue| PropertyRegion {
        property: property.to_owned(),
        min,
        max,
        value,
        span,
    };
    if property == "terrain" {
        let name = match &value {
            PropertyValue::Text(name) => name.as_str(),
            _ => "",
        };
        if let Some((_, mu, rolling)) = TERRAINS.iter().find(|(known, ..)| *known == name) {
            let number = PropertyValue::Number;
            return vec![
                region("friction_mu", number(*mu)),
                region("friction_C_rr", number(*rolling)),
            ];
        }
    }
    check_value(context, &property, &value, element);
    vec![region(&property, value)]
}

/// Reports a value that a built-in property cannot have.
fn check_value(
    context: &mut Context<'_>,
    property: &str,
    value: &PropertyValue,
    element: &Element,
) {
    let names = || TERRAINS.iter().map(|(name, ..)| *name);
    let terrains = format!("write one of {}", names().collect::<Vec<_>>().join(", "));
    let nearest = match value {
        PropertyValue::Text(text) => simhost_model::nearest(text, names()),
        _ => None,
    };
    let nearest = nearest.map(|nearest| format!("did you mean `{nearest}`? {terrains}"));
    let terrains = nearest.unwrap_or(terrains);
    let (expected, help) = match (property, value) {
        ("terrain", _) => ("expected <value_string> with a kind of ground", terrains.as_str()),
        ("friction_mu" | "friction_C_rr", PropertyValue::Number(number)) if *number >= 0.0 => {
            return;
        }
        ("friction_mu" | "friction_C_rr", _) => (
            "expected <value_double>, at least 0",
            "write <value_double>0.3</value_double>; 0 is ice, 0.8 is dry asphalt",
        ),
        ("gps_no_coverage", PropertyValue::Bool(_)) => return,
        ("gps_no_coverage", _) => ("expected <value_bool>", "write <value_bool>true</value_bool>"),
        _ => return,
    };
    let names = ["value_double", "value_bool", "value_string"];
    let given = element.children.iter().find(|child| names.contains(&child.name.as_str()));
    let place = given.map_or(element.name_span, |child| child.name_span);
    let error = Diagnostic::error(format!("unexpected value of property `{property}`"));
    context.report.push(error.at(place).label(expected).help(help));
}
