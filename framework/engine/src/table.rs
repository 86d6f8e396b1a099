//! Tables: vehicles that share their models and parameters, with one column per quantity.
//!
//! Layers, from the bottom: the columns of the host (`host`), the vehicles (`vehicles`) and the
//! physics of one step on them, the models and their calls (`models`), the step of a table (`step`),
//! and the construction of tables (`build`).

mod air;
mod alone;
mod axles;
mod blueprint;
mod books;
mod border;
mod brake;
mod build;
mod calls;
mod driving;
mod exchange;
mod extrapolation;
mod fields;
mod host;
mod imposed;
mod kept;
mod kinematics;
mod ledges;
mod loading;
mod models;
mod motion;
mod odometry;
mod port_faults;
mod rates;
mod readings;
mod sensor_inputs;
mod space;
mod sprung;
mod step;
mod suspension;
mod take_over;
mod terrain;
mod vehicle_blueprint;
mod vehicles;
mod view;
mod wheel_forces;
mod wheel_friction;

pub(crate) use alone::{EndAtFirst, Interruptions, StepsAlone};
pub use books::EnergyBook;
pub(crate) use build::{Group, TableError, build};
pub(crate) use fields::{Field, Read, state_doc};
pub(crate) use kept::Kept;
pub use models::ModelRole;
pub(crate) use readings::QuantityPart;
pub(crate) use sensor_inputs::{SensorInputs, SensorTarget};
pub(crate) use step::{FAULT_PHASES, Table, for_each};
pub(crate) use take_over::VehicleError;
pub(crate) use vehicles::OwnRun;

use crate::columns::Column;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::ground::{Fall, Ground};
use crate::live_state::{LiveState, live_state};
use crate::model::{Call, MemoryCopies};
use crate::physics::{Physics, RigidBody};
use crate::tiles::{Kernel, TileView};
use host::HostColumns;
use kinematics::rolling_spin;
use models::Models;
use vehicles::{Lane, Vehicles};

impl Table {
    /// Follows a body whose velocity has been set. With `twist`, velocities in m/s and the yaw rate in rad/s,
    /// vehicle frame, the wheels roll without slip.
    pub fn launch(
        &mut self,
        lane: usize,
        twist: Option<[f64; 3]>,
        ground: &Ground,
        physics: &mut Physics,
    ) {
        let vehicles = &mut self.vehicles;
        vehicles.forget_motion(lane);
        if !ground.is_level() && !vehicles.host.spatial {
            vehicles.turn_velocity(lane, ground, physics);
        }
        vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
        let Some(twist) = twist else { return };
        let (host, count) = (&vehicles.host, vehicles.lanes.len());
        let (steer, mounting, spin) = (host.steer, host.own.mounting, host.measured.spin);
        for wheel in 0..vehicles.wheels.count {
            let index = wheel * count + lane;
            let heading = vehicles.value(steer, index) + vehicles.value(mounting, index);
            let rolling = rolling_spin(twist, vehicles.wheel_centre(lane, wheel), heading);
            vehicles.columns.get_mut(spin)[index] = rolling;
        }
    }

    /// Lets a vehicle whose body has been moved to another pose stand there on the highest ground below
    /// `ceiling`, m, with wheels at rest.
    pub fn put(&mut self, lane: usize, ceiling: f64, ground: &Ground, physics: &mut Physics) {
        let vehicles = &mut self.vehicles;
        vehicles.forget_motion(lane);
        vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
        let host = &vehicles.host;
        let [[nose, nose_rate], [side, side_rate]] = host.sway;
        let [force_x, force_y] = host.wheel_force;
        let mut at_rest = vec![nose, nose_rate, side, side_rate, force_x, force_y];
        at_rest.extend(self.extrapolation.iter().flat_map(|one| one.columns_of_history()));
        let of_wheels = [host.measured.spin, host.own.force[0], host.own.force[1]];
        for column in at_rest {
            vehicles.columns.get_mut(column)[lane] = 0.0;
        }
        for wheel in 0..vehicles.wheels.count {
            let index = wheel * vehicles.lanes.len() + lane;
            vehicles.set_values(of_wheels, index, [0.0; 3]);
        }
        let attitude = vehicles.host.own.attitude;
        if ground.is_level() {
            if vehicles.host.spatial {
                vehicles.set_values(attitude, lane, [0.0; 3]);
                vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
            }
            return;
        }
        vehicles.lanes[lane].fall = Fall::default();
        vehicles.set_values([attitude[1], attitude[2]], lane, [0.0; 2]);
        vehicles.place_on_ground(lane, ceiling, ground);
        vehicles.follow_ground_below(lane, ground, physics, None);
        vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
    }
}

