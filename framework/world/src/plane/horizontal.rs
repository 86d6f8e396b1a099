//! Horizontal planes: floors, platforms and lifts.

use std::sync::Arc;

use simhost_scene::Pose3;

use super::surface::PlaneSurface;
use crate::animation::{self, Animation};
use crate::pose;
use crate::publish::{self, Publish};
use crate::reader::declare;
use crate::semantic;
use crate::sources::Span;
use crate::vocabulary::field::{attribute, child, class};
use crate::vocabulary::{Value, element, number};

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
