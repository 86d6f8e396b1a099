//! The outline and heights of a block.

use std::cell::OnceCell;

use simhost_scene::Section as CrossSection;

use super::description::Block;
use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::visual::{Shape, report_placeholder, shape_of};

/// What a block and its class give of the shape.
pub(super) struct ShapeSource<'c> {
    /// Whether there is an outline.
    has_outline: bool,
    /// Whether the lowest and the highest point are given.
    has_height: [bool; 2],
    /// Place for the outline and heights of the visuals of the class, if the block changes nothing that they depend on.
    shared: Option<&'c OnceCell<CrossSection>>,
}

impl<'c> ShapeSource<'c> {
    /// Returns the sources of a block and its class.
    pub(super) fn of(
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
pub(super) fn cross_section(
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
