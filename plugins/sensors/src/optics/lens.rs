//! Lenses: from points of the image to directions.
//!
//! Brown–Conrady (Brown, "Decentering distortion of lenses", 1966; Conrady 1919), with r² = x² + y²:
//!
//! x' = x (1 + k1 r² + k2 r⁴ + k3 r⁶) + 2 p1 x y + p2 (r² + 2 x²)
//! y' = y (1 + k1 r² + k2 r⁴ + k3 r⁶) + p1 (r² + 2 y²) + 2 p2 x y
//!
//! Fisheye (Kannala and Brandt, "A generic camera model and calibration method", 2006, equation 6): a
//! direction at the angle θ from the optical axis appears at the distance
//! r' = θ (1 + k1 θ² + k2 θ⁴ + k3 θ⁶ + k4 θ⁸).
//!
//! Both are inverted with Newton's method to 1e-12.

use std::f64::consts::PI;

use simhost_sdk::math;
use simhost_sdk::prelude::*;

/// Largest residual of an inverted point.
const RESIDUAL: f64 = 1e-12;
/// Largest number of iterations.
const ITERATIONS: usize = 50;
/// Number of parts of a line in which a fold is searched.
const PARTS: usize = 32;

/// A lens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    distortion: Distortion,
    /// Largest angle that a fisheye lens shows, rad, and its distance in the image.
    rim: [f64; 2],
}

impl Lens {
    /// Creates a lens.
    pub fn new(distortion: Distortion) -> Self {
        let rim = match distortion {
            Distortion::Fisheye(k) => {
                let rim = rim(k);
                [rim, reach(k, rim)[0]]
            }
            _ => [0.0; 2],
        };
        Self { distortion, rim }
    }

    /// Returns the unit direction in the optical frame (x right, y down, z ahead) that appears at a
    /// point, or `None` outside of the image circle of a fisheye lens.
    ///
    /// # Errors
    /// No direction, or more than one, appears there.
    pub fn direction(&self, point: [f64; 2]) -> Result<Option<[f64; 3]>, Folded> {
        match self.distortion {
            Distortion::None => Ok(Some(unit(point))),
            Distortion::BrownConrady(k) => {
                let ideal = solve(k, point).ok_or(Folded)?;
                Ok(Some(unit(ideal)))
            }
            Distortion::Fisheye(k) => Ok(self.fisheye(k, point)),
        }
    }

