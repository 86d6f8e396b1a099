//! Reading of quantities.

use simhost_scene::Pose3;
use simhost_sdk::math;

use crate::animation::animated;
use crate::physics::{BodyState, JointEnd};
use crate::quantity_list::Source;
use crate::simulation::Simulation;

/// Appends the present values of a quantity.
#[inline]
pub(super) fn read(source: &Source, simulation: &Simulation, to: &mut Vec<f64>) {
    let state = |end: JointEnd| match end {
        JointEnd::Body(body) => *simulation.state.physics.bodies.state(body),
        JointEnd::Fixed(pose) => {
            let (sin, cos) = math::sin_cos(pose.yaw);
            let (position, heading) = ([pose.x, pose.y], [cos, sin]);
            BodyState { position, heading, ..BodyState::default() }
        }
    };
    match source {
        Source::Time => to.push(simulation.clock().time()),
        Source::Constant(values) => to.extend_from_slice(values),
        Source::Table { table, lane, wheel, field: _, read } => {
            simulation.state.tables[*table].vehicle(*lane).read(*read, *wheel, to);
        }
        Source::Sensor(place) => simulation.state.sensors.read_field(place, to),
        Source::Gravity => to.push(simulation.state.environments.gravity()),
        Source::Environment(place) => to.push(simulation.state.environments.read_field(place)),
        Source::Fleet(place) => to.push(simulation.state.fleets.value(place)),
        Source::BodyPose(body) => {
            let pose = simulation.state.physics.bodies.state(*body).pose();
            let z = simulation.state.physics.bodies.origin_height(*body);
            to.extend_from_slice(&[pose.x, pose.y, z, pose.yaw, 0.0, 0.0]);
        }
        Source::BodyTwist(body) => {
            let state = simulation.state.physics.bodies.state(*body);
            let [vx, vy] = state.velocity;
            to.extend_from_slice(&[vx, vy, state.omega]);
        }
        Source::Animated { pose, animation } => {
            let time = simulation.clock().time();
            let Pose3 { x, y, z, yaw, pitch, roll } = animated(pose, animation.as_deref(), time);
            to.extend_from_slice(&[x, y, z, yaw, pitch, roll]);
        }
        Source::Distance(ends, anchors) => {
            let [first, second] = [0, 1].map(|k| state(ends[k]).transform(anchors[k]));
            let (dx, dy) = (second[0] - first[0], second[1] - first[1]);
            to.push((dx * dx + dy * dy).sqrt());
        }
        Source::Angle(ends) => {
            let [first, second] = ends.map(|end| state(end).pose().yaw);
            to.push(math::wrap_angle(second - first));
        }
    }
}
