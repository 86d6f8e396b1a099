//! Normal loads of the wheels, and the pull of gravity and air on the bodies.
//!
//! At every step the loads are in equilibrium with the forces of the step before: with the inclination
//! of the ground, the wheel forces (load transfer) and lift. Air acts at the centre of mass, except in
//! [`PressInAir`].

use std::sync::Arc;

use simhost_world::Aerodynamics;

use super::air::PressInAir;
use super::host::{AirColumns, HostColumns};
use super::vehicles::{Environment, Vehicles, WEIGHTLESS};
use crate::loads::{Support, alone};
use crate::moment::Moment;
use crate::physics::{BodyState, Physics};
use crate::springs::Springs;
use crate::tiles::{Kernel, TileView};
use crate::tilt::{self, Tilt};
use crate::tipping::{PITCH, ROLL, Tipping};

/// Coefficient of friction between the ground and the body of a vehicle that has tipped over.
const SLIDING_FRICTION: f64 = 0.5;
/// Sum of the loads of the wheels that do not pull, as a part of the load of all wheels, above which some
/// wheel would have to pull on the ground.
const PULLING: f64 = 1.0 + 1e-9;
/// Moments that wheels without a known edge balance, N·m.
const UNLIMITED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Masses and geometry that determine the wheel loads of a vehicle.
#[derive(Clone, Debug)]
pub(crate) struct Loading {
    /// Distribution over the wheels.
    pub support: Support,
    /// Mass of the chassis, kg.
    pub chassis: f64,
    /// Mass of each wheel, kg.
    pub wheels: Vec<f64>,
    /// Centre of mass of the chassis, vehicle frame, m.
    pub centre: [f64; 2],
    /// Sum of mass times height above the ground of chassis and wheels, kg·m.
    pub moment: f64,
    /// Drag and lift.
    pub air: Aerodynamics,
    /// Suspension, unless it is rigid.
    pub springs: Option<Springs>,
    /// Tipping over the outer wheels.
    pub tipping: Arc<Tipping>,
    /// Distance by which the contact point of each wheel trails its steering axis, m; NaN for a wheel that
    /// is not steered.
    pub trails: Arc<[f64]>,
}

impl Vehicles {
    /// Sets the constants of the wheel loads of a vehicle.
    pub fn set_loading(&mut self, lane: usize, loading: &Loading) {
        let ([mass, _], count) = (self.mass(lane), self.lanes.len());
        let load = &self.host.own.load;
        let (rows, wheel_mass) = (load.rows, load.wheel_mass);
        let Aerodynamics { drag_area, lift_area, .. } = loading.air;
        let columns =
            [load.chassis, load.lever, load.air[0], load.air[1], load.centre[0], load.centre[1]];
        let [x, y] = loading.centre;
        let lever = loading.moment / mass;
        self.set_values(columns, lane, [loading.chassis, lever, drag_area, lift_area, x, y]);
        for (wheel, (row, mass)) in loading.support.rows.iter().zip(&loading.wheels).enumerate() {
            let index = wheel * count + lane;
            self.set_values(rows, index, *row);
            self.columns.get_mut(wheel_mass)[index] = *mass;
        }
        self.set_air(lane, loading);
    }

    /// Sets the constants of the air of a vehicle.
    fn set_air(&mut self, lane: usize, loading: &Loading) {
        let Some(AirColumns { side_area, point, .. }) = &self.host.air else { return };
        let (side_area, point) = (*side_area, *point);
        let ([x, y], lever) = (self.centre(lane), self.value(self.host.own.load.lever, lane));
        let air = &loading.air;
        let place = [air.pressure_x.unwrap_or(x), y, air.pressure_z.unwrap_or(lever)];
        self.set_values([side_area], lane, [air.side_area.unwrap_or(air.drag_area)]);
        self.set_values(point, lane, place);
    }

    /// Computes the wheel loads and the pull on the bodies in a step.
    pub fn update_loads(&mut self, moment: &Moment) {
        if !self.environment.dynamic_loads {
            return;
        }
        let count = self.lanes.len();
        let Self { columns, host, environment, .. } = self;
        match &host.air {
            None => columns.run(count, &mut Press { host, environment }),
            Some(air) => columns.run(count, &mut PressInAir { host, air, environment }),
        }
        if self.any_springs {
            self.transmit_by_springs(moment.clock.dt);
        }
        if self.is_tipping {
            self.tip(moment);
        }
        if self.distribute_loads() && !self.is_tipping {
            let is_changed = self.tip(moment);
            if is_changed {
                self.distribute_loads();
            }
        }
        if self.is_tipping {
            self.unload_tipped();
        }
    }

