//! The air around the vehicles of a table: wind, side force and the moment about the vertical.
//!
//! With the velocity r of the vehicle relative to the air, in the plane of the vehicle, the force is
//! −½ ρ |r| (A_x r_x, A_y r_y) and ½ ρ A_z r² upwards. The coefficient of the side force thus grows with
//! the sine of the angle of attack, as it does up to about 30° for bodies of cars (Hucho, "Aerodynamics
//! of Road Vehicles", 4th edition, 1998, chapter 5). The force acts at the centre of pressure. Its lever
//! about the centre of mass turns the vehicle and shifts load between the wheels.

use simhost_sdk::math;
use simhost_world::{Aerodynamics, Settings};

use super::build::Group;
use super::host::{AirColumns, HostColumns};
use super::vehicles::{Environment, Vehicles};
use crate::columns::Layout;
use crate::physics::RigidBody;
use crate::tiles::{Kernel, TileView};

impl AirColumns {
    /// Adds the columns, if the vehicles of the group need them.
    pub fn new(group: &Group<'_>, settings: &Settings, layout: &mut Layout) -> Option<Self> {
        let blows = settings.environments.iter().any(|model| model.has_phase("wind"));
        let needs = |air: &Aerodynamics| air.has_force() && (blows || !air.is_plain());
        if !group.vehicles.iter().any(|(_, vehicle)| needs(&vehicle.aerodynamics)) {
            return None;
        }
        let lanes = group.vehicles.len();
        Some(Self {
            wind: [0.0; 3].map(|zero| layout.fill_passing(lanes, zero)),
            blows,
            updraft: [0.0; 2].map(|zero| layout.fill_passing(lanes, zero)),
            side_area: layout.add_constant(vec![0.0; lanes]),
            point: [(); 3].map(|()| layout.add_constant(vec![0.0; lanes])),
            moment: layout.fill_passing(lanes, 0.0),
        })
    }
}

impl Vehicles {
    /// Returns the centre of pressure of a vehicle in the world frame, m, if wind can blow on it.
    pub fn blown_point(&self, lane: usize) -> Option<[f64; 3]> {
        let air = self.host.air.as_ref().filter(|air| air.blows)?;
        let load = &self.host.own.load;
        let areas = [load.air[0], load.air[1], air.side_area];
        let acts = self.values(areas, lane).iter().any(|area| *area != 0.0);
        acts.then(|| self.pose3(lane).transform(self.values(air.point, lane)))
    }

    /// Sets the velocity of the air at the centre of pressure of a vehicle, world frame, m/s.
    pub fn set_wind(&mut self, lane: usize, wind: [f64; 3]) {
        let Some(AirColumns { wind: columns, updraft, .. }) = &self.host.air else { return };
        let (columns, updraft) = (*columns, *updraft);
        let [_, pitch, roll] = self.values(self.host.own.attitude, lane);
        let (sin_pitch, cos_pitch) = math::sin_cos(pitch);
        let (sin_roll, _) = math::sin_cos(roll);
        self.set_values(columns, lane, wind);
        let [_, _, up] = wind;
        // the axes of the plane climb by −sin θ and cos θ sin φ
        self.set_values(updraft, lane, [-sin_pitch * up, cos_pitch * sin_roll * up]);
    }

    /// Turns the bodies by the moment of the air, after their velocities have been computed.
    pub(super) fn apply_air_moment(&self, dt: f64, bodies: &mut [RigidBody]) {
        let Some(air) = &self.host.air else { return };
        for (lane, body) in bodies.iter_mut().enumerate() {
            let moment = self.value(air.moment, lane);
            if moment != 0.0 {
                let [_, inertia] = self.mass(lane);
                let [_, damping] = self.values(self.host.own.damping, lane);
                let change = dt / inertia * moment / (1.0 + dt * damping);
                let omega = body.state.omega + self.lanes[lane].tilt.level_yaw_rate(change);
                body.set_velocity(body.state.velocity, omega);
            }
        }
    }

