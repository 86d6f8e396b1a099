//! Publication of poses and readings to other processes.

use crate::reader::{ElementReader, declare};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Value, element, positive};

declare! {
    /// Publication to other processes. The settings are checked and kept; nothing is published yet.
    section = element("publish") => check;

    /// Publication of an object to other processes.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Publish {
        /// Enables publication.
        pub enabled: bool = attribute(Value::Bool).or("true");
        /// Topic of the pose.
        pub pose_topic: Option<String> = child(Value::Text).named("publish_pose_topic");
        /// Time between poses.
        pub period: f64 = child(positive("s")).named("publish_pose_period").or("0.1");
        /// Topic of relative poses of other objects.
        pub relative_pose_topic: Option<String> = child(Value::Text).named("publish_relative_pose_topic");
        /// Names of these objects, separated by commas.
        pub relative_pose_objects: Vec<String> = child(Value::Text).named("publish_relative_pose_objects");
        /// Topic of a sensor's readings.
        pub topic: Option<String> = child(Value::Text).named("publish_topic");
    }
}

/// The entry of objects that can publish.
pub(crate) const ENTRY: Entry =
    child(Value::Element(Publish::SECTION)).named("publish").doc("Publication to other processes.");

/// Remembers the objects, to look them up when all are known. Reports a topic without objects, or objects without a topic.
fn check(publish: Publish, reader: &mut ElementReader<'_, '_, '_>) -> Option<Publish> {
    let names = &publish.relative_pose_objects;
    let span = reader.text_of("publish_relative_pose_objects").map(|text| text.span);
    let context = &mut *reader.context;
    context.references.objects.extend(names.iter().filter_map(|name| Some((name.clone(), span?))));
    if publish.relative_pose_topic.is_some() == names.is_empty() {
        let message = "a topic of relative poses without objects, or objects without a topic";
        context.report.error(reader.element.name_span, message, "expected both or neither");
    }
    Some(publish)
}