    /// Distributes the loads over the wheels. Returns whether a wheel lifts.
    fn distribute_loads(&mut self) -> bool {
        let (count, wheels) = (self.lanes.len(), self.wheels.count);
        let Self { columns, host, .. } = self;
        let mut loads = WheelLoads { host, count, wheels, lifts: false };
        columns.run(count, &mut loads);
        let lifts = loads.lifts;
        if self.any_springs {
            self.share_by_axles();
        }
        lifts
    }

    /// Distributes the loads of vehicles whose axles have springs of their own: the moments of the springs by their
    /// stiffness, those of the dampers by their damping.
    fn share_by_axles(&mut self) {
        let (count, wheels) = (self.lanes.len(), self.wheels.count as f64);
        for lane in 0..count {
            let own = &self.host.own;
            let (load, normal) = (&own.load, own.slope_gravity[2]);
            let Some(springs) = &self.lanes[lane].fixed.springs else { continue };
            let Some(shares) = springs.shares.clone() else { continue };
            let [press, normal] = self.values([load.press, normal], lane);
            let (total, positive) = (press.max(0.0), press.max(f64::MIN_POSITIVE));
            let (centre, moment) = (self.values(load.centre, lane), self.values(load.moment, lane));
            let damped = [PITCH, ROLL].map(|axis| {
                springs.damping_moment(axis, self.value(self.host.sway[axis][1], lane))
            });
            let balanced =
                [PITCH, ROLL].map(|axis| centre[axis] - (moment[axis] - damped[axis]) / positive);
            let [by_springs, by_dampers] = &*shares;
            let rows = by_springs.rows.iter().zip(&by_dampers.rows);
            let alone: Vec<f64> = rows
                .map(|([constant, x, y], [_, damped_x, damped_y])| {
                    let sprung = total * (constant + x * balanced[0] + y * balanced[1]);
                    let damped = damped[0] * damped_x + damped[1] * damped_y;
                    (sprung - damped).max(0.0)
                })
                .collect();
            // the tension of lifted wheels is redistributed to the others
            let sum: f64 = alone.iter().sum();
            for (wheel, alone) in alone.into_iter().enumerate() {
                let share = if sum > 0.0 { alone * total / sum } else { total / wheels };
                let at = wheel * count + lane;
                let mass = self.value(self.host.own.load.wheel_mass, at);
                let normal_force = self.host.contact.normal_force;
                self.columns.get_mut(normal_force)[at] = share + mass * normal;
            }
        }
    }

    /// Tips vehicles whose wheels cannot balance the moment of their forces. Returns whether a moment on the wheels
    /// has changed.
    fn tip(&mut self, moment: &Moment) -> bool {
        let dt = moment.clock.dt;
        self.is_tipping = false;
        let mut is_changed = false;
        for lane in 0..self.lanes.len() {
            self.is_tipping |= self.lanes[lane].fall.is_lifted();
            let tipping = Arc::clone(&self.lanes[lane].fixed.tipping);
            let load = self.load(lane);
            let columns = self.host.sway[ROLL];
            let mut sway = self.values(columns, lane);
            if self.lanes[lane].fixed.springs.is_none() {
                let mass = self.value(self.host.measured.mass, lane);
                let moments = self.host.own.load.moment;
                let push = self.values(moments, lane);
                let [least, most] = tipping.limits(PITCH, load);
                let balanced = [
                    push[PITCH].clamp(least, most),
                    tipping.advance(push[ROLL], [load, mass], dt, &mut sway),
                ];
                is_changed |= balanced != push;
                self.set_values(moments, lane, balanced);
                self.set_values(columns, lane, sway);
                self.is_tipping |= sway != [0.0; 2];
            }
            if tipping.is_over(sway[0]) {
                self.is_tipping = true;
                self.slide(lane, load, dt);
                let lane = &mut self.lanes[lane];
                let behind = lane.run.map_or(0, |run| run.behind);
                lane.tipped.get_or_insert_with(|| moment.clock_behind(behind).time());
            }
        }
        is_changed
    }

    /// Returns the load of all wheels of a vehicle, N, once [`Press`] has run.
    pub(super) fn load(&self, lane: usize) -> f64 {
        let own = &self.host.own;
        let [mass, chassis] = self.values([self.host.measured.mass, own.load.chassis], lane);
        let [press, normal] = self.values([own.load.press, own.slope_gravity[2]], lane);
        press.max(0.0) + (mass - chassis) * normal
    }

