//! Normal loads of the wheels, and the pull of gravity and air on the bodies.
//!
//! At every step the loads are in equilibrium with the forces of the step before: with the inclination
//! of the ground, the wheel forces (load transfer) and lift. Air acts at the centre of mass.

use simhost_world::Aerodynamics;

use super::vehicles::Vehicles;
use crate::loads::Support;
use crate::physics::{BodyState, Physics};
use crate::springs::Springs;
use crate::tilt::{self, Tilt};

/// Masses and geometry that determine the wheel loads of a vehicle.
#[derive(Clone, Debug, Default)]
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
}

impl Vehicles {
    /// Computes the wheel loads and the pull on the bodies in this step.
    pub fn update_loads(&mut self, dt: f64) {
        let Self { columns, host, lanes, environment, .. } = self;
        if !environment.dynamic_loads {
            return;
        }
        let count = lanes.len();
        let cells = columns.cells();
        let [load, gravity] =
            [host.contact.normal_force, host.contact.gravity].map(|column| cells.column(column));
        let [push_x, push_y] = host.wheel_force.map(|column| cells.column(column));
        let (vx, vy) = (cells.column(host.measured.vx), cells.column(host.measured.vy));
        let sway = host.sway.map(|axis| axis.map(|column| cells.column(column)));
        for (i, lane) in lanes.iter_mut().enumerate() {
            let loading = &lane.loading;
            let [gx, gy, normal] = lane.tilt.gravity(environment.gravity);
            let (vx, vy) = (vx[i].get(), vy[i].get());
            // ½ ρ v, which times speed and area is a force
            let dynamic = 0.5 * environment.air_density * (vx * vx + vy * vy).sqrt();
            let drag = dynamic * loading.air.drag_area;
            let lift = dynamic * (vx * vx + vy * vy).sqrt() * loading.air.lift_area;
            lane.pull = [lane.mass * gx - drag * vx, lane.mass * gy - drag * vy];
            // the point over which the chassis is balanced
            let press = loading.chassis * normal - lift;
            let lever = loading.moment / lane.mass;
            let mut moment = [lever * push_x[i].get(), lever * push_y[i].get()];
            if let Some(springs) = &loading.springs {
                for (axis, moment) in moment.iter_mut().enumerate() {
                    let [angle, rate] = sway[axis];
                    let mut now = [angle[i].get(), rate[i].get()];
                    *moment = springs.transmit(axis, *moment, normal, dt, &mut now);
                    angle[i].set(now[0]);
                    rate[i].set(now[1]);
                }
            }
            let positive = press.max(f64::MIN_POSITIVE);
            let [x, y] = loading.centre;
            let balanced = [x - moment[0] / positive, y - moment[1] / positive];
            loading.support.distribute(press.max(0.0), balanced, |wheel, share| {
                let index = wheel * count + i;
                load[index].set(share + loading.wheels[wheel] * normal);
                gravity[index].set(normal);
            });
        }
    }

    /// Stores the total force of the wheels for the loads of the next step.
    pub(super) fn store_wheel_force(&mut self) {
        if !self.environment.dynamic_loads {
            return;
        }
        let count = self.lanes.len();
        let wheels = &self.wheels;
        for lane in 0..count {
            let sum =
                |axis: usize| (0..wheels.count).map(|w| wheels.force[axis][w * count + lane]).sum();
            let force: [f64; 2] = [sum(0), sum(1)];
            for (column, force) in self.host.wheel_force.into_iter().zip(force) {
                self.columns.get_mut(column)[lane] = force;
            }
        }
    }

    /// Tilts a vehicle with the ground below it. Its speed in space does not change.
    pub(super) fn tilt_with_ground(&mut self, lane: usize, physics: &mut Physics) {
        if !self.environment.dynamic_loads {
            return;
        }
        let owner = &mut self.lanes[lane];
        let [_, pitch, roll] = owner.attitude;
        let tilt = Tilt::new(pitch, roll);
        let BodyState { velocity, omega, heading, .. } = *physics.state(owner.body);
        let normal = tilt.normal(heading);
        if tilt != owner.tilt || normal != owner.normal {
            let velocity = tilt::rotate_velocity(velocity, owner.normal, normal);
            let omega = tilt.level_yaw_rate(owner.tilt.rotation_rate(omega));
            physics.set_velocity(owner.body, velocity, omega);
            (owner.tilt, owner.normal) = (tilt, normal);
            let [along, across, _] = tilt.gravity(self.environment.gravity);
            let measured = &self.host.measured;
            let slope = [(measured.slope_ax, along), (measured.slope_ay, across)];
            for (column, pull) in slope {
                self.columns.get_mut(column)[lane] = pull;
            }
        }
    }
}
