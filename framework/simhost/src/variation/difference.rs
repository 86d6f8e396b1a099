//! A difference of a member from the world, and what it means.

use simhost_streams::Input;

use crate::error::Error;
use crate::session::Session;

/// A difference of a member from the world.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Difference {
    /// Value of a parameter of a model.
    Parameter {
        /// Name, such as `robot/controller/KP`.
        name: String,
        /// Value as in a world file.
        value: String,
    },
    /// Pose of a vehicle or a block.
    Pose {
        /// Name of the vehicle, or `block/NAME`.
        entity: String,
        /// x, y, m; yaw, rad; world frame.
        pose: [f64; 3],
    },
    /// Velocity of a vehicle or a block, with the meaning of `<init_vel>`.
    Velocity {
        /// Name of the vehicle, or `block/NAME`.
        entity: String,
        /// Forward and leftward velocity, m/s; yaw rate, rad/s; frame of the entity, or in the profile of MVSim the
        /// world frame.
        velocity: [f64; 3],
    },
    /// A number of a fault of a vehicle.
    Fault {
        /// Name, such as `robot/fault/brake/12/value`.
        name: String,
        /// Index of the vehicle in the world.
        vehicle: usize,
        /// Index of the fault in [`Vehicle::faults`](simhost_world::Vehicle::faults).
        fault: usize,
        /// Value as in a world file.
        value: String,
    },
    /// Setpoints of the controller of a vehicle from the first step on.
    Command {
        /// Name of the vehicle.
        vehicle: String,
        /// Kind of command: `twist`, `speed_steer`, …
        kind: String,
        /// Values of the kind, in its order and units.
        values: Vec<f64>,
    },
}

impl Difference {
    /// Makes the differences of a member. Parameters are set in an order in which their models accept each of them.
    pub(crate) fn apply_all(mut left: Vec<Self>, session: &mut Session) -> Result<(), Error> {
        while !left.is_empty() {
            let accepted = left
                .iter()
                .map_while(Self::parameter)
                .position(|given| session.world().check_parameters(&[given]).is_ok());
            // without one, the first one says why it is not accepted
            left.remove(accepted.unwrap_or(0)).apply(session)?;
        }
        Ok(())
    }

    /// Returns the input that makes the difference.
    pub fn input(&self) -> Input {
        match self.clone() {
            Self::Parameter { name, value } | Self::Fault { name, value, .. } => {
                Input::Parameter { name, value }
            }
            Self::Pose { entity, pose } => Input::Pose { entity, pose },
            Self::Velocity { entity, velocity } => Input::Velocity { entity, velocity },
            Self::Command { vehicle, kind, values } => Input::Command { vehicle, kind, values },
        }
    }

    /// Returns name and value of a parameter or a number of a fault.
    pub(crate) fn parameter(&self) -> Option<(&str, &str)> {
        match self {
            Self::Parameter { name, value } | Self::Fault { name, value, .. } => {
                Some((name, value))
            }
            _ => None,
        }
    }

    /// Makes the difference in a session before its first step. This defines what the difference means: it is the
    /// call of [`Session::edit`], or the command, that a program would use, logged and recorded in the same way.
    ///
    /// # Errors
    /// [`Error::Input`] or [`Error::Load`] if the world does not have what the difference names, or does not accept
    /// the value.
    pub fn apply(&self, session: &mut Session) -> Result<(), Error> {
        match self {
            Self::Parameter { name, value } | Self::Fault { name, value, .. } => {
                session.edit().set_parameter(name, value)
            }
            Self::Pose { entity, pose } => session.edit().set_pose(entity, *pose),
            Self::Velocity { entity, velocity } => session.edit().set_velocity(entity, *velocity),
            Self::Command { .. } => Ok(session.inputs().send(self.input())?),
        }
    }
}
