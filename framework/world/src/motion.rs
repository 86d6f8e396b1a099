//! Animations, and what other processes are told of what moves.

use std::sync::Arc;

use crate::description::{Animation, Publish};
use crate::geometry::pose_of;
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::animation::{ANIMATION, KEY_2D, KEY_3D};
use crate::vocabulary::publish::PUBLISH;
use crate::xml::Element;

impl Tag<'_, '_, '_> {
    /// `<animation>` and `<publish>`.
    pub(crate) fn animation(&mut self) -> Option<Arc<Animation>> {
        let element = self.child("animation")?;
        self.reader.animation(element).map(Arc::new)
    }

    pub(crate) fn publish(&mut self) -> Option<Arc<Publish>> {
        let element = self.child("publish")?;
        self.reader.publish(element).map(Arc::new)
    }
}

impl Reader<'_> {
    fn animation(&mut self, element: &Element) -> Option<Animation> {
        let mut tag = Tag::new(self, element, &ANIMATION);
        let kind = tag.given_word("type");
        tag.needed("type", kind);
        let children = tag.children(&["time_pose", "time_pose3d"]);
        tag.finish();
        let mut keyframes = Vec::with_capacity(children.len());
        for child in children {
            let layout = if child.name == "time_pose" { KEY_2D } else { KEY_3D };
            let row = self.leaf(child).and_then(|text| self.row(text, &child.name, layout))?;
            let before: Option<&(f64, _)> = keyframes.last();
            if before.map_or(row[0] < 0.0, |before| row[0] <= before.0) {
                let message = format!("time {} does not come after the one before", row[0]);
                let label = "expected rising times, s, from 0 on";
                self.error(child.name_span, message, label, Vec::new());
            }
            keyframes.push((row[0], pose_of(&row[1..])));
        }
        if keyframes.last().is_none_or(|(time, _)| *time <= 0.0) {
            let help = "help: write <time_pose>T X Y YAW_DEG</time_pose>".to_owned();
            let message = "an animation without a time after 0";
            self.error(element.name_span, message, "", vec![help]);
            return None;
        }
        Some(Animation { keyframes })
    }

    fn publish(&mut self, element: &Element) -> Option<Publish> {
        let mut tag = Tag::new(self, element, &PUBLISH);
        let objects = tag.text_of("publish_relative_pose_objects");
        let span = objects.map(|text| text.span);
        let objects = objects.and_then(|text| tag.reader.value(text)).unwrap_or_default();
        let publish = Publish {
            enabled: tag.flag("enabled"),
            pose_topic: tag.given_text("publish_pose_topic"),
            relative_pose_topic: tag.given_text("publish_relative_pose_topic"),
            relative_pose_objects: crate::numbers::words(&objects).map(str::to_owned).collect(),
            topic: tag.given_text("publish_topic"),
            period: tag.number("publish_pose_period"),
        };
        tag.finish();
        if let Some(span) = span {
            let names = publish.relative_pose_objects.iter();
            self.objects.extend(names.map(|name| (name.clone(), span)));
        }
        if publish.relative_pose_topic.is_some() == publish.relative_pose_objects.is_empty() {
            let message = "a topic of relative poses needs objects, and the other way round";
            let label = "expected both or neither";
            self.error(element.name_span, message, label, Vec::new());
        }
        Some(publish)
    }
}
