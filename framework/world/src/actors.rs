//! Actors: who walks along a path.

use std::rc::Rc;
use std::sync::Arc;

use crate::description::{Actor, Animation, Gait, Pose, Publish, Visual, Waypoint};
use crate::geometry::pose_of;
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::actor::{ACTOR, PATH, PLACE, WAYPOINT};
use crate::xml::{Element, Text};

/// What one place says of an actor.
#[derive(Debug, Default)]
pub(crate) struct ActorPart {
    pose: Option<Pose>,
    /// Given, right or wrong.
    has_pose: bool,
    skip_elevation_adjust: bool,
    /// Walking, running, m/s.
    speeds: [Option<f64>; 2],
    /// Radius, height, m.
    body: [Option<f64>; 2],
    clips: [Option<String>; 3],
    path: Option<Vec<Waypoint>>,
    repeats: bool,
    visuals: Vec<Visual>,
    animation: Option<Arc<Animation>>,
    publish: Option<Arc<Publish>>,
}

impl Reader<'_> {
    pub(crate) fn actor(&mut self, element: &Element) {
        let name = self.actor_name(element);
        let class = match element.attribute("class") {
            Some(text) => self.actor_class(text),
            None => Some(Rc::default()),
        };
        let own = self.actor_part(element, &ACTOR);
        if let Some(class) = class {
            let actor = self.composed_actor(element, name, own, &class);
            self.world.actors.extend(actor);
        }
    }

    fn actor_name(&mut self, element: &Element) -> String {
        let text = element.attribute("name");
        let given = text.and_then(|text| self.value(text));
        let automatic = || format!("actor{}", self.world.actors.len() + 1);
        let name = given.map_or_else(automatic, |name| name.to_string());
        if !self.actor_names.insert(name.clone()) {
            let span = text.map_or(element.name_span, |text| text.span);
            let message = format!("two actors are named `{name}`");
            self.error(span, message, "used before", Vec::new());
        }
        name
    }

    fn actor_class(&mut self, text: &Text) -> Option<Rc<ActorPart>> {
        let name = self.value(text)?;
        match self.actor_classes.get(name.as_str()).cloned() {
            Some(part) => Some(part),
            None => {
                let known: Vec<String> = self.actor_classes.keys().cloned().collect();
                self.unknown_layer(text, &name, &known, "actor:class");
                None
            }
        }
    }

    /// What the children of an element say.
    pub(crate) fn actor_part(
        &mut self,
        element: &Element,
        section: &'static crate::vocabulary::Section,
    ) -> ActorPart {
        let mut tag = Tag::new(self, element, section);
        tag.head();
        let clips = ["animation_idle", "animation_walk", "animation_run"];
        let mut part = ActorPart {
            pose: tag.pose(),
            has_pose: tag.has_pose(),
            skip_elevation_adjust: tag.is_given("skip_elevation_adjust"),
            speeds: ["walking_speed", "running_speed"].map(|name| tag.given_number(name)),
            body: ["collision_radius", "collision_height"].map(|name| tag.given_number(name)),
            clips: clips.map(|name| tag.given_text(name)),
            animation: tag.animation(),
            publish: tag.publish(),
            ..ActorPart::default()
        };
        let (path, visuals) = (tag.child("path"), tag.children(&["visual"]));
        tag.finish();
        if let Some(path) = path {
            let (repeats, waypoints) = self.path(path);
            (part.repeats, part.path) = (repeats, Some(waypoints));
        }
        part.visuals = self.visuals(&visuals);
        part
    }

    fn path(&mut self, element: &Element) -> (bool, Vec<Waypoint>) {
        let mut tag = Tag::new(self, element, &PATH);
        let (repeats, waypoints) = (tag.flag("loop"), tag.children(&["waypoint"]));
        tag.finish();
        (repeats, waypoints.into_iter().filter_map(|element| self.waypoint(element)).collect())
    }

    fn waypoint(&mut self, element: &Element) -> Option<Waypoint> {
        let mut tag = Tag::new(self, element, &WAYPOINT);
        tag.text_read = true;
        let pause = tag.number("pause");
        let gait = match tag.word("animation") {
            "idle" => Gait::Idle,
            "run" => Gait::Run,
            _ => Gait::Walk,
        };
        tag.finish();
        let Some(text) = &element.text else {
            let label = "expected X Y YAW_DEG";
            self.error(element.name_span, "a waypoint without a place", label, Vec::new());
            return None;
        };
        let row = self.row(text, "waypoint", PLACE)?;
        Some(Waypoint { pose: pose_of(&row), pause, gait })
    }

    fn composed_actor(
        &mut self,
        element: &Element,
        name: String,
        own: ActorPart,
        class: &ActorPart,
    ) -> Option<Actor> {
        let pose = own.pose.or(class.pose);
        if !own.has_pose && !class.has_pose {
            self.without_pose(element, &name);
        }
        let first = |a: [Option<f64>; 2], b: [Option<f64>; 2], default: [f64; 2]| {
            [0, 1].map(|index| a[index].or(b[index]).unwrap_or(default[index]))
        };
        let [walking_speed, running_speed] = first(own.speeds, class.speeds, [1.4, 3.5]);
        let [collision_radius, collision_height] = first(own.body, class.body, [0.3, 1.7]);
        let defaults = ["idle", "walk", "run"];
        let clip = |index: usize| {
            let given = own.clips[index].clone().or_else(|| class.clips[index].clone());
            given.unwrap_or_else(|| defaults[index].to_owned())
        };
        let repeats = if own.path.is_some() { own.repeats } else { class.repeats };
        Some(Actor {
            clips: [clip(0), clip(1), clip(2)],
            name,
            span: element.name_span,
            pose: pose?,
            skip_elevation_adjust: own.skip_elevation_adjust || class.skip_elevation_adjust,
            walking_speed,
            running_speed,
            collision_radius,
            collision_height,
            path: own.path.or_else(|| class.path.clone()).unwrap_or_default(),
            repeats,
            animation: own.animation.or_else(|| class.animation.clone()),
            visuals: own.visuals.iter().chain(&class.visuals).cloned().collect(),
            publish: own.publish.or_else(|| class.publish.clone()),
        })
    }
}
