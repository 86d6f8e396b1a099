//! Brakes, and holding a vehicle on a slope.
//!
//! A brake is a torque against the spin up to a limit: it stops a wheel and does not turn it. The
//! torque input of friction models includes the torque that would stop the wheel and its share of the
//! vehicle at the end of the step, or the limit if that is less. A friction model that reads `brake_limit`
//! solves the brake together with its contact instead, and its torque input is that of the motor: the
//! prediction would let a wheel that the brake locks turn backwards within the step. The pull that the
//! braked wheels hold is then divided by the force that each of them can hold.
//!
//! A wheel at rest on a slope first holds its share of the weight. The part that other wheels do not
//! hold (a caster, an axle without brake) is learnt from the remaining speed, so that the vehicle does
//! not creep. On level ground nothing is learnt.

use simhost_sdk::math;

use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::tiles::{Kernel, TileView};

/// Speed of the wheel centre below which a wheel can be at rest, m/s.
pub(super) const STILL: f64 = 0.02;
/// Pull per load below which a tyre holds a wheel without having learnt anything, so that elastic tyres do not
/// sway on level ground.
const LEVEL: f64 = 1e-6;
/// Part of the stopping force that is learnt per step.
const LEARNING: f64 = 0.1;

/// Columns for brakes and slopes, one value per wheel.
#[derive(Clone, Copy)]
pub(super) struct Brakes {
    /// Greatest torque of each brake, N·m, if the dynamics class has brakes.
    pub limit: Option<Column>,
    /// Learnt holding force along and across the wheel, N.
    pub hold: [Column; 2],
    /// Forward pull that a braked wheel has to hold, N, if a friction model reads it.
    pub slope_fx: Option<Column>,
}

/// Quantities of one wheel for its brake.
struct BrakedWheel {
    /// Normal load, N.
    load: f64,
    /// Force that stops the wheel's share of the mass within a step, per speed, N·s/m.
    stop: f64,
    /// Velocity of the wheel centre, wheel frame, m/s.
    velocity: [f64; 2],
    /// Part of the pull on the body along and across the wheel, N.
    pull: [f64; 2],
}

impl BrakedWheel {
    fn is_still(&self) -> bool {
        let [vx, vy] = self.velocity;
        vx * vx + vy * vy < STILL * STILL
    }

    /// Returns the holding force learnt after a step in which the wheel moved at `speed`, m/s.
    fn learn(&self, held: f64, speed: f64) -> f64 {
        math::limit(held - LEARNING * self.stop * speed, self.load)
    }
}

impl Brakes {
    /// Sets the torque and slope inputs of friction models for a step of `dt` seconds.
    pub fn apply(&self, vehicles: &mut Vehicles, dt: f64) {
        if self.are_idle(vehicles) {
            return self.release(vehicles);
        }
        let Vehicles { columns, host, lanes, wheels, .. } = vehicles;
        let (count, contact, cells) = (lanes.len(), &host.contact, columns.cells());
        let both = |columns: [Column; 2]| columns.map(|column| cells.column(column));
        let (pulls, headings) = (both(host.own.pull), both(host.own.wheel_heading));
        let [load, gravity, coupling, radius, inertia, spin, motor, vx, vy] = [
            contact.normal_force,
            contact.gravity,
            contact.coupling,
            host.measured.radius,
            contact.inertia,
            host.measured.spin,
            host.torque,
            contact.vx,
            contact.vy,
        ]
        .map(|column| cells.column(column));
        let [limit, slope_fx] = [self.limit, self.slope_fx].map(|c| c.map(|c| cells.column(c)));
        let [torque, slope_fy] = [contact.torque, contact.slope_fy].map(|c| cells.column(c));
        let [hold_x, hold_y] = both(self.hold);
        for i in 0..count {
            let indices = || (0..wheels.count).map(|wheel| wheel * count + i);
            let pull = pulls.map(|pull| pull[i].get());
            let most = |index: usize| limit.map_or(0.0, |limit| limit[index].get());
            // force that a braked wheel can hold
            let held = |index: usize| (most(index) / radius[index].get()).min(load[index].get());
            let sloping = pull != [0.0; 2];
            let braked = limit.is_some_and(|limit| indices().any(|index| limit[index].get() > 0.0));
            if !sloping && !braked {
                for index in indices() {
                    torque[index].set(motor[index].get());
                    let idle = [slope_fy, hold_x, hold_y].into_iter().chain(slope_fx);
                    idle.for_each(|column| column[index].set(0.0));
                }
                continue;
            }
            let total: f64 = indices().map(|index| load[index].get()).sum::<f64>().max(1e-9);
            let held_by_all = slope_fx.map(|_| indices().map(held).sum::<f64>().max(1e-9));
            for index in indices() {
                let (load, heading) = (load[index].get(), headings.map(|at| at[index].get()));
                let yielding = gravity[index].get().max(1e-9) * (1.0 + coupling[index].get());
                let wheel = BrakedWheel {
                    load,
                    stop: load / yielding / dt,
                    velocity: [vx[index].get(), vy[index].get()],
                    pull: along_wheel(pull.map(|pull| load / total * pull), heading),
                };
                let (still, [vx, vy]) = (wheel.is_still(), wheel.velocity);
                let [along, across] = wheel.pull;

                let learnt =
                    if still && sloping { wheel.learn(hold_y[index].get(), vy) } else { 0.0 };
                hold_y[index].set(learnt);
                slope_fy[index].set(across - learnt);

                let (most, radius) = (most(index), radius[index].get());
                let learnt =
                    if still && most > 0.0 { wheel.learn(hold_x[index].get(), vx) } else { 0.0 };
                let rolling = inertia[index].get() * (vx / radius - spin[index].get()) / dt;
                let standing = radius * (learnt - wheel.stop * vx - along) + rolling;
                let brake = standing - motor[index].get();
                torque[index].set(motor[index].get() + math::limit(brake, most.max(0.0)));
                // a brake at its limit learns nothing
                let learnt = if brake.abs() < most { learnt } else { 0.0 };
                hold_x[index].set(learnt);
                if let (Some(slope_fx), Some(all)) = (slope_fx, held_by_all) {
                    let part = held(index).max(0.0) / all;
                    let [along, _] = along_wheel(pull.map(|pull| part * pull), heading);
                    slope_fx[index].set(if along.abs() > LEVEL * load {
                        along - learnt
                    } else {
                        0.0
                    });
                }
            }
        }
    }

