//! Occupancy grids: floor plans of cells.

use std::sync::Arc;

use simhost_assets::grid;
use simhost_scene::OccupancyGrid;

use crate::context::Context;
use crate::files;
use crate::reader::ElementReader;
use crate::semantic::{self, read_semantic};
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::{
    Section, Value, attribute, child, fraction, non_negative, number, positive, section,
};

/// A floor plan of cells.
#[derive(Clone, Debug)]
pub struct GridMap {
    /// Cells, in the world frame.
    pub grid: Arc<OccupancyGrid>,
    /// Whether bodies collide with occupied cells.
    pub collides: bool,
    /// Coefficient of restitution, from 0 to 1.
    pub restitution: f64,
    /// Friction coefficient of the sides.
    pub lateral_friction: f64,
    /// Height of the top of the solid cells in m; infinite for cells without an end.
    pub height: f64,
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
    /// Position of the declaration.
    pub span: Span,
}

pub(crate) static OCCUPANCY_GRID: Section = section(
    "element class=\"occupancy_grid\"",
    "A floor plan of cells: an image, a ROS map (.yaml) or an MRPT map (.gridmap, .gridmap.gz).",
    &[
        attribute("class", Value::Text, "occupancy_grid").required(),
        child("file", Value::Uri, "File of the map.").required(),
        child("resolution", positive("m"), "Side of a pixel, for images only.").or("0.1"),
        child(
            "centerpixel_x",
            number("px"),
            "Pixel at the origin of the world, counted from the left, for images only.",
        )
        .or("-1"),
        child(
            "centerpixel_y",
            number("px"),
            "Pixel at the origin of the world, counted from the bottom, for images only.",
        )
        .or("-1"),
        child("show_collisions", Value::Bool, "Draws contacts.")
            .or("true")
            .unused("affects visualisation only"),
        child(
            "restitution",
            fraction(),
            "Coefficient of restitution: 0 does not bounce, 1 keeps all speed. Bodies with joints do not bounce.",
        )
        .or("0.01"),
        child("lateral_friction", non_negative("1"), "Friction coefficient of the sides.")
            .or("0.5"),
        child(
            "height",
            positive("m"),
            "Height of the solid cells above the ground of the world, for sensors.",
        )
        .or_else("without an end"),
        semantic::ENTRY,
    ],
);

/// Entries that apply to images only: map files contain these values.
const OF_IMAGES: &[&str] = &["resolution", "centerpixel_x", "centerpixel_y"];
/// Endings of map files.
const MAP_ENDINGS: &[&str] = &[".yaml", ".yml", ".gridmap", ".gridmap.gz"];

pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> Option<GridMap> {
    let element = reader.element;
    let file = reader.text_of("file");
    let file = reader.require("file", file);
    let options = grid::GridOptions {
        resolution: reader.number("resolution"),
        center_pixel: [reader.number("centerpixel_x"), reader.number("centerpixel_y")],
    };
    let (restitution, lateral_friction) =
        (reader.number("restitution"), reader.number("lateral_friction"));
    let height = reader.given_number("height").unwrap_or(f64::INFINITY);
    let semantic = read_semantic(&mut reader);
    let context = reader.finish();
    let text = file?;
    let path = files::local_path(context, text)?;
    warn_of_image_entries(context, element, &path.to_string_lossy());
    let limits = context.assets.limits;
    let read = |path: &_| grid::read(path, &options, &limits);
    let grid = files::read(context, text.span, &path, read)?;
    if !files::reserve(context, grid.cells().len(), text.span) {
        return None;
    }
    Some(GridMap {
        grid: Arc::new(grid),
        collides: true,
        restitution,
        lateral_friction,
        height,
        semantic,
        span: element.name_span,
    })
}

/// Warns of entries that a map file overrides.
fn warn_of_image_entries(context: &mut Context<'_>, element: &Element, path: &str) {
    let Some(ending) = MAP_ENDINGS.iter().find(|ending| path.ends_with(**ending)) else { return };
    let given = element.children.iter().filter(|child| OF_IMAGES.contains(&child.name.as_str()));
    for child in given {
        let message = format!("`{}` has no effect with a `{ending}` file", child.name);
        context.report.warning(child.name_span, message, "the file contains this value");
    }
}
