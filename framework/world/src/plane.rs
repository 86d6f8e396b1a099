//! Horizontal planes and vertical walls with openings.

use std::sync::Arc;

use simhost_scene::Pose3;

use crate::animation::Animation;
use crate::context::Context;
use crate::publish::Publish;
use crate::reader::{ElementReader, Fields, FromEntry, Given, declare};
use crate::sources::Span;
use crate::texture::Texture;
use crate::vocabulary::field::{attribute, child, class, either};
use crate::vocabulary::{
    CULLED, Entry, Section, Value, element, fraction, number, positive, section,
};
use crate::{animation, pose, publish, semantic};

declare! {
    /// Appearance of a plane.
    #[derive(Clone, Debug)]
    pub struct PlaneSurface {
        /// Colour.
        pub color: [u8; 4] = child(Value::Color).or("#a0a0a0");
        /// Side that is not drawn.
        pub cull_face: String = child(CULLED).or("NONE");
        /// Image on the surface.
        pub texture: Option<Texture> =
            child(Value::Uri),
            child(positive("m")).named("texture_size_x").doc("Width of one copy of the image.").or("1"),
            child(positive("m")).named("texture_size_y").doc("Height of one copy of the image.").or("1");
        /// Draws shadows on the surface.
        pub shadows: bool = child(Value::Bool).named("enable_shadows").or("true");
    }
}

declare! {
    /// A horizontal rectangle that wheels roll on.
    section = element("element class=\"horizontal_plane\"").with(&[class("horizontal_plane")]);

    /// A horizontal rectangle that wheels roll on.
    #[derive(Clone, Debug)]
    pub struct HorizontalPlane {
        /// Name.
        pub name: String = attribute(Value::Text).or_else("horizontal_plane1, horizontal_plane2, …");
        /// Extent along x in the frame in m.
        pub x: [f64; 2] =
            child(number("m")).named("x_min").doc("Smallest x in the frame.").or("-10"),
            child(number("m")).named("x_max").doc("Largest x in the frame.").or("10").rises();
        /// Extent along y in the frame in m.
        pub y: [f64; 2] =
            child(number("m")).named("y_min").doc("Smallest y in the frame.").or("-10"),
            child(number("m")).named("y_max").doc("Largest y in the frame.").or("10").rises();
        /// Height in the frame.
        pub z: f64 = child(number("m")).or("0");
        /// Appearance.
        pub surface: PlaneSurface;
        /// Pose of the frame.
        pub pose: Pose3 = pose::FRAME, pose::FRAME_3D;
        /// A prescribed motion, for example of a lift.
        pub animation: Option<Arc<Animation>> = child(animation::ELEMENT);
        /// Publication to other processes.
        pub publish: Option<Arc<Publish>> = publish::ENTRY;
        /// Semantic class, if given.
        pub semantic: Option<Arc<str>> = semantic::ENTRY;
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

impl HorizontalPlane {
    /// Names a plane without a name by its number.
    pub(crate) fn numbered(self, number: usize) -> Self {
        match self.name.is_empty() {
            true => Self { name: format!("horizontal_plane{number}"), ..self },
            false => self,
        }
    }
}

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

declare! {
    /// An opening in a wall.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Opening {
        /// Kind of the opening.
        pub kind: OpeningKind => kind;
        /// Name, for reference.
        pub name: String = either(Value::Text).or("");
        /// Centre along the wall, as a fraction of its length.
        pub position: f64 = either(fraction()).or("0.5");
        /// Width.
        pub width: f64 = either(positive("m")).or("1");
        /// Height of the sill above the ground of the world.
        pub z_min: f64 = either(number("m")).or("0").also(&["z_start"]);
        /// Height of the lintel above the ground of the world.
        pub z_max: f64 = either(number("m")).or("2.1").also(&["z_end"]).rises();
    }
}

/// The kind of an opening in a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningKind {
    /// Bodies and rays pass through.
    Door,
    /// Rays pass through.
    Window,
}

static DOOR: Section =
    section("door", "An opening that bodies and rays pass through.", Opening::ENTRIES);
static WINDOW: Section = section("window", "An opening that rays pass through.", Opening::ENTRIES);

fn kind(reader: &mut ElementReader<'_, '_, '_>) -> OpeningKind {
    match reader.element.name.as_str() {
        "door" => OpeningKind::Door,
        _ => OpeningKind::Window,
    }
}

impl FromEntry for Opening {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let (Value::Element(section), Given::Child(element)) = (entry.value, given) else {
            return None;
        };
        let mut reader = ElementReader::new(context, element, section);
        let opening = Self::read(&mut reader, 0);
        reader.finish();
        opening
    }
}
