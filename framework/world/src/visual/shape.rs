//! Outlines and heights derived from visuals.

use simhost_assets::mesh::MeshFormat;
use simhost_scene::{Mesh, Section};

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
            Ok(mesh) => {
                report_lying(context, visual, &mesh);
                mesh.section(heights[0], heights[1])
            }
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

/// Height of a model with unknown axes, as a part of its least horizontal size, below which it seems to lie.
const FLAT: f64 = 1.0 / 3.0;

/// Warns of a model that seems to lie on its side: one with y up that nothing turns, or a flat one whose format does
/// not say which axis is up.
fn report_lying(context: &mut Context<'_>, visual: &Visual, mesh: &Mesh) {
    let Some(bounds) = mesh.bounds().filter(|_| !visual.is_turned) else { return };
    let format = visual.model.as_deref().and_then(MeshFormat::of);
    let [x, y, z]: [f64; 3] = std::array::from_fn(|axis| bounds.max[axis] - bounds.min[axis]);
    let reason = match format {
        Some(format) if format.has_y_up() => {
            "its y axis, which is up in files of this format, is level"
        }
        _ if z < FLAT * x.min(y) => "it is much longer and wider than high",
        _ => return,
    };
    let size = [x, y, z].map(|side| (side * 1e3).round() / 1e3);
    let warning = Diagnostic::warning(format!("`{}` may lie on its side: {reason}", visual.model_uri))
        .at(visual.span)
        .label(format!("{} × {} × {} m along x, y and z", size[0], size[1], size[2]))
        .help("write <model_roll>90</model_roll> if y is up in the model, or <model_roll>0</model_roll> if z is");
    context.report.push(warning);
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
