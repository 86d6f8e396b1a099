//! Parameters that models share.

use simhost_sdk::prelude::*;

/// Arithmetic of a model.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Compat {
    #[default]
    #[param(key = "none")]
    None,
    #[param(key = "autoware-1.0")]
    Autoware,
}

/// Arithmetic and geometry of a car.
#[derive(Clone, Copy, Debug, Params)]
pub struct Car {
    /// Arithmetic of the model: `none` computes the intended behaviour, and `autoware-1.0` repeats the
    /// source with its defects.
    #[param(default = "none")]
    pub compat: Compat,
    /// Distance between the axles. A larger value makes the turning circle larger.
    #[param(default = 2.79, above = 0.0, range = ..=50.0, unit = "m", alias = "wheelbase")]
    pub wheel_base: f64,
    /// Distance between the wheels of an axle. It places the wheels, and does not influence the
    /// motion.
    #[param(default = 1.64, above = 0.0, range = ..=20.0, unit = "m")]
    pub wheel_tread: f64,
}

impl Car {
    /// Returns whether the model repeats the arithmetic of Autoware 1.0.0.
    #[inline(always)]
    pub fn is_compatible(&self) -> bool {
        self.compat == Compat::Autoware
    }
}
