//! Odometry of vehicles that steer by different speeds of their left and right wheels.

use super::{Increment, Rolled};

/// Distance between left and right wheels below which the heading is unknown, m.
const LEAST_DISTANCE: f64 = 1e-3;

/// Returns the motion of the point between the wheels.
pub(super) fn increment(wheels: &[Rolled]) -> Increment {
    let mean = |of: fn(&Rolled) -> f64, is_left: bool| {
        let side = wheels.iter().filter(|wheel| (wheel.y > 0.0) == is_left);
        let (sum, count) = side.fold((0.0, 0.0), |(sum, n), wheel| (sum + of(wheel), n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    };
    let [left, right] = [true, false].map(|is_left| mean(|wheel| wheel.way, is_left));
    let [left_y, right_y] = [true, false].map(|is_left| mean(|wheel| wheel.y, is_left));
    let track = left_y - right_y;
    let count = wheels.len().max(1) as f64;
    let ahead = wheels.iter().map(|wheel| wheel.x).sum::<f64>() / count;
    let turn = if track > LEAST_DISTANCE { (right - left) / track } else { 0.0 };
    // the point in the middle of the vehicle, which need not be that between the wheels
    let way = left + turn * left_y;
    Increment {
        ahead,
        way: if track > LEAST_DISTANCE { way } else { left + right },
        slip: 0.0,
        turn,
    }
}
