//! Horizontal planes: floors, platforms and lifts.

use std::sync::Arc;

use simhost_scene::Pose3;

use super::surface::{PlaneSurface, SURFACE};
use crate::animation::{ANIMATION, Animation, read_animation};
use crate::pose::{self, read_pose};
use crate::publish::{self, Publish, read_publish};
use crate::reader::ElementReader;
use crate::semantic::{self, read_semantic};
use crate::sources::Span;
use crate::vocabulary::{Entry, Section, Value, attribute, child, count, joined, number, section};

/// A horizontal rectangle that wheels roll on.
#[derive(Clone, Debug)]
pub struct HorizontalPlane {
    /// Name.
    pub name: String,
    /// Pose of the frame.
    pub pose: Pose3,
    /// Extent along x in the frame in m.
    pub x: [f64; 2],
    /// Extent along y in the frame in m.
    pub y: [f64; 2],
    /// Height above the pose in m.
    pub z: f64,
    /// Motion that is played, for example that of a lift.
    pub animation: Option<Arc<Animation>>,
    /// Its appearance.
    pub surface: PlaneSurface,
    /// Publication to other processes.
    pub publish: Option<Arc<Publish>>,
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
    /// Position of the declaration.
    pub span: Span,
}

pub(crate) static HORIZONTAL_PLANE: Section = section(
    "element class=\"horizontal_plane\"",
    "A horizontal rectangle that wheels roll on.",
    &joined::<{ count(LISTS) }>(LISTS),
);

const LISTS: &[&[Entry]] = &[
    &[
        attribute("class", Value::Text, "horizontal_plane").required(),
        attribute("name", Value::Text, "Name.").or_else("horizontal_plane1, horizontal_plane2, …"),
        child("x_min", number("m"), "Smallest x in the frame.").or("-10"),
        child("x_max", number("m"), "Largest x in the frame.").or("10"),
        child("y_min", number("m"), "Smallest y in the frame.").or("-10"),
        child("y_max", number("m"), "Largest y in the frame.").or("10"),
        child("z", number("m"), "Height in the frame.").or("0"),
    ],
    SURFACE,
    pose::FRAME_POSE,
    &[
        child(
            "animation",
            Value::Element(&ANIMATION),
            "A motion that is played, for example that of a lift.",
        ),
        publish::ENTRY,
        semantic::ENTRY,
    ],
];

/// Reads a plane. `count` is the number of those before it.
pub(crate) fn read_horizontal(
    mut reader: ElementReader<'_, '_, '_>,
    count: usize,
) -> HorizontalPlane {
    let given = reader.text_of("name").and_then(|text| text.value());
    let name = given.map_or_else(|| format!("horizontal_plane{}", count + 1), str::to_owned);
    let plane = HorizontalPlane {
        name,
        pose: read_pose(&mut reader).unwrap_or_default(),
        x: reader.range("x_min", "x_max"),
        y: reader.range("y_min", "y_max"),
        z: reader.number("z"),
        animation: read_animation(&mut reader),
        surface: PlaneSurface::read(&mut reader),
        publish: read_publish(&mut reader),
        semantic: read_semantic(&mut reader),
        span: reader.element.name_span,
    };
    reader.finish();
    plane
}
