//! Wheel forces: spins of the wheels, and velocities of the bodies.

use super::host::HostColumns;
use super::vehicles::{Vehicles, WEIGHTLESS};
use crate::columns::Column;
use crate::physics::RigidBody;
use crate::tiles::{Kernel, TileView};
use crate::tilt::Tilt;

impl Vehicles {
    /// Integrates the spins from motor torque and friction, explicit Euler.
    pub fn integrate_spin(&mut self, dt: f64) {
        let wheels = self.wheel_count();
        let Self { columns, host, .. } = self;
        columns.run(wheels, &mut Spin { host, dt });
    }

    /// Applies the wheel forces to the bodies: new velocity of the centre of mass, then damping.
    pub fn apply_wheel_forces(&mut self, dt: f64, bodies: &mut [RigidBody]) {
        let (count, wheels) = (self.lanes.len(), self.wheels.count);
        let Self { columns, host, environment, .. } = self;
        let keeps_force = environment.dynamic_loads;
        columns.run(count, &mut WheelForces { host, count, wheels, dt, keeps_force, bodies });
    }

    /// Applies the aligning moments of the wheels to the bodies.
    pub fn apply_aligning_moments(&mut self, dt: f64, bodies: &mut [RigidBody]) {
        let Some(column) = self.host.aligning_moment else { return };
        for (lane, body) in bodies.iter_mut().enumerate() {
            let wheels = 0..self.wheels.count;
            let index = |wheel: usize| wheel * self.lanes.len() + lane;
            let moment: f64 = wheels.map(|wheel| self.value(column, index(wheel))).sum();
            if moment != 0.0 {
                let [_, inertia] = self.mass(lane);
                let change = dt / inertia * moment;
                let omega = body.state.omega + self.lanes[lane].tilt.level_yaw_rate(change);
                body.set_velocity(body.state.velocity, omega);
            }
        }
    }

    /// Copies the aligning moments of the friction models to the measurements, if a model reads them.
    pub fn measure_aligning_moments(&mut self) {
        if let (Some(from), Some(to)) = (self.host.aligning_moment, self.host.own.aligning_moment) {
            self.columns.copy(from, to);
        }
    }

    /// Copies the effective rolling radii of the friction models to the measurements. A wheel whose model has none
    /// keeps its own radius.
    pub fn measure_rolling_radii(&mut self) {
        let Some([from, to]) = self.host.rolling_radius else { return };
        let wheels = self.wheel_count();
        let Self { columns, host, .. } = self;
        columns.run(wheels, &mut RollingRadii { own: host.measured.radius, from, to });
    }

    /// Applies forces, N, and moments about the reference points, N·m, vehicle frame, to the bodies.
    pub fn apply_wrench(
        &mut self,
        force: [Column; 2],
        moment: Column,
        dt: f64,
        bodies: &mut [RigidBody],
    ) {
        let Self { columns, host, .. } = self;
        columns.run(bodies.len(), &mut WheelWrench { host, force, moment, dt, bodies });
    }
}

struct Spin<'a> {
    host: &'a HostColumns,
    /// Length of the step, s.
    dt: f64,
}

impl Kernel for Spin<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let HostColumns { measured, contact, forces, torque, .. } = self.host;
        let [motor, reaction, inertia] =
            columns.load_all::<_, N>([*torque, forces.spin_torque, contact.inertia], lane);
        let mut spin = columns.load::<N>(measured.spin, lane);
        for i in 0..N {
            spin[i] += self.dt * (motor[i] + reaction[i]) / inertia[i];
        }
        columns.store(measured.spin, lane, spin);
    }
}

struct RollingRadii {
    /// Radii of the wheels without a load.
    own: Column,
    from: Column,
    to: Column,
}

impl Kernel for RollingRadii {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let [own, from] = columns.load_all::<_, N>([self.own, self.from], lane);
        let mut radius = own;
        for i in 0..N {
            radius[i] = if from[i] > 0.0 { from[i] } else { own[i] };
        }
        columns.store(self.to, lane, radius);
    }
}

struct WheelForces<'a> {
    host: &'a HostColumns,
    /// Number of vehicles.
    count: usize,
    /// Number of wheels of a vehicle.
    wheels: usize,
    /// Length of the step, s.
    dt: f64,
    /// Whether the loads of the next step need the total force.
    keeps_force: bool,
    bodies: &'a mut [RigidBody],
}

