//! Blocks: obstacles with an outline.

use std::cell::OnceCell;
use std::sync::Arc;

use simhost_scene::{Pose3, Primitive, Section as CrossSection};

use crate::animation::Animation;
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::expansion::{IF_ENTRY, INCLUDE_ENTRY};
use crate::outline::{SHAPE, check_heights};
use crate::publish::Publish;
use crate::reader::{ClassValues, ElementReader, Fields, FromEntry, Given, declare};
use crate::sources::Span;
use crate::tree::Element;
#[cfg(feature = "opendrive")]
use crate::tree::{Origin, Text};
use crate::visual::{Shape, Visual, report_placeholder, shape_of};
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{
    Entry, Section, Value, element, fraction, integer, non_negative, number, positive, section,
};
use crate::{animation, pose, publish, semantic, visual};

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
        pub visuals: Arc<[Visual]> = visual::APPEARANCE_ENTRY;
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

const TYPES: &[&str] = &["cylinder", "sphere", "box", "ramp", "semi_cylinder_bump"];

declare! {
    /// A simple body, which is also the collision outline unless there is a `<shape>`; in the profile `mvsim-1.2` only with `<shape_from_visual/>`.
    section = element("geometry") => check;

    /// A simple body as given.
    #[derive(Clone)]
    pub(super) struct Body {
        /// Type of the body.
        kind: String = attribute(Value::Choice(TYPES)).named("type").required();
        /// Radius of a cylinder or a sphere.
        radius: Option<f64> = attribute(positive("m"));
        /// Height of a cylinder.
        length: Option<f64> = attribute(positive("m"));
        /// Number of corners that approximate a circle.
        vertex_count: u32 = attribute(integer("").at_least(3.0).at_most(10_000.0)).or("10");
        /// Lengths along x, y and z.
        lengths: [Option<f64>; 3] =
            attribute(positive("m")).named("lx").doc("Length of a box, a ramp or a bump along x."),
            attribute(positive("m")).named("ly").doc("Length of a box, a ramp or a bump along y."),
            attribute(positive("m")).named("lz").doc("Height of a box, a ramp or a bump.");
        /// The body.
        primitive: Option<Primitive> => |_| None;
    }
}

impl FromEntry for Primitive {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        Body::parse(context, entry, given)?.primitive
    }
}

/// Determines the body. Reports lengths that are missing.
fn check(body: Body, reader: &mut ElementReader<'_, '_, '_>) -> Option<Body> {
    let vertex_count = body.vertex_count;
    let kind = body.kind.as_str();
    let lengths = match kind {
        "cylinder" | "sphere" => None,
        _ => require_all(reader, ["lx", "ly", "lz"], body.lengths),
    };
    let primitive = match kind {
        "cylinder" => require_all(reader, ["radius", "length"], [body.radius, body.length])
            .map(|[radius, length]| Primitive::Cylinder { radius, length, vertex_count }),
        "sphere" => require_all(reader, ["radius"], [body.radius])
            .map(|[radius]| Primitive::Sphere { radius, vertex_count }),
        "box" => lengths.map(|lengths| Primitive::Box { lengths }),
        "ramp" => lengths.map(|lengths| Primitive::Ramp { lengths }),
        _ => lengths.map(|lengths| Primitive::SemiCylinderBump { lengths }),
    };
    Some(Body { primitive, ..body })
}

/// Returns all values. Reports each one that is missing.
fn require_all<const N: usize>(
    reader: &mut ElementReader<'_, '_, '_>,
    names: [&str; N],
    values: [Option<f64>; N],
) -> Option<[f64; N]> {
    for (name, value) in names.into_iter().zip(values) {
        reader.require(name, value);
    }
    let values: Vec<f64> = values.into_iter().flatten().collect();
    values.try_into().ok()
}

declare! {
    const INSTANCE: Block {
        /// Name. Several blocks may share it.
        name = attribute(Value::Text).or_else("block001, block002, …");
        /// Name of a `<block:class>` declared before.
        class = attribute(Value::Text);
        /// Not read as an attribute.
        is_static = attribute(Value::Bool).named("static").ignored("write it as an element: <static>true</static>");
    }
}

declare! {
    const OF_CLASS: Block {
        /// Name that `class` refers to.
        name = attribute(Value::Text).required();
    }
}

pub(crate) static BLOCK: Section = section("block", "An obstacle.", INSTANCE).first_wins();
pub(crate) static CLASS: Section =
    section("block:class", "Properties that the blocks of a class share.", OF_CLASS).first_wins();

/// The block classes read so far.
pub(crate) struct Blocks(ClassTable<BlockClass>);

impl Default for Blocks {
    fn default() -> Self {
        Self(ClassTable::new("block:class"))
    }
}

