//! Accelerations of vehicles in the last step.
//!
//! Over a step, the heading changes with the yaw rate ω at its end, so that the acceleration in the frame of the vehicle is
//! Δv_x/dt − ω (v_y + v_y')/2 along and Δv_y/dt + ω (v_x + v_x')/2 across it, with the velocities before and after the step.

use super::host::HostColumns;
use super::step::Table;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::physics::RigidBody;
use crate::tiles::{Kernel, TileView};

impl Vehicles {
    /// Keeps the twists at the start of a step.
    pub(super) fn begin_acceleration(&mut self) {
        let lanes = self.lanes.len();
        let Self { columns, host, .. } = self;
        columns.run(lanes, &mut TwistsBefore { host });
    }

    /// Computes the accelerations over a step of `dt` s from the measured twists.
    pub(super) fn end_acceleration(&mut self, dt: f64) {
        let lanes = self.lanes.len();
        let Self { columns, host, .. } = self;
        columns.run(lanes, &mut Accelerations { host, dt });
    }
}

impl Table {
    /// Returns the columns of the centre of mass, vehicle frame; `None` for a class that sets the motion of its vehicles and
    /// does not give it.
    pub(super) fn centre_columns(&self) -> Option<[Column; 2]> {
        Some([self.body_column("centre_x")?, self.body_column("centre_y")?])
    }

    /// Returns the accelerations of a first step of `dt` s after which the bodies have these velocities. The measured
    /// twists become those after the step.
    pub(super) fn first_accelerations(&mut self, dt: f64, bodies: &[RigidBody]) -> [Vec<f64>; 3] {
        self.vehicles.read_bodies(bodies);
        self.vehicles.end_acceleration(dt);
        self.vehicles.host.own.acceleration.map(|column| self.vehicles.columns.get(column).to_vec())
    }
}

/// Copies the measured twists to the columns of the accelerations.
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
