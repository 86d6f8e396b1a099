//! Terrain: elevation maps.

use std::sync::Arc;

use simhost_assets::{Problem, matrix, terrain};
use simhost_scene::{Edges, HeightField, Kernel, Roughness};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::files;
use crate::reader::{ElementReader, report_without_effect};
use crate::semantic::{self, read_semantic};
use crate::sources::Span;
use crate::texture::{Texture, read_texture};
use crate::tree::{Element, Text};
use crate::vocabulary::{
    Section, Value, attribute, child, integer, non_negative, number, positive, section,
};

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

/// Reason why texture sizes have no effect here.
const TEXTURE_OF_PLANES: &str = "MVSim reads it for planes only; write <texture_extension_x>";

pub(crate) static ELEVATION_MAP: Section = section(
    "element class=\"elevation_map\"",
    "Terrain from an image, a matrix, a list of points or the roughness of a road. Rows of an image or matrix run along +x, columns along +y.",
    &[
        attribute("class", Value::Text, "elevation_map").required(),
        child("elevation_image", Value::Uri, "Image whose grey levels are heights."),
        child("elevation_image_min_z", number("m"), "Height of the darkest pixel.").or("0"),
        child("elevation_image_max_z", number("m"), "Height of the brightest pixel.").or("5"),
        child("elevation_data_matrix", Value::Formatted("[a b; c d]"), "Matrix of heights."),
        child("elevation_data_matrix_scale", number("m"), "Height of the matrix value 1.").or("1"),
        child("dem_xyzrgb_file", Value::Uri, "File with rows of x y z r g b."),
        child("dem_offset_x", number("m"), "Offset of the points along x.").or("0"),
        child("dem_offset_y", number("m"), "Offset of the points along y.").or("0"),
        child("dem_offset_z", number("m"), "Offset of the points along z.").or("0"),
        child("resolution", positive("m"), "Distance between samples.").or("1"),
        child("corner_min_x", number("m"), "Smallest x.").or_else("centred on the origin"),
        child("corner_min_y", number("m"), "Smallest y.").or_else("centred on the origin"),
        child(
            "apply_kernel",
            Value::Formatted("[a b; c d], square, with sum 1"),
            "Kernel that smooths the heights.",
        ),
        child(
            "roughness",
            Value::Formatted("a class from A to H, or a number above 0 in m³"),
            "Roughness by ISO 8608 on top of the heights: a class, or the degree of roughness at 0.1/m.",
        ),
        child("roughness_seed", integer("1").at_least(0.0), "Seed of the rough surface.").or("0"),
        child("roughness_length", positive("m"), "Length along x of a road without other heights."),
        child("roughness_width", positive("m"), "Width along y of a road without other heights."),
        child("texture_image", Value::Uri, "Image on the surface."),
        child("texture_image_rotate", number("deg"), "Rotation of the image: 0, ±90 or ±180.")
            .or("0"),
        child(
            "texture_extension_x",
            non_negative("m"),
            "Size of the image along x; 0 is the size of the terrain.",
        )
        .or("0"),
        child(
            "texture_extension_y",
            non_negative("m"),
            "Size of the image along y; 0 is the size of the terrain.",
        )
        .or("0"),
        child("mesh_color", Value::Color, "Colour.").or("#a0e0a0"),
        child("model_split_size", non_negative("m"), "Side of the parts that are drawn.")
            .or("0")
            .unused("affects visualisation only"),
        semantic::ENTRY,
        child("texture_size_x", number("m"), "A name of planes.").ignored(TEXTURE_OF_PLANES),
        child("texture_size_y", number("m"), "A name of planes.").ignored(TEXTURE_OF_PLANES),
    ],
);

/// Source of the heights, and their position.
struct HeightSource<'e> {
    image: Option<&'e Text>,
    matrix: Option<&'e Text>,
    dem: Option<&'e Text>,
    /// Heights in m of the darkest and the brightest pixel.
    image_range: [f64; 2],
    /// Height in m of the matrix value 1.
    matrix_scale: f64,
    lattice: terrain::Lattice,
    dem_offset: [f64; 3],
}

pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> Option<ElevationMap> {
    let element = reader.element;
    let source = HeightSource {
        image: reader.text_of("elevation_image"),
        matrix: reader.text_of("elevation_data_matrix"),
        dem: reader.text_of("dem_xyzrgb_file"),
        image_range: ["elevation_image_min_z", "elevation_image_max_z"]
            .map(|name| reader.number(name)),
        matrix_scale: reader.number("elevation_data_matrix_scale"),
        lattice: terrain::Lattice {
            resolution: reader.number("resolution"),
            corner: ["corner_min_x", "corner_min_y"].map(|name| reader.given_number(name)),
        },
        dem_offset: ["dem_offset_x", "dem_offset_y", "dem_offset_z"]
            .map(|name| reader.number(name)),
    };
    let roughness = reader.text_of("roughness");
    let seed = reader.number("roughness_seed") as u64;
    let road = ["roughness_length", "roughness_width"].map(|name| reader.given_number(name));
    let kernel = reader.text_of("apply_kernel");
    let color = reader.color("mesh_color");
    let rotation = reader.number("texture_image_rotate");
    let size = ["texture_extension_x", "texture_extension_y"].map(|name| reader.number(name));
    let texture = read_texture(&mut reader, "texture_image", size, rotation);
    if texture.is_some()
        && let Some(given) = reader.take("mesh_color")
    {
        report_without_effect(reader.context, &[given], "with `texture_image`", None);
    }
    let semantic = read_semantic(&mut reader);
    let context = reader.finish();
    let mut field = match (road, source.is_given()) {
        ([Some(length), Some(width)], false) => {
            level_road(context, element, [length, width], &source.lattice)?
        }
        _ => {
            let field = heights(context, element, &source)?;
            if !files::reserve(context, size_of_val(field.heights()), element.name_span) {
                return None;
            }
            field
        }
    };
    if let Some(text) = kernel {
        field = smoothed(context, &field, text)?;
    }
    if let Some(text) = roughness {
        let degree = degree(context, text)?;
        let size = field.size().map(|count| count as f64);
        if source.is_given() && !files::reserve_rough(context, size, text.span) {
            return None;
        }
        field = field.roughened(Roughness { degree, seed });
    }
    Some(ElevationMap { field: Arc::new(field), color, texture, semantic, span: element.name_span })
}

impl HeightSource<'_> {
    fn is_given(&self) -> bool {
        self.image.is_some() || self.matrix.is_some() || self.dem.is_some()
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
    source: &HeightSource<'_>,
) -> Option<HeightField> {
    let limits = context.assets.limits;
    let given = [source.image, source.matrix, source.dem];
    for ignored in given.iter().flatten().skip(1) {
        let label = "ignored: the first one is used";
        context.report.warning(ignored.span, "a second source of heights", label);
    }
    if let Some(text) = source.image {
        let path = files::local_path(context, text)?;
        let read =
            |path: &_| terrain::read_image(path, source.image_range, &source.lattice, &limits);
        return files::read(context, text.span, &path, read);
    }
    if let Some(text) = source.matrix {
        let parsed = matrix::parse(text.value()?, &limits)
            .and_then(|matrix| terrain::from_matrix(&matrix, source.matrix_scale, &source.lattice));
        return parsed_or_reported(context, text, "elevation_data_matrix", parsed);
    }
    if let Some(text) = source.dem {
        let path = files::local_path(context, text)?;
        let options = terrain::DemOptions {
            resolution: source.lattice.resolution,
            offset: source.dem_offset,
        };
        let read = |path: &_| terrain::read_dem(path, &options, &limits);
        return files::read(context, text.span, &path, read);
    }
    let error = Diagnostic::error("a terrain without heights")
        .at(element.name_span)
        .label("expected <elevation_image>, <elevation_data_matrix>, <dem_xyzrgb_file>, or <roughness> with <roughness_length> and <roughness_width>")
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