    /// Returns whether no vehicle stands on a slope, is slowed down by air, or brakes.
    fn are_idle(&self, vehicles: &Vehicles) -> bool {
        let columns = &vehicles.columns;
        let any = |column: Column, is: fn(f64) -> bool| {
            // without a branch per number
            columns.get(column).iter().fold(false, |any, value| any | is(*value))
        };
        let slopes = |axis: usize| any(vehicles.host.own.pull[axis], |pull| pull != 0.0);
        let brakes = |limit| any(limit, |limit| limit > 0.0);
        !(slopes(0) || slopes(1) || self.limit.is_some_and(brakes))
    }

    /// Passes the motor torques on and forgets what the brakes have learnt.
    fn release(&self, vehicles: &mut Vehicles) {
        let wheels = vehicles.wheel_count();
        let Vehicles { columns, host, .. } = vehicles;
        let idle = [host.contact.slope_fy, self.hold[0], self.hold[1]];
        columns.run(wheels, &mut IdleBrakes { torque: [host.torque, host.contact.torque], idle });
        if let Some(slope_fx) = self.slope_fx {
            columns.get_mut(slope_fx).fill(0.0);
        }
    }

    /// Lets the brakes stop the spins without reversing them.
    pub fn stop_spin(&self, vehicles: &mut Vehicles, dt: f64) {
        let Some(limit) = self.limit else { return };
        let host = &vehicles.host;
        let cells = vehicles.columns.cells();
        let (limit, inertia) = (cells.column(limit), cells.column(host.contact.inertia));
        for (index, spin) in cells.column(host.measured.spin).iter().enumerate() {
            let most = dt * limit[index].get() / inertia[index].get();
            if most > 0.0 {
                spin.set(spin.get() - math::limit(spin.get(), most));
            }
        }
    }
}

/// Copies motor torques, and sets columns to zero.
struct IdleBrakes {
    /// Torques of the motors, and those that friction models read.
    torque: [Column; 2],
    idle: [Column; 3],
}

impl Kernel for IdleBrakes {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let [motor, input] = self.torque;
        let torque = columns.load::<N>(motor, lane);
        columns.store(input, lane, torque);
        columns.store(self.idle[0], lane, [0.0; N]);
        columns.store(self.idle[1], lane, [0.0; N]);
        columns.store(self.idle[2], lane, [0.0; N]);
    }
}

/// Returns the components of a force along and across a wheel with this heading, N.
fn along_wheel([pull_x, pull_y]: [f64; 2], [cos, sin]: [f64; 2]) -> [f64; 2] {
    [cos * pull_x + sin * pull_y, cos * pull_y - sin * pull_x]
}
