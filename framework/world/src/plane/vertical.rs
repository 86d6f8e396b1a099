//! Vertical planes: straight walls with openings.

use std::sync::Arc;

use simhost_scene::Pose3;

use super::opening::{self, DOOR, Opening, OpeningKind, WINDOW};
use super::surface::{PlaneSurface, SURFACE};
use crate::animation::{ANIMATION, Animation, read_animation};
use crate::pose::{self, read_pose};
use crate::publish::{self, Publish, read_publish};
use crate::reader::ElementReader;
use crate::semantic::{self, read_semantic};
use crate::sources::Span;
use crate::vocabulary::{
    Entry, Section, Value, attribute, child, count, joined, number, positive, section,
};

/// A straight wall with openings.
#[derive(Clone, Debug)]
pub struct VerticalPlane {
    /// Name.
    pub name: String,
    /// Pose of the frame.
    pub pose: Pose3,
    /// Start in the frame in m.
    pub from: [f64; 2],
    /// End in the frame in m.
    pub to: [f64; 2],
    /// Height of the foot above the pose in m.
    pub z: f64,
    /// Height in m.
    pub height: f64,
    /// Thickness in m.
    pub thickness: f64,
    /// Doors and windows.
    pub openings: Vec<Opening>,
    /// Motion that is played, for example that of a gate.
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

pub(crate) static VERTICAL_PLANE: Section = section(
    "element class=\"vertical_plane\"",
    "A straight wall with openings.",
    &joined::<{ count(LISTS) }>(LISTS),
);

const LISTS: &[&[Entry]] = &[
    &[
        attribute("class", Value::Text, "vertical_plane").required(),
        attribute("name", Value::Text, "Name.").or_else("vertical_plane1, vertical_plane2, …"),
        child("x0", number("m"), "X of the start.").or("-10"),
        child("y0", number("m"), "Y of the start.").or("-10"),
        child("x1", number("m"), "X of the end.").or("-10"),
        child("y1", number("m"), "Y of the end.").or("10"),
        child("z", number("m"), "Height of the foot.").or("0"),
        child("height", positive("m"), "Height.").or("3"),
        child("thickness", positive("m"), "Thickness.").or("0.02"),
    ],
    SURFACE,
    &[
        child("door", Value::Element(&DOOR), "An opening for bodies and rays.").repeats(),
        child("window", Value::Element(&WINDOW), "An opening for rays.").repeats(),
    ],
    pose::FRAME_POSE,
    &[
        child(
            "animation",
            Value::Element(&ANIMATION),
            "A motion that is played, for example that of a gate.",
        ),
        publish::ENTRY,
        semantic::ENTRY,
    ],
];

impl VerticalPlane {
    /// Returns start and end of the parts between the doors, as shares of the `length` of the wall, m.
    /// Windows do not interrupt it: nothing drives through.
    pub fn pieces(&self, length: f64) -> Vec<(f64, f64)> {
        let doors = self.openings.iter().filter(|opening| opening.kind == OpeningKind::Door);
        let mut doors: Vec<[f64; 2]> = doors
            .map(|door| {
                let half = 0.5 * door.width / length;
                [door.position - half, door.position + half]
            })
            .collect();
        doors.sort_by(|one, other| one[0].total_cmp(&other[0]));
        let starts = std::iter::once(0.0).chain(doors.iter().map(|door| door[1]));
        let ends = doors.iter().map(|door| door[0]).chain(std::iter::once(1.0));
        starts.zip(ends).filter(|(start, end)| start < end).collect()
    }
}

/// Reads a plane. `count` is the number of those before it.
pub(crate) fn read_vertical(mut reader: ElementReader<'_, '_, '_>, count: usize) -> VerticalPlane {
    let given = reader.text_of("name").and_then(|text| text.value());
    let name = given.map_or_else(|| format!("vertical_plane{}", count + 1), str::to_owned);
    let span = reader.element.name_span;
    let openings = reader.children(&["door", "window"]);
    let mut plane = VerticalPlane {
        name,
        pose: read_pose(&mut reader).unwrap_or_default(),
        from: [reader.number("x0"), reader.number("y0")],
        to: [reader.number("x1"), reader.number("y1")],
        z: reader.number("z"),
        height: reader.number("height"),
        thickness: reader.number("thickness"),
        openings: Vec::new(),
        animation: read_animation(&mut reader),
        surface: PlaneSurface::read(&mut reader),
        publish: read_publish(&mut reader),
        semantic: read_semantic(&mut reader),
        span,
    };
    let context = reader.finish();
    plane.openings = openings.into_iter().map(|door| opening::read(context, door)).collect();
    if plane.from == plane.to {
        context.report.error(span, "a wall without length", "both ends are equal");
    }
    plane
}
