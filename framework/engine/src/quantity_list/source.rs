//! Places from which the values of quantities are read.

use std::sync::Arc;

use simhost_scene::Pose3;
use simhost_world::Animation;

use crate::environments::EnvironmentPlace;
use crate::fleets::FleetPlace;
use crate::physics::{Body, JointEnd};
use crate::sensors::SensorPlace;
use crate::table::Read;

/// Place from which the values of a quantity are read.
pub(crate) enum Source {
    /// Simulated time.
    Time,
    /// Values that do not change.
    Constant(Vec<f64>),
    /// A quantity of a vehicle or of a wheel: the number of the field in those of the table, and the way to read it.
    Table { table: usize, lane: usize, wheel: usize, field: usize, read: Read },
    /// A quantity of a sensor.
    Sensor(SensorPlace),
    /// Gravity of the last step.
    Gravity,
    /// A quantity of an environment.
    Environment(EnvironmentPlace),
    /// A quantity of a fleet.
    Fleet(FleetPlace),
    /// Pose of a body.
    BodyPose(Body),
    /// Twist of a body.
    BodyTwist(Body),
    /// Pose of something that moves by plan.
    Animated { pose: Pose3, animation: Option<Arc<Animation>> },
    /// Distance between the anchors of a joint.
    Distance([JointEnd; 2], [[f64; 2]; 2]),
    /// Yaw of the second body of a joint relative to the first.
    Angle([JointEnd; 2]),
}