    fn fisheye(&self, k: [f64; 4], [x, y]: [f64; 2]) -> Option<[f64; 3]> {
        let [rim, edge] = self.rim;
        let distance = (x * x + y * y).sqrt();
        if distance > edge {
            return None;
        }
        if distance == 0.0 {
            return Some([0.0, 0.0, 1.0]);
        }
        // the distance grows with the angle up to the rim, so that there is one solution
        let (mut low, mut high) = (0.0, rim);
        let mut angle = distance.min(rim);
        for _ in 0..ITERATIONS {
            let [found, slope] = reach(k, angle);
            let error = found - distance;
            if error.abs() < RESIDUAL {
                break;
            }
            if error > 0.0 {
                high = angle
            } else {
                low = angle
            }
            let next = angle - error / slope;
            angle = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        let (sin, cos) = math::sin_cos(angle);
        Some([sin * x / distance, sin * y / distance, cos])
    }

    /// Returns whether the line from the optical axis to the direction of a point folds: points between
    /// them appear twice.
    pub fn folds(&self, point: [f64; 2]) -> bool {
        let Distortion::BrownConrady(k) = self.distortion else { return false };
        let Some(ideal) = solve(k, point) else { return true };
        (1..=PARTS).any(|part| {
            let share = part as f64 / PARTS as f64;
            determinant(&brown_conrady(k, ideal.map(|value| share * value)).1) <= 0.0
        })
    }
}

/// Returns by how much the point moves at which a lens shows a unit direction, if the direction moves by `moved`.
pub(crate) fn displacement(
    distortion: Distortion,
    [x, y, z]: [f64; 3],
    moved: [f64; 3],
) -> [f64; 2] {
    let ideal = || [0, 1].map(|axis| (moved[axis] * z - [x, y][axis] * moved[2]) / (z * z));
    match distortion {
        Distortion::None => ideal(),
        Distortion::BrownConrady(k) => {
            let ideal = ideal();
            brown_conrady(k, [x / z, y / z]).1.map(|row| row[0] * ideal[0] + row[1] * ideal[1])
        }
        Distortion::Fisheye(k) => {
            let across = (x * x + y * y).sqrt();
            if across == 0.0 {
                return [moved[0], moved[1]];
            }
            let [distance, slope] = reach(k, math::atan2(across, z));
            let outwards = (x * moved[0] + y * moved[1]) / across;
            let angle = outwards * z - across * moved[2];
            [0, 1].map(|axis| {
                let along = [x, y][axis] / across;
                slope * angle * along + distance * (moved[axis] - along * outwards) / across
            })
        }
    }
}

/// The lens shows several directions, or none, at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Folded;

/// Rows of the derivative of a distorted point.
type Jacobian = [[f64; 2]; 2];

/// Returns the distorted point and its derivative.
fn brown_conrady([k1, k2, p1, p2, k3]: [f64; 5], [x, y]: [f64; 2]) -> ([f64; 2], Jacobian) {
    let square = x * x + y * y;
    let radial = 1.0 + square * (k1 + square * (k2 + square * k3));
    // derivative of the radial part by r²
    let slope = k1 + square * (2.0 * k2 + square * 3.0 * k3);
    let distorted = [
        x * radial + 2.0 * p1 * x * y + p2 * (square + 2.0 * x * x),
        y * radial + p1 * (square + 2.0 * y * y) + 2.0 * p2 * x * y,
    ];
    let mixed = 2.0 * (x * y * slope + p1 * x + p2 * y);
    let jacobian = [
        [radial + 2.0 * x * x * slope + 2.0 * p1 * y + 6.0 * p2 * x, mixed],
        [mixed, radial + 2.0 * y * y * slope + 6.0 * p1 * y + 2.0 * p2 * x],
    ];
    (distorted, jacobian)
}

fn determinant([[a, b], [c, d]]: &Jacobian) -> f64 {
    a * d - b * c
}

/// Returns the ideal point of a distorted one.
fn solve(k: [f64; 5], point: [f64; 2]) -> Option<[f64; 2]> {
    let mut ideal = point;
    for _ in 0..ITERATIONS {
        let (found, jacobian) = brown_conrady(k, ideal);
        let error = [found[0] - point[0], found[1] - point[1]];
        let scale = determinant(&jacobian);
        if scale.is_nan() || scale <= 0.0 {
            return None;
        }
        if error[0].abs().max(error[1].abs()) < RESIDUAL {
            return Some(ideal);
        }
        let [[a, b], [c, d]] = jacobian;
        ideal[0] -= (d * error[0] - b * error[1]) / scale;
        ideal[1] -= (a * error[1] - c * error[0]) / scale;
    }
    None
}

/// Returns the distance at which an angle appears, and its derivative.
fn reach([k1, k2, k3, k4]: [f64; 4], angle: f64) -> [f64; 2] {
    let s = angle * angle;
    let distance = angle * (1.0 + s * (k1 + s * (k2 + s * (k3 + s * k4))));
    let slope = 1.0 + s * (3.0 * k1 + s * (5.0 * k2 + s * (7.0 * k3 + s * 9.0 * k4)));
    [distance, slope]
}

/// Returns the largest angle up to which the distance grows, at most π.
fn rim(k: [f64; 4]) -> f64 {
    // 0.04° apart: a fall between two steps would be narrower than a pixel
    const STEPS: usize = 4096;
    let at = |step: usize| PI * step as f64 / STEPS as f64;
    let falls = |angle: f64| reach(k, angle)[1] <= 0.0;
    let Some(step) = (1..=STEPS).find(|step| falls(at(*step))) else { return PI };
    let (mut low, mut high) = (at(step - 1), at(step));
    for _ in 0..ITERATIONS {
        let middle = 0.5 * (low + high);
        if falls(middle) { high = middle } else { low = middle }
    }
    low
}

fn unit([x, y]: [f64; 2]) -> [f64; 3] {
    let length = (x * x + y * y + 1.0).sqrt();
    [x / length, y / length, 1.0 / length]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the point at which a direction appears, by the equations above.
    fn distorted(lens: Distortion, [x, y, z]: [f64; 3]) -> [f64; 2] {
        match lens {
            Distortion::None => [x / z, y / z],
            Distortion::BrownConrady(k) => brown_conrady(k, [x / z, y / z]).0,
            Distortion::Fisheye(k) => {
                let across = (x * x + y * y).sqrt();
                let distance = reach(k, math::atan2(across, z))[0];
                [x, y].map(|part| if across > 0.0 { part / across * distance } else { 0.0 })
            }
        }
    }

    #[test]
    fn directions_appear_where_they_were_looked_up() {
        let lenses = [
            (Distortion::None, 2.0),
            (Distortion::BrownConrady([-0.28, 0.09, 1e-3, -5e-4, -0.01]), 0.8),
            (Distortion::BrownConrady([0.4, 0.0, -0.01, 0.02, 0.0]), 1.5),
            (Distortion::Fisheye([0.0; 4]), 2.2),
            (Distortion::Fisheye([-0.04, 0.01, -0.002, 2e-4]), 1.5),
        ];
        for (distortion, reach) in lenses {
            let lens = Lens::new(distortion);
            for step in 0..400 {
                let (sin, cos) = math::sin_cos(f64::from(step));
                let size = reach * f64::from(step) / 400.0;
                let point = [size * cos, size * sin];
                let direction = lens.direction(point).expect("one direction").expect("one inside");
                let found = distorted(distortion, direction);
                let error = (found[0] - point[0]).abs().max((found[1] - point[1]).abs());
                assert!(error < 1e-10, "{distortion:?} {point:?} {found:?}");
            }
        }
    }

    #[test]
    fn points_move_as_their_directions_do() {
        for distortion in [
            Distortion::None,
            Distortion::BrownConrady([-0.28, 0.09, 1e-3, -5e-4, -0.01]),
            Distortion::Fisheye([-0.04, 0.01, -0.002, 2e-4]),
        ] {
            let direction: [f64; 3] = unit([0.3, -0.5]);
            // across the direction: 0.3 · 0.5 − 0.5 · 0.5 + 1 · 0.1 = 0
            let moved = [0.5, 0.5, 0.1].map(|part| part * 1e-6);
            let at = |sign: f64| {
                distorted(distortion, [0, 1, 2].map(|k| direction[k] + sign * moved[k]))
            };
            let found = displacement(distortion, direction, moved);
            for axis in 0..2 {
                let expected = 0.5 * (at(1.0)[axis] - at(-1.0)[axis]);
                assert!((found[axis] - expected).abs() < 1e-13, "{distortion:?} {found:?}");
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_distorted_point() {
        let k = [-0.28, 0.09, 1e-3, -5e-4, -0.01];
        let (_, jacobian) = brown_conrady(k, [0.3, -0.5]);
        let step = 1e-6;
        for axis in 0..2 {
            let moved = |sign: f64| {
                let mut point = [0.3, -0.5];
                point[axis] += sign * step;
                brown_conrady(k, point).0
            };
            for (row, parts) in jacobian.iter().enumerate() {
                let expected = (moved(1.0)[row] - moved(-1.0)[row]) / (2.0 * step);
                assert!((parts[axis] - expected).abs() < 1e-8, "{row} {axis}");
            }
        }
    }

    #[test]
    fn a_fold_is_found() {
        // x (1 − 0.5 x²) has its maximum, 0.544, at x = 0.816
        let lens = Lens::new(Distortion::BrownConrady([-0.5, 0.0, 0.0, 0.0, 0.0]));
        assert!(lens.direction([0.54, 0.0]).is_ok() && !lens.folds([0.54, 0.0]));
        assert_eq!(lens.direction([0.55, 0.0]), Err(Folded));
        assert!(lens.folds([0.0, 0.6]));
    }

    #[test]
    fn a_fisheye_lens_shows_what_is_inside_its_rim() {
        // θ (1 − 0.1 θ²) has its maximum, 1.217, at θ = 1.826
        let lens = Lens::new(Distortion::Fisheye([-0.1, 0.0, 0.0, 0.0]));
        assert!((lens.rim[0] - (1.0f64 / 0.3).sqrt()).abs() < 1e-12);
        assert!(lens.direction([1.217, 0.0]).is_ok_and(|found| found.is_some()));
        assert_eq!(lens.direction([0.0, 1.218]), Ok(None));
        // a half turn is the most that a lens can show
        let full = Lens::new(Distortion::Fisheye([0.0; 4]));
        let behind = full.direction([PI - 1e-3, 0.0]).expect("one").expect("inside");
        assert!(behind[2] < -0.999_99, "{behind:?}");
        assert_eq!(full.direction([3.15, 0.0]), Ok(None));
    }
}
