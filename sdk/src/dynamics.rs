//! Dynamics classes: from actuators to the motion of a vehicle.

mod advancing;
mod answer;
mod descriptor;
mod energies;
mod phases;
mod tile;
mod wheels;

use simhost_abi::{PortDesc, Scope, Str, WheelGeometry, wheel_flag};

use crate::columns::port;
use crate::{Columns, ModelCore, Ports, Step};

pub use advancing::AdvancingLanes;
pub(crate) use answer::sealed::Answer;
pub use answer::{Drive, Motion, SpatialMotion, Wrench};
pub use descriptor::DynamicsModel;
pub use energies::Energies;
pub use wheels::{Footprint, WheelContact, WheelMotion, Wheels};

/// A dynamics class: the wheels of a vehicle and the way it moves. The implementing struct holds
/// the parameters.
///
/// [`Self::Output`] selects one of three kinds of class. A class that drives wheels sets torques
/// and steering angles, and a friction model computes the forces. A class that returns a [`Wrench`]
/// computes the force on the vehicle itself (mecanum platforms, tracked vehicles, boats). A class
/// that returns a [`Motion`] integrates pose and velocity itself (single-track and planning
/// models); the body follows that motion, collides, and is visible to sensors. One that returns a
/// [`SpatialMotion`] also sets height, pitch and roll, and does not follow the ground.
pub trait Dynamics: ModelCore {
    /// Inputs that controllers drive, such as `torque_left` or `steer`, and measurements of the
    /// host that the class reads by name: `x`, `y`, `yaw`, `vx`, `vy`, `omega` and others.
    type Actuators: Ports;
    /// `()` for wheel torques and steering angles (the default of `#[model]`), [`Wrench`],
    /// [`Motion`] or [`SpatialMotion`].
    type Output: Drive;
    /// Measurements for controllers and recorders. `odometry_vx`, `odometry_vy` (m/s) and
    /// `odometry_omega` (rad/s), the twist estimated from the wheels, are written to
    /// `odometry.csv`.
    type Measurements: Ports;
    /// The wheels, in the order of the wheel indices in all methods.
    const WHEELS: &'static [WheelPlace];
    /// Default chassis, for a vehicle whose world file has none.
    const CHASSIS: Chassis;
    /// Inputs that can differ from wheel to wheel, declared with [`wheel_input`] and read with
    /// [`WheelMotion::input`].
    const WHEEL_INPUTS: &'static [PortDesc] = &[];
    /// Whether the platform can move sideways.
    const HOLONOMIC: bool = false;
    /// Whether [`Self::drive`] sets the camber of wheels with [`Wheels::set_camber`].
    const SETS_CAMBER: bool = false;
    /// Whether [`Self::drive`] sets the moment of inertia that the powertrain adds to wheels with
    /// [`Wheels::set_drive_inertia`]. Only a class that drives wheels by torque can.
    const SETS_DRIVE_INERTIA: bool = false;
    /// Whether the class drives wheels by torque and moves the body itself with the forces of the friction
    /// models: it sets the contact of each wheel in [`Self::drive`] with [`Wheels::set_contact`], and
    /// returns the motion from [`Self::advance`]. Its [`Self::Output`] is `()`.
    const ADVANCES: bool = false;
    /// Whether the class reads the ground below its wheels with [`WheelMotion::ground`] in [`Self::drive`] and
    /// [`Self::advance`]. [`Self::stand`] sets the points. The host is asked once for the vehicles of a tile, so that
    /// the loop over them has no calls. At most 8 wheels, none of them [`repeated`](WheelPlace::repeated).
    const STANDS: bool = false;
    /// Whether [`Self::advance`] is compiled for AVX-512 and pairs of vehicles too, instead of AVX2 and single vehicles
    /// only. All copies give the same bits.
    const EVERY_WIDTH: bool = false;
    /// Whether a class with [`Self::ADVANCES`] computes [`Self::energies`]. Without them, the energy books contain the
    /// motion of the vehicle in its plane only.
    const HAS_ENERGIES: bool = false;
    /// Whether the states change continuously. The host then integrates them with [`Self::rates`]
    /// over each step, after [`Self::drive`], which must leave them unchanged.
    const CONTINUOUS: bool = false;

