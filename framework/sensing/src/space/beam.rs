//! A ray in space, and what it meets.

/// Length of the level part of a unit direction below which a ray counts as upright.
const UPRIGHT: f64 = 1e-12;

/// A ray in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Start, m.
    pub(crate) origin: [f64; 3],
    /// Unit direction. The level part of an upright ray is zero.
    pub(crate) direction: [f64; 3],
    /// Largest range, m.
    pub(crate) max_range: f64,
    /// Square of the level part of the direction.
    pub(crate) level_square: f64,
}

/// What a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strike {
    /// Distance from the origin, m.
    pub range: f64,
    /// Unit normal of the surface, towards the side from which the ray comes.
    pub normal: [f64; 3],
    /// Number of the object.
    pub number: u32,
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Beam {
    /// Creates a ray from its origin, m, a direction of any length and its largest range, m. Returns
    /// `None` for a ray that meets nothing: its direction is zero, a number is not finite, or the range
    /// is negative.
    pub fn new(origin: [f64; 3], direction: [f64; 3], max_range: f64) -> Option<Self> {
        let largest = direction.iter().fold(0.0, |largest: f64, part| largest.max(part.abs()));
        let is_finite = origin.iter().chain(&direction).all(|part| part.is_finite());
        if !is_finite || largest == 0.0 || max_range.is_nan() || max_range < 0.0 {
            return None;
        }
        let scaled = direction.map(|part| part / largest);
        let length = dot(scaled, scaled).sqrt();
        let mut direction = scaled.map(|part| part / length);
        let level_square = |[x, y, _]: [f64; 3]| x * x + y * y;
        if level_square(direction) < UPRIGHT * UPRIGHT {
            direction = [0.0, 0.0, if direction[2] < 0.0 { -1.0 } else { 1.0 }];
        }
        Some(Self { origin, direction, max_range, level_square: level_square(direction) })
    }

    /// Returns the point at a distance from the origin, m.
    pub fn at(&self, range: f64) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.origin[axis] + range * self.direction[axis])
    }

    /// Returns whether the ray points straight up or down.
    pub(super) fn is_upright(&self) -> bool {
        self.level_square == 0.0
    }

    /// Returns a unit normal or its opposite, whichever points towards the origin of the ray.
    pub(super) fn facing(&self, normal: [f64; 3]) -> [f64; 3] {
        // zero plus something has no negative zero
        let sign = if dot(normal, self.direction) > 0.0 { -1.0 } else { 1.0 };
        normal.map(|part| 0.0 + sign * part)
    }

    /// Returns the direction back to the origin of the ray.
    pub(super) fn back(&self) -> [f64; 3] {
        self.direction.map(|part| 0.0 - part)
    }
}
