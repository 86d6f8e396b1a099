//! What an observer sees of a table.

use super::Table;
use crate::columns::Column;
use crate::commands::Kind;
use crate::readings::{VehicleSnapshot, WheelSnapshot};

impl Table {
    /// A vehicle.
    pub fn snapshot(&self, lane: usize) -> VehicleSnapshot<'_> {
        let at = |column: Column| self.columns.get(column)[lane];
        let host = &self.host;
        let owner = &self.lanes[lane];
        let [z, pitch, roll] = owner.attitude;
        let [nose, side] = self.body_lean(lane);
        let [odometry_x, odometry_y, odometry_yaw] = owner.odometry;
        VehicleSnapshot {
            name: &owner.name,
            pose: [at(host.x), at(host.y), z, at(host.yaw), pitch + nose, roll + side],
            twist: [at(host.vx), at(host.vy), at(host.omega)],
            odometry_pose: [odometry_x, odometry_y, 0.0, odometry_yaw, 0.0, 0.0],
            odometry_twist: self.odometry_twist(lane),
        }
    }

    /// Pose of a vehicle in the plane.
    pub fn pose(&self, lane: usize) -> simhost_scene::Pose2 {
        let at = |column: Column| self.columns.get(column)[lane];
        simhost_scene::Pose2 { x: at(self.host.x), y: at(self.host.y), yaw: at(self.host.yaw) }
    }

    /// A wheel of a vehicle.
    pub fn wheel_snapshot(&self, lane: usize, wheel: usize) -> WheelSnapshot<'_> {
        let index = wheel * self.lanes.len() + lane;
        let at = |column: Column| self.columns.get(column)[index];
        let host = &self.host;
        WheelSnapshot {
            vehicle: &self.lanes[lane].name,
            wheel: &self.wheel_names[wheel],
            spin: at(host.spin),
            angle: self.angle[index],
            steer: at(host.steer),
            torque: at(host.torque),
            normal_force: at(host.normal_force),
            velocity: [at(host.wheel_vx), at(host.wheel_vy)],
            force: [self.force[0][index], self.force[1][index]],
        }
    }

    /// The kinds of commands that the controller takes, with the columns that they set.
    pub fn command_kinds(&self) -> Vec<Kind> {
        let commands = self.control.class().model.commands();
        commands
            .iter()
            .map(|command| {
                let columns =
                    command.ports().map(|name| Some((name.to_string(), *self.commands.get(name)?)));
                Kind { name: command.kind().to_string(), values: columns.collect() }
            })
            .collect()
    }
}
