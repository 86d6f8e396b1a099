//! Terrain: elevation maps.

use std::sync::Arc;

use simhost_assets::{Problem, crg, matrix, terrain};
use simhost_scene::{Edges, HeightField, Kernel, Roughness};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::files;
use crate::reader::{ElementReader, declare, report_without_effect};
use crate::semantic;
use crate::sources::Span;
use crate::texture::Texture;
use crate::tree::{Element, Text};
use crate::vocabulary::field::{child, class, either};
use crate::vocabulary::{Value, element, integer, non_negative, number, positive};

/// Terrain.
#[derive(Clone, Debug)]
pub struct ElevationMap {
    /// Heights, in the world frame.
    pub field: Arc<HeightField>,
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
    /// Image on the surface.
    pub texture: Option<Texture>,
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
    /// Position of the declaration.
    pub span: Span,
}

/// Distance between samples of other terrain, m.
const DEFAULT_RESOLUTION: f64 = 1.0;
/// Reason why texture sizes have no effect here.
const TEXTURE_OF_PLANES: &str = "MVSim reads it for planes only; write <texture_extension_x>";

declare! {
    /// Terrain from an image, a matrix, a list of points, a road surface in OpenCRG or the roughness of a road. Rows of an image or matrix run along +x, columns along +y.
    section = element("element class=\"elevation_map\"").with(&[class("elevation_map")]);

    /// Terrain as given: a source of heights and what is added to it.
    #[derive(Clone)]
    pub(crate) struct GivenTerrain {
        /// Image whose grey levels are heights.
        image: Option<Text> = child(Value::Uri).named("elevation_image");
        /// Heights of the darkest and the brightest pixel.
        image_range: [f64; 2] =
            child(number("m")).named("elevation_image_min_z").doc("Height of the darkest pixel.").or("0"),
            child(number("m")).named("elevation_image_max_z").doc("Height of the brightest pixel.").or("5");
        /// Matrix of heights.
        matrix: Option<Text> = child(Value::Formatted("[a b; c d]")).named("elevation_data_matrix");
        /// Height of the matrix value 1.
        matrix_scale: f64 = child(number("m")).named("elevation_data_matrix_scale").or("1");
        /// File with rows of x y z r g b.
        dem: Option<Text> = child(Value::Uri).named("dem_xyzrgb_file");
        /// Road surface in OpenCRG, in ASCII or binary.
        crg: Option<Text> = either(Value::Uri).named("file");
        /// Offset of the points, or of the road surface.
        dem_offset: [f64; 3] =
            child(number("m")).named("dem_offset_x").doc("Offset of points or a road surface along x.").or("0"),
            child(number("m")).named("dem_offset_y").doc("Offset of points or a road surface along y.").or("0"),
            child(number("m")).named("dem_offset_z").doc("Offset of points or a road surface along z.").or("0");
        /// Distance between samples.
        resolution: Option<f64> =
            child(positive("m")).or_else("1; for a road surface in OpenCRG, the smallest distance of its rows or columns");
        /// Corner with the smallest coordinates.
        corner: [Option<f64>; 2] =
            child(number("m")).named("corner_min_x").doc("Smallest x.").or_else("centred on the origin"),
            child(number("m")).named("corner_min_y").doc("Smallest y.").or_else("centred on the origin");
        /// Kernel that smooths the heights.
        kernel: Option<Text> = child(Value::Formatted("[a b; c d], square, with sum 1")).named("apply_kernel");
        /// Roughness by ISO 8608 on top of the heights: a class, or the degree of roughness at 0.1/m.
        roughness: Option<Text> = child(Value::Formatted("a class from A to H, or a number above 0 in m³"));
        /// Seed of the rough surface.
        seed: u64 = child(integer("1").at_least(0.0)).named("roughness_seed").or("0");
        /// Length and width of a road without other heights.
        road: [Option<f64>; 2] =
            child(positive("m")).named("roughness_length").doc("Length along x of a road without other heights."),
            child(positive("m")).named("roughness_width").doc("Width along y of a road without other heights.");
        /// Image on the surface.
        texture: Option<Texture> =
            child(Value::Uri).named("texture_image"),
            child(number("deg")).named("texture_image_rotate").doc("Rotation of the image: 0, ±90 or ±180.").or("0"),
            child(non_negative("m")).named("texture_extension_x")
                .doc("Size of the image along x; 0 is the size of the terrain.").or("0"),
            child(non_negative("m")).named("texture_extension_y")
                .doc("Size of the image along y; 0 is the size of the terrain.").or("0");
        /// Colour.
        color: [u8; 4] =
            child(Value::Color).named("mesh_color").or("#a0e0a0"),
            child(non_negative("m")).named("model_split_size").doc("Side of the parts that are drawn.").or("0")
                .unused("affects visualisation only");
        /// Semantic class.
        semantic: Option<Arc<str>> =
            semantic::ENTRY,
            child(number("m")).named("texture_size_x").doc("A name of planes.").ignored(TEXTURE_OF_PLANES),
            child(number("m")).named("texture_size_y").doc("A name of planes.").ignored(TEXTURE_OF_PLANES);
    }
}

pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> Option<ElevationMap> {
    let element = reader.element;
    let given = reader.fields::<GivenTerrain>();
    if given.as_ref().is_some_and(|given| given.texture.is_some())
        && let Some(color) = reader.take("mesh_color")
    {
        report_without_effect(reader.context, &[color], "with `texture_image`", None);
    }
    let context = reader.finish();
    let given = given?;
    let mut field = match (given.road, given.has_heights()) {
        ([Some(length), Some(width)], false) => {
            level_road(context, element, [length, width], &given.lattice())?
        }
        _ => {
            let field = heights(context, element, &given)?;
            if !files::reserve(context, size_of_val(field.heights()), element.name_span) {
                return None;
            }
            field
        }
    };
    if let Some(text) = &given.kernel {
        field = smoothed(context, &field, text)?;
    }
    if let Some(text) = &given.roughness {
        let degree = degree(context, text)?;
        let size = field.size().map(|count| count as f64);
        if given.has_heights() && !files::reserve_rough(context, size, text.span) {
            return None;
        }
        field = field.roughened(Roughness { degree, seed: given.seed });
    }
    let GivenTerrain { color, texture, semantic, .. } = given;
    Some(ElevationMap { field: Arc::new(field), color, texture, semantic, span: element.name_span })
}

impl GivenTerrain {
    fn has_heights(&self) -> bool {
        [&self.image, &self.matrix, &self.dem, &self.crg].iter().any(|source| source.is_some())
    }

    /// Returns where the samples are.
    fn lattice(&self) -> terrain::Lattice {
        terrain::Lattice { resolution: self.spacing(), corner: self.corner }
    }

    /// Returns the distance between samples, m.
    fn spacing(&self) -> f64 {
        self.resolution.unwrap_or(DEFAULT_RESOLUTION)
    }
}

/// Returns level terrain of a length and a width, m.
fn level_road(
    context: &mut Context<'_>,
    element: &Element,
    extent: [f64; 2],
    lattice: &terrain::Lattice,
) -> Option<HeightField> {
    let size = extent.map(|extent| (extent / lattice.resolution).round().max(1.0) + 1.0);
    if !files::reserve_rough(context, size, element.name_span) {
        return None;
    }
    let [rows, columns] = size.map(|count| count as usize);
    let values = vec![0.0; rows * columns];
    let level = terrain::from_matrix(&matrix::Matrix { rows, columns, values }, 1.0, lattice);
    let report = |problem: Problem| {
        context.report.error(element.name_span, problem.detail(), "expected a larger road");
    };
    level.map_err(report).ok()
}

