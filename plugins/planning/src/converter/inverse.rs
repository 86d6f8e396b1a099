//! Inverses of the maps and of the variable gear ratio.

use crate::maps::Map;

/// Returns the position of the accelerator with an acceleration, m/s², at a speed, m/s; nothing below
/// the acceleration of the first row, and the last row above that of all rows.
pub fn accelerator(map: &Map, acceleration: f64, speed: f64) -> Option<f64> {
    (acceleration >= map.of_row(0, speed)).then(|| map.row_of(acceleration, speed))
}

/// Returns the position of the brake with an acceleration, m/s², at a speed, m/s: that of the first row
/// above its acceleration, and the last row below that of all rows.
pub fn brake(map: &Map, acceleration: f64, speed: f64) -> f64 {
    match acceleration >= map.of_row(0, speed) {
        true => map.rows()[0],
        false => map.row_of(acceleration, speed),
    }
}

/// Returns the angle of the steering wheel, rad, for an angle of the tyres, rad, at a speed, m/s, with the
/// coefficients a, b, s²/m², and c, 1/rad: (a + b v²) δ/(1 + c |δ|).
pub fn wheel([a, b, c]: [f64; 3], speed: f64, tyre: f64) -> f64 {
    (a + b * speed * speed) * tyre / (1.0 + c * tyre.abs())
}
