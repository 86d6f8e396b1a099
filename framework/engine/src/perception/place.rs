//! The sources of the poses of entities.

use simhost_abi::Neighbour;
use simhost_scene::{Pose2, Pose3};

use crate::physics::{Body, Physics};
use crate::surroundings::Figure;
use crate::table::Table;

/// Source of the pose of an entity.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Table and lane of a vehicle, and its body.
    Vehicle(usize, usize, Body),
    /// A body.
    Body(Body),
    /// A block that never moves.
    Fixed(Pose3),
}

impl Place {
    /// Sets pose and velocity of an entity, and the angles of its wheels.
    pub fn update(
        &self,
        entity: &mut Neighbour,
        figure: &mut Figure,
        tables: &[Table],
        physics: &Physics,
    ) {
        let (body, z) = match *self {
            Self::Vehicle(table, lane, body) => {
                let table = &tables[table];
                let Pose3 { z, pitch, roll, .. } = table.vehicles.pose3(lane);
                (entity.pitch, entity.roll) = (pitch, roll);
                for (wheel, turn) in figure.turns.iter_mut().enumerate() {
                    let vehicles = &table.vehicles;
                    let index = wheel * vehicles.lanes.len() + lane;
                    let host = &vehicles.host;
                    let mounting = vehicles.value(host.own.mounting, index);
                    let steer = vehicles.value(host.steer, index) + mounting;
                    *turn = [steer, vehicles.value(host.own.angle, index)];
                }
                (body, z)
            }
            Self::Body(body) => (body, physics.bodies.origin_height(body)),
            Self::Fixed(Pose3 { x, y, z, yaw, .. }) => {
                (entity.position, entity.yaw) = ([x, y, z], yaw);
                return;
            }
        };
        let state = physics.bodies.state(body);
        let Pose2 { x, y, yaw } = state.pose();
        (entity.position, entity.yaw) = ([x, y, z], yaw);
        (entity.velocity, entity.yaw_rate) = (physics.bodies.reference_velocity(body), state.omega);
    }
}
