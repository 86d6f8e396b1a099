//! Motion by plan.

use super::{Section, Value, attribute, child, section};

/// Of a key in the plane.
pub(crate) const KEY_2D: &[&str] = &["T X Y YAW_DEG"];
/// Of a key in space.
pub(crate) const KEY_3D: &[&str] = &["T X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];

pub(crate) static ANIMATION: Section = section(
    "animation",
    "A motion that repeats for ever, relative to the pose at the start. Times rise.",
    &[
        attribute("type", Value::Choice(&["keyframes"]), "How it is given.").required(),
        child("time_pose", Value::Row(KEY_2D), "A time, s, and a pose in the plane.").repeats(),
        child("time_pose3d", Value::Row(KEY_3D), "A time, s, and a pose in space.").repeats(),
    ],
);
