//! Tables of measured or computed kinematics (K&C): camber, toe and so on over wheel travel and rack travel.

pub mod file;

use crate::dual::Dual;
use crate::interpolation::Interpolation;
use crate::surface::{GridPoints, Surface};

/// Number of quantities.
pub const QUANTITIES: usize = 8;

/// A quantity of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Camber, rad.
    Camber,
    /// Toe, rad.
    Toe,
    /// Lateral displacement of the contact point outboard, m.
    HalfTrackChange,
    /// Longitudinal position of the contact point, m.
    ContactX,
    /// Longitudinal position of the wheel centre, m.
    WheelX,
    /// Caster angle, rad.
    Caster,
    /// Length of the spring, m.
    SpringLength,
    /// Height of the kinematic roll centre above the ground, m.
    RollCentre,
}

/// A table over a rectangular grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KinematicsTable {
    surface: Surface<QUANTITIES>,
    /// Whether the table has each quantity.
    present: [bool; QUANTITIES],
}

impl KinematicsTable {
    /// Creates a table from its points over wheel travel and rack travel, m.
    pub fn new(points: GridPoints<QUANTITIES>, interpolation: Interpolation) -> Self {
        let present = points.present;
        Self { surface: Surface::new(points, interpolation), present }
    }

    /// Returns whether the table has a quantity. The values of others are 0.
    pub fn has(&self, quantity: Quantity) -> bool {
        self.present[quantity as usize]
    }

    /// Returns all quantities at a wheel travel and a rack travel, m, in the order of [`Quantity`].
    #[inline]
    pub fn at(&self, travel: f64, rack: f64) -> [Dual; QUANTITIES] {
        self.surface.at(travel, rack)
    }
}
