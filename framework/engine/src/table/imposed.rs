//! Twists that a controller imposes in place of tyre forces.

use simhost_abi::host_port::ACTUATORS;
use simhost_sdk::math;

use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::physics::RigidBody;

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

    fn component(&self, vehicles: &Vehicles, component: usize, lane: usize) -> f64 {
        self.twist[component].map_or(0.0, |column| vehicles.value(column, lane))
    }

    /// Sets the velocities of the bodies to the imposed twist of their reference points, with the
    /// heading that they have `ahead` seconds later.
    pub fn apply(&self, vehicles: &mut Vehicles, bodies: &mut [RigidBody], ahead: f64) {
        for (i, body) in bodies.iter_mut().enumerate() {
            self.apply_to(vehicles, i, body, ahead);
        }
    }

    /// Sets the velocities of the bodies that rapier moves, or of the others, after the step: with the
    /// heading from before the step, as in MVSim.
    pub fn apply_after_step(
        &self,
        vehicles: &mut Vehicles,
        bodies: &mut [RigidBody],
        solved: bool,
    ) {
        let bodies = bodies.iter_mut().enumerate();
        for (i, body) in bodies.filter(|(_, body)| body.solved == solved) {
            self.apply_to(vehicles, i, body, 0.0);
        }
    }

    fn apply_to(&self, vehicles: &mut Vehicles, i: usize, body: &mut RigidBody, ahead: f64) {
        if vehicles.lanes[i].disabled {
            return;
        }
        let sideways = self.holonomic || self.after_step;
        let vy = if sideways { self.component(vehicles, 1, i) } else { 0.0 };
        let (vx, omega) = (self.component(vehicles, 0, i), self.component(vehicles, 2, i));
        let centre = vehicles.centre(i);
        let vx = vx - omega * centre[1];
        let vy = vy + omega * centre[0];
        let (heading, velocity) = (vehicles.host.own.heading, vehicles.host.own.velocity);
        let [cos, sin] = vehicles.values(heading, i);
        let (turn_sin, turn_cos) = math::sin_cos(omega * ahead);
        let (sin, cos) = (sin * turn_cos + cos * turn_sin, cos * turn_cos - sin * turn_sin);
        let level = [cos * vx - sin * vy, sin * vx + cos * vy];
        vehicles.set_values(velocity, i, level);
        body.set_velocity(level, omega);
    }

    /// Rotates the imposed velocity with the heading after the step, and keeps the change of velocity
    /// that contacts have caused.
    pub fn apply_after_contacts(&self, vehicles: &mut Vehicles, bodies: &mut [RigidBody]) {
        let (heading, velocity) = (vehicles.host.own.heading, vehicles.host.own.velocity);
        for (i, body) in bodies.iter_mut().enumerate() {
            let omega = self.component(vehicles, 2, i);
            let state = body.state;
            vehicles.set_values(heading, i, state.heading);
            let [vx, vy] = state.velocity;
            let [imposed_vx, imposed_vy] = vehicles.values(velocity, i);
            let [dvx, dvy, domega] = [vx - imposed_vx, vy - imposed_vy, state.omega - omega];
            self.apply_to(vehicles, i, body, 0.0);
            if !vehicles.lanes[i].disabled && (dvx, dvy, domega) != (0.0, 0.0, 0.0) {
                let [vx, vy] = vehicles.values(velocity, i);
                let omega = body.state.omega;
                body.set_velocity([vx + dvx, vy + dvy], omega + domega);
            }
        }
    }

    /// Sets the spins of wheels that roll without slip at the imposed twist.
    pub fn roll_wheels(&self, vehicles: &mut Vehicles) {
        let count = vehicles.lanes.len();
        for index in 0..count * vehicles.wheels.count {
            let lane = index % count;
            let (host, measured) = (&vehicles.host, &vehicles.host.measured);
            let omega = self.component(vehicles, 2, lane);
            let vx =
                self.component(vehicles, 0, lane) - omega * vehicles.value(measured.wheel_y, index);
            let vy = if self.holonomic { self.component(vehicles, 1, lane) } else { 0.0 }
                + omega * vehicles.value(measured.wheel_x, index);
            let heading =
                vehicles.value(host.steer, index) + vehicles.value(host.own.mounting, index);
            let (sin, cos) = math::sin_cos(heading);
            let spin = (cos * vx + sin * vy) / vehicles.value(measured.radius, index);
            let column = measured.spin;
            vehicles.columns.get_mut(column)[index] = spin;
        }
    }
}
