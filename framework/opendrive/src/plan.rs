//! The reference line of a road from above: lines, arcs, clothoids and polynomials.
//!
//! Positions along a clothoid are integrals of the cosine and sine of its heading θ(s) = θ₀ + κ₀ s + κ' s²/2. They are
//! computed by Gauss-Legendre quadrature with five points over parts in which the heading turns by at most
//! [`MOST_TURN`]; the error of a part is below 10⁻¹⁵ of its length.
//!
//! A polynomial is passed by its true arc length, scaled to the length that the file gives, whatever `pRange` says, as
//! esmini's RoadManager does. Taking p as the arc length itself differs by centimetres in real networks.

use std::f64::consts::TAU;

use crate::math::{atan2, sin, sin_cos};

/// Largest turn in a part of a clothoid, rad.
const MOST_TURN: f64 = 0.25;
/// Largest number of parts of a piece.
const MOST_PARTS: usize = 4096;
/// Number of parts of a polynomial in which arc length is tabulated.
const POLYNOMIAL_PARTS: usize = 64;
/// Nodes and weights of Gauss-Legendre quadrature with five points over −1 to 1 (Abramowitz and Stegun, table 25.4); the
/// node in the middle is 0.
const NODES: [f64; 2] = [0.538_469_310_105_683, 0.906_179_845_938_664];
const WEIGHTS: [f64; 3] =
    [0.568_888_888_888_888_9, 0.478_628_670_499_366_47, 0.236_926_885_056_189_1];

/// A place on a reference line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanPose {
    /// Position, m.
    pub place: [f64; 2],
    /// Direction, rad, counter-clockwise from x.
    pub heading: f64,
    /// Curvature, 1/m, positive to the left.
    pub curvature: f64,
}

/// Integrates a function over an interval by five points.
#[inline]
fn integral<const N: usize>(from: f64, to: f64, function: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let (half, middle) = (0.5 * (to - from), 0.5 * (to + from));
    let mut sum = function(middle).map(|value| WEIGHTS[0] * value);
    for (node, weight) in NODES.iter().zip(&WEIGHTS[1..]) {
        let (low, high) = (function(middle - half * node), function(middle + half * node));
        for (sum, (low, high)) in sum.iter_mut().zip(low.into_iter().zip(high)) {
            *sum += weight * (low + high);
        }
    }
    sum.map(|one| one * half)
}

/// The shape of a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanShape {
    /// A straight line.
    Line,
    /// A circular arc of a curvature, 1/m.
    Arc(f64),
    /// A clothoid from one curvature to another, 1/m.
    Spiral([f64; 2]),
    /// Cubic polynomials u(p) and v(p) in the frame of the start, and the largest p.
    Polynomial {
        /// Coefficients of u.
        u: [f64; 4],
        /// Coefficients of v.
        v: [f64; 4],
        /// Value of p at the end.
        end: f64,
    },
}

/// A piece of a reference line.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanPiece {
    /// Where it begins on the road, m.
    pub start: f64,
    /// Length, m.
    pub length: f64,
    /// Place at the start.
    pub pose: PlanPose,
    /// Shape.
    pub shape: PlanShape,
    /// Positions at the ends of parts of a clothoid, or arc lengths there of a polynomial (index 0), in the frame of the
    /// start.
    parts: Vec<[f64; 2]>,
}

fn polynomial(coefficients: &[f64; 4], p: f64) -> f64 {
    let [a, b, c, d] = coefficients;
    a + p * (b + p * (c + p * d))
}

fn slope(coefficients: &[f64; 4], p: f64) -> f64 {
    let [_, b, c, d] = coefficients;
    b + p * (2.0 * c + p * 3.0 * d)
}

/// Returns the length of the derivative; `hypot` would take most of the time.
fn speed(u: &[f64; 4], v: &[f64; 4], p: f64) -> f64 {
    let (du, dv) = (slope(u, p), slope(v, p));
    (du * du + dv * dv).sqrt()
}

fn bend(coefficients: &[f64; 4], p: f64) -> f64 {
    let [_, _, c, d] = coefficients;
    2.0 * c + 6.0 * d * p
}

/// Returns the curvature of a polynomial, 1/m.
fn polynomial_bend(u: &[f64; 4], v: &[f64; 4], p: f64) -> f64 {
    let ([du, dv], [ddu, ddv]) = ([slope(u, p), slope(v, p)], [bend(u, p), bend(v, p)]);
    let speed = (du * du + dv * dv).sqrt();
    (du * ddv - dv * ddu) / (speed * speed * speed).max(1e-300)
}

impl PlanPiece {
    /// Creates a piece.
    pub fn new(start: f64, length: f64, place: [f64; 2], heading: f64, shape: PlanShape) -> Self {
        let pose = PlanPose { place, heading, curvature: 0.0 };
        let mut piece = Self { start, length, pose, shape, parts: Vec::new() };
        piece.parts = match &piece.shape {
            PlanShape::Line | PlanShape::Arc(_) => Vec::new(),
            PlanShape::Spiral(curvatures) => spiral_parts(length, *curvatures),
            PlanShape::Polynomial { u, v, end } => arc_lengths(u, v, *end),
        };
        piece
    }

