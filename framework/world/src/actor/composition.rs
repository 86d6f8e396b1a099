//! The `<actor>` and `<actor:class>` elements, and the actor that both make together.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use simhost_scene::Pose3;

use super::path::{self, PATH, Waypoint};
use crate::animation::{ANIMATION, Animation, read_animation};
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::expansion::{IF_ENTRY, INCLUDE_ENTRY};
use crate::pose::{self, has_pose, read_pose, report_missing_pose};
use crate::publish::{self, Publish, read_publish};
use crate::reader::ElementReader;
use crate::semantic::{self, read_semantic};
use crate::sources::Span;
use crate::tree::Element;
use crate::visual::{self, Visual, read_visuals};
use crate::vocabulary::{
    Entry, Section, Value, attribute, child, count, joined, number, positive, section,
};

/// A person or another body that follows a path.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Name, unique among actors.
    pub name: String,
    /// Position of the declaration.
    pub span: Span,
    /// Initial pose.
    pub pose: Pose3,
    /// Whether the height of the pose is kept instead of placing the actor on the ground.
    pub skip_elevation_adjust: bool,
    /// Walking speed in m/s.
    pub walking_speed: f64,
    /// Running speed in m/s.
    pub running_speed: f64,
    /// Radius of the body in m.
    pub collision_radius: f64,
    /// Height of the body in m.
    pub collision_height: f64,
    /// Waypoints in the order in which they are visited.
    pub path: Vec<Waypoint>,
    /// Whether the path starts again at its end.
    pub repeats: bool,
    /// Names of the animation clips for standing, walking and running.
    pub clips: [String; 3],
    /// Motion that is played instead of following the path.
    pub animation: Option<Arc<Animation>>,
    /// Visuals.
    pub visuals: Arc<[Visual]>,
    /// Publication to other processes.
    pub publish: Option<Arc<Publish>>,
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
}

pub(crate) static ACTOR: Section = section("actor", "A person that follows a path.", INSTANCE);
pub(crate) static CLASS: Section =
    section("actor:class", "Properties that the actors of a class share.", IN_CLASS);

const INSTANCE_LISTS: &[&[Entry]] = &[
    pose::BODY_POSE,
    COMMON,
    &[
        attribute("name", Value::Text, "Name, unique among actors.").or_else("actor1, actor2, …"),
        attribute("class", Value::Text, "Name of an `<actor:class>` declared before."),
    ],
];
const INSTANCE: &[Entry] = &joined::<{ count(INSTANCE_LISTS) }>(INSTANCE_LISTS);

const CLASS_LISTS: &[&[Entry]] = &[
    pose::BODY_POSE,
    COMMON,
    &[attribute("name", Value::Text, "Name that `class` refers to.").required()],
];
const IN_CLASS: &[Entry] = &joined::<{ count(CLASS_LISTS) }>(CLASS_LISTS);

const COMMON: &[Entry] = &[
    child("walking_speed", positive("m/s"), "Walking speed.").or("1.4"),
    child("running_speed", positive("m/s"), "Running speed.").or("3.5"),
    child("collision_radius", positive("m"), "Radius of the body.").or("0.3"),
    child("collision_height", positive("m"), "Height of the body.").or("1.7"),
    child("height", positive("m"), "Height of the drawn person.")
        .or("1.75")
        .unused("MVSim reads it, but does not use it"),
    child("turning_rate", number("deg/s"), "Turning rate.")
        .ignored("it is in MVSim's manual, but MVSim does not read it"),
    child("animation_idle", Value::Text, "Animation clip for standing.").or("idle"),
    child("animation_walk", Value::Text, "Animation clip for walking.").or("walk"),
    child("animation_run", Value::Text, "Animation clip for running.").or("run"),
    child("path", Value::Element(&PATH), "The path to follow."),
    visual::ENTRY,
    publish::ENTRY,
    semantic::ENTRY,
    child(
        "animation",
        Value::Element(&ANIMATION),
        "A motion that is played instead of following the path.",
    ),
    INCLUDE_ENTRY,
    IF_ENTRY,
];

/// The actor names and classes read so far.
#[derive(Debug)]
pub(crate) struct Actors {
    names: HashSet<String>,
    classes: ClassTable<ActorLayer>,
}

