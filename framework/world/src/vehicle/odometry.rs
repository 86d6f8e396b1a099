//! Scale errors of the odometry of a vehicle.

use std::sync::LazyLock;

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, attribute, number, section};

pub(super) static ODOMETRY: Section = section(
    "odometry",
    "Factors on the increments of the odometry pose.",
    &[
        attribute("x_multiplier", number("1"), "Factor on forward motion.").or("1"),
        attribute("y_multiplier", number("1"), "Factor on leftward motion.").or("1"),
        attribute("yaw_multiplier", number("1"), "Factor on rotation.").or("1"),
    ],
);

const NAMES: [&str; 3] = ["x_multiplier", "y_multiplier", "yaw_multiplier"];

/// Reads the factors on x, y and yaw.
pub(super) fn read(context: &mut Context<'_>, element: &Element) -> [f64; 3] {
    let mut reader = ElementReader::new(context, element, &ODOMETRY);
    let multipliers = NAMES.map(|name| reader.number(name));
    reader.finish();
    multipliers
}

/// Returns the factors of a vehicle without `<odometry>`.
pub(super) fn default() -> [f64; 3] {
    static DEFAULT: LazyLock<[f64; 3]> =
        LazyLock::new(|| NAMES.map(|name| ODOMETRY.default_number(name)));
    *DEFAULT
}
