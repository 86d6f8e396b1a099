//! Places from which the values of quantities are read.

use std::sync::Arc;

use simhost_scene::Pose3;
use simhost_sdk::math;
use simhost_world::{Animation, BodyRef, Joint, World};

use crate::animation::animated;
use crate::environments::EnvironmentPlace;
use crate::fleets::FleetPlace;
use crate::physics::{Body, BodyState, JointEnd, wall_outline};
use crate::sensors::SensorPlace;
use crate::simulation::Simulation;
use crate::table::Read;

/// Place from which the values of a quantity are read.
pub(super) enum Source {
    /// Simulated time.
    Time,
    /// Values that do not change.
    Constant(Vec<f64>),
    /// A quantity of a vehicle or of a wheel.
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

impl Source {
    /// Returns the distance between the anchors of a joint.
    pub fn distance(joint: &Joint, world: &World, simulation: &Simulation) -> Self {
        Self::Distance(ends(joint, world, simulation), joint.anchors)
    }

    /// Returns the angle between the bodies of a joint.
    pub fn angle(joint: &Joint, world: &World, simulation: &Simulation) -> Self {
        Self::Angle(ends(joint, world, simulation))
    }

    /// Appends the present values.
    #[inline]
    pub fn read(&self, simulation: &Simulation, to: &mut Vec<f64>) {
        let state = |end: JointEnd| match end {
            JointEnd::Body(body) => *simulation.physics.state(body),
            JointEnd::Fixed(pose) => {
                let (sin, cos) = math::sin_cos(pose.yaw);
                let (position, heading) = ([pose.x, pose.y], [cos, sin]);
                BodyState { position, heading, ..BodyState::default() }
            }
        };
        match self {
            Self::Time => to.push(simulation.clock().time()),
            Self::Constant(values) => to.extend_from_slice(values),
            Self::Table { table, lane, wheel, field: _, read } => {
                simulation.tables[*table].read_field(*read, *lane, *wheel, to);
            }
            Self::Sensor(place) => simulation.sensors.read_field(place, to),
            Self::Gravity => to.push(simulation.environments.gravity()),
            Self::Environment(place) => to.push(simulation.environments.read_field(place)),
            Self::Fleet(place) => to.push(simulation.fleets.value(place)),
            Self::BodyPose(body) => {
                let pose = simulation.physics.state(*body).pose();
                let z = simulation.physics.origin_height(*body);
                to.extend([pose.x, pose.y, z, pose.yaw, 0.0, 0.0]);
            }
            Self::BodyTwist(body) => {
                let state = simulation.physics.state(*body);
                let [vx, vy] = state.velocity;
                to.extend([vx, vy, state.omega]);
            }
            Self::Animated { pose, animation } => {
                let time = simulation.clock().time();
                let Pose3 { x, y, z, yaw, pitch, roll } =
                    animated(pose, animation.as_deref(), time);
                to.extend([x, y, z, yaw, pitch, roll]);
            }
            Self::Distance(ends, anchors) => {
                let [first, second] = [0, 1].map(|k| state(ends[k]).transform(anchors[k]));
                let (dx, dy) = (second[0] - first[0], second[1] - first[1]);
                to.push((dx * dx + dy * dy).sqrt());
            }
            Self::Angle(ends) => {
                let [first, second] = ends.map(|end| state(end).pose().yaw);
                to.push(math::wrap_angle(second - first));
            }
        }
    }
}

/// Returns the numbers of a pose: x, y, z, m; yaw, pitch, roll, rad.
pub(super) fn pose(pose: &Pose3) -> [f64; 6] {
    [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]
}

/// Returns the ends of a joint.
fn ends(joint: &Joint, world: &World, simulation: &Simulation) -> [JointEnd; 2] {
    joint.bodies.map(|body| match body {
        BodyRef::Vehicle(number) => {
            let (table, lane) = simulation.places[number];
            JointEnd::Body(simulation.tables[table].vehicles.lanes[lane].body)
        }
        BodyRef::Block(number) => {
            let mover = simulation.movers.iter().find(|mover| mover.block == Some(number));
            let pose = world.blocks[number].pose;
            mover.map_or_else(
                || JointEnd::Fixed(simhost_scene::Pose2 { x: pose.x, y: pose.y, yaw: pose.yaw }),
                |mover| JointEnd::Body(mover.body),
            )
        }
        BodyRef::Wall(number) => JointEnd::Fixed(wall_outline(&world.walls[number]).1.pose()),
    })
}