impl Kernel for WheelForces<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let HostColumns { measured, forces, own, wheel_force, .. } = self.host;
        let centre = columns.load_all::<_, N>([measured.centre_x, measured.centre_y], lane);
        // force on the body and moment about the centre of mass, vehicle frame
        let [mut fx, mut fy, mut moment] = [[0.0; N]; 3];
        // as a sum of the standard library: it begins with −0
        let [mut total_x, mut total_y] = [[-0.0; N]; 2];
        for wheel in 0..self.wheels {
            let at = wheel * self.count + lane;
            let [cos, sin] = columns.load_all::<_, N>(own.wheel_heading, at);
            let [along, across, x, y] = columns
                .load_all::<_, N>([forces.fx, forces.fy, measured.wheel_x, measured.wheel_y], at);
            let [mut wheel_fx, mut wheel_fy] = [[0.0; N]; 2];
            for i in 0..N {
                wheel_fx[i] = cos[i] * along[i] - sin[i] * across[i];
                wheel_fy[i] = sin[i] * along[i] + cos[i] * across[i];
                fx[i] += wheel_fx[i];
                fy[i] += wheel_fy[i];
                moment[i] +=
                    (x[i] - centre[0][i]) * wheel_fy[i] - (y[i] - centre[1][i]) * wheel_fx[i];
                total_x[i] += wheel_fx[i];
                total_y[i] += wheel_fy[i];
            }
            columns.store(own.force[0], at, wheel_fx);
            columns.store(own.force[1], at, wheel_fy);
        }
        accelerate(self.host, columns, lane, [fx, fy], moment, self.dt, self.bodies);
        if self.keeps_force {
            columns.store(wheel_force[0], lane, total_x);
            columns.store(wheel_force[1], lane, total_y);
        }
    }
}

struct WheelWrench<'a> {
    host: &'a HostColumns,
    force: [Column; 2],
    /// Moment about the reference point.
    moment: Column,
    /// Length of the step, s.
    dt: f64,
    bodies: &'a mut [RigidBody],
}

impl Kernel for WheelWrench<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let measured = &self.host.measured;
        let [mut fx, mut fy] = columns.load_all::<_, N>(self.force, lane);
        let mut moment = columns.load::<N>(self.moment, lane);
        let centre = columns.load_all::<_, N>([measured.centre_x, measured.centre_y], lane);
        let normal = columns.load::<N>(self.host.own.slope_gravity[2], lane);
        for i in 0..N {
            // in the air, and without gravity, there is nothing to push against
            let grip = if normal[i] <= WEIGHTLESS { 0.0 } else { 1.0 };
            (fx[i], fy[i], moment[i]) = (grip * fx[i], grip * fy[i], grip * moment[i]);
            moment[i] -= centre[0][i] * fy[i] - centre[1][i] * fx[i];
        }
        accelerate(self.host, columns, lane, [fx, fy], moment, self.dt, self.bodies);
    }
}

/// Applies forces, N, and moments about the centres of mass, N·m, vehicle frame, in addition to gravity
/// and drag. Semi-implicit Euler: the pose advances with the new velocity.
#[inline(always)]
fn accelerate<const N: usize>(
    host: &HostColumns,
    columns: &mut TileView<'_>,
    lane: usize,
    force: [[f64; N]; 2],
    moment: [f64; N],
    dt: f64,
    bodies: &mut [RigidBody],
) {
    let HostColumns { measured, own, .. } = host;
    let [cos, sin] = columns.load_all::<_, N>(own.heading, lane);
    let [mut vx, mut vy] = columns.load_all::<_, N>(own.velocity, lane);
    let [linear, angular] = columns.load_all::<_, N>(own.damping, lane);
    let pull = columns.load_all::<_, N>(own.pull, lane);
    let tilt = columns.load_all::<_, N>(own.tilt, lane);
    let [mass, inertia, omega] =
        columns.load_all::<_, N>([measured.mass, measured.yaw_inertia, measured.omega], lane);
    let mut level_omega = [0.0; N];
    for i in 0..N {
        let tilt = Tilt::from_numbers([tilt[0][i], tilt[1][i], tilt[2][i], tilt[3][i]]);
        let [fx, fy] = tilt.to_level([force[0][i] + pull[0][i], force[1][i] + pull[1][i]]);
        let slower = 1.0 + dt * linear[i];
        vx[i] = (vx[i] + dt / mass[i] * (cos[i] * fx - sin[i] * fy)) / slower;
        vy[i] = (vy[i] + dt / mass[i] * (sin[i] * fx + cos[i] * fy)) / slower;
        let omega = (omega[i] + dt / inertia[i] * moment[i]) / (1.0 + dt * angular[i]);
        level_omega[i] = tilt.level_yaw_rate(omega);
    }
    columns.store(own.velocity[0], lane, vx);
    columns.store(own.velocity[1], lane, vy);
    for (i, body) in bodies[lane..lane + N].iter_mut().enumerate() {
        body.set_velocity([vx[i], vy[i]], level_omega[i]);
    }
}
