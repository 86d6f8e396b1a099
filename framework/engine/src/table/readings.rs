//! Readings of a table for observers.

use std::ops::Range;

use simhost_scene::Pose3;

use super::fields::Read;
use super::step::Table;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::commands::CommandKind;
use crate::model::Call;
use crate::readings::{BodyMass, VehicleSnapshot, WheelSnapshot};

/// A value of a quantity: a number of a column, or what two of them make.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuantityPart<C> {
    Constant(f64),
    Column(C),
    Sum([C; 2]),
    /// The first without the second.
    Difference([C; 2]),
}

impl<C> QuantityPart<C> {
    /// Replaces the columns.
    pub fn map<D>(self, to: impl Fn(C) -> D) -> QuantityPart<D> {
        match self {
            Self::Constant(value) => QuantityPart::Constant(value),
            Self::Column(column) => QuantityPart::Column(to(column)),
            Self::Sum(columns) => QuantityPart::Sum(columns.map(to)),
            Self::Difference(columns) => QuantityPart::Difference(columns.map(to)),
        }
    }
}

impl Vehicles {
    #[inline]
    fn part(&self, part: QuantityPart<Column>, lane: usize) -> f64 {
        let value = |column| self.value(column, lane);
        match part {
            QuantityPart::Constant(value) => value,
            QuantityPart::Column(column) => value(column),
            QuantityPart::Sum([one, other]) => value(one) + value(other),
            QuantityPart::Difference([one, other]) => value(one) - value(other),
        }
    }
}

