//! The `<block>` and `<block:class>` elements, and the block that both make together.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use simhost_scene::{Primitive, Section as CrossSection};

use super::geometry::{self, GEOMETRY};
use crate::animation::{ANIMATION, Animation, read_animation};
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::expansion::{IF_ENTRY, INCLUDE_ENTRY};
use crate::outline::{SHAPE, check_heights, read_outline};
use crate::pose::{self, Pose, has_pose, read_pose, read_velocity, report_missing_pose};
use crate::publish::{self, Publish, read_publish};
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::visual::{
    self, Shape, Visual, read_visuals, report_empty_shape, report_placeholder, shape_of,
};
use crate::vocabulary::{Entry, Section, Value, attribute, child, count, joined, number, section};

/// An obstacle.
#[derive(Clone, Debug)]
pub struct Block {
    /// Name. Several blocks may share it.
    pub name: String,
    /// Position of the declaration.
    pub span: Span,
    /// Initial pose of the origin of the outline.
    pub pose: Pose,
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
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
    /// What it publishes to other processes.
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
    section("block:class", "What the blocks of a class have in common.", IN_CLASS).first_wins();

const INSTANCE_LISTS: &[&[Entry]] = &[
    pose::BODY_POSE,
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
    COMMON,
    &[attribute("name", Value::Text, "Name that `class` refers to.").required()],
];
const IN_CLASS: &[Entry] = &joined::<{ count(CLASS_LISTS) }>(CLASS_LISTS);

const COMMON: &[Entry] = &[
    pose::VELOCITY,
    child("mass", number("kg").above(0.0), "Mass.").or("30"),
    child("zmin", number("m"), "Lowest point. Parts of visuals below it are ignored.")
        .or_else("0, or that of the visuals"),
    child("zmax", number("m"), "Highest point. Parts of visuals above it are ignored.")
        .or_else("1, or that of the visuals"),
    child(
        "ground_friction",
        number("1").at_least(0.0),
        "Coulomb coefficient between block and ground.",
    )
    .or("0.5"),
    child("lateral_friction", number("1").at_least(0.0), "Friction coefficient of the sides.")
        .or("0.5"),
    child(
        "restitution",
        number("1").at_least(0.0).at_most(1.0),
        "Coefficient of restitution: 0 does not bounce, 1 keeps all speed.",
    )
    .or("0.01"),
    child("linear_damping", number("1/s").at_least(0.0), "Damping of the velocity.")
        .or_else("0; 0.1 in mvsim-1.2"),
    child("angular_damping", number("1/s").at_least(0.0), "Damping of the yaw rate.")
        .or_else("0; 0.1 in mvsim-1.2"),
    child("color", Value::Color, "Colour of a block without visuals.").or("#0000ff"),
    child("static", Value::Bool, "Keeps the block from moving.").or("false"),
    child("intangible", Value::Bool, "Disables contacts. Wheels still roll on the block.")
        .or("false"),
    child("visual_scale", number("1").above(0.0), "Replaces the `model_scale` of every visual."),
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
    child("animation", Value::Element(&ANIMATION), "A motion that is played."),
    INCLUDE_ENTRY,
    IF_ENTRY,
    child("show_collisions", Value::Bool, "Draws the outline.")
        .or("false")
        .unused("affects visualisation only"),
    child("log_path", Value::Text, "File of MVSim's log.")
        .unused("`simhost run --out` names the files"),
    child("scale", number("1").above(0.0), "Not read by MVSim.").ignored("write <visual_scale>"),
];

/// The block classes read so far.
pub(crate) struct Blocks(ClassTable<BlockLayer>);

impl Default for Blocks {
    fn default() -> Self {
        Self(ClassTable::new("block:class"))
    }
}

/// What one element defines of a block: the block itself or its class.
#[derive(Debug, Default)]
struct BlockLayer {
    pose: Option<Pose>,
    /// Whether a pose is given, valid or not.
    has_pose: bool,
    velocity: Option<[f64; 3]>,
    skip_elevation_adjust: bool,
    values: BlockValues,
    polygon: Option<Vec<[f64; 2]>>,
    from_visual: bool,
    geometry: Option<Primitive>,
    visuals: Vec<Visual>,
    animation: Option<Arc<Animation>>,
    publish: Option<Arc<Publish>>,
    /// Outline and heights of the visuals, once they have been derived.
    shaped: OnceCell<CrossSection>,
}

/// Values for which the class takes precedence in the profile `mvsim-1.2`.
#[derive(Clone, Copy, Debug, Default)]
struct BlockValues {
    mass: Option<f64>,
    z_min: Option<f64>,
    z_max: Option<f64>,
    ground_friction: Option<f64>,
    lateral_friction: Option<f64>,
    restitution: Option<f64>,
    linear_damping: Option<f64>,
    angular_damping: Option<f64>,
    visual_scale: Option<f64>,
    is_static: Option<bool>,
    intangible: Option<bool>,
    color: Option<[u8; 4]>,
}

impl BlockValues {
    fn read(reader: &mut ElementReader<'_, '_, '_>) -> Self {
        Self {
            mass: reader.given_number("mass"),
            z_min: reader.given_number("zmin"),
            z_max: reader.given_number("zmax"),
            ground_friction: reader.given_number("ground_friction"),
            lateral_friction: reader.given_number("lateral_friction"),
            restitution: reader.given_number("restitution"),
            linear_damping: reader.given_number("linear_damping"),
            angular_damping: reader.given_number("angular_damping"),
            visual_scale: reader.given_number("visual_scale"),
            is_static: reader.given_flag("static"),
            intangible: reader.given_flag("intangible"),
            color: reader.given_color("color"),
        }
    }

