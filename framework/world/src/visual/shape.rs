//! Outlines and heights derived from visuals.

use simhost_scene::Section;

use super::appearance::Visual;
use super::mesh;
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::options::MissingAssets;
use crate::tree::Element;

/// Outcome of deriving a shape from visuals.
pub(crate) enum Shape {
    Known(Section),
    /// None of the models is available, which has been reported as a warning.
    Missing,
    /// An error has been reported.
    Failed,
}

/// Derives the outline and heights of all visuals together, restricted to a range of heights in m.
/// `scale` replaces the scale of each visual. Reports an element without visuals, and visuals without an area.
pub(crate) fn shape_of(
    context: &mut Context<'_>,
    element: &Element,
    visuals: &[Visual],
    scale: Option<f64>,
    heights: [f64; 2],
) -> Shape {
    if visuals.is_empty() {
        let error = Diagnostic::error("`<shape_from_visual>` without a visual")
            .at(element.name_span)
            .help("write <visual> with a <model_uri>");
        context.report.push(error);
        return Shape::Failed;
    }
    let mut total: Option<Section> = None;
    let mut missing = false;
    for visual in visuals {
        let path = visual.model.as_ref();
        let Some(mesh) = path.and_then(|path| mesh::load(context, path, visual.span)) else {
            missing = true;
            continue;
        };
        let factor = scale.unwrap_or(visual.scale);
        let section = match mesh.transformed(factor, &visual.pose) {
            Ok(mesh) => mesh.section(heights[0], heights[1]),
            Err(error) => {
                let message = format!("`{}`: {error}", visual.model_uri);
                context.report.error(visual.span, message, "");
                return Shape::Failed;
            }
        };
        total = match (total, section) {
            (Some(total), Some(section)) => Some(total.union(&section)),
            (total, section) => section.or(total),
        };
    }
    match (total, missing, context.assets.missing) {
        (_, true, MissingAssets::Error) => Shape::Failed,
        (Some(section), ..) => Shape::Known(section),
        (None, true, _) => Shape::Missing,
        (None, false, _) => {
            let label = "nothing with an area lies between zmin and zmax";
            context.report.error(element.name_span, "the visuals have no outline", label);
            Shape::Failed
        }
    }
}

/// Warns that a placeholder is used for a body whose model is not available.
pub(crate) fn report_placeholder(
    context: &mut Context<'_>,
    element: &Element,
    outline: &str,
    [low, high]: [f64; 2],
) {
    let message = format!("the shape of this <{}> is not available", element.name);
    let label = format!("using {outline} from {low} m to {high} m");
    context.report.warning(element.name_span, message, &label);
}