    /// Lets a vehicle that has tipped over slide on its side.
    fn slide(&mut self, lane: usize, load: f64, dt: f64) {
        let (measured, own) = (&self.host.measured, &self.host.own);
        let [vx, vy, mass] = self.values([measured.vx, measured.vy, measured.mass], lane);
        let pull = own.pull;
        let [pull_x, pull_y] = self.values(pull, lane);
        // it stops within the step where friction can stop it
        let [x, y] = [mass * vx + dt * pull_x, mass * vy + dt * pull_y];
        let impulse = (x * x + y * y).sqrt();
        let friction = (dt * SLIDING_FRICTION * load).min(impulse) / impulse.max(f64::MIN_POSITIVE);
        let slowed = [pull_x - friction * x / dt, pull_y - friction * y / dt];
        // as a ring of the radius of gyration
        let turning = measured.omega;
        let [omega, inertia] = self.values([turning, measured.yaw_inertia], lane);
        let radius = (inertia / mass).sqrt();
        let slower = dt * SLIDING_FRICTION * load * radius / inertia;
        self.set_values(pull, lane, slowed);
        self.set_values([turning], lane, [omega - omega.clamp(-slower, slower)]);
    }

    /// Takes the loads from the wheels of vehicles that have tipped over, and from wheels in the air.
    fn unload_tipped(&mut self) {
        let (count, wheels) = (self.lanes.len(), self.wheels.count);
        for lane in 0..count {
            self.unload_lifted(lane);
            let [roll, _] = self.host.sway[ROLL];
            if !self.lanes[lane].fixed.tipping.is_over(self.value(roll, lane)) {
                continue;
            }
            let load = WEIGHTLESS * self.value(self.host.measured.mass, lane) / wheels as f64;
            let contact = [self.host.contact.normal_force, self.host.contact.gravity];
            for wheel in 0..wheels {
                self.set_values(contact, wheel * count + lane, [load, WEIGHTLESS]);
            }
        }
    }

    /// Replaces the moments on the ground by those that the springs transmit.
    fn transmit_by_springs(&mut self, dt: f64) {
        let Self { columns, host, lanes, is_tipping, .. } = self;
        let (own, cells) = (&host.own, columns.cells());
        let normal = cells.column(own.slope_gravity[2]);
        let [press, chassis, mass] = [own.load.press, own.load.chassis, host.measured.mass]
            .map(|column| cells.column(column));
        for (i, lane) in lanes.iter().enumerate() {
            let Some(springs) = &lane.fixed.springs else { continue };
            for (axis, [angle, rate]) in host.sway.into_iter().enumerate() {
                let [angle, rate, moment] =
                    [angle, rate, own.load.moment[axis]].map(|column| &cells.column(column)[i]);
                let mut now = [angle.get(), rate.get()];
                let wheels = (mass[i].get() - chassis[i].get()) * normal[i].get();
                let tipping = &lane.fixed.tipping;
                let limits = tipping.limits(axis, press[i].get().max(0.0) + wheels);
                let push = moment.get();
                let bounds = if axis == PITCH { UNLIMITED } else { limits };
                let passed = springs.transmit(axis, push, normal[i].get(), dt, bounds, &mut now);
                moment.set(passed.clamp(limits[0], limits[1]));
                *is_tipping |= axis == ROLL && tipping.is_over(now[0]);
                angle.set(now[0]);
                rate.set(now[1]);
            }
        }
    }

    /// Tilts a vehicle with the ground below it. Its speed in space does not change, and in the air
    /// neither does its horizontal velocity, which continues to be measured in the plane of the last ground.
    pub(super) fn tilt_with_ground(&mut self, lane: usize, physics: &mut Physics) {
        if !self.environment.dynamic_loads && self.host.motion.is_none() {
            return;
        }
        let [_, pitch, roll] = self.values(self.host.own.attitude, lane);
        let owner = &mut self.lanes[lane];
        let tilt = Tilt::new(pitch, roll);
        let BodyState { velocity, omega, heading, .. } = *physics.bodies.state(owner.body);
        let normal = tilt.normal(heading);
        if !self.environment.dynamic_loads {
            // the speed of a prescribed motion does not depend on the slope
            owner.normal = normal;
            return;
        }
        let flies = owner.keeps_velocity;
        if tilt != owner.tilt || normal != owner.normal || flies {
            if !flies {
                let velocity = tilt::rotate_velocity(velocity, owner.normal, normal);
                let omega = tilt.level_yaw_rate(owner.tilt.rotation_rate(omega));
                physics.bodies.set_velocity(owner.body, velocity, omega);
            }
            owner.normal = normal;
            let plane = if owner.fall.is_lifted() { owner.tilt } else { tilt };
            self.set_tilt(lane, plane);
            let own = &self.host.own;
            let [along, across, _] = self.values(own.slope_gravity, lane);
            let measured = &self.host.measured;
            self.set_values([measured.slope_ax, measured.slope_ay], lane, [along, across]);
        }
    }
}

