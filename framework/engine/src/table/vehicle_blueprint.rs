//! Properties of a vehicle that no step changes.

use std::sync::Arc;

use super::border::Border;
use crate::ground::Footing;
use crate::springs::Springs;
use crate::tipping::Tipping;

/// Properties of a vehicle that no step changes, in addition to columns.
pub(crate) struct VehicleBlueprint {
    /// Name of the vehicle.
    pub name: String,
    /// Whether the vehicle starts at the height and inclination of the world file, and not on the
    /// ground, onto which it then falls.
    pub keeps_pose: bool,
    /// Suspension, unless it is rigid.
    pub springs: Option<Springs>,
    /// Tipping over the outer wheels; vehicles of the same parts share it.
    pub tipping: Arc<Tipping>,
    /// Distance by which the contact point of each wheel trails its steering axis, m; NaN for a wheel that
    /// is not steered.
    pub trails: Arc<[f64]>,
    /// Points that stand on the ground and that ledges stop; vehicles of the same geometry share them.
    pub contacts: Arc<Contacts>,
}

/// Points of a vehicle that stand on the ground and that ledges stop.
pub(crate) struct Contacts {
    /// Contact points with the ground.
    pub footing: Footing,
    /// Whether the vehicle can leave the ground.
    pub falls: bool,
    /// Radius of a circle about the reference point that contains the footing, m.
    pub footing_radius: f64,
    /// Points that ledges stop.
    pub border: Border,
}
