//! Numbers with their derivatives by two inputs.
//!
//! A result that is computed with them has exact derivatives (forward differentiation with dual numbers, W. K.
//! Clifford, 1873).

use std::ops::{Add, Mul, Neg, Sub};

use simhost_sdk::math;

/// A number with its derivatives by two inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    /// Value.
    pub value: f64,
    /// Derivatives by the inputs.
    pub by: [f64; 2],
}

impl Dual {
    /// Returns a number that does not depend on the inputs.
    pub const fn constant(value: f64) -> Self {
        Self { value, by: [0.0; 2] }
    }

    /// Returns a function of this number, from its value and its derivative.
    #[inline(always)]
    fn chain(self, value: f64, derivative: f64) -> Self {
        Self { value, by: [derivative * self.by[0], derivative * self.by[1]] }
    }

    /// Returns the square root.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }

    /// Returns the reciprocal.
    #[inline(always)]
    pub fn recip(self) -> Self {
        let reciprocal = 1.0 / self.value;
        self.chain(reciprocal, -reciprocal * reciprocal)
    }

    /// Returns the angle of the point (`x`, `self`), rad.
    #[inline(always)]
    pub fn atan2(self, x: Self) -> Self {
        let square = x.value * x.value + self.value * self.value;
        let by = |k: usize| (x.value * self.by[k] - self.value * x.by[k]) / square;
        Self { value: math::atan2(self.value, x.value), by: [by(0), by(1)] }
    }
}

impl Add for Dual {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let by = [self.by[0] + other.by[0], self.by[1] + other.by[1]];
        Self { value: self.value + other.value, by }
    }
}

impl Sub for Dual {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Dual {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { value: -self.value, by: [-self.by[0], -self.by[1]] }
    }
}

impl Mul for Dual {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (one, two) = (self * other.value, other * self.value);
        Self { value: one.value, by: (one + two).by }
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self.chain(factor * self.value, factor)
    }
}

#[cfg(test)]
mod tests {
    use super::Dual;

    #[test]
    fn derivatives_follow_the_rules_of_calculus() {
        let x = Dual { value: 0.8, by: [1.0, 0.0] };
        let y = Dual { value: -0.3, by: [0.0, 1.0] };
        let product = x * x * y;
        assert_eq!(product.by, [2.0 * 0.8 * -0.3, 0.8 * 0.8]);
        let root = x.sqrt().recip();
        assert!((root.by[0] + 0.5 * 0.8f64.powf(-1.5)).abs() < 1e-14);
        let angle = y.atan2(x);
        let square = 0.8 * 0.8 + 0.3 * 0.3;
        assert!((angle.by[0] - 0.3 / square).abs() < 1e-15);
        assert!((angle.by[1] - 0.8 / square).abs() < 1e-15);
        assert_eq!((x - y * 2.0).by, [1.0, -2.0]);
    }
}
