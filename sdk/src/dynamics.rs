//! Dynamics classes: from actuators to the motion of a vehicle.

mod answer;
mod descriptor;
mod wheels;

use simhost_abi::{PortDesc, Scope, Str, WheelGeometry, wheel_flag};

use crate::columns::port;
use crate::{Columns, Params, Ports, State, Step};

pub use answer::{Drive, Motion, Wrench};
pub use descriptor::DynamicsModel;
pub use wheels::{WheelMotion, Wheels};

/// A dynamics class: which wheels a vehicle has, and how it moves.
///
/// There are three kinds, told apart by [`Self::Output`]. A class that drives wheels sets torques and
/// steering angles, and a friction model makes the forces. A class that answers with a [`Wrench`]
/// makes the force on the vehicle itself (mecanum platforms, tracks, boats). A class that answers
/// with a [`Motion`] integrates pose and velocity itself (single-track and planning models): the
/// body follows, still collides and is seen by sensors.
pub trait Dynamics: Params {
    /// Inputs that controllers drive, such as `torque_left` or `steer`, and quantities of the
    /// vehicle that it reads, under the host's names: `x`, `y`, `yaw`, `vx`, `vy`, `omega`, ….
    type Actuators: Ports;
    /// `()` for wheel torques and steering angles (the default of `#[model]`), [`Wrench`] or
    /// [`Motion`].
    type Output: Drive;
    /// What it measures for controllers and recorders. `odometry_vx`, `odometry_vy` (m/s) and
    /// `odometry_omega` (rad/s), the twist as the wheels tell it, become `odometry.csv`.
    type Measurements: Ports;
    /// What a vehicle remembers; `()` for nothing.
    type State: State;
    /// The wheels, in the order in which the methods see them.
    const WHEELS: &'static [WheelPlace];
    /// The chassis of a vehicle that does not describe its own.
    const CHASSIS: Chassis;
    /// What may differ from wheel to wheel, made with [`wheel_input`]; [`WheelMotion::input`] reads it.
    const WHEEL_INPUTS: &'static [PortDesc] = &[];
    /// Whether the platform can move sideways.
    const HOLONOMIC: bool = false;
    /// Whether it draws random numbers, with [`Step::random`].
    const RANDOM: bool = false;
    /// Whether its states change continuously: the host then integrates them with [`Self::rates`],
    /// over every step after `drive`, which must leave them alone.
    const CONTINUOUS: bool = false;

    /// As [`crate::Friction::memory`].
    fn memory(&self) -> <Self::State as State>::Memory {
        Default::default()
    }

    /// As [`crate::Friction::rates`].
    fn rates(
        &self,
        _actuators: &Self::Actuators,
        _wheels: &WheelMotion,
        _state: &Self::State,
    ) -> Self::State {
        Self::State::load(|_| 0.0)
    }

    /// As [`crate::Friction::prepare`].
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Moves wheels that the model places. Called once a vehicle, when the world is loaded.
    fn arrange(&self, _wheels: &mut [WheelGeometry]) -> Result<(), String> {
        Ok(())
    }

    /// What drives one vehicle. Torque and steering of every wheel: [`Wheels::set_torque`] and
    /// [`Wheels::set_steer`]; a wheel that is not set has none. A class that answers with a
    /// [`Wrench`] or a [`Motion`] tells how wheels turn with [`Wheels::set_spin`]; one that is not
    /// set keeps its spin. Called once a step, after the controller; must not allocate, print or
    /// keep anything outside `state`.
    fn drive(
        &self,
        actuators: &Self::Actuators,
        wheels: &mut Wheels,
        step: &Step,
        state: &mut Self::State,
    ) -> Self::Output;

    /// What the vehicle measures, from the wheels alone. Called at the start of a run and after
    /// every step.
    fn measure(&self, wheels: &WheelMotion) -> Self::Measurements;

    /// What the vehicle measures, from the wheels and from what it remembers, such as a gear or a
    /// charge. The host calls this one; by default it is [`Self::measure`].
    fn measure_state(&self, wheels: &WheelMotion, _state: &Self::State) -> Self::Measurements {
        self.measure(wheels)
    }
}

/// A wheel of a dynamics class.
#[derive(Clone, Copy, Debug)]
pub struct WheelPlace {
    tag: &'static str,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) flags: u32,
}

impl WheelPlace {
    /// A wheel with this tag in the world file, by default at (`x`, `y`), m.
    pub const fn at(tag: &'static str, x: f64, y: f64) -> Self {
        Self { tag, x, y, flags: 0 }
    }

    /// A wheel that [`Dynamics::arrange`] places.
    pub const fn placed(tag: &'static str) -> Self {
        Self { tag, x: 0.0, y: 0.0, flags: wheel_flag::PLACED_BY_MODEL }
    }

    /// A tag that a world file gives once or more often, a wheel each: `wheel1`, `wheel2`, ….
    pub const fn repeated(tag: &'static str) -> Self {
        Self { tag, x: 0.0, y: 0.0, flags: wheel_flag::REPEATED }
    }
}

/// The chassis of a vehicle that does not describe its own.
#[derive(Clone, Copy, Debug)]
pub struct Chassis {
    /// Mass without the wheels, kg.
    pub mass: f64,
    /// Lowest point above the ground, m.
    pub z_min: f64,
    /// Highest point above the ground, m.
    pub z_max: f64,
    /// Corners x0, y0, x1, y1, … in the vehicle frame, m.
    pub polygon: &'static [f64],
}

/// An input that may differ from wheel to wheel: the attribute `key` of a wheel's tag, else
/// `default`. Its name for controllers is `name`.
pub const fn wheel_input(
    name: &'static str,
    unit: &'static str,
    default: f64,
    key: &'static str,
    doc: &'static str,
) -> PortDesc {
    let desc = port(name, unit, Scope::Wheel, doc);
    PortDesc { default, key: Str::new(key), key_unit: desc.unit, ..desc }
}
