//! Points as a sensor sees them, and the windows of directions around several of them.

use std::f32::consts::{PI, TAU};

use super::pattern::{BLOCK, Windows};

/// Largest width of a window, rad; wider ones select all rays.
const WIDEST: f32 = 2.6;
/// Tangent from which the sine of an elevation is 1 in single precision.
const STEEPEST: f32 = 1e9;

/// A point as the sensor sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpaceSight {
    /// Azimuth, rad, or NaN near the axis of the sensor.
    pub azimuth: f32,
    /// Tangent of the elevation, or NaN near the origin.
    pub rise: f32,
}

/// Returns the windows of the convex hulls of points: `sights[corner][hull]`.
#[inline(always)]
pub(super) fn windows<const N: usize>(sights: &[[SpaceSight; BLOCK]; N]) -> Windows {
    let mut all =
        Windows { low: [0.0; BLOCK], high: [0.0; BLOCK], fall: [0.0; BLOCK], rise: [0.0; BLOCK] };
    for i in 0..BLOCK {
        let first = sights[0][i].azimuth;
        let (mut low, mut high) = (0.0f32, 0.0f32);
        let (mut fall, mut rise) = (sights[0][i].rise, sights[0][i].rise);
        let mut sum = 0.0;
        // false if one of the points is at the origin
        let mut is_seen = fall <= rise;
        for sight in &sights[1..] {
            is_seen &= sight[i].rise <= f32::INFINITY;
            let turned = sight[i].azimuth - first;
            let turned = if turned > PI { turned - TAU } else { turned };
            let turned = if turned < -PI { turned + TAU } else { turned };
            low = if turned < low { turned } else { low };
            high = if turned > high { turned } else { high };
            fall = if sight[i].rise < fall { sight[i].rise } else { fall };
            rise = if sight[i].rise > rise { sight[i].rise } else { rise };
            sum += turned;
        }
        let width = high - low;
        // false for NaN
        let is_known = (width <= WIDEST) & sum.is_finite();
        // a great circle rises between two points of equal elevation: tan e / cos (w/2), and
        // cos (w/2) ≥ 1 − w²/8
        let steeper = (1.0 + 1e-5) / (1.0 - width * width * 0.125);
        let steep_rise = if rise > 0.0 { rise * steeper } else { rise };
        let steep_fall = if fall < 0.0 { fall * steeper } else { fall };
        // wherever points below the level of the sensor are, nothing between them is above all of them
        let is_below = is_known | (is_seen & (rise < 0.0));
        let is_above = is_known | (is_seen & (fall > 0.0));
        let (sine_of_fall, sine_of_rise) = (sine(steep_fall), sine(steep_rise));
        all.low[i] = if is_known { first + low } else { f32::NEG_INFINITY };
        all.high[i] = if is_known { first + high } else { f32::INFINITY };
        all.fall[i] = if is_above { sine_of_fall } else { -2.0 };
        all.rise[i] = if is_below { sine_of_rise } else { 2.0 };
    }
    all
}

/// Returns the sine of an elevation from its tangent.
#[inline(always)]
fn sine(rise: f32) -> f32 {
    let limited = if rise > STEEPEST { STEEPEST } else { rise };
    let limited = if limited < -STEEPEST { -STEEPEST } else { limited };
    limited / (1.0 + limited * limited).sqrt()
}
