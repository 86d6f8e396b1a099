//! Readings of a table for observers.

use super::step::Table;
use crate::columns::Column;
use crate::commands::CommandKind;
use crate::readings::{VehicleSnapshot, WheelSnapshot};

impl Table {
    /// Returns the present state of a vehicle.
    pub fn vehicle_snapshot(&self, lane: usize) -> VehicleSnapshot<'_> {
        let vehicles = &self.vehicles;
        let at = |column: Column| vehicles.value(column, lane);
        let measured = &vehicles.host.measured;
        let owner = &vehicles.lanes[lane];
        let own = &vehicles.host.own;
        let [z, pitch, roll] = vehicles.values(own.attitude, lane);
        let [nose, side] = vehicles.body_attitude(lane);
        let [odometry_x, odometry_y, odometry_yaw] = vehicles.values(own.odometry, lane);
        let pose = vehicles.pose(lane);
        VehicleSnapshot {
            name: &owner.name,
            pose: [pose.x, pose.y, z, pose.yaw, pitch + nose, roll + side],
            twist: [at(measured.vx), at(measured.vy), at(measured.omega)],
            odometry_pose: [odometry_x, odometry_y, 0.0, odometry_yaw, 0.0, 0.0],
            odometry_twist: self.odometry.twist(vehicles, lane),
        }
    }

    /// Returns the present state of a wheel.
    pub fn wheel_snapshot(&self, lane: usize, wheel: usize) -> WheelSnapshot<'_> {
        let vehicles = &self.vehicles;
        let index = wheel * vehicles.lanes.len() + lane;
        let at = |column: Column| vehicles.value(column, index);
        let (host, measured) = (&vehicles.host, &vehicles.host.measured);
        let wheels = &vehicles.wheels;
        WheelSnapshot {
            vehicle: &vehicles.lanes[lane].name,
            wheel: &wheels.names[wheel],
            spin: at(measured.spin),
            angle: at(host.own.angle),
            steer: at(host.steer),
            torque: at(host.torque),
            normal_force: at(host.contact.normal_force),
            velocity: [at(measured.wheel_vx), at(measured.wheel_vy)],
            force: host.own.force.map(at),
        }
    }

    /// Returns the kinds of commands that the controller accepts.
    pub fn command_kinds(&self) -> Vec<CommandKind> {
        let commands = self.models.control.class().model.commands();
        let kind = |command: &'static simhost_model::View<simhost_abi::CommandDesc>| {
            let ports = command.ports();
            let known = |port: &'static str| self.commands.get(port).is_some();
            let values = ports.map(|port| known(port).then(|| port.to_owned())).collect();
            CommandKind { name: command.kind().to_owned(), values }
        };
        commands.iter().map(kind).collect()
    }
}
