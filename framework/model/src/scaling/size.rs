//! The size of a vehicle relative to that which is described.

use simhost_abi::Scaling;

/// The law by which the size of a vehicle changes and its performance does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalingLaw {
    /// The mass grows with the third power of the size.
    ConstantDensity,
    /// The mass stays the same.
    ConstantMass,
}

/// The size of a vehicle relative to that which is described.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Factor on all lengths, greater than 0.
    pub factor: f64,
    /// The law.
    pub law: ScalingLaw,
}

impl Size {
    /// Returns the factor on a quantity with these exponents, which are multiples of 1/2.
    ///
    /// The result has the same bits on all platforms: it consists of multiplications, one division and
    /// one square root.
    pub fn factor_of(&self, exponents: Scaling) -> f64 {
        let halves = 2.0 * self.exponent(exponents);
        let whole = (halves.abs() / 2.0).floor() as u32;
        let root = if halves.abs() % 2.0 == 0.0 { 1.0 } else { self.factor.sqrt() };
        let power = (0..whole).fold(root, |power, _| power * self.factor);
        if halves < 0.0 { 1.0 / power } else { power }
    }

    /// Returns the exponent under the law.
    pub(super) const fn exponent(&self, exponents: Scaling) -> f64 {
        match self.law {
            ScalingLaw::ConstantDensity => exponents.constant_density,
            ScalingLaw::ConstantMass => exponents.constant_mass,
        }
    }
}
