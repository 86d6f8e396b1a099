//! The description of a block.

use std::sync::Arc;

use simhost_scene::{Pose3, Primitive};

use super::geometry::Body;
use crate::animation::{self, Animation};
use crate::expansion::{IF_ENTRY, INCLUDE_ENTRY};
use crate::outline::SHAPE;
use crate::pose;
use crate::publish::{self, Publish};
use crate::reader::declare;
use crate::semantic;
use crate::sources::Span;
use crate::visual::{self, Visual};
use crate::vocabulary::field::child;
use crate::vocabulary::{Value, fraction, non_negative, number, positive};

declare! {
    /// An obstacle.
    #[derive(Clone, Debug)]
    pub struct Block {
        /// Initial pose of the origin of the outline.
        pub pose: Pose3 = pose::INITIAL, pose::INITIAL_3D;
        /// Whether the height of the pose is kept instead of placing the block on the ground.
        pub skip_elevation_adjust: bool = pose::KEPT_HEIGHT;
        /// Mass.
        pub mass: f64 = child(positive("kg")).or("30").class_first();
        /// Lowest point. Parts of visuals below it are ignored.
        pub z_min: f64 =
            child(number("m")).named("zmin").or("0").described("0, or from the visuals").class_first();
        /// Highest point. Parts of visuals above it are ignored.
        pub z_max: f64 =
            child(number("m")).named("zmax").or("1").described("1, or from the visuals").class_first();
        /// Coulomb coefficient between block and ground.
        pub ground_friction: f64 = child(non_negative("1")).or("0.5").class_first();
        /// Friction coefficient of the sides.
        pub lateral_friction: f64 = child(non_negative("1")).or("0.5").class_first();
        /// Coefficient of restitution: 0 does not bounce, 1 keeps all speed. Bodies with joints do not bounce.
        pub restitution: f64 = child(fraction()).or("0.01").class_first();
        /// Damping of the velocity.
        pub linear_damping: Option<f64> = child(non_negative("1/s")).or_else("0; 0.1 in mvsim-1.2").class_first();
        /// Damping of the yaw rate.
        pub angular_damping: Option<f64> = child(non_negative("1/s")).or_else("0; 0.1 in mvsim-1.2").class_first();
        /// Colour of a block without visuals.
        pub color: [u8; 4] = child(Value::Color).or("#8d99ae").class_first();
        /// Keeps the block from moving.
        pub is_static: bool = child(Value::Bool).named("static").or("false").class_first();
        /// Disables contacts. Wheels still roll on the block.
        pub intangible: bool = child(Value::Bool).or("false").class_first();
        /// Replaces the `model_scale` of every visual.
        pub visual_scale: Option<f64> = child(positive("1")).class_first();
        /// Initial velocity, as in [`Vehicle::velocity`](crate::Vehicle::velocity).
        pub velocity: [f64; 3] = pose::VELOCITY;
        /// Outline in the frame of the block in m. It is convex if it is derived from visuals.
        pub polygon: Vec<[f64; 2]> =
            child(Value::Element(&SHAPE)).named("shape").doc("Outline. Contacts use its convex hull.")
                .or_else("a square with a side of 1 m");
        /// Derives outline and heights from the geometry or the visuals.
        pub(super) shape_from_visual: bool = child(Value::Presence);
        /// A simple body.
        pub geometry: Option<Primitive> = child(Value::Element(Body::SECTION));
        /// Visuals.
        pub visuals: Arc<[Visual]> = visual::ENTRY;
        /// Publication to other processes.
        pub publish: Option<Arc<Publish>> = publish::ENTRY;
        /// Semantic class, if given.
        pub semantic: Option<Arc<str>> = semantic::ENTRY;
        /// A prescribed motion.
        pub animation: Option<Arc<Animation>> =
            child(animation::ELEMENT),
            INCLUDE_ENTRY,
            IF_ENTRY,
            child(Value::Bool).named("show_collisions").doc("Draws the outline.").or("false")
                .unused("affects visualisation only"),
            child(Value::Text).named("log_path").doc("File of MVSim's log.")
                .unused("`simhost run --out` names the files"),
            child(positive("1")).named("scale").doc("Not read by MVSim.").ignored("write <visual_scale>");
        /// Surface that wheels roll on.
        pub top: BlockTop => |_| BlockTop::Flat;
        /// Name. Several blocks may share it.
        pub name: String => |_| String::new();
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

/// The upper surface of a block, within its outline and in its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BlockTop {
    /// A plane at `z_max`.
    #[default]
    Flat,
    /// A slope from height 0 at x = 0 to `height` at x = `length`.
    Ramp {
        /// Length along x in m.
        length: f64,
        /// Height of the upper end in m.
        height: f64,
    },
    /// Half an ellipse across y: z = height √(1 − (2y/width)²).
    Bump {
        /// Width along y in m.
        width: f64,
        /// Height at y = 0 in m.
        height: f64,
    },
}
