//! What presses on the wheels and what pulls at the body beside them: gravity and air.
//!
//! Loads are in balance at every step with the forces of the step before: with the lean of the ground, with
//! what the wheels pushed (load transfer) and with lift. Air acts at the centre of mass.

use simhost_world::Aerodynamics;

use super::Table;
use crate::loads::Support;
use crate::physics::{BodyState, Physics};
use crate::springs::Springs;
use crate::tilt::{self, Tilt};

/// What a vehicle weighs and where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weight {
    pub support: Support,
    /// Mass of the chassis, and of each wheel, kg.
    pub chassis: f64,
    pub wheels: Vec<f64>,
    /// Centre of mass of the chassis, vehicle frame, m.
    pub centre: [f64; 2],
    /// Mass-weighted height of chassis and wheels above the ground, times the mass, kg·m.
    pub moment: f64,
    pub air: Aerodynamics,
    /// What the body rests on, where that is not stiff.
    pub springs: Option<Springs>,
}

/// What holds for all vehicles of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// m/s².
    pub gravity: f64,
    /// kg/m³.
    pub air_density: f64,
    /// Loads follow the ground and the forces; else they stay as they are, and slopes do not push.
    pub acts: bool,
}

impl Table {
    /// Loads of the wheels, and what pulls at the bodies in this step.
    pub(super) fn weigh(&mut self, dt: f64) {
        let around = self.around;
        if !around.acts {
            return;
        }
        let count = self.lanes.len();
        let host = &self.host;
        let cells = self.columns.cells();
        let [load, gravity] = [host.normal_force, host.gravity].map(|column| cells.column(column));
        let [push_x, push_y] = host.push.map(|column| cells.column(column));
        let (vx, vy) = (cells.column(host.vx), cells.column(host.vy));
        let sway = host.sway.map(|axis| axis.map(|column| cells.column(column)));
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            let weight = &lane.weight;
            let [gx, gy, normal] = lane.tilt.gravity(around.gravity);
            let (vx, vy) = (vx[i].get(), vy[i].get());
            // ½ ρ v, which times speed and area is a force
            let dynamic = 0.5 * around.air_density * (vx * vx + vy * vy).sqrt();
            let drag = dynamic * weight.air.drag_area;
            let lift = dynamic * (vx * vx + vy * vy).sqrt() * weight.air.lift_area;
            lane.pull = [lane.mass * gx - drag * vx, lane.mass * gy - drag * vy];
            // the point over which the chassis is balanced
            let press = weight.chassis * normal - lift;
            let lever = weight.moment / lane.mass;
            let mut moment = [lever * push_x[i].get(), lever * push_y[i].get()];
            if let Some(springs) = &weight.springs {
                for (axis, moment) in moment.iter_mut().enumerate() {
                    let [angle, rate] = sway[axis];
                    let mut now = [angle[i].get(), rate[i].get()];
                    *moment = springs.carry(axis, *moment, normal, dt, &mut now);
                    angle[i].set(now[0]);
                    rate[i].set(now[1]);
                }
            }
            let pressed = press.max(f64::MIN_POSITIVE);
            let [x, y] = weight.centre;
            let balanced = [x - moment[0] / pressed, y - moment[1] / pressed];
            weight.support.share(press.max(0.0), balanced, |wheel, share| {
                let index = wheel * count + i;
                load[index].set(share + weight.wheels[wheel] * normal);
                gravity[index].set(normal);
            });
        }
    }

    /// Pitch and roll of the body against the ground, rad: nose down and to the right positive.
    pub(super) fn body_lean(&self, lane: usize) -> [f64; 2] {
        let [along, across] = self.host.sway.map(|[angle, _]| self.columns.get(angle)[lane]);
        [-along, across]
    }

    /// Remembers what the wheels pushed, for the loads of the next step.
    pub(super) fn remember_push(&mut self) {
        if !self.around.acts {
            return;
        }
        let count = self.lanes.len();
        for lane in 0..count {
            let sum =
                |axis: usize| (0..self.wheels).map(|w| self.force[axis][w * count + lane]).sum();
            let push: [f64; 2] = [sum(0), sum(1)];
            for (column, push) in self.host.push.into_iter().zip(push) {
                self.columns.get_mut(column)[lane] = push;
            }
        }
    }

    /// Lets a vehicle lean with the ground below it; its speed in space stays as it is.
    pub(super) fn lean(&mut self, lane: usize, physics: &mut Physics) {
        if !self.around.acts {
            return;
        }
        let owner = &mut self.lanes[lane];
        let [_, pitch, roll] = owner.attitude;
        let tilt = Tilt::new(pitch, roll);
        let BodyState { velocity, omega, heading, .. } = *physics.state(owner.body);
        let normal = tilt.normal(heading);
        if tilt != owner.tilt || normal != owner.normal {
            let velocity = tilt::carry(velocity, owner.normal, normal);
            let omega = tilt.yaw_rate(owner.tilt.turning(omega));
            physics.set_velocity(owner.body, velocity, omega);
            (owner.tilt, owner.normal) = (tilt, normal);
            let [along, across, _] = tilt.gravity(self.around.gravity);
            for (column, pull) in self.host.slope.into_iter().zip([along, across]) {
                self.columns.get_mut(column)[lane] = pull;
            }
        }
    }
}
