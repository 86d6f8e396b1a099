//! The `<block>` and `<block:class>` elements, and the block that both make together.

use std::rc::Rc;
use std::sync::Arc;

use simhost_scene::{Pose3, Primitive};

use super::geometry::{self, GEOMETRY};
use super::shape::{ShapeSource, cross_section};
use super::values::{self, BlockValues};
use crate::animation::{ANIMATION, Animation, read_animation};
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::expansion::{IF_ENTRY, INCLUDE_ENTRY};
use crate::outline::{SHAPE, check_heights, read_outline};
use crate::pose::{self, has_pose, read_pose, read_velocity, report_missing_pose};
use crate::publish::{self, Publish, read_publish};
use crate::reader::ElementReader;
use crate::semantic::{self, read_semantic};
use crate::sources::Span;
use crate::tree::Element;
use crate::visual::{self, Visual, read_visuals};
use crate::vocabulary::{
    Entry, Section, Value, attribute, child, count, joined, positive, section,
};

/// An obstacle.
#[derive(Clone, Debug)]
pub struct Block {
    /// Name. Several blocks may share it.
    pub name: String,
    /// Position of the declaration.
    pub span: Span,
    /// Initial pose of the origin of the outline.
    pub pose: Pose3,
    /// Initial velocity, as in [`Vehicle::velocity`](crate::Vehicle::velocity).
    pub velocity: [f64; 3],
    /// Whether the height of the pose is kept instead of placing the block on the ground.
    pub skip_elevation_adjust: bool,
    /// Outline in the frame of the block in m. It is convex if it is derived from visuals.
    pub polygon: Vec<[f64; 2]>,
    /// Lowest point above the origin of the outline in m.
    pub z_min: f64,
    /// Highest point above the origin of the outline in m.
    pub z_max: f64,
    /// Surface that wheels roll on.
    pub top: BlockTop,
    /// Mass in kg.
    pub mass: f64,
    /// Whether the block never moves.
    pub is_static: bool,
    /// Whether the block has no contacts.
    pub intangible: bool,
    /// Coulomb coefficient between block and ground.
    pub ground_friction: f64,
    /// Friction coefficient of the sides.
    pub lateral_friction: f64,
    /// Coefficient of restitution, from 0 to 1.
    pub restitution: f64,
    /// Linear damping in 1/s, if given.
    pub linear_damping: Option<f64>,
    /// Angular damping in 1/s, if given.
    pub angular_damping: Option<f64>,
    /// Motion that is played instead of reacting to forces.
    pub animation: Option<Arc<Animation>>,
    /// Visuals.
    pub visuals: Arc<[Visual]>,
    /// Factor that replaces the scale of every visual, if given.
    pub visual_scale: Option<f64>,
    /// Simple body that is seen if there are no visuals, if given.
    pub geometry: Option<Primitive>,
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
    /// Publication to other processes.
    pub publish: Option<Arc<Publish>>,
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

pub(crate) static BLOCK: Section = section("block", "An obstacle.", INSTANCE).first_wins();
pub(crate) static CLASS: Section =
    section("block:class", "Properties that the blocks of a class share.", IN_CLASS).first_wins();

const INSTANCE_LISTS: &[&[Entry]] = &[
    pose::BODY_POSE,
    values::ENTRIES,
    COMMON,
    &[
        attribute("name", Value::Text, "Name. Several blocks may share it.")
            .or_else("block001, block002, …"),
        attribute("class", Value::Text, "Name of a `<block:class>` declared before."),
        attribute("static", Value::Bool, "Not read as an attribute.")
            .ignored("write it as an element: <static>true</static>"),
    ],
];
const INSTANCE: &[Entry] = &joined::<{ count(INSTANCE_LISTS) }>(INSTANCE_LISTS);

const CLASS_LISTS: &[&[Entry]] = &[
    pose::BODY_POSE,
    values::ENTRIES,
    COMMON,
    &[attribute("name", Value::Text, "Name that `class` refers to.").required()],
];
const IN_CLASS: &[Entry] = &joined::<{ count(CLASS_LISTS) }>(CLASS_LISTS);

const COMMON: &[Entry] = &[
    pose::VELOCITY,
    child("shape", Value::Element(&SHAPE), "Outline. Contacts use its convex hull.")
        .or_else("a square with a side of 1 m"),
    child(
        "shape_from_visual",
        Value::Presence,
        "Derives outline and heights from the geometry or the visuals.",
    ),
    child("geometry", Value::Element(&GEOMETRY), "A simple body."),
    visual::ENTRY,
    publish::ENTRY,
    semantic::ENTRY,
    child("animation", Value::Element(&ANIMATION), "A motion that is played."),
    INCLUDE_ENTRY,
    IF_ENTRY,
    child("show_collisions", Value::Bool, "Draws the outline.")
        .or("false")
        .unused("affects visualisation only"),
    child("log_path", Value::Text, "File of MVSim's log.")
        .unused("`simhost run --out` names the files"),
    child("scale", positive("1"), "Not read by MVSim.").ignored("write <visual_scale>"),
];

/// The block classes read so far.
pub(crate) struct Blocks(ClassTable<BlockLayer>);

impl Default for Blocks {
    fn default() -> Self {
        Self(ClassTable::new("block:class"))
    }
}

/// Definition of a block in one element: the block itself or its class.
#[derive(Debug, Default)]
struct BlockLayer {
    pose: Option<Pose3>,
    /// Whether a pose is given, valid or not.
    has_pose: bool,
    velocity: Option<[f64; 3]>,
    skip_elevation_adjust: bool,
    values: BlockValues,
    shape: ShapeSource,
    animation: Option<Arc<Animation>>,
    publish: Option<Arc<Publish>>,
    semantic: Option<Arc<str>>,
}

/// Reads a `<block:class>`.
pub(crate) fn read_class(context: &mut Context<'_>, blocks: &mut Blocks, element: &Element) {
    blocks.0.declare(context, element, |context| read(context, element, &CLASS));
}

/// Reads a `<block>`. `count` is the number of earlier blocks.
pub(crate) fn read_block(
    context: &mut Context<'_>,
    blocks: &Blocks,
    element: &Element,
    count: usize,
) -> Option<Block> {
    let given = element.attribute("name").and_then(|text| text.value());
    let name = given.map_or_else(|| format!("block{:03}", count + 1), str::to_owned);
    let class = match element.attribute("class") {
        Some(text) => blocks.0.find(context, text),
        None => Some(Rc::default()),
    };
    let own = read(context, element, &BLOCK);
    compose(context, element, name, own, class?.as_ref())
}

/// Reads a block or a class.
fn read(context: &mut Context<'_>, element: &Element, section: &'static Section) -> BlockLayer {
    let mut reader = ElementReader::of_class(context, element, section);
    let mut layer = BlockLayer {
        pose: read_pose(&mut reader),
        has_pose: has_pose(&mut reader),
        velocity: read_velocity(&mut reader),
        skip_elevation_adjust: reader.is_given("skip_elevation_adjust"),
        values: BlockValues::read(&mut reader),
        shape: ShapeSource {
            from_visual: reader.is_given("shape_from_visual"),
            ..ShapeSource::default()
        },
        animation: read_animation(&mut reader),
        publish: read_publish(&mut reader),
        semantic: read_semantic(&mut reader),
    };
    let (shape, geometry) = (reader.child("shape"), reader.child("geometry"));
    let visuals = reader.children(&["visual"]);
    reader.finish();
    layer.shape.polygon = shape.and_then(|shape| read_outline(context, shape));
    layer.shape.geometry = geometry.and_then(|geometry| geometry::read(context, geometry));
    layer.shape.visuals = read_visuals(context, &visuals);
    layer
}

fn compose(
    context: &mut Context<'_>,
    element: &Element,
    name: String,
    own: BlockLayer,
    class: &BlockLayer,
) -> Option<Block> {
    let values = match context.profile.class_overrides_block {
        true => class.values.or(own.values),
        false => own.values.or(class.values),
    };
    let pose = own.pose.or(class.pose);
    if !own.has_pose && !class.has_pose {
        report_missing_pose(context, element, &name);
    }
    let geometry = own.shape.geometry.or(class.shape.geometry);
    let shape = cross_section(context, element, &own.shape, &class.shape, &values, &own.values)?;
    check_heights(context, element, shape.z_min, shape.z_max);
    let visuals = own.shape.visuals.iter().chain(&class.shape.visuals).cloned().collect();
    let number = |name| BLOCK.default_number(name);
    Some(Block {
        name,
        span: element.name_span,
        pose: pose?,
        velocity: own.velocity.or(class.velocity).unwrap_or_else(|| BLOCK.default_row("init_vel")),
        skip_elevation_adjust: own.skip_elevation_adjust || class.skip_elevation_adjust,
        polygon: shape.polygon,
        z_min: shape.z_min,
        z_max: shape.z_max,
        top: geometry.map_or(BlockTop::Flat, top_of),
        mass: values.mass.unwrap_or_else(|| number("mass")),
        is_static: values.is_static.unwrap_or_else(|| BLOCK.default_flag("static")),
        intangible: values.intangible.unwrap_or_else(|| BLOCK.default_flag("intangible")),
        ground_friction: values.ground_friction.unwrap_or_else(|| number("ground_friction")),
        lateral_friction: values.lateral_friction.unwrap_or_else(|| number("lateral_friction")),
        restitution: values.restitution.unwrap_or_else(|| number("restitution")),
        linear_damping: values.linear_damping,
        angular_damping: values.angular_damping,
        animation: own.animation.or_else(|| class.animation.clone()),
        visuals,
        visual_scale: values.visual_scale,
        geometry,
        color: values.color.unwrap_or_else(|| BLOCK.default_color("color")),
        publish: own.publish.or_else(|| class.publish.clone()),
        semantic: own.semantic.or_else(|| class.semantic.clone()),
    })
}

fn top_of(geometry: Primitive) -> BlockTop {
    match geometry {
        Primitive::Ramp { lengths: [length, _, height] } => BlockTop::Ramp { length, height },
        Primitive::SemiCylinderBump { lengths: [_, width, height] } => {
            BlockTop::Bump { width, height }
        }
        _ => BlockTop::Flat,
    }
}
