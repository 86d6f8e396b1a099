//! Animations: motions given by keyframes.

use std::sync::Arc;

use simhost_scene::Pose3;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::pose::pose_from_row;
use crate::reader::{ElementReader, leaf_text};
use crate::tree::Element;
use crate::value;
use crate::vocabulary::{Section, Value, attribute, child, section};

/// A motion that repeats forever.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// Times in s, strictly increasing, and poses relative to the initial pose. The last time is
    /// the period.
    pub keyframes: Vec<(f64, Pose3)>,
}

/// Layout of a keyframe in the plane.
const KEY_2D: &[&str] = &["T X Y YAW_DEG"];
/// Layout of a keyframe in space.
const KEY_3D: &[&str] = &["T X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];

pub(crate) static ANIMATION: Section = section(
    "animation",
    "A motion relative to the initial pose that repeats forever. Times must increase.",
    &[
        attribute("type", Value::Choice(&["keyframes"]), "How the motion is given.").required(),
        child("time_pose", Value::Row(KEY_2D), "A time in s and a pose in the plane.").repeats(),
        child("time_pose3d", Value::Row(KEY_3D), "A time in s and a pose in space.").repeats(),
    ],
);

/// Reads the `<animation>` of a body.
pub(crate) fn read_animation(reader: &mut ElementReader<'_, '_, '_>) -> Option<Arc<Animation>> {
    let element = reader.child("animation")?;
    read(reader.context, element).map(Arc::new)
}

fn read(context: &mut Context<'_>, element: &Element) -> Option<Animation> {
    let mut reader = ElementReader::new(context, element, &ANIMATION);
    let kind = reader.given_word("type");
    reader.require("type", kind);
    let children = reader.children(&["time_pose", "time_pose3d"]);
    let context = reader.finish();
    let mut keyframes = Vec::with_capacity(children.len());
    for child in children {
        let layout = if child.name == "time_pose" { KEY_2D } else { KEY_3D };
        let text = leaf_text(context, child)?;
        let row = value::row(context, text, &child.name, layout)?;
        let previous: Option<&(f64, _)> = keyframes.last();
        if previous.map_or(row[0] < 0.0, |previous| row[0] <= previous.0) {
            let message = format!("keyframe time {} is not after the previous one", row[0]);
            let label = "expected increasing times in s, starting at 0 or later";
            context.report.error(child.name_span, message, label);
        }
        keyframes.push((row[0], pose_from_row(&row[1..])));
    }
    if keyframes.last().is_none_or(|(time, _)| *time <= 0.0) {
        let error = Diagnostic::error("an animation without a keyframe after time 0")
            .at(element.name_span)
            .help("write <time_pose>T X Y YAW_DEG</time_pose>");
        context.report.push(error);
        return None;
    }
    Some(Animation { keyframes })
}