live_state! {
    Table {
        state { vehicles, models }
        world {
            blueprint,
            // their columns are written with the others, and the faults of the world know which are present
            port_faults,
        }
        step { extrapolation, faults, kept, stopped, leaves_search, is_sound }
        report { books }
    }
}

live_state! {
    Vehicles {
        state { columns, any_disabled, lanes }
        world { wheels, any_springs, level_loads, host, bodies, environment }
        step { is_tipping }
    } after read |vehicles| vehicles.is_tipping = true
}

live_state! {
    Lane {
        state { disabled, uses_fallback, tilt, normal, fall }
        // seed and steps of the run of a member of a batch are inputs of the run
        world { vehicle, fixed, run, body }
        step { keeps_velocity, ride }
        report { tipped }
    }
}

/// The memories of the models.
impl LiveState for Models {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        self.stateful().try_for_each(|call| call.write(to))
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.stateful().try_for_each(|call| call.read(from))
    }
}

impl Table {
    /// Returns the calls that hold the states and memories of all models, one call per model.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.models.stateful()
    }

    /// Returns a table in the same state, which shares what never changes with this one.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let mut copy = self.clone();
        let columns = &copy.vehicles.columns;
        copy.models.all_mut().try_for_each(|call| call.bind(columns, copies))?;
        Ok(copy)
    }
}

impl Vehicles {
    /// Keeps the twists at the start of a step.
    fn begin_acceleration(&mut self) {
        let lanes = self.lanes.len();
        let Self { columns, host, .. } = self;
        columns.run(lanes, &mut TwistsBefore { host });
    }

    /// Computes the accelerations over a step of `dt` s from the measured twists.
    fn end_acceleration(&mut self, dt: f64) {
        let lanes = self.lanes.len();
        let Self { columns, host, .. } = self;
        columns.run(lanes, &mut Accelerations { host, dt });
    }
}

impl Table {
    /// Returns the columns of the centre of mass, vehicle frame; `None` for a class that sets the motion of its vehicles and
    /// does not give it.
    fn centre_columns(&self) -> Option<[Column; 2]> {
        Some([self.body_column("centre_x")?, self.body_column("centre_y")?])
    }

    /// Returns the accelerations of a first step of `dt` s after which the bodies have these velocities. The measured
    /// twists become those after the step.
    fn first_accelerations(&mut self, dt: f64, bodies: &[RigidBody]) -> [Vec<f64>; 3] {
        self.vehicles.read_bodies(bodies);
        self.vehicles.end_acceleration(dt);
        self.vehicles.host.own.acceleration.map(|column| self.vehicles.columns.get(column).to_vec())
    }
}

/// Copies the measured twists to the columns of the accelerations.
///
/// Over a step, the heading changes with the yaw rate ω at its end, so that the acceleration in the frame of the vehicle is
/// Δv_x/dt − ω (v_y + v_y')/2 along and Δv_y/dt + ω (v_x + v_x')/2 across it, with the velocities before and after the step.
struct TwistsBefore<'a> {
    host: &'a HostColumns,
}

impl Kernel for TwistsBefore<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let (measured, kept) = (&self.host.measured, self.host.own.acceleration);
        let twist = [measured.vx, measured.vy, measured.omega];
        let twist = columns.load_all::<_, N>(twist, lane);
        columns.store(kept[0], lane, twist[0]);
        columns.store(kept[1], lane, twist[1]);
        columns.store(kept[2], lane, twist[2]);
    }
}

struct Accelerations<'a> {
    host: &'a HostColumns,
    /// Length of the step, s.
    dt: f64,
}

impl Kernel for Accelerations<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let (measured, acceleration) = (&self.host.measured, self.host.own.acceleration);
        let [vx, vy, omega] =
            columns.load_all::<_, N>([measured.vx, measured.vy, measured.omega], lane);
        let [mut along, mut across, mut turning] = columns.load_all::<_, N>(acceleration, lane);
        for i in 0..N {
            let (old_vx, old_vy) = (along[i], across[i]);
            along[i] = (vx[i] - old_vx) / self.dt - 0.5 * omega[i] * (vy[i] + old_vy);
            across[i] = (vy[i] - old_vy) / self.dt + 0.5 * omega[i] * (vx[i] + old_vx);
            turning[i] = (omega[i] - turning[i]) / self.dt;
        }
        columns.store(acceleration[0], lane, along);
        columns.store(acceleration[1], lane, across);
        columns.store(acceleration[2], lane, turning);
    }
}
