//! Readings of a table for observers.

use std::ops::Range;

use super::fields::Read;
use super::host::HostColumns;
use super::step::Table;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::commands::CommandKind;
use crate::model::Call;

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

impl HostColumns {
    /// Returns the parts of the pose of a vehicle: x, y, z, m; yaw, pitch, roll, rad; world frame.
    #[inline]
    pub(super) fn pose_parts(&self) -> [QuantityPart<Column>; 6] {
        let (measured, [z, pitch, roll]) = (&self.measured, self.own.attitude);
        let [[along, _], [across, _]] = self.sway;
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

    /// Returns the parts of its pose by odometry.
    #[inline]
    pub(super) fn odometry_parts(&self) -> [QuantityPart<Column>; 6] {
        let [x, y, yaw] = self.own.odometry.map(QuantityPart::Column);
        let level = QuantityPart::Constant(0.0);
        [x, y, level, yaw, level, level]
    }
}

impl Vehicles {
    /// Returns the names of the vehicles, and those of their wheels.
    pub fn names(&self) -> (Vec<String>, Vec<String>) {
        let names = self.lanes.iter().map(|lane| lane.fixed.name.to_string());
        (names.collect(), self.wheels.names.iter().map(ToString::to_string).collect())
    }

    #[inline]
    pub(super) fn part(&self, part: QuantityPart<Column>, lane: usize) -> f64 {
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
    /// Appends the parts of a quantity, in the order of its values. Returns false if its values are computed from other
    /// numbers.
    pub fn parts(&self, read: Read, to: &mut Vec<QuantityPart<Column>>) -> bool {
        let measured = &self.vehicles.host.measured;
        match read {
            Read::Column(column) => to.push(QuantityPart::Column(column)),
            Read::Pose => to.extend(self.vehicles.host.pose_parts()),
            Read::Twist => {
                to.extend([measured.vx, measured.vy, measured.omega].map(QuantityPart::Column));
            }
            Read::OdometryPose => to.extend(self.vehicles.host.odometry_parts()),
            _ => return false,
        }
        true
    }

    /// Returns the column of an output of the phase `actuate` of an actuator, by the numbers of both.
    pub fn actuator_output(&self, actuator: usize, output: usize) -> Option<Column> {
        self.models.actuators.get(actuator)?.call.outputs().get(output).copied()
    }

    /// Returns the class of the controller.
    pub fn controller(&self) -> &simhost_model::ModelRef {
        self.models.control.class()
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
        Some(command.ports().map(|port| self.blueprint.commands.get(port)))
    }

    /// Returns the kinds of commands that the controller accepts.
    pub fn command_kinds(&self) -> Vec<CommandKind> {
        let commands = self.models.control.class().model.commands();
        let kind = |command: &'static simhost_model::View<simhost_abi::CommandDesc>| {
            let ports = command.ports();
            let known = |port: &'static str| self.blueprint.commands.get(port).is_some();
            let values = ports.map(|port| known(port).then(|| port.to_owned())).collect();
            CommandKind { name: command.kind().to_owned(), values }
        };
        commands.iter().map(kind).collect()
    }
}
