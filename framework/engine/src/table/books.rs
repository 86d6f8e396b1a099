//! Energy books: what every part of a vehicle worked, step by step.
//!
//! Each work is force times the mean of the velocities before and after the step, which makes the sum of all
//! works the change of kinetic energy exactly: ½ m (v₁² − v₀²) = m (v₁ − v₀) · ½ (v₁ + v₀). Nothing is found as
//! what is left over.

use super::Table;
use super::driving::Wrench;
use crate::physics::Physics;

/// Work since the start of a run, J, positive where it adds to the energy of the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBook {
    /// Of the motors, torque times spin; of force and moment of a class that makes them itself.
    pub motor: f64,
    /// Of the brakes.
    pub brake: f64,
    /// Of the ground on the tyres: force times slip velocity. Negative where it is right.
    pub slip: f64,
    /// Of rolling resistance and bearings: torque times spin.
    pub rolling: f64,
    /// Of damping.
    pub damping: f64,
    /// Of the air.
    pub drag: f64,
    /// Of contacts, joints and steps of the ground: kinetic energy after bodies have moved less that
    /// before.
    pub contact: f64,
    /// Kinetic energy of body and wheels, J.
    pub kinetic: f64,
    /// Energy of height, J.
    pub potential: f64,
}

impl EnergyBook {
    /// Kinetic energy and that of height.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// This book and another of the same vehicle, number by number.
    pub(super) fn combine(&self, other: &Self, with: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            motor: with(self.motor, other.motor),
            brake: with(self.brake, other.brake),
            slip: with(self.slip, other.slip),
            rolling: with(self.rolling, other.rolling),
            damping: with(self.damping, other.damping),
            drag: with(self.drag, other.drag),
            contact: with(self.contact, other.contact),
            kinetic: with(self.kinetic, other.kinetic),
            potential: with(self.potential, other.potential),
        }
    }

    /// All work.
    pub fn work(&self) -> f64 {
        self.motor + self.brake + self.slip + self.rolling + self.damping + self.drag + self.contact
    }
}

/// Velocity of a vehicle's centre of mass in its own plane, m/s, and its rate of turning, rad/s.
type Twist = [f64; 3];

impl Table {
    /// Begins books of all vehicles.
    pub fn keep_books(&mut self) {
        self.books = Some(vec![EnergyBook::default(); self.lanes.len()]);
        self.close_books();
    }

    /// The book of a vehicle, if books are kept.
    pub fn book(&self, lane: usize) -> Option<EnergyBook> {
        self.books.as_ref().map(|books| books[lane])
    }

    /// Kinetic energy and that of height as they are.
    fn close_books(&mut self) {
        let Some(mut books) = self.books.take() else { return };
        for (i, book) in books.iter_mut().enumerate() {
            book.kinetic = self.kinetic(i, self.twist(i));
            let [x, y] = self.lanes[i].centre;
            let z = self.pose3(i).transform([x, y, 0.0])[2];
            book.potential = self.lanes[i].mass * self.around.gravity * z;
        }
        self.books = Some(books);
    }

    /// Enters what bodies met while they moved, after they have been read back.
    pub(super) fn enter_contacts(&mut self) {
        let before: Vec<f64> = match &self.books {
            Some(books) => books.iter().map(|book| book.kinetic).collect(),
            None => return,
        };
        self.close_books();
        for (book, before) in self.books.iter_mut().flatten().zip(before) {
            book.contact += book.kinetic - before;
        }
    }

    /// Spins before a step, where books are kept.
    pub(super) fn spins_before(&self) -> Option<Vec<f64>> {
        self.books.is_some().then(|| self.columns.get(self.host.spin).to_vec())
    }

