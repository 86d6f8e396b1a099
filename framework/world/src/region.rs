//! Property regions: boxes in which a property has a value.

use std::sync::Arc;

use simhost_assets::image::{self, GreyImage};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::files;
use crate::reader::{ElementReader, declare};
use crate::sources::Span;
use crate::tree::{Element, Text};
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

    /// Returns the number of a property at a point of the world frame, or `None` where the region does not set it.
    pub fn number(&self, property: &str, point: [f64; 3]) -> Option<f64> {
        if self.property != property || !self.contains(point) {
            return None;
        }
        match &self.value {
            PropertyValue::Number(number) => Some(*number),
            PropertyValue::Image(values) => {
                let [x, y] = [0, 1]
                    .map(|axis| (point[axis] - self.min[axis]) / (self.max[axis] - self.min[axis]));
                values.at([x, 1.0 - y])
            }
            PropertyValue::Bool(_) | PropertyValue::Text(_) => None,
        }
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
    /// Numbers by place.
    Image(Arc<ValueImage>),
}

/// Numbers as an image: each pixel has one value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueImage {
    image: GreyImage,
    /// Values of black and white.
    range: [f64; 2],
}

impl ValueImage {
    /// Returns the value of a place: to the right and downwards, each from 0 to 1. Transparent pixels have none.
    fn at(&self, place: [f64; 2]) -> Option<f64> {
        let size = [self.image.width(), self.image.height()];
        let [column, row] = [0, 1].map(|axis| {
            let pixel = (place[axis] * size[axis] as f64).max(0.0) as usize;
            pixel.min(size[axis] - 1)
        });
        let index = row * size[0] + column;
        if self.image.is_transparent(index) {
            return None;
        }
        let part = f64::from(self.image.level(index)) / f64::from(self.image.white());
        Some(self.range[0] + part * (self.range[1] - self.range[0]))
    }
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
        /// Values of a numeric property as a grey image over the box from above: the left edge is at `x_min`, and the upper edge at `y_max`. Each pixel has one value, transparent pixels have none.
        image: Option<Text> = child(Value::Uri).named("value_image");
        /// Values of black and white.
        image_range: [f64; 2] =
            child(number("")).named("value_image_min").doc("Value of black.").or("0"),
            child(number("")).named("value_image_max").doc("Value of white.").or("1");
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
    let GivenRegion { x, y, z, property, number, flag, text, image, image_range } = given;
    let property = reader.require("property_name", property);
    let context = reader.finish();
    let number = number.map(PropertyValue::Number);
    let mut value = number.or(flag.map(PropertyValue::Bool)).or(text.map(PropertyValue::Text));
    if let (None, Some(file)) = (&value, &image) {
        let Some(values) = read_image(context, file, image_range) else { return Vec::new() };
        value = Some(PropertyValue::Image(Arc::new(values)));
    }
    let Some(value) = value else {
        let error = Diagnostic::error("a property region without a value")
            .at(element.name_span)
            .label("expected <value_double>, <value_bool>, <value_string> or <value_image>")
            .help("write <value_double>0.3</value_double>, or a boolean, a text or an image");
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

/// Reads the values of an image.
fn read_image(context: &mut Context<'_>, file: &Text, range: [f64; 2]) -> Option<ValueImage> {
    let path = files::local_path(context, file)?;
    let limits = context.assets.limits;
    let image = files::read(context, file.span, &path, |path: &_| image::read(path, &limits))?;
    let bytes = image.width() * image.height() * if image.white() > 255 { 2 } else { 1 };
    files::reserve(context, bytes, file.span).then_some(ValueImage { image, range })
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
        ("friction_mu" | "friction_C_rr", PropertyValue::Image(values))
            if values.range.iter().all(|value| *value >= 0.0) =>
        {
            return;
        }
        ("friction_mu" | "friction_C_rr", _) => (
            "expected <value_double> or the values of <value_image>, at least 0",
            "write <value_double>0.3</value_double>; 0 is ice, 0.8 is dry asphalt",
        ),
        ("gps_no_coverage", PropertyValue::Bool(_)) => return,
        ("gps_no_coverage", _) => ("expected <value_bool>", "write <value_bool>true</value_bool>"),
        _ => return,
    };
    let names = ["value_double", "value_bool", "value_string", "value_image"];
    let given = element.children.iter().find(|child| names.contains(&child.name.as_str()));
    let place = given.map_or(element.name_span, |child| child.name_span);
    let error = Diagnostic::error(format!("unexpected value of property `{property}`"));
    context.report.push(error.at(place).label(expected).help(help));
}
