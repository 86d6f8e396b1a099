//! Ground grids: lines drawn on the ground.

use crate::reader::ElementReader;
use crate::vocabulary::{Section, Value, attribute, child, number, positive, section};

/// A grid of lines drawn on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundGrid {
    /// Extent along x in m.
    pub x: [f64; 2],
    /// Extent along y in m.
    pub y: [f64; 2],
    /// Distance between lines in m.
    pub interval: f64,
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
    /// Width of a line in pixels.
    pub line_width: f64,
    /// Whether the grid moves with the camera or a vehicle.
    pub floating: bool,
    /// Name of the vehicle that it moves with.
    pub focus: Option<String>,
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

pub(crate) static GROUND_GRID: Section = section(
    "element class=\"ground_grid\"",
    "A grid of lines on the ground, in the stream `scene`, films, plots and reports. Sensors do not see it.",
    &[
        attribute("class", Value::Text, "ground_grid").required(),
        child("floating", Value::Bool, "Moves with the camera or a vehicle.").or("true"),
        // the alias is that of MVSim's manual
        child("floating_focus", Value::Text, "Name of the vehicle that it moves with.")
            .also(&["float_center_at_vehicle_name"]),
        child("color", Value::Color, "Colour of the lines.").or("#e0e0e0"),
        child("line_width", positive("px"), "Width of a line.").or("1"),
        child("x_min", number("m"), "Smallest x.").or("-25"),
        child("x_max", number("m"), "Largest x.").or("25"),
        child("y_min", number("m"), "Smallest y.").or("-25"),
        child("y_max", number("m"), "Largest y.").or("25"),
        child("interval", positive("m"), "Distance between lines.").or("5"),
    ],
);

pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> GroundGrid {
    let focus = reader.text_of("floating_focus");
    let grid = GroundGrid {
        x: reader.range("x_min", "x_max"),
        y: reader.range("y_min", "y_max"),
        interval: reader.number("interval"),
        color: reader.color("color"),
        line_width: reader.number("line_width"),
        floating: reader.flag("floating"),
        focus: reader.given_text("floating_focus"),
    };
    let context = reader.finish();
    let reference = grid.focus.clone().zip(focus.map(|text| text.span));
    context.references.vehicles.extend(reference);
    grid
}
