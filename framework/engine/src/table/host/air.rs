//! Columns of the air around vehicles.

use crate::columns::Column;

/// Columns of the air, one value per vehicle. A table has them if wind can blow on one of its vehicles,
/// or if one has a side area or a centre of pressure of its own.
#[derive(Clone)]
pub(crate) struct AirColumns {
    /// Velocity of the air at the centre of pressure, world frame, m/s.
    pub wind: [Column; 3],
    /// Whether the world has an environment with wind.
    pub blows: bool,
    /// Part of the vertical velocity of the air along x and y of the vehicle's plane, m/s.
    pub updraft: [Column; 2],
    /// Side force coefficient times side area, m².
    pub side_area: Column,
    /// Centre of pressure: ahead and left of the reference point, above the ground, m.
    pub point: [Column; 3],
    /// Moment of the air about the centre of mass in this step, N·m.
    pub moment: Column,
}
