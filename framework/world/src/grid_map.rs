//! Occupancy grids: floor plans of cells.

use std::ops::Range;
use std::sync::Arc;

use simhost_assets::grid;
use simhost_scene::OccupancyGrid;

use crate::context::Context;
use crate::files;
use crate::reader::{ElementReader, Field, declare};
use crate::semantic;
use crate::sources::Span;
use crate::tree::{Element, Text};
use crate::vocabulary::field::{child, class};
use crate::vocabulary::{Entry, Value, element, fraction, non_negative, number, positive};

declare! {
    /// A floor plan of cells: an image, a ROS map (.yaml) or an MRPT map (.gridmap, .gridmap.gz).
    section = element("element class=\"occupancy_grid\"").with(&[class("occupancy_grid")]);

    /// A floor plan of cells.
    #[derive(Clone, Debug)]
    pub struct GridMap {
        /// Cells, in the world frame.
        pub grid: Arc<OccupancyGrid> =
            child(Value::Uri).named("file").doc("File of the map.").required(),
            child(positive("m")).named("resolution").doc("Side of a pixel, for images only.").or("0.1"),
            child(number("px")).named("centerpixel_x")
                .doc("Pixel at the origin of the world, counted from the left, for images only.").or("-1"),
            child(number("px")).named("centerpixel_y")
                .doc("Pixel at the origin of the world, counted from the bottom, for images only.").or("-1"),
            child(Value::Bool).named("show_collisions").doc("Draws contacts.").or("true")
                .unused("affects visualisation only");
        /// Whether bodies collide with occupied cells.
        pub collides: bool => |_| true;
        /// Coefficient of restitution: 0 does not bounce, 1 keeps all speed. Bodies with joints do not bounce.
        pub restitution: f64 = child(fraction()).or("0.01");
        /// Friction coefficient of the sides.
        pub lateral_friction: f64 = child(non_negative("1")).or("0.5");
        /// Height of the solid cells above the ground of the world, for sensors.
        pub height: f64 = child(positive("m")).or("inf").described("without an end");
        /// Semantic class, if given.
        pub semantic: Option<Arc<str>> = semantic::ENTRY;
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

/// Entries that apply to images only: map files contain these values.
const OF_IMAGES: &[&str] = &["resolution", "centerpixel_x", "centerpixel_y"];
/// Endings of map files.
const MAP_ENDINGS: &[&str] = &[".yaml", ".yml", ".gridmap", ".gridmap.gz"];

/// The cells of a map, or of an image with its resolution and the pixel at the origin.
impl Field for Arc<OccupancyGrid> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let at = place.start;
        let file: Option<Text> = reader.field_at(at);
        let options = grid::GridOptions {
            resolution: reader.field_at(at + 1)?,
            center_pixel: reader.field(at + 2..at + 4)?,
        };
        let text = file?;
        let context = &mut *reader.context;
        let path = files::local_path(context, &text)?;
        warn_of_image_entries(context, reader.element, &path.to_string_lossy());
        let limits = context.assets.limits;
        let read = |path: &_| grid::read(path, &options, &limits);
        let grid = files::read(context, text.span, &path, read)?;
        let fits = files::reserve(context, grid.cells().len(), text.span);
        fits.then(|| Self::new(grid))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        None
    }
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
