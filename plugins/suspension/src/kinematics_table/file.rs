//! Reader of tables in CSV files, in the [format of grids](crate::grid_file): columns `travel` in m, optionally `rack` in
//! m, and at least one of the quantities in [`COLUMNS`].

use simhost_sdk::math::DEG;

use super::{QUANTITIES, Quantity};
pub use crate::csv::TableError;
use crate::grid_file::{GridAxis, GridFormat};
use crate::surface::GridPoints;

/// Names of columns with their quantities and their units in SI units.
pub const COLUMNS: [(&str, usize, f64); 11] = [
    ("toe_in_deg", Quantity::Toe as usize, DEG),
    ("toe_in", Quantity::Toe as usize, 1.0),
    ("camber", Quantity::Camber as usize, 1.0),
    ("camber_deg", Quantity::Camber as usize, DEG),
    ("half_track_change", Quantity::HalfTrackChange as usize, 1.0),
    ("contact_x", Quantity::ContactX as usize, 1.0),
    ("wheel_x", Quantity::WheelX as usize, 1.0),
    ("caster", Quantity::Caster as usize, 1.0),
    ("caster_deg", Quantity::Caster as usize, DEG),
    ("spring_length", Quantity::SpringLength as usize, 1.0),
    ("rc_height", Quantity::RollCentre as usize, 1.0),
];

const FORMAT: GridFormat = GridFormat {
    first: GridAxis { columns: &[("travel", 1.0)], only: None },
    second: GridAxis { columns: &[("rack", 1.0)], only: Some(0.0) },
    quantities: &COLUMNS,
};

/// Reads a table.
///
/// # Errors
///
/// A text that is not a table.
pub fn parse(text: &str) -> Result<GridPoints<QUANTITIES>, TableError> {
    FORMAT.parse(text)
}
