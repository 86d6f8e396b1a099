//! Inverses of the maps of the pedals.

use crate::maps::Map;

/// Returns the position of the accelerator with an acceleration, m/s², at a speed, m/s; nothing
/// below the acceleration of the first row, and the last row above the accelerations of all rows.
pub fn accelerator(map: &Map, acceleration: f64, speed: f64) -> Option<f64> {
    (acceleration >= map.of_row(0, speed)).then(|| map.row_of(acceleration, speed))
}

/// Returns the position of the brake with an acceleration, m/s², at a speed, m/s: the first row
/// above its acceleration, and the last row below the accelerations of all rows.
pub fn brake(map: &Map, acceleration: f64, speed: f64) -> f64 {
    match acceleration >= map.of_row(0, speed) {
        true => map.rows()[0],
        false => map.row_of(acceleration, speed),
    }
}