impl Table {
    /// Returns the present state of a vehicle.
    pub fn vehicle_snapshot(&self, lane: usize) -> VehicleSnapshot<'_> {
        VehicleSnapshot {
            name: &self.vehicles.lanes[lane].name,
            pose: self.pose(lane),
            twist: self.twist(lane),
            odometry_pose: self.odometry_pose(lane),
            odometry_twist: self.odometry.twist(&self.vehicles, lane),
        }
    }

    /// Returns the pose of the reference point of a vehicle: x, y, z, m; yaw, pitch, roll, rad; world
    /// frame.
    #[inline]
    pub(super) fn pose(&self, lane: usize) -> [f64; 6] {
        self.pose_parts().map(|part| self.vehicles.part(part, lane))
    }

    #[inline]
    fn pose_parts(&self) -> [QuantityPart<Column>; 6] {
        let host = &self.vehicles.host;
        let (measured, [z, pitch, roll]) = (&host.measured, host.own.attitude);
        let [[along, _], [across, _]] = host.sway;
        [
            QuantityPart::Column(measured.x),
            QuantityPart::Column(measured.y),
            QuantityPart::Column(z),
            QuantityPart::Column(measured.yaw),
            // a body that sways to the front has its nose below
            QuantityPart::Difference([pitch, along]),
            QuantityPart::Sum([roll, across]),
        ]
    }

    /// Returns the twist of the reference point: vx, vy, m/s; yaw rate, rad/s; vehicle frame.
    #[inline]
    pub(super) fn twist(&self, lane: usize) -> [f64; 3] {
        self.vehicles.twist(lane)
    }

    /// Returns the pose by odometry, as [`Self::pose`].
    #[inline]
    pub(super) fn odometry_pose(&self, lane: usize) -> [f64; 6] {
        self.odometry_parts().map(|part| self.vehicles.part(part, lane))
    }

    #[inline]
    fn odometry_parts(&self) -> [QuantityPart<Column>; 6] {
        let [x, y, yaw] = self.vehicles.host.own.odometry.map(QuantityPart::Column);
        let level = QuantityPart::Constant(0.0);
        [x, y, level, yaw, level, level]
    }

    /// Appends the parts of a quantity, in the order of its values. Returns false if its values are computed from other
    /// numbers.
    pub fn parts(&self, read: Read, to: &mut Vec<QuantityPart<Column>>) -> bool {
        let measured = &self.vehicles.host.measured;
        match read {
            Read::Column(column) => to.push(QuantityPart::Column(column)),
            Read::Pose => to.extend(self.pose_parts()),
            Read::Twist => {
                to.extend([measured.vx, measured.vy, measured.omega].map(QuantityPart::Column));
            }
            Read::OdometryPose => to.extend(self.odometry_parts()),
            _ => return false,
        }
        true
    }

    /// Returns the position of the centre of mass of chassis and wheels, m, world frame. It stands above the
    /// plane of the vehicle as the body does that tilts with it.
    pub(super) fn centre_of_mass(&self, lane: usize) -> [f64; 3] {
        let [x, y] = self.vehicles.centre(lane);
        let z = self.vehicles.value(self.vehicles.host.own.load.lever, lane);
        self.place(lane).transform([x, y, z])
    }

    /// Returns the velocity of the centre of mass along x and y, m/s, world frame.
    pub(super) fn centre_velocity(&self, lane: usize) -> [f64; 2] {
        self.vehicles.values(self.vehicles.host.own.velocity, lane)
    }

    /// Returns the position of a point whose place in the vehicle frame is in columns, m, world frame.
    pub(super) fn point(&self, at: [Column; 3], lane: usize) -> [f64; 3] {
        self.place(lane).transform(self.vehicles.values(at, lane))
    }

    /// Returns the velocity of a point of the vehicle along x and y, m/s, world frame.
    pub(super) fn point_velocity(&self, at: [Column; 2], lane: usize) -> [f64; 2] {
        let ([x, y], [vx, vy, omega]) = (self.vehicles.values(at, lane), self.twist(lane));
        let [cos, sin] = self.vehicles.values(self.vehicles.host.own.heading, lane);
        let (vx, vy) = (vx - omega * y, vy + omega * x);
        [cos * vx - sin * vy, sin * vx + cos * vy]
    }

    /// Returns the mass properties of a vehicle. Those that its class measures are known from the start on.
    pub fn body_mass(&self, lane: usize) -> BodyMass {
        let own = |name| Some(self.vehicles.value(self.body_column(name)?, lane));
        let mass = own("mass").filter(|mass| *mass > 0.0);
        let centre = own("centre_x").zip(own("centre_y")).map(|(x, y)| [x, y]);
        let yaw_inertia = own("yaw_inertia").filter(|_| mass.is_some());
        BodyMass { mass, yaw_inertia, centre: centre.filter(|_| mass.is_some()) }
    }

    /// Returns the position of the centre of a wheel, m, world frame.
    pub(super) fn wheel_position(&self, lane: usize, wheel: usize) -> [f64; 3] {
        // the wheels stand on the ground while the body sways
        self.vehicles.pose3(lane).transform(self.vehicles.wheel_centre(lane, wheel))
    }

    /// Returns the pose of a vehicle with the sway of its body.
    fn place(&self, lane: usize) -> Pose3 {
        let [x, y, z, yaw, pitch, roll] = self.pose(lane);
        Pose3 { x, y, z, yaw, pitch, roll }
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
            position: [at(measured.wheel_x), at(measured.wheel_y)],
            spin: at(measured.spin),
            angle: at(host.own.angle),
            steer: at(host.steer),
            torque: at(host.torque),
            normal_force: at(host.contact.normal_force),
            velocity: [at(measured.wheel_vx), at(measured.wheel_vy)],
            force: host.own.force.map(at),
        }
    }

    /// Returns the class of the controller.
    pub fn controller(&self) -> &simhost_model::ModelRef {
        self.models.control.class()
    }

    /// Returns the names of the vehicles, and those of their wheels.
    pub fn names(&self) -> (Vec<String>, Vec<String>) {
        let vehicles = self.vehicles.lanes.iter().map(|lane| lane.name.to_string());
        (vehicles.collect(), self.vehicles.wheels.names.iter().map(ToString::to_string).collect())
    }

    /// Returns the phases of the models with their names after that of the vehicle or the wheel, and the wheels
    /// that are their lanes. Of several phases with the same name and wheel, the first one is called.
    pub fn phases(&mut self) -> impl Iterator<Item = (String, Option<Range<usize>>, &mut Call)> {
        self.models.named(self.vehicles.wheels.count)
    }

    /// Sets a command of a vehicle, of a kind that the controller may not have.
    pub fn command(&mut self, lane: usize, kind: &str, values: &[f64]) {
        let columns: Vec<_> = self.command_columns(kind).into_iter().flatten().collect();
        for (column, value) in columns.into_iter().zip(values) {
            if let Some(column) = column {
                self.vehicles.columns.get_mut(column)[lane] = *value;
            }
        }
    }

    /// Returns the columns that the values of a kind of command set, in order, if the controller accepts it;
    /// `None` for a value that is ignored.
    pub fn command_columns(
        &self,
        kind: &str,
    ) -> Option<impl Iterator<Item = Option<Column>> + use<'_>> {
        let mut commands = self.models.control.class().model.commands().iter();
        let command = commands.find(|command| command.kind() == kind)?;
        Some(command.ports().map(|port| self.commands.get(port)))
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