/// A class of blocks.
#[derive(Debug)]
struct BlockClass {
    values: ClassValues,
    /// Outline and heights of the visuals, once they have been derived.
    derived: OnceCell<CrossSection>,
}

/// Reads a `<block:class>`.
pub(crate) fn read_class(context: &mut Context<'_>, blocks: &mut Blocks, element: &Element) {
    blocks.0.declare(context, element, |context| {
        let values = ClassValues::read::<Block>(context, element, &CLASS);
        BlockClass { values, derived: OnceCell::new() }
    });
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
    context.set_owner("block", &name);
    let class = element.attribute("class").map(|text| blocks.0.find(context, text));
    let class: Option<Option<&BlockClass>> = class.as_ref().map(Option::as_deref);
    let reader = ElementReader::of_class(context, element, &BLOCK);
    let mut reader = reader.of_class_if_known(class.map(|class| Some(&class?.values)));
    let block = Block::read(&mut reader, 0);
    let source = ShapeSource::of(&mut reader, class.flatten().map(|class| &class.derived));
    let context = reader.finish();
    let block = block.filter(|_| !matches!(class, Some(None)))?;
    let shape = cross_section(context, element, &block, &source)?;
    check_heights(context, element, shape.z_min, shape.z_max);
    Some(Block {
        name,
        polygon: shape.polygon,
        z_min: shape.z_min,
        z_max: shape.z_max,
        top: block.geometry.map_or(BlockTop::Flat, top_of),
        ..block
    })
}

/// Returns a block with the default of each property, which is declared at a position.
#[cfg(feature = "opendrive")]
pub(crate) fn default_block(context: &mut Context<'_>, span: Span) -> Option<Block> {
    let mut element = Element::new("block".into(), span);
    // a pose has no default
    let text = Text { content: "0 0 0".into(), span, origin: Origin::Computed };
    let pose = Element { text: Some(text), ..Element::new("init_pose".into(), span) };
    element.children.push(pose);
    let mut reader = ElementReader::new(context, &element, &BLOCK);
    let block = Block::read(&mut reader, 0);
    reader.finish_partly();
    block
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

/// What a block and its class give of the shape.
struct ShapeSource<'c> {
    /// Whether there is an outline.
    has_outline: bool,
    /// Whether the lowest and the highest point are given.
    has_height: [bool; 2],
    /// Place for the outline and heights of the visuals of the class, if the block changes nothing that they depend on.
    shared: Option<&'c OnceCell<CrossSection>>,
}

impl<'c> ShapeSource<'c> {
    /// Returns the sources of a block and its class.
    fn of(
        reader: &mut ElementReader<'_, '_, '_>,
        class: Option<&'c OnceCell<CrossSection>>,
    ) -> Self {
        let own = ["zmin", "zmax", "visual_scale", "visual"].map(|name| reader.is_given(name));
        Self {
            has_outline: reader.is_given_or_of_class("shape"),
            has_height: ["zmin", "zmax"].map(|name| reader.is_given_or_of_class(name)),
            shared: class.filter(|_| own.iter().all(|is_given| !is_given)),
        }
    }
}

/// Returns the outline and heights of a block from its own values and the values of its class.
fn cross_section(
    context: &mut Context<'_>,
    element: &Element,
    block: &Block,
    source: &ShapeSource<'_>,
) -> Option<CrossSection> {
    let given = [block.z_min, block.z_max];
    let heights = |other: [f64; 2]| {
        [0, 1].map(|end| if source.has_height[end] { given[end] } else { other[end] })
    };
    let as_given =
        || CrossSection { polygon: block.polygon.clone(), z_min: block.z_min, z_max: block.z_max };
    let as_seen =
        context.profile.geometry_collides && block.geometry.is_some() && !source.has_outline;
    if !block.shape_from_visual && !as_seen {
        return Some(as_given());
    }
    if let Some(geometry) = block.geometry {
        let [z_min, z_max] = heights(geometry.z_range());
        return Some(CrossSection { polygon: geometry.outline(), z_min, z_max });
    }
    // a shape that depends on the class alone is derived once
    if let Some(section) = source.shared.and_then(OnceCell::get) {
        return Some(section.clone());
    }
    let range = heights([f64::NEG_INFINITY, f64::INFINITY]);
    match shape_of(context, element, &block.visuals, block.visual_scale, range) {
        Shape::Known(section) => Some(match source.shared {
            Some(shared) => shared.get_or_init(|| section).clone(),
            None => section,
        }),
        Shape::Missing => {
            let section = as_given();
            let outline = if source.has_outline { "its <shape>" } else { "a square of 1 m" };
            report_placeholder(context, element, outline, [section.z_min, section.z_max]);
            Some(section)
        }
        Shape::Failed => None,
    }
}
