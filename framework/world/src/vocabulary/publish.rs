//! What other processes are told.

use super::{Section, Value, attribute, child, number, section};

pub(crate) static PUBLISH: Section = section(
    "publish",
    "What other processes are told. Checked and kept; nothing is sent yet.",
    &[
        attribute("enabled", Value::Bool, "Switched on.").or("true"),
        child("publish_pose_topic", Value::Text, "Topic of the pose."),
        child("publish_pose_period", number("s").above(0.0), "Between poses.").or("0.1"),
        child("publish_relative_pose_topic", Value::Text, "Topic of poses relative to others."),
        child("publish_relative_pose_objects", Value::Text, "Those others, separated by commas."),
        child("publish_topic", Value::Text, "Topic of the readings of a sensor."),
    ],
);
