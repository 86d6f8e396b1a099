//! A ray in space, and what it meets.

use crate::tree::{Bounds, MARGIN};

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
    /// Number of the surface, see [`Space::surfaces`](crate::Space::surfaces).
    pub surface: u32,
}

impl Strike {
    /// Returns whether a ray meets this rather than `other`: what is nearer, or else has the smaller
    /// number. Normal and surface decide between parts of one object, which are searched in any order.
    pub(super) fn comes_before(&self, other: &Self) -> bool {
        let key = |one: &Self| (one.range, one.number, one.normal, one.surface);
        key(self) < key(other)
    }
}

/// Part of a ray that can be in a box: distances from its origin, m.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    enter: f64,
    leave: f64,
}

impl Stretch {
    /// The whole ray.
    pub const WHOLE: Self = Self { enter: 0.0, leave: f64::INFINITY };

    /// Returns the part between two planes across an axis, whose positions are relative to the origin of the
    /// ray, or `None` if the ray is parallel to them and not between them.
    #[inline(always)]
    pub fn clipped(self, low: f64, high: f64, direction: f64) -> Option<Self> {
        let (a, b) = (low / direction, high / direction);
        if a.is_finite() && b.is_finite() {
            return Some(Self { enter: self.enter.max(a.min(b)), leave: self.leave.min(a.max(b)) });
        }
        (low <= 0.0 && high >= 0.0).then_some(self)
    }

    /// Returns a lower bound of the distance at which it begins, or `None` if nothing is left.
    #[inline(always)]
    pub fn begin(self) -> Option<f64> {
        let Self { enter, leave } = self;
        let margin = MARGIN * (1.0 + enter);
        (enter <= leave + margin).then_some((enter - margin).max(0.0))
    }
}

#[inline(always)]
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

    /// Creates a ray along a direction of unit length, which is used as it is.
    pub(super) fn along(origin: [f64; 3], direction: [f64; 3], max_range: f64) -> Self {
        let direction = Self::upright(direction);
        let level_square = direction[0] * direction[0] + direction[1] * direction[1];
        Self { origin, direction, max_range, level_square }
    }

    /// Returns a unit direction, or straight up or down for one that is almost so.
    #[inline(always)]
    pub(super) fn upright(direction: [f64; 3]) -> [f64; 3] {
        let level_square = direction[0] * direction[0] + direction[1] * direction[1];
        let is_upright = level_square < UPRIGHT * UPRIGHT;
        // number by number, so that neighbouring rays are computed together
        let [x, y, z] = direction;
        let (x, y) = (if is_upright { 0.0 } else { x }, if is_upright { 0.0 } else { y });
        [x, y, if is_upright { 1.0f64.copysign(z) } else { z }]
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

    /// Returns a lower bound of the distance at which the ray can meet something in a box, seen from
    /// above, or `None` if it cannot.
    pub(super) fn reach(&self, bounds: &Bounds) -> Option<f64> {
        let mut stretch = Stretch::WHOLE;
        for axis in 0..2 {
            let (low, high) = (bounds.min[axis], bounds.max[axis]);
            let (at, direction) = (self.origin[axis], self.direction[axis]);
            let margin = MARGIN * (1.0 + low.abs() + high.abs() + at.abs());
            stretch = stretch.clipped(low - at - margin, high - at + margin, direction)?;
        }
        stretch.begin()
    }
}

/// Number of an object and of its surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Number of the object, which its owner has chosen.
    pub number: u32,
    /// Number of the surface, see [`Space::add_surface`](super::Space::add_surface).
    pub surface: u32,
}

impl From<u32> for Label {
    /// Returns the label of an object with the default surface.
    fn from(number: u32) -> Self {
        Self { number, surface: 0 }
    }
}

/// What one ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Return {
    /// Distance, m; infinite for nothing.
    pub range: f64,
    /// Unit normal of the surface, world frame, towards the side from which the ray comes; zero for nothing.
    pub normal: [f32; 3],
    /// Number of the object, or `u32::MAX` for nothing.
    pub number: u32,
    /// Index of the surface in the scene, 0 for nothing.
    pub surface: u32,
}

impl Return {
    /// The result of a ray that meets nothing.
    pub const NOTHING: Self =
        Self { range: f64::INFINITY, normal: [0.0; 3], number: u32::MAX, surface: 0 };
}

impl From<Strike> for Return {
    fn from(strike: Strike) -> Self {
        let Strike { range, number, surface, normal } = strike;
        Self { range, normal: normal.map(|part| part as f32), number, surface }
    }
}
