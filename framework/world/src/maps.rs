//! Grid maps, grids of the ground and point clouds.

use std::ops::Range;
use std::sync::Arc;

use simhost_assets::{cloud, grid};
use simhost_scene::{OccupancyGrid, Pose3};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::pose::POSE_3D;
use crate::reader::{ElementReader, Field, declare};
use crate::sources::Span;
use crate::tree::{Element, Text};
use crate::vocabulary::field::{child, class};
use crate::vocabulary::{Entry, Value, element, fraction, non_negative, number, positive};
use crate::{files, semantic};

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

// the alias is that of MVSim's manual
declare! {
    /// A grid of lines on the ground, in the stream `scene`, films, plots and reports. Sensors do not see it.
    section = element("element class=\"ground_grid\"").with(&[class("ground_grid")]);

    /// A grid of lines drawn on the ground.
    #[derive(Clone, Debug, PartialEq)]
    pub struct GroundGrid {
        /// Moves with the camera or a vehicle.
        pub floating: bool = child(Value::Bool).or("true");
        /// Name of the vehicle that it moves with.
        pub focus: Option<String> =
            child(Value::Vehicle).named("floating_focus").also(&["float_center_at_vehicle_name"]);
        /// Colour of the lines.
        pub color: [u8; 4] = child(Value::Color).or("#e0e0e0");
        /// Width of a line.
        pub line_width: f64 = child(positive("px")).or("1");
        /// Extent along x in m.
        pub x: [f64; 2] =
            child(number("m")).named("x_min").doc("Smallest x.").or("-25"),
            child(number("m")).named("x_max").doc("Largest x.").or("25").rises();
        /// Extent along y in m.
        pub y: [f64; 2] =
            child(number("m")).named("y_min").doc("Smallest y.").or("-25"),
            child(number("m")).named("y_max").doc("Largest y.").or("25").rises();
        /// Distance between lines.
        pub interval: f64 = child(positive("m")).or("5");
    }
}

/// Most lines of a grid, so that a small interval does not fill a picture.
const MOST: f64 = 1000.0;

impl GroundGrid {
    /// Returns the ends of the lines in the world frame, m; none if there would be too many.
    pub fn lines(&self) -> Vec<[[f64; 2]; 2]> {
        let places = |[low, high]: [f64; 2]| {
            let count = ((high - low) / self.interval + 1e-9).floor();
            let count = if count <= MOST { count as usize + 1 } else { 0 };
            (0..count).map(move |line| low + line as f64 * self.interval)
        };
        let across = places(self.x).map(|x| [[x, self.y[0]], [x, self.y[1]]]);
        across.chain(places(self.y).map(|y| [[self.x[0], y], [self.x[1], y]])).collect()
    }
}

// the aliases are those of MVSim's manual
declare! {
    /// Points. They are checked only: bodies do not collide with them, and no sensor sees them.
    section = element("element class=\"pointcloud\"").with(&[class("pointcloud or point_cloud")]);

    /// Points that nothing sees yet.
    #[derive(Clone, Debug)]
    pub struct PointCloud {
        /// Points in the frame of the cloud in m.
        pub points: Arc<Vec<[f64; 3]>> =
            child(Value::Uri).named("file_txt_3d").doc("File with rows of x y z in m.").also(&["file"]),
            child(Value::Uri).named("file_txt_2d").doc("File with rows of x y in m.");
        /// Size of a drawn point.
        pub point_size: f64 = child(positive("px")).named("points_size").or("3").also(&["render_points_size"]);
        /// Pose of the cloud in m and degrees.
        pub pose: Pose3 = child(Value::Row(POSE_3D)).named("pose_3d").or("0 0 0 0 0 0");
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

/// Points of the first file that is given.
impl Field for Arc<Vec<[f64; 3]>> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, _: Range<usize>) -> Option<Self> {
        let [spatial, planar] = ["file_txt_3d", "file_txt_2d"].map(|name| reader.text_of(name));
        let text = spatial.or(planar)?;
        let context = &mut *reader.context;
        let path = files::local_path(context, text)?;
        let limits = context.assets.limits;
        let mut points = files::read(context, text.span, &path, |path| cloud::read(path, &limits))?;
        if !files::reserve(context, size_of_val(&points[..]), text.span) {
            return None;
        }
        if spatial.is_none() {
            points.iter_mut().for_each(|point| point[2] = 0.0);
        }
        Some(Self::new(points))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        None
    }

    fn report_absent(reader: &mut ElementReader<'_, '_, '_>, _: &'static Entry) {
        let error = Diagnostic::error("a point cloud without a file")
            .at(reader.element.name_span)
            .label("expected <file_txt_3d> or <file_txt_2d>")
            .help("write <file_txt_3d>FILE</file_txt_3d> for a file with rows of x y z in m");
        reader.context.report.push(error);
    }
}
