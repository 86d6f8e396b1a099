//! Columns of quantities that the host computes only where a model reads them.

use super::motion::MotionColumns;
use crate::columns::Column;

/// Columns of the quantities of [`MOTION`] and [`ON_DEMAND`] that a model of the table reads.
#[derive(Clone, Default)]
pub(crate) struct OnDemand {
    /// Whether the dynamics class sets the motion in space.
    pub spatial: bool,
    /// Motion of the body in space.
    pub motion: Option<MotionColumns>,
    /// Rotation of each wheel about its axle.
    pub angle: Option<Column>,
    /// Force of the ground on each wheel, vehicle frame.
    pub force: Option<[Column; 2]>,
    /// Camber and its rate, which are copied from outputs of the dynamics class.
    pub camber: Option<[Column; 2]>,
    /// Normal of the ground, world frame.
    pub normal: Option<[Column; 3]>,
    /// Property `surface` of the ground.
    pub surface: Option<Column>,
}
