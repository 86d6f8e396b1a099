//! Ground grids: lines drawn on the ground.

use crate::reader::declare;
use crate::vocabulary::field::{child, class};
use crate::vocabulary::{Value, element, number, positive};

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
