//! Twists that a controller imposes in place of tyre forces.

use simhost_abi::host_port::ACTUATORS;
use simhost_sdk::math;

use super::host::HostColumns;
use super::vehicles::{Lane, Vehicles};
use crate::columns::Column;
use crate::physics::RigidBody;
use crate::tiles::{Kernel, TileView};

/// A twist that a controller imposes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImposedTwist {
    /// Columns of the forward and leftward velocity, m/s, and of the yaw rate, rad/s; absent components
    /// are zero.
    pub twist: [Option<Column>; 3],
    /// Whether friction acts first and the velocity is overwritten after the step, as in MVSim.
    pub after_step: bool,
    /// Whether the platform can move sideways.
    pub holonomic: bool,
}

impl ImposedTwist {
    /// Returns the column of a component by the name of its port.
    pub fn column(&self, name: &str) -> Option<Column> {
        let component = ACTUATORS.iter().position(|port| port.name == name)?;
        self.twist.get(component).copied().flatten()
    }

    /// Returns the values of a component.
    #[inline(always)]
    fn component<const N: usize>(
        &self,
        component: usize,
        columns: &TileView<'_>,
        lane: usize,
    ) -> [f64; N] {
        match self.twist[component] {
            Some(column) => columns.load(column, lane),
            None => [0.0; N],
        }
    }

    /// Sets the velocities of the bodies to the imposed twist of their reference points, with the
    /// heading that they have `ahead` seconds later.
    pub fn apply(&self, vehicles: &mut Vehicles, bodies: &mut [RigidBody], ahead: f64) {
        self.impose(vehicles, bodies, ahead, When::BeforeStep);
    }

    /// Sets the velocities of the bodies that rapier moves, or of the others, after the step: with the
    /// heading from before the step, as in MVSim.
    pub fn apply_after_step(
        &self,
        vehicles: &mut Vehicles,
        bodies: &mut [RigidBody],
        solved: bool,
    ) {
        self.impose(vehicles, bodies, 0.0, When::AfterStep { solved });
    }

    /// Rotates the imposed velocity with the heading after the step, unless contacts have changed it.
    pub fn apply_after_contacts(&self, vehicles: &mut Vehicles, bodies: &mut [RigidBody]) {
        self.impose(vehicles, bodies, 0.0, When::AfterContacts);
    }

    fn impose(&self, vehicles: &mut Vehicles, bodies: &mut [RigidBody], ahead: f64, when: When) {
        let Vehicles { columns, host, lanes, any_disabled, .. } = vehicles;
        let lanes = Some(&lanes[..]).filter(|_| *any_disabled);
        columns.run(bodies.len(), &mut Impose { imposed: self, host, lanes, bodies, ahead, when });
    }

    /// Sets the spins of wheels that roll without slip at the imposed twist.
    pub fn roll_wheels(&self, vehicles: &mut Vehicles) {
        let (count, wheels) = (vehicles.lanes.len(), vehicles.wheels.count);
        let Vehicles { columns, host, .. } = vehicles;
        columns.run(count, &mut RollWheels { imposed: self, host, count, wheels });
    }
}

/// When a twist is imposed, and on which bodies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    BeforeStep,
    /// On those that rapier moves, or on the others.
    AfterStep {
        solved: bool,
    },
    /// The velocities that contacts have changed stay.
    AfterContacts,
}

struct Impose<'a> {
    imposed: &'a ImposedTwist,
    host: &'a HostColumns,
    /// The vehicles, if one may be disabled.
    lanes: Option<&'a [Lane]>,
    bodies: &'a mut [RigidBody],
    /// Time from the heading in the columns to that of the velocity, s.
    ahead: f64,
    when: When,
}

impl Impose<'_> {
    /// Returns whether the twist is imposed on a vehicle.
    #[inline(always)]
    fn acts_on(&self, lane: usize) -> bool {
        let is_meant = match self.when {
            When::AfterStep { solved } => self.bodies[lane].solved == solved,
            When::BeforeStep | When::AfterContacts => true,
        };
        is_meant && !matches!(self.lanes, Some(lanes) if lanes[lane].disabled)
    }
}

