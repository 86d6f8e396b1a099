//! Vertical planes: straight walls with openings.

use std::sync::Arc;

use simhost_scene::Pose3;

use super::opening::{DOOR, Opening, OpeningKind, WINDOW};
use super::surface::PlaneSurface;
use crate::animation::{self, Animation};
use crate::pose;
use crate::publish::{self, Publish};
use crate::reader::{ElementReader, declare};
use crate::semantic;
use crate::sources::Span;
use crate::vocabulary::field::{attribute, child, class};
use crate::vocabulary::{Value, element, number, positive};

declare! {
    /// A straight wall with openings.
    section = element("element class=\"vertical_plane\"").with(&[class("vertical_plane")]) => check_length;

    /// A straight wall with openings.
    #[derive(Clone, Debug)]
    pub struct VerticalPlane {
        /// Name.
        pub name: String = attribute(Value::Text).or_else("vertical_plane1, vertical_plane2, …");
        /// Start in the frame in m.
        pub from: [f64; 2] =
            child(number("m")).named("x0").doc("X of the start.").or("-10"),
            child(number("m")).named("y0").doc("Y of the start.").or("-10");
        /// End in the frame in m.
        pub to: [f64; 2] =
            child(number("m")).named("x1").doc("X of the end.").or("-10"),
            child(number("m")).named("y1").doc("Y of the end.").or("10");
        /// Height of the foot.
        pub z: f64 = child(number("m")).or("0");
        /// Height.
        pub height: f64 = child(positive("m")).or("3");
        /// Thickness.
        pub thickness: f64 = child(positive("m")).or("0.02");
        /// Appearance.
        pub surface: PlaneSurface;
        /// Doors and windows.
        pub openings: Arc<[Opening]> =
            child(Value::Element(&DOOR)).named("door").doc("An opening for bodies and rays.").repeats(),
            child(Value::Element(&WINDOW)).named("window").doc("An opening for rays.").repeats();
        /// Pose of the frame.
        pub pose: Pose3 = pose::FRAME, pose::FRAME_3D;
        /// A prescribed motion, for example of a gate.
        pub animation: Option<Arc<Animation>> = child(animation::ELEMENT);
        /// Publication to other processes.
        pub publish: Option<Arc<Publish>> = publish::ENTRY;
        /// Semantic class, if given.
        pub semantic: Option<Arc<str>> = semantic::ENTRY;
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

impl VerticalPlane {
    /// Names a plane without a name by its number.
    pub(crate) fn numbered(self, number: usize) -> Self {
        match self.name.is_empty() {
            true => Self { name: format!("vertical_plane{number}"), ..self },
            false => self,
        }
    }

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

/// Reports a wall without length.
fn check_length(
    plane: VerticalPlane,
    reader: &mut ElementReader<'_, '_, '_>,
) -> Option<VerticalPlane> {
    if plane.from == plane.to {
        let report = &mut reader.context.report;
        report.error(plane.span, "a wall without length", "both ends are equal");
    }
    Some(plane)
}
