//! Properties of a table that no step changes. Copies of a table share them.

use std::sync::Arc;

use simhost_scene::RoadMap;

use super::brake::Brakes;
use super::driving::Driving;
use super::imposed::ImposedTwist;
use super::odometry::Odometry;
use super::sensor_inputs::SensorInputs;
use crate::columns::Column;
use crate::model::PortMap;

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
    /// Road network of the world.
    pub(super) roads: Option<Arc<dyn RoadMap>>,
}

impl TableBlueprint {
    /// Returns whether the dynamics class sets the motion of its vehicles, so that no force acts on them.
    pub(super) fn imposes_motion(&self) -> bool {
        matches!(self.driving, Driving::Motion(_))
    }

    /// Returns whether friction at the wheels moves the vehicles.
    pub fn is_driven_by_friction(&self) -> bool {
        matches!(self.driving, Driving::Wheels | Driving::Sprung(_)) && self.imposed.is_none()
    }

    /// Returns the imposed twist, unless friction acts first.
    pub(super) fn imposed_before_step(&self) -> Option<ImposedTwist> {
        self.imposed.filter(|imposed| !imposed.after_step)
    }
}