impl Default for Actors {
    fn default() -> Self {
        Self { names: HashSet::new(), classes: ClassTable::new("actor:class") }
    }
}

/// Definition of an actor in one element: the actor itself or its class.
#[derive(Debug, Default)]
struct ActorLayer {
    pose: Option<Pose3>,
    /// Whether a pose is given, valid or not.
    has_pose: bool,
    skip_elevation_adjust: bool,
    /// Walking and running speed in m/s.
    speeds: [Option<f64>; 2],
    /// Radius and height in m.
    body: [Option<f64>; 2],
    clips: [Option<String>; 3],
    path: Option<Vec<Waypoint>>,
    repeats: bool,
    visuals: Vec<Visual>,
    animation: Option<Arc<Animation>>,
    publish: Option<Arc<Publish>>,
    semantic: Option<Arc<str>>,
}

const SPEEDS: [&str; 2] = ["walking_speed", "running_speed"];
const BODY: [&str; 2] = ["collision_radius", "collision_height"];
const CLIPS: [&str; 3] = ["animation_idle", "animation_walk", "animation_run"];

/// Reads an `<actor:class>`.
pub(crate) fn read_class(context: &mut Context<'_>, actors: &mut Actors, element: &Element) {
    actors.classes.declare(context, element, |context| read(context, element, &CLASS));
}

/// Reads an `<actor>`. `count` is the number of earlier actors.
pub(crate) fn read_actor(
    context: &mut Context<'_>,
    actors: &mut Actors,
    element: &Element,
    count: usize,
) -> Option<Actor> {
    let text = element.attribute("name");
    let given = text.and_then(|text| text.value());
    let name = given.map_or_else(|| format!("actor{}", count + 1), str::to_owned);
    if !actors.names.insert(name.clone()) {
        let span = text.map_or(element.name_span, |text| text.span);
        let message = format!("duplicate actor name: `{name}`");
        context.report.error(span, message, "already in use");
    }
    let class = match element.attribute("class") {
        Some(text) => actors.classes.find(context, text),
        None => Some(Rc::default()),
    };
    let own = read(context, element, &ACTOR);
    compose(context, element, name, own, class?.as_ref())
}

/// Reads an actor or a class.
fn read(context: &mut Context<'_>, element: &Element, section: &'static Section) -> ActorLayer {
    let mut reader = ElementReader::of_class(context, element, section);
    let mut layer = ActorLayer {
        pose: read_pose(&mut reader),
        has_pose: has_pose(&mut reader),
        skip_elevation_adjust: reader.is_given("skip_elevation_adjust"),
        speeds: SPEEDS.map(|name| reader.given_number(name)),
        body: BODY.map(|name| reader.given_number(name)),
        clips: CLIPS.map(|name| reader.given_text(name)),
        animation: read_animation(&mut reader),
        publish: read_publish(&mut reader),
        semantic: read_semantic(&mut reader),
        ..ActorLayer::default()
    };
    let (path, visuals) = (reader.child("path"), reader.children(&["visual"]));
    reader.finish();
    if let Some(path) = path {
        let (repeats, waypoints) = path::read(context, path);
        (layer.repeats, layer.path) = (repeats, Some(waypoints));
    }
    layer.visuals = read_visuals(context, &visuals);
    layer
}

fn compose(
    context: &mut Context<'_>,
    element: &Element,
    name: String,
    own: ActorLayer,
    class: &ActorLayer,
) -> Option<Actor> {
    let pose = own.pose.or(class.pose);
    if !own.has_pose && !class.has_pose {
        report_missing_pose(context, element, &name);
    }
    let first = |own: [Option<f64>; 2], class: [Option<f64>; 2], names: [&str; 2]| {
        [0, 1].map(|index| {
            let given = own[index].or(class[index]);
            given.unwrap_or_else(|| ACTOR.default_number(names[index]))
        })
    };
    let [walking_speed, running_speed] = first(own.speeds, class.speeds, SPEEDS);
    let [collision_radius, collision_height] = first(own.body, class.body, BODY);
    let clip = |index: usize| {
        let given = own.clips[index].clone().or_else(|| class.clips[index].clone());
        given.unwrap_or_else(|| ACTOR.default_text(CLIPS[index]).to_owned())
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
        semantic: own.semantic.or_else(|| class.semantic.clone()),
    })
}
