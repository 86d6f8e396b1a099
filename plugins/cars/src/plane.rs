//! The ground below a wheel.

use simhost_sdk::vectors::Vec3;

/// The ground below a wheel: a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Height at the origin of the world, m.
    pub(crate) height: f64,
    slope: [f64; 2],
    /// Unit normal, world frame.
    pub(crate) normal: Vec3,
}

impl Plane {
    /// Level ground at height 0.
    pub const LEVEL: Self = Self { height: 0.0, slope: [0.0; 2], normal: Vec3::new(0.0, 0.0, 1.0) };

    /// Creates the plane with a height at the origin of the world, m, and a slope along x and y of the world, m/m.
    #[inline(always)]
    pub fn new(height: f64, slope: [f64; 2]) -> Self {
        let [along, across] = slope;
        let length = (1.0 + along * along + across * across).sqrt();
        let normal = Vec3::new(-along / length, -across / length, 1.0 / length);
        Self { height, slope, normal }
    }

    /// Returns height, slope and normal.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> [f64; 6] {
        let Self { height, slope: [along, across], normal: Vec3 { x, y, z } } = *self;
        [height, along, across, x, y, z]
    }

    /// Returns the plane with these numbers.
    #[inline(always)]
    pub(crate) fn from_numbers([height, along, across, x, y, z]: [f64; 6]) -> Self {
        Self { height, slope: [along, across], normal: Vec3::new(x, y, z) }
    }

    #[inline(always)]
    pub(crate) fn is_level(&self) -> bool {
        let [along, across] = self.slope;
        (along == 0.0) & (across == 0.0)
    }
}