    /// Creates a piece v(u) = a + b u + c u² + d u³ of a length.
    pub fn of_poly3(start: f64, length: f64, place: [f64; 2], heading: f64, v: [f64; 4]) -> Self {
        let speed = |p: f64| [(1.0 + slope(&v, p) * slope(&v, p)).sqrt()];
        // the arc from 0 to u is at least u long
        let (mut low, mut high) = (0.0, length);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let parts = (0..16).map(|n| f64::from(n) / 16.0 * middle);
            let arc: f64 = parts.map(|from| integral(from, from + middle / 16.0, speed)[0]).sum();
            if arc < length { low = middle } else { high = middle }
        }
        let shape = PlanShape::Polynomial { u: [0.0, 1.0, 0.0, 0.0], v, end: 0.5 * (low + high) };
        Self::new(start, length, place, heading, shape)
    }

    /// Returns the place at a distance from the start of the piece, m.
    pub fn at(&self, ds: f64) -> PlanPose {
        let ([u, v], turn, curvature) = match &self.shape {
            PlanShape::Line => ([ds, 0.0], 0.0, 0.0),
            PlanShape::Arc(curvature) => (arc(ds, *curvature), curvature * ds, *curvature),
            PlanShape::Spiral([from, to]) => {
                let rate = (to - from) / self.length;
                let turn = ds * (from + 0.5 * rate * ds);
                (self.on_spiral(ds, *from, rate), turn, from + rate * ds)
            }
            PlanShape::Polynomial { u, v, end } => {
                let p = self.parameter(ds, u, v, *end);
                let turn = atan2(slope(v, p), slope(u, p));
                ([polynomial(u, p), polynomial(v, p)], turn, polynomial_bend(u, v, p))
            }
        };
        let (sin, cos) = sin_cos(self.pose.heading);
        let [x, y] = self.pose.place;
        PlanPose {
            place: [x + cos * u - sin * v, y + sin * u + cos * v],
            heading: self.pose.heading + turn,
            curvature,
        }
    }

    /// Returns the curvature at a distance from the start of the piece, m, the same as [`Self::at`] without the position.
    pub fn curvature(&self, ds: f64) -> f64 {
        match &self.shape {
            PlanShape::Line => 0.0,
            PlanShape::Arc(curvature) => *curvature,
            PlanShape::Spiral([from, to]) => from + (to - from) / self.length * ds,
            PlanShape::Polynomial { u, v, end } => {
                polynomial_bend(u, v, self.parameter(ds, u, v, *end))
            }
        }
    }

    /// Returns a position on a clothoid in the frame of its start.
    fn on_spiral(&self, ds: f64, from: f64, rate: f64) -> [f64; 2] {
        let count = self.parts.len() - 1;
        let step = self.length / count as f64;
        let part = ((ds / step) as usize).min(count - 1);
        let begin = part as f64 * step;
        let rest = integral(begin, ds, |s| {
            let (sin, cos) = sin_cos(s * (from + 0.5 * rate * s));
            [cos, sin]
        });
        [self.parts[part][0] + rest[0], self.parts[part][1] + rest[1]]
    }

    /// Returns the parameter of a polynomial at an arc length that is scaled to the length of the piece (Newton's method
    /// from a table).
    fn parameter(&self, ds: f64, u: &[f64; 4], v: &[f64; 4], end: f64) -> f64 {
        let whole = self.parts[POLYNOMIAL_PARTS][0];
        let wanted = ds / self.length * whole;
        let speed = |p: f64| speed(u, v, p).max(1e-12);
        let after = self.parts.partition_point(|one| one[0] <= wanted);
        let part = after.clamp(1, POLYNOMIAL_PARTS) - 1;
        let step = end / POLYNOMIAL_PARTS as f64;
        let (begin, [low, _], [high, _]) =
            (part as f64 * step, self.parts[part], self.parts[part + 1]);
        let mut p = begin + step * (wanted - low) / (high - low).max(1e-300);
        for _ in 0..8 {
            let arc = low + integral(begin, p, |at| [speed(at)])[0];
            let change = (wanted - arc) / speed(p);
            p += change;
            if change.abs() < 1e-13 * end.abs().max(1.0) {
                break;
            }
        }
        p
    }
}

/// Returns a position on an arc in the frame of its start.
fn arc(ds: f64, curvature: f64) -> [f64; 2] {
    let turn = curvature * ds;
    // chord: sin(x)/x without a loss of digits at 0
    let half = 0.5 * turn;
    let chord = if half.abs() < 1e-8 { ds } else { ds * sin(half) / half };
    let (sin, cos) = sin_cos(half);
    [chord * cos, chord * sin]
}