    /// Enters what wheels and ground worked.
    pub(super) fn enter_wheels(&mut self, spins: &[f64], dt: f64, physics: &Physics) {
        let Some(mut books) = self.books.take() else { return };
        let (count, host, columns) = (self.lanes.len(), &self.host, &self.columns);
        let get = |column, index: usize| columns.get(column)[index];
        for (i, book) in books.iter_mut().enumerate() {
            let (before, after) = (self.twist(i), self.pushed(i, physics));
            let [vx, vy, turning] = [0, 1, 2].map(|k| 0.5 * (before[k] + after[k]));
            for index in (0..self.wheels).map(|wheel| wheel * count + i) {
                let arm = [
                    get(host.wheel_x, index) - self.lanes[i].centre[0],
                    get(host.wheel_y, index) - self.lanes[i].centre[1],
                ];
                let [fx, fy] = [self.force[0][index], self.force[1][index]];
                let pushed = fx * (vx - turning * arm[1]) + fy * (vy + turning * arm[0]);
                let spin = 0.5 * (spins[index] + get(host.spin, index));
                let rim = get(host.radius, index) * get(host.force_x, index);
                let (motor, reaction) = (get(host.torque, index), get(host.spin_torque, index));
                let inertia = get(host.inertia, index);
                let free = spins[index] + dt * (motor + reaction) / inertia;
                book.slip += dt * (pushed - rim * spin);
                book.rolling += dt * (reaction + rim) * spin;
                book.motor += dt * motor * spin;
                book.brake += inertia * (get(host.spin, index) - free) * spin;
            }
            self.enter_body(book, i, [before, after], dt);
        }
        self.books = Some(books);
    }

    /// Enters what a class that makes force and moment itself worked.
    pub(super) fn enter_wrench(&mut self, wrench: Wrench, dt: f64, physics: &Physics) {
        let Some(mut books) = self.books.take() else { return };
        for (i, book) in books.iter_mut().enumerate() {
            let (before, after) = (self.twist(i), self.pushed(i, physics));
            let [vx, vy, turning] = [0, 1, 2].map(|k| 0.5 * (before[k] + after[k]));
            let [fx, fy] = wrench.force.map(|column| self.columns.get(column)[i]);
            let [cx, cy] = self.lanes[i].centre;
            let moment = self.columns.get(wrench.moment)[i] - (cx * fy - cy * fx);
            book.motor += dt * (fx * vx + fy * vy + moment * turning);
            self.enter_body(book, i, [before, after], dt);
        }
        self.books = Some(books);
    }

    /// Enters air and damping, and the kinetic energy before bodies move.
    fn enter_body(&self, book: &mut EnergyBook, i: usize, [before, after]: [Twist; 2], dt: f64) {
        let lane = &self.lanes[i];
        let [vx, vy, turning] = [0, 1, 2].map(|k| 0.5 * (before[k] + after[k]));
        let [gx, gy, _] = lane.tilt.gravity(self.around.gravity);
        let [px, py] = lane.pull;
        if self.around.acts {
            let air = [px - lane.mass * gx, py - lane.mass * gy];
            book.drag += dt * (air[0] * vx + air[1] * vy);
        }
        // implicit: by the velocity after the step
        let [linear, angular] = lane.damping;
        let slowed = linear * lane.mass * (after[0] * vx + after[1] * vy);
        book.damping -= dt * (slowed + angular * lane.inertia * after[2] * turning);
        book.kinetic = self.kinetic(i, after);
    }

    pub(super) fn kinetic(&self, i: usize, [vx, vy, turning]: Twist) -> f64 {
        let lane = &self.lanes[i];
        let wheel = |wheel: usize| {
            let index = wheel * self.lanes.len() + i;
            let spin = self.columns.get(self.host.spin)[index];
            0.5 * self.columns.get(self.host.inertia)[index] * spin * spin
        };
        let body = lane.mass * (vx * vx + vy * vy) + lane.inertia * turning * turning;
        0.5 * body + (0..self.wheels).map(wheel).sum::<f64>()
    }

    /// As it was read back.
    fn twist(&self, i: usize) -> Twist {
        let at = |column| self.columns.get(column)[i];
        let (vx, vy, turning) = (at(self.host.vx), at(self.host.vy), at(self.host.omega));
        let [cx, cy] = self.lanes[i].centre;
        [vx - turning * cy, vy + turning * cx, turning]
    }

    /// As the forces made it.
    pub(super) fn pushed(&self, i: usize, physics: &Physics) -> Twist {
        let lane = &self.lanes[i];
        let [cos, sin] = lane.turned;
        let [vx, vy] = lane.velocity;
        let [vx, vy] = lane.tilt.onto_slope([cos * vx + sin * vy, cos * vy - sin * vx]);
        [vx, vy, lane.tilt.turning(physics.state(lane.body).omega)]
    }
}