/// Reads a degree of roughness, m³.
fn degree(context: &mut Context<'_>, text: &Text) -> Option<f64> {
    let value = text.value()?;
    let class = value.chars().next().filter(|_| value.len() == 1);
    if let Some(degree) = class.and_then(Roughness::degree_of_class) {
        return Some(degree);
    }
    let given = value.parse::<f64>().ok().filter(|degree| *degree > 0.0 && *degree <= 1.0);
    if given.is_none() {
        let message = format!("`roughness` is '{value}'");
        let label = "expected a class from A to H, or a number in m³, greater than 0, at most 1";
        context.report.error(text.span, message, label);
    }
    given
}

/// Reads the heights from the first source that is given.
fn heights(
    context: &mut Context<'_>,
    element: &Element,
    source: &GivenTerrain,
) -> Option<HeightField> {
    let limits = context.assets.limits;
    let given = [&source.image, &source.matrix, &source.dem, &source.crg];
    for ignored in given.into_iter().flatten().skip(1) {
        let label = "ignored: the first one is used";
        context.report.warning(ignored.span, "a second source of heights", label);
    }
    if let Some(text) = &source.image {
        let path = files::local_path(context, text)?;
        let read =
            |path: &_| terrain::read_image(path, source.image_range, &source.lattice(), &limits);
        return files::read(context, text.span, &path, read);
    }
    if let Some(text) = &source.matrix {
        let parsed = matrix::parse(text.value()?, &limits).and_then(|matrix| {
            terrain::from_matrix(&matrix, source.matrix_scale, &source.lattice())
        });
        return parsed_or_reported(context, text, "elevation_data_matrix", parsed);
    }
    if let Some(text) = &source.dem {
        let path = files::local_path(context, text)?;
        let options =
            terrain::DemOptions { resolution: source.spacing(), offset: source.dem_offset };
        let read = |path: &_| terrain::read_dem(path, &options, &limits);
        return files::read(context, text.span, &path, read);
    }
    if let Some(text) = &source.crg {
        let path = files::local_path(context, text)?;
        let options = crg::CrgOptions { resolution: source.resolution, offset: source.dem_offset };
        let read = |path: &_| crg::read(path, &options, &limits);
        return files::read(context, text.span, &path, read);
    }
    let error = Diagnostic::error("a terrain without heights")
        .at(element.name_span)
        .label("expected <elevation_image>, <elevation_data_matrix>, <dem_xyzrgb_file>, file=\"….crg\", or <roughness> with <roughness_length> and <roughness_width>")
        .help(
            "write <elevation_data_matrix>[0 0; 0 1]</elevation_data_matrix>, or name an image \
             with <elevation_image>",
        );
    context.report.push(error);
    None
}

/// Returns the heights convolved with a kernel. In the profile `mvsim-1.2` the heights outside of
/// the terrain are 0, so that its edges sag.
fn smoothed(context: &mut Context<'_>, field: &HeightField, text: &Text) -> Option<HeightField> {
    let parsed = matrix::parse_kernel(text.value()?, &context.assets.limits);
    let kernel: Kernel = parsed_or_reported(context, text, "apply_kernel", parsed)?;
    let edges = if context.profile.lenient { Edges::Zero } else { Edges::Nearest };
    let smoothed = field.convolved(&kernel, edges).map_err(|error| error.to_string());
    smoothed.map_err(|error| context.report.error(text.span, error, "cannot be smoothed")).ok()
}

/// Returns a value, or `None` after reporting why the text cannot be parsed.
fn parsed_or_reported<T>(
    context: &mut Context<'_>,
    text: &Text,
    name: &str,
    parsed: Result<T, Problem>,
) -> Option<T> {
    if let Err(problem) = &parsed {
        let message = format!("cannot parse `{name}`: {}", problem.detail());
        context.report.error(text.span, message, "expected [a b; c d]");
    }
    parsed.ok()
}
