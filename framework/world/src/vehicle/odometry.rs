//! Scale errors and frames of the odometry of a vehicle.

use std::sync::LazyLock;

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, Value, attribute, number, section};

pub(super) static ODOMETRY: Section = section(
    "odometry",
    "Factors on the increments of the odometry pose.",
    &[
        attribute("x_multiplier", number("1"), "Factor on forward motion.").or("1"),
        attribute("y_multiplier", number("1"), "Factor on leftward motion.").or("1"),
        attribute("yaw_multiplier", number("1"), "Factor on rotation.").or("1"),
        attribute(
            "transform",
            Value::Choice(&["odometry", TRUTH]),
            "Pose of the vehicle in its frame `odom` in the stream `tf`: that of the odometry, or the true one, so that `odom` \
             rests at the origin of `map`.",
        )
        .or("odometry"),
    ],
);

/// Choice of the true pose.
const TRUTH: &str = "truth";

/// The odometry of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct OdometrySettings {
    /// Factors on the increments of x, y and yaw.
    pub multipliers: [f64; 3],
    /// Whether the frame of the odometry rests at the origin of the world.
    pub is_true: bool,
}

const NAMES: [&str; 3] = ["x_multiplier", "y_multiplier", "yaw_multiplier"];

/// Reads the factors on x, y and yaw, and the frame.
pub(super) fn read(context: &mut Context<'_>, element: &Element) -> OdometrySettings {
    let mut reader = ElementReader::new(context, element, &ODOMETRY);
    let multipliers = NAMES.map(|name| reader.number(name));
    let is_true = reader.given_text("transform").is_some_and(|text| text == TRUTH);
    reader.finish();
    OdometrySettings { multipliers, is_true }
}

/// Returns the odometry of a vehicle without `<odometry>`.
pub(super) fn default() -> OdometrySettings {
    static DEFAULT: LazyLock<[f64; 3]> =
        LazyLock::new(|| NAMES.map(|name| ODOMETRY.default_number(name)));
    OdometrySettings { multipliers: *DEFAULT, is_true: false }
}