/// Computes the pull on the bodies, the force with which they press on the ground, and the moments of
/// the wheel forces about the ground.
pub(super) struct Press<'a> {
    host: &'a HostColumns,
    environment: &'a Environment,
}

impl Kernel for Press<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let HostColumns { measured, own, wheel_force, .. } = self.host;
        let load = &own.load;
        let [gx, gy, normal] = columns.load_all::<_, N>(own.slope_gravity, lane);
        let [vx, vy, mass] =
            columns.load_all::<_, N>([measured.vx, measured.vy, measured.mass], lane);
        let [drag_area, lift_area] = columns.load_all::<_, N>(load.air, lane);
        let [chassis, lever] = columns.load_all::<_, N>([load.chassis, load.lever], lane);
        let [push_x, push_y] = columns.load_all::<_, N>(*wheel_force, lane);
        let [mut pull_x, mut pull_y, mut press, mut moment_x, mut moment_y] = [[0.0; N]; 5];
        for i in 0..N {
            // ½ ρ v, which times speed and area is a force
            let speed = (vx[i] * vx[i] + vy[i] * vy[i]).sqrt();
            let dynamic = 0.5 * self.environment.air_density * speed;
            let drag = dynamic * drag_area[i];
            let lift = dynamic * speed * lift_area[i];
            pull_x[i] = mass[i] * gx[i] - drag * vx[i];
            pull_y[i] = mass[i] * gy[i] - drag * vy[i];
            press[i] = chassis[i] * normal[i] - lift;
            moment_x[i] = lever[i] * push_x[i];
            moment_y[i] = lever[i] * push_y[i];
        }
        columns.store(own.pull[0], lane, pull_x);
        columns.store(own.pull[1], lane, pull_y);
        columns.store(load.press, lane, press);
        columns.store(load.moment[0], lane, moment_x);
        columns.store(load.moment[1], lane, moment_y);
    }
}

/// Computes the load of each wheel.
struct WheelLoads<'a> {
    host: &'a HostColumns,
    /// Number of vehicles.
    count: usize,
    /// Number of wheels of a vehicle.
    wheels: usize,
    /// Set if a wheel of a vehicle would have to pull on the ground.
    lifts: bool,
}

impl WheelLoads<'_> {
    /// Returns the loads of a wheel without the redistribution of those of lifted wheels.
    #[inline(always)]
    fn alone<const N: usize>(
        &self,
        columns: &TileView<'_>,
        at: usize,
        load: &[f64; N],
        balanced: &[[f64; N]; 2],
    ) -> [f64; N] {
        let rows = columns.load_all::<_, N>(self.host.own.load.rows, at);
        let mut loads = [0.0; N];
        for i in 0..N {
            let row = [rows[0][i], rows[1][i], rows[2][i]];
            loads[i] = alone(load[i], row, [balanced[0][i], balanced[1][i]]);
        }
        loads
    }
}

impl Kernel for WheelLoads<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let HostColumns { contact, own, .. } = self.host;
        let (own, mean) = (&own.load, self.wheels as f64);
        let normal = columns.load::<N>(self.host.own.slope_gravity[2], lane);
        let press = columns.load::<N>(own.press, lane);
        let centre = columns.load_all::<_, N>(own.centre, lane);
        let moment = columns.load_all::<_, N>(own.moment, lane);
        let (mut load, mut balanced, mut sum) = ([0.0; N], [[0.0; N]; 2], [0.0; N]);
        for i in 0..N {
            // the point over which the chassis is balanced
            let positive = press[i].max(f64::MIN_POSITIVE);
            for axis in 0..2 {
                balanced[axis][i] = centre[axis][i] - moment[axis][i] / positive;
            }
            load[i] = press[i].max(0.0);
        }
        for wheel in 0..self.wheels {
            let alone = self.alone(columns, wheel * self.count + lane, &load, &balanced);
            for i in 0..N {
                sum[i] += alone[i];
            }
        }
        for i in 0..N {
            self.lifts |= sum[i] > PULLING * load[i];
        }
        for wheel in 0..self.wheels {
            let at = wheel * self.count + lane;
            let alone = self.alone(columns, at, &load, &balanced);
            let mass = columns.load::<N>(own.wheel_mass, at);
            let mut normal_force = [0.0; N];
            for i in 0..N {
                // the tension of lifted wheels is redistributed to the others
                let even = load[i] / mean;
                let share = alone[i] * load[i] / sum[i];
                let share = if sum[i] > 0.0 { share } else { even };
                normal_force[i] = share + mass[i] * normal[i];
            }
            columns.store(contact.normal_force, at, normal_force);
            columns.store(contact.gravity, at, normal);
        }
    }
}
