//! Animations: motions given by keyframes.

use std::ops::Range;

use simhost_scene::Pose3;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::pose::pose_from_row;
use crate::reader::{ElementReader, Field, FromEntry, Given, declare, leaf_text};
use crate::value;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Value, element};

/// Layout of a keyframe in the plane.
const KEY_2D: &[&str] = &["T X Y YAW_DEG"];
/// Layout of a keyframe in space.
const KEY_3D: &[&str] = &["T X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];

/// The only kind of motion.
const TYPE: Entry =
    attribute(Value::Choice(&["keyframes"])).named("type").doc("Format of the motion.").required();

declare! {
    /// A motion relative to the initial pose that repeats forever. Times must increase.
    section = element("animation").with(&[TYPE]) => check;

    /// A motion that repeats forever.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Animation {
        /// Times, strictly increasing, and poses relative to the initial pose. The last time is the period.
        pub keyframes: Vec<(f64, Pose3)> =
            child(Value::Row(KEY_2D)).named("time_pose").doc("A time in s and a pose in the plane.").repeats(),
            child(Value::Row(KEY_3D)).named("time_pose3d").doc("A time in s and a pose in space.").repeats();
    }
}

/// The value of elements with an animation.
pub(crate) const ELEMENT: Value = Value::Element(Animation::SECTION);

/// A time in s, and the pose at this time.
type Keyframe = (f64, Pose3);

impl FromEntry for Keyframe {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let (Value::Row(layout), Given::Child(element)) = (entry.value, given) else { return None };
        let text = leaf_text(context, element)?;
        let row = value::row(context, text, entry.name, layout)?;
        Some((row[0], pose_from_row(&row[1..])))
    }
}

impl Field for Vec<Keyframe> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let (entries, given) = (reader.section.entries, reader.take_all(place).into_iter());
        given.map(|(at, one)| Keyframe::parse(reader.context, &entries[at], one)).collect()
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        None
    }

    fn report_absent(reader: &mut ElementReader<'_, '_, '_>, _: &'static Entry) {
        let error = Diagnostic::error("an animation without a keyframe after time 0")
            .at(reader.element.name_span)
            .help("write <time_pose>T X Y YAW_DEG</time_pose>");
        reader.context.report.push(error);
    }
}

/// Reports times that do not increase, and an animation without motion.
fn check(animation: Animation, reader: &mut ElementReader<'_, '_, '_>) -> Option<Animation> {
    reader.value::<String>("type");
    let elements = reader.children(&["time_pose", "time_pose3d"]);
    let mut previous = None;
    for ((time, _), element) in animation.keyframes.iter().zip(elements) {
        if previous.map_or(*time < 0.0, |previous| *time <= previous) {
            let message = format!("keyframe time {time} is not after the previous one");
            let label = "expected increasing times in s, starting at 0 or later";
            reader.context.report.error(element.name_span, message, label);
        }
        previous = Some(*time);
    }
    if previous.is_none_or(|time| time <= 0.0) {
        <Vec<Keyframe>>::report_absent(reader, &TYPE);
        return None;
    }
    Some(animation)
}
