//! Properties of tables and of their vehicles that no step changes. Copies of a table share them.

use std::sync::Arc;

use super::brake::Brakes;
use super::driving::Driving;
use super::imposed::ImposedTwist;
use super::odometry::Odometry;
use super::sensor_inputs::SensorInputs;
use crate::columns::Column;
use crate::model::PortMap;
use crate::springs::Springs;
use crate::table::vehicles::Contacts;
use crate::tipping::Tipping;

/// Properties of a table that no step changes, besides those of its vehicles.
pub(crate) struct TableBlueprint {
    /// What moves the bodies.
    pub(super) driving: Driving,
    /// Twist that the dynamics class imposes.
    pub(super) imposed: Option<ImposedTwist>,
    pub(super) odometry: Odometry,
    /// Set if wheel loads follow the ground and the forces.
    pub(super) brakes: Option<Brakes>,
    /// Inputs of the controller that commands set.
    pub commands: PortMap,
    /// Quantities that sensors can read.
    pub measurements: PortMap,
    /// Inputs of models that read sensors.
    pub sensor_inputs: SensorInputs,
    /// Whether a model keeps memory in addition to its state slots.
    pub(super) has_memory: bool,
    /// Columns that must stay finite: state slots and odometry poses.
    pub(super) finite: Vec<Column>,
    /// The same columns: the first and the last of those that follow each other in memory.
    pub(super) finite_spans: Vec<[Column; 2]>,
}

impl TableBlueprint {
    /// Returns whether the dynamics class sets the motion of its vehicles, so that no force acts on them.
    pub(super) fn imposes_motion(&self) -> bool {
        matches!(self.driving, Driving::Motion(_))
    }

    /// Returns the imposed twist, unless friction acts first.
    pub(super) fn imposed_before_step(&self) -> Option<ImposedTwist> {
        self.imposed.filter(|imposed| !imposed.after_step)
    }
}

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
