//! Which equations are used, and within which limits.

use simhost_sdk::Choice;

/// Version of the equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// MF 5.2, also called MF2002 and PAC2002.
    #[default]
    Mf52,
    /// MF 6.1.
    Mf61,
    /// MF 6.2.
    Mf62,
}

/// Limits of the equations.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limits {
    /// None: the equations alone, also where they give a force in the direction of the slip.
    #[param(key = "none")]
    Unlimited,
    /// Curvature factors are at most 1, weights of combined slip at least 0, and friction coefficients
    /// at least 0.3 times those at the nominal load.
    #[default]
    #[param(key = "curvature")]
    Curvature,
    /// In addition, slip ratio, slip angle, camber, load and pressure are cut to the ranges in the tyre file.
    #[param(key = "file")]
    File,
    /// As in TNO's solver: the ranges in the tyre file, and curvature factors of F_y and of the
    /// trail of at most 1.
    #[param(key = "solver")]
    Solver,
}

/// Measure of the slip angle and the camber in the equations.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Angles {
    /// The angles themselves.
    #[default]
    #[param(key = "angle")]
    Angle,
    /// The tangent of the slip angle and the sine of the camber (4.E3, 4.E4).
    #[param(key = "tangent")]
    Tangent,
}

/// Source of the equations where TNO's solver and the book of 2012 differ.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TyreVariant {
    /// TNO's solver.
    #[default]
    #[param(key = "solver")]
    Solver,
    /// Pacejka 2012.
    #[param(key = "book")]
    Book,
}

/// Forces that the equations have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TyreOutputs {
    /// Whether there is a longitudinal force.
    pub longitudinal: bool,
    /// Whether there is a lateral force.
    pub lateral: bool,
    /// Whether the slip in one direction reduces the force in the other one.
    pub combined: bool,
}

impl Default for TyreOutputs {
    fn default() -> Self {
        Self { longitudinal: true, lateral: true, combined: true }
    }
}

impl TyreOutputs {
    /// Returns the forces of the last digit of USE_MODE.
    pub const fn of_mode(digit: u32) -> Self {
        Self {
            longitudinal: digit != 0 && digit != 2,
            lateral: digit != 0 && digit != 1,
            combined: digit > 3,
        }
    }
}
