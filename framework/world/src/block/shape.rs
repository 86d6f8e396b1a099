//! The outline and heights of a block.

use std::cell::OnceCell;

use simhost_scene::{Primitive, Section as CrossSection};

use super::values::BlockValues;
use crate::context::Context;
use crate::tree::Element;
use crate::visual::{Shape, Visual, report_placeholder, shape_of};

/// Sources of the shape of a block in one element.
#[derive(Debug, Default)]
pub(super) struct ShapeSource {
    pub polygon: Option<Vec<[f64; 2]>>,
    /// Whether the shape is derived from the geometry or the visuals.
    pub from_visual: bool,
    pub geometry: Option<Primitive>,
    pub visuals: Vec<Visual>,
    /// Outline and heights of the visuals, once they have been derived.
    pub derived: OnceCell<CrossSection>,
}

/// Returns the outline and heights of a block. `values` are those of the block and its class
/// together, `own_values` those of the block alone.
pub(super) fn cross_section(
    context: &mut Context<'_>,
    element: &Element,
    own: &ShapeSource,
    class: &ShapeSource,
    values: &BlockValues,
    own_values: &BlockValues,
) -> Option<CrossSection> {
    let (z_min, z_max) = (values.z_min, values.z_max);
    let geometry = own.geometry.or(class.geometry);
    let has_shape = own.polygon.is_some() || class.polygon.is_some();
    let as_seen = context.profile.geometry_collides && geometry.is_some() && !has_shape;
    if !own.from_visual && !class.from_visual && !as_seen {
        return Some(given_section(own, class, values));
    }
    if let Some(geometry) = geometry {
        let [lowest, highest] = geometry.z_range();
        let (z_min, z_max) = (z_min.unwrap_or(lowest), z_max.unwrap_or(highest));
        return Some(CrossSection { polygon: geometry.outline(), z_min, z_max });
    }
    // a shape that depends on the class alone is derived once
    let shared = own.visuals.is_empty() && own_values.keep_shape_of_class();
    if let Some(section) = class.derived.get().filter(|_| shared) {
        return Some(section.clone());
    }
    let visuals: Vec<_> = own.visuals.iter().chain(&class.visuals).cloned().collect();
    let heights = [z_min.unwrap_or(f64::NEG_INFINITY), z_max.unwrap_or(f64::INFINITY)];
    let section = match shape_of(context, element, &visuals, values.visual_scale, heights) {
        Shape::Known(section) => section,
        Shape::Missing => {
            let section = given_section(own, class, values);
            let outline = if has_shape { "its <shape>" } else { "a square of 1 m" };
            report_placeholder(context, element, outline, [section.z_min, section.z_max]);
            return Some(section);
        }
        Shape::Failed => return None,
    };
    Some(if shared { class.derived.get_or_init(|| section).clone() } else { section })
}

/// Returns the outline and heights as given in the file, or their defaults.
fn given_section(own: &ShapeSource, class: &ShapeSource, values: &BlockValues) -> CrossSection {
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
