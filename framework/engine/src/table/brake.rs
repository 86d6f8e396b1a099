//! Brakes, and what holds a vehicle on a slope.
//!
//! A brake is a torque up to a limit against the spin: it stops a wheel and does not turn it. Friction models
//! are told the torque with which the wheel and its share of the vehicle would stand at the end of the
//! step, as far as the limit allows.
//!
//! A wheel at rest on a slope first holds its share of the weight; what others do not hold (a caster, an axle
//! without brake) it learns from the speed that is left, so that nothing creeps. On level ground nothing
//! is learnt.

use simhost_sdk::math;

use super::Table;
use crate::columns::Column;

/// Below this speed of its centre a wheel may stand, m/s.
pub(super) const STILL: f64 = 0.02;
/// Part of the force that would stop a wheel which is learnt in a step.
const LEARNING: f64 = 0.1;

/// Columns of the wheels for brakes and slopes.
#[derive(Clone, Copy)]
pub(super) struct Brakes {
    /// Largest torque of each brake, N·m, where the dynamics class gives one.
    pub limit: Option<Column>,
    /// Motor and brake, as friction is told.
    pub torque: Column,
    /// Weight along the wheel's side, as friction is told.
    pub slope_fy: Column,
    /// What is learnt, along and across the wheel, N.
    pub hold: [Column; 2],
}

impl Table {
    /// Tells friction the torques of the brakes and what pulls at the wheels.
    pub(super) fn brake(&mut self, dt: f64) {
        let Some(brakes) = self.brakes else { return };
        let (count, host) = (self.lanes.len(), &self.host);
        let cells = self.columns.cells();
        let [load, gravity, radius, inertia, spin, motor, vx, vy] = [
            host.normal_force,
            host.gravity,
            host.radius,
            host.inertia,
            host.spin,
            host.torque,
            host.contact_vx,
            host.contact_vy,
        ]
        .map(|column| cells.column(column));
        let limit = brakes.limit.map(|column| cells.column(column));
        let [torque, slope_fy] = [brakes.torque, brakes.slope_fy].map(|c| cells.column(c));
        let [hold_x, hold_y] = brakes.hold.map(|column| cells.column(column));
        for (i, lane) in self.lanes.iter().enumerate() {
            let wheels = || (0..self.wheels).map(|wheel| wheel * count + i);
            let sloping = lane.pull != [0.0; 2];
            let braked = limit.is_some_and(|limit| wheels().any(|index| limit[index].get() > 0.0));
            if !sloping && !braked {
                for index in wheels() {
                    torque[index].set(motor[index].get());
                    slope_fy[index].set(0.0);
                    hold_x[index].set(0.0);
                    hold_y[index].set(0.0);
                }
                continue;
            }
            let total: f64 = wheels().map(|index| load[index].get()).sum::<f64>().max(1e-9);
            for index in wheels() {
                let [cos, sin] = self.turned[index];
                let share = load[index].get() / total;
                let [pull_x, pull_y] = lane.pull.map(|pull| share * pull);
                let (along, across) = (cos * pull_x + sin * pull_y, cos * pull_y - sin * pull_x);
                let (vx, vy) = (vx[index].get(), vy[index].get());
                let stop = load[index].get() / gravity[index].get().max(1e-9) / dt;
                let still = vx * vx + vy * vy < STILL * STILL;
                let learn = |held: f64, speed: f64| {
                    math::limit(held - LEARNING * stop * speed, load[index].get())
                };

                let held = if still && sloping { learn(hold_y[index].get(), vy) } else { 0.0 };
                hold_y[index].set(held);
                slope_fy[index].set(across - held);

                let most = limit.map_or(0.0, |limit| limit[index].get());
                let held = if still && most > 0.0 { learn(hold_x[index].get(), vx) } else { 0.0 };
                let radius = radius[index].get();
                let rolling = inertia[index].get() * (vx / radius - spin[index].get()) / dt;
                let standing = radius * (held - stop * vx - along) + rolling;
                let brake = standing - motor[index].get();
                torque[index].set(motor[index].get() + math::limit(brake, most.max(0.0)));
                // a brake at its limit learns nothing
                hold_x[index].set(if brake.abs() < most { held } else { 0.0 });
            }
        }
    }

    /// Brakes stop the spin, and do not turn it.
    pub(super) fn brake_spin(&mut self, dt: f64) {
        let Some(limit) = self.brakes.and_then(|brakes| brakes.limit) else { return };
        let cells = self.columns.cells();
        let (limit, inertia) = (cells.column(limit), cells.column(self.host.inertia));
        for (index, spin) in cells.column(self.host.spin).iter().enumerate() {
            let most = dt * limit[index].get() / inertia[index].get();
            if most > 0.0 {
                spin.set(spin.get() - math::limit(spin.get(), most));
            }
        }
    }
}
