//! Actors: people and other bodies that follow a path.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_scene::Pose3;

use crate::animation::Animation;
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::expansion::{IF_ENTRY, INCLUDE_ENTRY};
use crate::pose::{POSE_ANY, pose_from_row};
use crate::publish::Publish;
use crate::reader::{ClassValues, ElementReader, Fields, Words, declare, words};
use crate::sources::Span;
use crate::tree::Element;
use crate::visual::Visual;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Section, Value, element, non_negative, number, positive, section};
use crate::{animation, pose, publish, semantic, value, visual};

declare! {
    /// A person or another body that follows a path.
    #[derive(Clone, Debug)]
    pub struct Actor {
        /// Initial pose.
        pub pose: Pose3 = pose::INITIAL, pose::INITIAL_3D;
        /// Whether the height of the pose is kept instead of placing the actor on the ground.
        pub skip_elevation_adjust: bool = pose::KEPT_HEIGHT;
        /// Walking speed.
        pub walking_speed: f64 = child(positive("m/s")).or("1.4");
        /// Running speed.
        pub running_speed: f64 = child(positive("m/s")).or("3.5");
        /// Radius of the body.
        pub collision_radius: f64 = child(positive("m")).or("0.3");
        /// Height of the body.
        pub collision_height: f64 =
            child(positive("m")).or("1.7"),
            child(positive("m")).named("height").doc("Height of the drawn person.").or("1.75")
                .unused("MVSim reads it, but does not use it"),
            child(number("deg/s")).named("turning_rate").doc("Turning rate.")
                .ignored("it is in MVSim's manual, but MVSim does not read it");
        /// Names of the animation clips for standing, walking and running.
        pub clips: [String; 3] =
            child(Value::Text).named("animation_idle").doc("Animation clip for standing.").or("idle"),
            child(Value::Text).named("animation_walk").doc("Animation clip for walking.").or("walk"),
            child(Value::Text).named("animation_run").doc("Animation clip for running.").or("run");
        /// The path to follow.
        pub path: ActorPath = child(Value::Element(ActorPath::SECTION));
        /// Visuals.
        pub visuals: Arc<[Visual]> = visual::APPEARANCE_ENTRY;
        /// Publication to other processes.
        pub publish: Option<Arc<Publish>> = publish::ENTRY;
        /// Semantic class, if given.
        pub semantic: Option<Arc<str>> = semantic::ENTRY;
        /// A prescribed motion instead of following the path.
        pub animation: Option<Arc<Animation>> = child(animation::ELEMENT), INCLUDE_ENTRY, IF_ENTRY;
        /// Name, unique among actors.
        pub name: String => |_| String::new();
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

declare! {
    const INSTANCE: Actor {
        /// Name, unique among actors.
        name = attribute(Value::Text).or_else("actor1, actor2, …");
        /// Name of an `<actor:class>` declared before.
        class = attribute(Value::Text);
    }
}

declare! {
    const OF_CLASS: Actor {
        /// Name that `class` refers to.
        name = attribute(Value::Text).required();
    }
}

pub(crate) static ACTOR: Section = section("actor", "A person that follows a path.", INSTANCE);
pub(crate) static CLASS: Section =
    section("actor:class", "Properties that the actors of a class share.", OF_CLASS);

/// The actor names and classes read so far.
#[derive(Debug)]
pub(crate) struct Actors {
    names: HashSet<String>,
    classes: ClassTable<ClassValues>,
}

impl Default for Actors {
    fn default() -> Self {
        Self { names: HashSet::new(), classes: ClassTable::new("actor:class") }
    }
}

/// Reads an `<actor:class>`.
pub(crate) fn read_class(context: &mut Context<'_>, actors: &mut Actors, element: &Element) {
    actors
        .classes
        .declare(context, element, |context| ClassValues::read::<Actor>(context, element, &CLASS));
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
    context.set_owner("actor", &name);
    let class = element.attribute("class").map(|text| actors.classes.find(context, text));
    let class: Option<Option<&ClassValues>> = class.as_ref().map(Option::as_deref);
    let mut reader = ElementReader::of_class(context, element, &ACTOR).of_class_if_known(class);
    let actor = Actor::read(&mut reader, 0);
    reader.finish();
    Some(Actor { name, ..actor.filter(|_| !matches!(class, Some(None)))? })
}

declare! {
    /// Waypoints in the order in which they are visited.
    section = element("path");

    /// The path of an actor.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ActorPath {
        /// Starts again at the end.
        pub repeats: bool = attribute(Value::Bool).named("loop").or("true");
        /// Waypoints in the order in which they are visited.
        pub waypoints: Arc<[Waypoint]> =
            child(Value::Element(Waypoint::SECTION)).named("waypoint").doc("A waypoint.").repeats();
    }
}

declare! {
    /// A waypoint. Its text is X Y YAW_DEG or X Y Z YAW_DEG PITCH_DEG ROLL_DEG.
    section = element("waypoint").with_text() => read_pose;

    /// A waypoint of an actor's path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Waypoint {
        /// Pose on arrival.
        pub pose: Pose3 => |_| Pose3::default();
        /// Waiting time on arrival.
        pub pause: f64 = attribute(non_negative("s")).or("0");
        /// Gait on the way to the waypoint.
        pub gait: Gait = attribute(Value::Choice(Gait::WORDS)).named("animation").or("walk");
    }
}

/// The gait of an actor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gait {
    /// Standing. The actor never arrives.
    Idle,
    /// At the walking speed.
    #[default]
    Walk,
    /// At the running speed.
    Run,
}

words!(Gait { "walk" => Walk, "run" => Run, "idle" => Idle });

/// Reads the pose of a waypoint from its text.
fn read_pose(waypoint: Waypoint, reader: &mut ElementReader<'_, '_, '_>) -> Option<Waypoint> {
    let element = reader.element;
    let context = &mut *reader.context;
    let Some(text) = &element.text else {
        context.report.error(element.name_span, "empty waypoint", "expected X Y YAW_DEG");
        return None;
    };
    let row = value::row(context, text, "waypoint", POSE_ANY)?;
    Some(Waypoint { pose: pose_from_row(&row), ..waypoint })
}
