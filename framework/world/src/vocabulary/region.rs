//! Places with properties.

use super::{Section, Value, attribute, child, number, section};

pub(crate) static PROPERTY_REGION: Section = section(
    "element class=\"property_region\"",
    "A box in which a property has a value. Of regions of one property the first in the file wins.",
    &[
        attribute("class", Value::Text, "property_region").required(),
        child("x_min", number("m"), "Extent.").or("-1"),
        child("x_max", number("m"), "Extent.").or("1"),
        child("y_min", number("m"), "Extent.").or("-1"),
        child("y_max", number("m"), "Extent.").or("1"),
        child("z_min", number("m"), "Extent.").or("-1000"),
        child("z_max", number("m"), "Extent.").or("1000"),
        child(
            "property_name",
            Value::Text,
            "friction_mu, friction_C_rr, gps_no_coverage, or one that a plugin knows.",
        )
        .required(),
        child("value_double", number(""), "A number."),
        child("value_bool", Value::Bool, "A boolean."),
        child("value_string", Value::Text, "A text."),
    ],
);
