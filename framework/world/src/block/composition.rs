//! The `<block>` and `<block:class>` elements, and the block that both make together.

use std::cell::OnceCell;

use simhost_scene::{Primitive, Section as CrossSection};

use super::description::{Block, BlockTop};
use super::shape::{ShapeSource, cross_section};
use crate::class_table::ClassTable;
use crate::context::Context;
use crate::outline::check_heights;
use crate::reader::{ClassValues, ElementReader, Fields, declare};
use crate::tree::Element;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Section, Value, section};

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

fn top_of(geometry: Primitive) -> BlockTop {
    match geometry {
        Primitive::Ramp { lengths: [length, _, height] } => BlockTop::Ramp { length, height },
        Primitive::SemiCylinderBump { lengths: [_, width, height] } => {
            BlockTop::Bump { width, height }
        }
        _ => BlockTop::Flat,
    }
}