    /// Returns these values, completed by those of `other`.
    fn or(self, other: Self) -> Self {
        Self {
            mass: self.mass.or(other.mass),
            z_min: self.z_min.or(other.z_min),
            z_max: self.z_max.or(other.z_max),
            ground_friction: self.ground_friction.or(other.ground_friction),
            lateral_friction: self.lateral_friction.or(other.lateral_friction),
            restitution: self.restitution.or(other.restitution),
            linear_damping: self.linear_damping.or(other.linear_damping),
            angular_damping: self.angular_damping.or(other.angular_damping),
            visual_scale: self.visual_scale.or(other.visual_scale),
            is_static: self.is_static.or(other.is_static),
            intangible: self.intangible.or(other.intangible),
            color: self.color.or(other.color),
        }
    }

    /// Returns whether nothing is given that the outline of visuals depends on.
    fn keep_shape_of_class(&self) -> bool {
        self.z_min.is_none() && self.z_max.is_none() && self.visual_scale.is_none()
    }
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
    let mut reader = ElementReader::new(context, element, section);
    reader.take("name");
    if section.has("class") {
        reader.take("class");
    }
    let mut layer = BlockLayer {
        pose: read_pose(&mut reader),
        has_pose: has_pose(&mut reader),
        velocity: read_velocity(&mut reader),
        skip_elevation_adjust: reader.is_given("skip_elevation_adjust"),
        values: BlockValues::read(&mut reader),
        from_visual: reader.is_given("shape_from_visual"),
        animation: read_animation(&mut reader),
        publish: read_publish(&mut reader),
        ..BlockLayer::default()
    };
    let (shape, geometry) = (reader.child("shape"), reader.child("geometry"));
    let visuals = reader.children(&["visual"]);
    reader.finish();
    layer.polygon = shape.and_then(|shape| read_outline(context, shape));
    layer.geometry = geometry.and_then(|geometry| geometry::read(context, geometry));
    layer.visuals = read_visuals(context, &visuals);
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
    let geometry = own.geometry.or(class.geometry);
    let shape = cross_section(context, element, &own, class, &values, geometry)?;
    check_heights(context, element, shape.z_min, shape.z_max);
    let visuals: Arc<[Visual]> = own.visuals.iter().chain(&class.visuals).cloned().collect();
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
        color: values.color.unwrap_or_else(|| BLOCK.default_color("color")),
        publish: own.publish.or_else(|| class.publish.clone()),
    })
}

/// Returns the outline and heights of a block.
fn cross_section(
    context: &mut Context<'_>,
    element: &Element,
    own: &BlockLayer,
    class: &BlockLayer,
    values: &BlockValues,
    geometry: Option<Primitive>,
) -> Option<CrossSection> {
    let (z_min, z_max) = (values.z_min, values.z_max);
    if !own.from_visual && !class.from_visual {
        return Some(given_section(own, class, values));
    }
    if let Some(geometry) = geometry {
        let [lowest, highest] = geometry.z_range();
        let (z_min, z_max) = (z_min.unwrap_or(lowest), z_max.unwrap_or(highest));
        return Some(CrossSection { polygon: geometry.outline(), z_min, z_max });
    }
    // a shape that depends on the class alone is derived once
    let shared = own.visuals.is_empty() && own.values.keep_shape_of_class();
    if let Some(section) = class.shaped.get().filter(|_| shared) {
        return Some(section.clone());
    }
    let visuals: Vec<_> = own.visuals.iter().chain(&class.visuals).cloned().collect();
    if visuals.is_empty() {
        let error = Diagnostic::error("`<shape_from_visual>` without a visual")
            .at(element.name_span)
            .help("write <visual> with a <model_uri>, or <geometry>");
        context.report.push(error);
        return None;
    }
    let heights = [z_min.unwrap_or(f64::NEG_INFINITY), z_max.unwrap_or(f64::INFINITY)];
    let section = match shape_of(context, &visuals, values.visual_scale, heights) {
        Shape::Known(section) => section,
        Shape::Missing => {
            let section = given_section(own, class, values);
            let has_shape = own.polygon.is_some() || class.polygon.is_some();
            let outline = if has_shape { "its <shape>" } else { "a square of 1 m" };
            report_placeholder(context, element, outline, [section.z_min, section.z_max]);
            return Some(section);
        }
        Shape::Empty => {
            report_empty_shape(context, element);
            return None;
        }
        Shape::Failed => return None,
    };
    Some(if shared { class.shaped.get_or_init(|| section).clone() } else { section })
}

/// Returns the outline and heights as given in the file, or their defaults.
fn given_section(own: &BlockLayer, class: &BlockLayer, values: &BlockValues) -> CrossSection {
    let given = own.polygon.clone().or_else(|| class.polygon.clone());
    CrossSection {
        polygon: given.unwrap_or_else(unit_square),
        z_min: values.z_min.unwrap_or(0.0),
        z_max: values.z_max.unwrap_or(1.0),
    }
}

/// Returns the default outline in m.
fn unit_square() -> Vec<[f64; 2]> {
    vec![[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]]
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