fn spiral_parts(length: f64, [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
    let turn = length * from.abs().max(to.abs());
    let count = ((turn / MOST_TURN).ceil().max(1.0) as usize).min(MOST_PARTS);
    let (step, rate) = (length / count as f64, (to - from) / length);
    let mut parts = vec![[0.0; 2]];
    for part in 0..count {
        let begin = part as f64 * step;
        let [u, v] = integral(begin, begin + step, |s| {
            let (sin, cos) = sin_cos(s * (from + 0.5 * rate * s));
            [cos, sin]
        });
        let [x, y] = parts[part];
        parts.push([x + u, y + v]);
    }
    parts
}

fn arc_lengths(u: &[f64; 4], v: &[f64; 4], end: f64) -> Vec<[f64; 2]> {
    let step = end / POLYNOMIAL_PARTS as f64;
    let mut parts = vec![[0.0; 2]];
    for part in 0..POLYNOMIAL_PARTS {
        let begin = part as f64 * step;
        let [arc] = integral(begin, begin + step, |p| [speed(u, v, p)]);
        parts.push([parts[part][0] + arc, 0.0]);
    }
    parts
}

/// Returns an angle between −π and π.
pub fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(length: f64, shape: PlanShape) -> PlanPiece {
        PlanPiece::new(0.0, length, [0.0; 2], 0.0, shape)
    }

    #[test]
    fn curvatures_are_the_same_with_and_without_positions() {
        let (u, v) = ([0.0, 1.0, 0.02, 0.0], [0.0, 0.0, 0.01, -0.001]);
        for shape in [
            PlanShape::Line,
            PlanShape::Arc(0.02),
            PlanShape::Spiral([0.01, -0.05]),
            PlanShape::Polynomial { u, v, end: 30.0 },
        ] {
            let piece = piece(31.0, shape);
            for ds in [0.0, 0.3, 11.7, 31.0] {
                assert_eq!(piece.at(ds).curvature, piece.curvature(ds), "{:?}", piece.shape);
            }
        }
    }

    #[test]
    fn a_clothoid_of_one_curvature_is_an_arc() {
        for curvature in [1e-12, 0.01, -0.2, 1.0] {
            let spiral = piece(50.0, PlanShape::Spiral([curvature; 2]));
            let arc = piece(50.0, PlanShape::Arc(curvature));
            for ds in [0.0, 1.0, 17.3, 50.0] {
                let (one, other) = (spiral.at(ds), arc.at(ds));
                for axis in 0..2 {
                    assert!(
                        (one.place[axis] - other.place[axis]).abs() < 1e-12,
                        "{curvature} {ds}"
                    );
                }
                assert!((one.heading - other.heading).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_clothoid_has_the_values_of_the_fresnel_integrals() {
        // κ' = π gives x = C(s), y = S(s): C(1) and S(1) from Abramowitz and Stegun, table 7.7
        let spiral = piece(1.0, PlanShape::Spiral([0.0, std::f64::consts::PI]));
        let [x, y] = spiral.at(1.0).place;
        assert!((x - 0.779_893_400_376_823).abs() < 1e-12, "{x}");
        assert!((y - 0.438_259_147_390_354_8).abs() < 1e-12, "{y}");
    }

    #[test]
    fn a_long_clothoid_keeps_its_digits() {
        let spiral = piece(400.0, PlanShape::Spiral([0.0, 0.5]));
        // the same by many small parts
        let (mut fine, count) = ([0.0; 2], 200_000);
        for part in 0..count {
            let step = 400.0 / f64::from(count);
            let begin = f64::from(part) * step;
            let [u, v] = integral(begin, begin + step, |s| {
                let (sin, cos) = (0.5 * 0.5 / 400.0 * s * s).sin_cos();
                [cos, sin]
            });
            fine = [fine[0] + u, fine[1] + v];
        }
        let [x, y] = spiral.at(400.0).place;
        assert!((x - fine[0]).hypot(y - fine[1]) < 1e-9, "{x} {y} {fine:?}");
    }

    #[test]
    fn polynomials_are_passed_by_arc_length() {
        // a straight polynomial with a speed that changes
        let shape = PlanShape::Polynomial { u: [0.0, 1.0, 2.0, 0.0], v: [0.0; 4], end: 1.0 };
        let line = piece(3.0, shape);
        for ds in [0.0, 0.5, 1.7, 3.0] {
            assert!((line.at(ds).place[0] - ds).abs() < 1e-12);
        }
        // a parabola of poly3, whose end has the arc length of the piece
        let parabola = PlanPiece::of_poly3(0.0, 10.0, [0.0; 2], 0.0, [0.0, 0.0, 0.05, 0.0]);
        let [u, v] = parabola.at(10.0).place;
        assert!((v - 0.05 * u * u).abs() < 1e-12);
        // ∫ √(1 + (0.1 u)²) du in closed form
        let arc = 0.5 * (u * (1.0 + 0.01 * u * u).sqrt() + 10.0 * (0.1 * u).asinh());
        assert!((arc - 10.0).abs() < 1e-9, "{arc}");
    }
}
