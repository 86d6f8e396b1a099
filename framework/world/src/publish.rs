//! Publication of poses and readings to other processes.

use std::sync::Arc;

use crate::context::Context;
use crate::literal::list_items;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Entry, Section, Value, attribute, child, positive, section};

/// Publication of an object to other processes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Publish {
    /// Whether publication is enabled.
    pub enabled: bool,
    /// Topic of the pose.
    pub pose_topic: Option<String>,
    /// Topic of the poses of other objects relative to this one.
    pub relative_pose_topic: Option<String>,
    /// Names of those objects.
    pub relative_pose_objects: Vec<String>,
    /// Topic of a sensor's readings.
    pub topic: Option<String>,
    /// Time between poses in s.
    pub period: f64,
}

pub(crate) static PUBLISH: Section = section(
    "publish",
    "Publication to other processes. The settings are checked and kept; nothing is published yet.",
    &[
        attribute("enabled", Value::Bool, "Enables publication.").or("true"),
        child("publish_pose_topic", Value::Text, "Topic of the pose."),
        child("publish_pose_period", positive("s"), "Time between poses.").or("0.1"),
        child(
            "publish_relative_pose_topic",
            Value::Text,
            "Topic of relative poses of other objects.",
        ),
        child(
            "publish_relative_pose_objects",
            Value::Text,
            "Names of those objects, separated by commas.",
        ),
        child("publish_topic", Value::Text, "Topic of a sensor's readings."),
    ],
);

/// The entry of objects that can publish.
pub(crate) const ENTRY: Entry =
    child("publish", Value::Element(&PUBLISH), "Publication to other processes.");

/// Reads the `<publish>` of an object.
pub(crate) fn read_publish(reader: &mut ElementReader<'_, '_, '_>) -> Option<Arc<Publish>> {
    let element = reader.child("publish")?;
    Some(Arc::new(read(reader.context, element)))
}

fn read(context: &mut Context<'_>, element: &Element) -> Publish {
    let mut reader = ElementReader::new(context, element, &PUBLISH);
    let objects = reader.text_of("publish_relative_pose_objects");
    let span = objects.map(|text| text.span);
    let names = objects.and_then(|text| text.value()).unwrap_or_default();
    let publish = Publish {
        enabled: reader.flag("enabled"),
        pose_topic: reader.given_text("publish_pose_topic"),
        relative_pose_topic: reader.given_text("publish_relative_pose_topic"),
        relative_pose_objects: list_items(names).map(str::to_owned).collect(),
        topic: reader.given_text("publish_topic"),
        period: reader.number("publish_pose_period"),
    };
    let context = reader.finish();
    if let Some(span) = span {
        let names = publish.relative_pose_objects.iter();
        context.references.objects.extend(names.map(|name| (name.clone(), span)));
    }
    if publish.relative_pose_topic.is_some() == publish.relative_pose_objects.is_empty() {
        let message = "a topic of relative poses without objects, or objects without a topic";
        context.report.error(element.name_span, message, "expected both or neither");
    }
    publish
}