impl Kernel for Impose<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let (measured, own) = (&self.host.measured, &self.host.own);
        let sideways = self.imposed.holonomic || self.imposed.after_step;
        let forward = self.imposed.component::<N>(0, columns, lane);
        let leftward =
            if sideways { self.imposed.component::<N>(1, columns, lane) } else { [0.0; N] };
        let mut omega = self.imposed.component::<N>(2, columns, lane);
        let [centre_x, centre_y] =
            columns.load_all::<_, N>([measured.centre_x, measured.centre_y], lane);
        let [mut cos, mut sin] = columns.load_all::<_, N>(own.heading, lane);
        let [mut level_vx, mut level_vy] = columns.load_all::<_, N>(own.velocity, lane);
        let mut added = [[0.0; N]; 3];
        if self.when == When::AfterContacts {
            for (i, body) in self.bodies[lane..lane + N].iter().enumerate() {
                [cos[i], sin[i]] = body.state.heading;
                let [vx, vy] = body.state.velocity;
                added[0][i] = vx - level_vx[i];
                added[1][i] = vy - level_vy[i];
                added[2][i] = body.state.omega - omega[i];
            }
            columns.store(own.heading[0], lane, cos);
            columns.store(own.heading[1], lane, sin);
        }
        let [mut imposed_vx, mut imposed_vy, mut body_vx, mut body_vy] = [[0.0; N]; 4];
        for i in 0..N {
            let vx = forward[i] - omega[i] * centre_y[i];
            let vy = leftward[i] + omega[i] * centre_x[i];
            let (turn_sin, turn_cos) = math::sin_cos(omega[i] * self.ahead);
            let (sin, cos) =
                (sin[i] * turn_cos + cos[i] * turn_sin, cos[i] * turn_cos - sin[i] * turn_sin);
            imposed_vx[i] = cos * vx - sin * vy;
            imposed_vy[i] = sin * vx + cos * vy;
            let [dvx, dvy, domega] = [added[0][i], added[1][i], added[2][i]];
            let is_deflected = (dvx != 0.0) | (dvy != 0.0) | (domega != 0.0);
            // what contacts have left stays: a turned command and the change that belongs to the old one
            // could add up to more than either
            body_vx[i] = if is_deflected { level_vx[i] + dvx } else { imposed_vx[i] };
            body_vy[i] = if is_deflected { level_vy[i] + dvy } else { imposed_vy[i] };
            omega[i] = if is_deflected { omega[i] + domega } else { omega[i] };
        }
        for i in 0..N {
            if self.acts_on(lane + i) {
                [level_vx[i], level_vy[i]] = [imposed_vx[i], imposed_vy[i]];
                self.bodies[lane + i].set_velocity([body_vx[i], body_vy[i]], omega[i]);
            }
        }
        columns.store(own.velocity[0], lane, level_vx);
        columns.store(own.velocity[1], lane, level_vy);
    }
}

struct RollWheels<'a> {
    imposed: &'a ImposedTwist,
    host: &'a HostColumns,
    /// Number of vehicles.
    count: usize,
    /// Number of wheels of a vehicle.
    wheels: usize,
}

impl Kernel for RollWheels<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let HostColumns { measured, own, steer, .. } = self.host;
        let forward = self.imposed.component::<N>(0, columns, lane);
        let leftward = if self.imposed.holonomic {
            self.imposed.component::<N>(1, columns, lane)
        } else {
            [0.0; N]
        };
        let omega = self.imposed.component::<N>(2, columns, lane);
        for wheel in 0..self.wheels {
            let at = wheel * self.count + lane;
            let [x, y, radius] =
                columns.load_all::<_, N>([measured.wheel_x, measured.wheel_y, measured.radius], at);
            let [steer, mounting] = columns.load_all::<_, N>([*steer, own.mounting], at);
            let mut spin = [0.0; N];
            for i in 0..N {
                let vx = forward[i] - omega[i] * y[i];
                let vy = leftward[i] + omega[i] * x[i];
                let (sin, cos) = math::sin_cos(steer[i] + mounting[i]);
                spin[i] = (cos * vx + sin * vy) / radius[i];
            }
            columns.store(measured.spin, at, spin);
        }
    }
}