    /// Returns the moment of the air about the centre of mass of a vehicle in this step, N·m.
    pub(super) fn air_moment(&self, lane: usize) -> f64 {
        self.host.air.as_ref().map_or(0.0, |air| self.value(air.moment, lane))
    }
}

/// Computes what [`Press`](super::loading::Press) does, for vehicles in moving air.
pub(super) struct PressInAir<'a> {
    pub host: &'a HostColumns,
    pub air: &'a AirColumns,
    pub environment: &'a Environment,
}

impl PressInAir<'_> {
    /// Returns the velocity relative to the air, in the plane of the vehicle, m/s.
    #[inline(always)]
    fn relative<const N: usize>(&self, columns: &TileView<'_>, lane: usize) -> [[f64; N]; 2] {
        let HostColumns { measured, own, .. } = self.host;
        let [mut vx, mut vy] = columns.load_all::<_, N>([measured.vx, measured.vy], lane);
        let [cos, sin] = columns.load_all::<_, N>(own.heading, lane);
        let [along, skew, across, _] = columns.load_all::<_, N>(own.tilt, lane);
        let [wind_x, wind_y, _] = columns.load_all::<_, N>(self.air.wind, lane);
        let [up_x, up_y] = columns.load_all::<_, N>(self.air.updraft, lane);
        for i in 0..N {
            let level_x = cos[i] * wind_x[i] + sin[i] * wind_y[i];
            let level_y = cos[i] * wind_y[i] - sin[i] * wind_x[i];
            vx[i] -= along[i] * level_x + up_x[i];
            vy[i] -= skew[i] * level_x + across[i] * level_y + up_y[i];
        }
        [vx, vy]
    }
}

impl Kernel for PressInAir<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let HostColumns { measured, own, wheel_force, .. } = self.host;
        let load = &own.load;
        let [vx, vy] = self.relative::<N>(columns, lane);
        let [gx, gy, normal] = columns.load_all::<_, N>(own.slope_gravity, lane);
        let [mass, centre] = columns.load_all::<_, N>([measured.mass, measured.centre_x], lane);
        let [drag_area, lift_area, side_area] =
            columns.load_all::<_, N>([load.air[0], load.air[1], self.air.side_area], lane);
        let [chassis, lever] = columns.load_all::<_, N>([load.chassis, load.lever], lane);
        let [push_x, push_y] = columns.load_all::<_, N>(*wheel_force, lane);
        let [at_x, _, at_z] = columns.load_all::<_, N>(self.air.point, lane);
        let [mut pull_x, mut pull_y, mut press, mut moment_x, mut moment_y] = [[0.0; N]; 5];
        let mut turning = [0.0; N];
        for i in 0..N {
            // ½ ρ v, which times speed and area is a force
            let speed = (vx[i] * vx[i] + vy[i] * vy[i]).sqrt();
            let dynamic = 0.5 * self.environment.air_density * speed;
            let (air_x, air_y) = (-dynamic * drag_area[i] * vx[i], -dynamic * side_area[i] * vy[i]);
            let lift = dynamic * speed * lift_area[i];
            pull_x[i] = mass[i] * gx[i] + air_x;
            pull_y[i] = mass[i] * gy[i] + air_y;
            press[i] = chassis[i] * normal[i] - lift;
            let below = lever[i] - at_z[i];
            moment_x[i] = lever[i] * push_x[i] + below * air_x;
            moment_y[i] = lever[i] * push_y[i] + below * air_y;
            turning[i] = (at_x[i] - centre[i]) * air_y;
        }
        columns.store(own.pull[0], lane, pull_x);
        columns.store(own.pull[1], lane, pull_y);
        columns.store(load.press, lane, press);
        columns.store(load.moment[0], lane, moment_x);
        columns.store(load.moment[1], lane, moment_y);
        columns.store(self.air.moment, lane, turning);
    }
}