    /// Returns the rates of change dx/dt of the states, each in the unit of its state per second. The
    /// host integrates them over each step, after [`Self::drive`], of a class with [`Self::CONTINUOUS`]
    /// states.
    ///
    /// Called up to four times per vehicle and step, on any thread, because the host integrates with the
    /// classical Runge-Kutta method; actuators and wheels stay as they were at the start of the step. It
    /// must not allocate.
    #[doc = include_str!("dynamics/examples/rates.md")]
    #[inline(always)]
    fn rates(
        &self,
        _actuators: &Self::Actuators,
        _wheels: &WheelMotion,
        _state: &Self::State,
    ) -> Self::State {
        Self::State::load(|_| 0.0)
    }

    /// Moves the wheels that the class places: sets `x` and `y`, m, and `yaw`, rad, of each in the vehicle
    /// frame. The host passes the positions and radii, m, of the world file.
    ///
    /// Called for each vehicle, or once for vehicles with the same chassis and wheels, on the thread
    /// that loads the world. It can allocate.
    ///
    /// # Errors
    ///
    /// A message for the user that says why the wheels cannot be placed.
    #[doc = include_str!("dynamics/examples/arrange.md")]
    fn arrange(&self, _wheels: &mut [WheelGeometry]) -> Result<(), String> {
        Ok(())
    }

    /// Sets the point below which the ground of each wheel lies, of a class with [`Self::STANDS`].
    ///
    /// Called once per vehicle directly before [`Self::drive`] and [`Self::advance`], on any thread, with the same
    /// arguments. It must not allocate.
    #[inline(always)]
    fn stand(
        &self,
        _actuators: &Self::Actuators,
        _wheels: &WheelMotion,
        _state: &Self::State,
        _footprint: &mut Footprint,
    ) {
    }

    /// Drives one vehicle for a step: sets torques, N·m, steering angles, rad, or spins, rad/s, of its
    /// wheels, and returns [`Self::Output`] (N and N·m, or m, rad, m/s and rad/s).
    ///
    /// A class with output `()` sets the torque and the steering angle of each wheel with
    /// [`Wheels::set_torque`] and [`Wheels::set_steer`]; both are 0 for a wheel that is not set. A
    /// class with another output sets spins with [`Wheels::set_spin`]; a
    /// wheel that is not set keeps its spin.
    ///
    /// Called once per vehicle and step after the controller, on any thread. It must not allocate,
    /// print, or keep anything outside `state`.
    #[doc = include_str!("dynamics/examples/drive.md")]
    fn drive(
        &self,
        actuators: &Self::Actuators,
        wheels: &mut Wheels,
        step: &Step,
        state: &mut Self::State,
    ) -> Self::Output;

    /// Returns the motion at the end of the step of a class with [`Self::ADVANCES`], and sets the spins of the
    /// wheels; a wheel that is not set keeps the spin that the host has integrated.
    ///
    /// Called once per vehicle and step, after [`Self::drive`] and the friction models, on any thread. Inputs
    /// of wheels named `wheel_fx` and `wheel_fy` are the forces of the ground in this step, N, along the
    /// steering frame of the vehicle. It must not allocate.
    #[doc = include_str!("dynamics/examples/advance.md")]
    #[inline(always)]
    fn advance(
        &self,
        _actuators: &Self::Actuators,
        _wheels: &mut Wheels,
        _step: &Step,
        _state: &mut Self::State,
    ) -> SpatialMotion {
        SpatialMotion::default()
    }

    /// Moves up to `N` vehicles of a class with [`Self::ADVANCES`]; by default it calls [`Self::advance`] for each.
    ///
    /// Several short loops over lanes become vector instructions where one long loop with branches does not. The
    /// methods of a class that implements it need `#[inline(always)]`. Called as [`Self::advance`] is.
    #[inline(always)]
    fn advance_lanes<const N: usize>(&self, lanes: &mut AdvancingLanes<'_, Self, N>) {
        for lane in 0..lanes.len() {
            let (actuators, step) = (lanes.actuators(lane), lanes.step(lane));
            let mut state = lanes.state(lane);
            let motion = self.advance(&actuators, &mut lanes.wheels(lane), &step, &mut state);
            lanes.set(lane, &motion, &state);
        }
    }

    /// Returns the energy of a vehicle of a class with [`Self::HAS_ENERGIES`], J, and the powers that change it, W. With a
    /// kinetic energy below 0, which means that it is not known, the books have no numbers.
    ///
    /// Called only if a run keeps energy books: for the state after each step, and before [`Self::advance`], each time with
    /// the forces of the step as [`Self::advance`] reads them. On any thread. It must not allocate.
    #[inline(always)]
    fn energies(
        &self,
        _actuators: &Self::Actuators,
        _wheels: &WheelMotion,
        _state: &Self::State,
    ) -> Energies {
        Energies::default()
    }

    /// Returns the measurements of a vehicle, computed from its wheels alone, each in the unit of its
    /// port.
    ///
    /// Called at the start of a run and after every step, on any thread. It must not allocate. A class
    /// with measurements implements this method or [`Self::measure_state`].
    #[doc = include_str!("dynamics/examples/measure.md")]
    #[inline(always)]
    fn measure(&self, _wheels: &WheelMotion) -> Self::Measurements {
        Self::Measurements::load(|_| 0.0)
    }

    /// Returns the measurements of a vehicle, computed from its wheels and its state, such as a
    /// gear or a charge, each in the unit of its port. The host calls this method, at the start of a run
    /// and after every step, on any thread; by default it forwards to [`Self::measure`]. It must not
    /// allocate.
    #[doc = include_str!("dynamics/examples/measure_state.md")]
    #[inline(always)]
    fn measure_state(&self, wheels: &WheelMotion, _state: &Self::State) -> Self::Measurements {
        self.measure(wheels)
    }
}

/// The declaration of a wheel of a dynamics class.
#[derive(Clone, Copy, Debug)]
pub struct WheelPlace {
    tag: &'static str,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) flags: u32,
}

impl WheelPlace {
    /// Declares a wheel that stands at (`x`, `y`), m, unless its element `tag` in the world file
    /// gives another position.
    pub const fn at(tag: &'static str, x: f64, y: f64) -> Self {
        Self { tag, x, y, flags: 0 }
    }

    /// Returns the tag of the wheel in world files.
    pub const fn tag(&self) -> &'static str {
        self.tag
    }

    /// Declares a wheel that [`Dynamics::arrange`] places.
    pub const fn placed(tag: &'static str) -> Self {
        Self { tag, x: 0.0, y: 0.0, flags: wheel_flag::PLACED_BY_MODEL }
    }

    /// The wheels of a car whose class places them all: rear pair, then the front pair, which it steers.
    pub const CAR: &'static [Self] = &[
        Self::placed("rl_wheel"),
        Self::placed("rr_wheel"),
        Self::placed("fl_wheel").steered(),
        Self::placed("fr_wheel").steered(),
    ];

    /// Declares that the class steers the wheel with [`Wheels::set_steer`]. If `WHEEL_INPUTS` has an input
    /// `steered`, wheels whose value is 0 are fixed.
    pub const fn steered(self) -> Self {
        Self { flags: self.flags | wheel_flag::STEERS, ..self }
    }

    /// Declares that the wheel turns about its vertical axis by itself, as a caster or the wheel of a
    /// trailer does. [`Wheels::set_steer`] shows its angle.
    pub const fn swivelling(self) -> Self {
        Self { flags: self.flags | wheel_flag::SWIVELS, ..self }
    }

    /// Declares an element that a world file gives one or more times, once per wheel: `wheel1`,
    /// `wheel2` and so on.
    pub const fn repeated(tag: &'static str) -> Self {
        Self { tag, x: 0.0, y: 0.0, flags: wheel_flag::REPEATED }
    }
}

/// The default chassis of a dynamics class.
#[derive(Clone, Copy, Debug)]
pub struct Chassis {
    /// Mass without the wheels, kg.
    pub mass: f64,
    /// Lowest point above the ground, m.
    pub z_min: f64,
    /// Highest point above the ground, m.
    pub z_max: f64,
    /// Corners x0, y0, x1, y1 and so on, vehicle frame, m.
    pub polygon: &'static [f64],
}

impl Chassis {
    /// Returns a chassis with a mass without the wheels, kg, between two heights above the ground, m, with the corners
    /// of its outline, vehicle frame, m.
    pub const fn new(mass: f64, [z_min, z_max]: [f64; 2], polygon: &'static [f64]) -> Self {
        Self { mass, z_min, z_max, polygon }
    }
}

/// Declares an input that can differ from wheel to wheel. Its value is the attribute `key` of the
/// wheel's element, or else `default`; controllers can drive it as `name`.
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
