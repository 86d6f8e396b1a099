//! Energy books: the work of every part of a vehicle, step by step.
//!
//! Each work term is force times the mean of the velocities before and after the step. The sum of all
//! terms is then exactly the change of kinetic energy: ½ m (v₁² − v₀²) = m (v₁ − v₀) · ½ (v₁ + v₀). No
//! term is computed as a remainder, so a missing term shows up as an imbalance.

use super::driving::{EnergyColumns, SprungMotion, Wrench};
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::physics::RigidBody;

/// Work since the books were opened, J, positive where it increases the energy of the vehicle; and the
/// present energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBook {
    /// Work of the motors on the wheels (torque times spin), less what turns the rotating parts of the
    /// powertrain; or that of the force and moment of a dynamics class that computes them itself.
    pub motor: f64,
    /// Work of the brakes.
    pub brake: f64,
    /// Work of the ground on the tyres by slip (force times slip velocity). Not positive in a correct
    /// model.
    pub slip: f64,
    /// Work of rolling resistance and bearings (torque times spin).
    pub rolling: f64,
    /// Work of linear and angular damping.
    pub damping: f64,
    /// Work of air drag.
    pub drag: f64,
    /// Work of contacts, joints and ledges: change of kinetic energy while bodies move.
    pub contact: f64,
    /// Kinetic energy of body and wheels, J.
    pub kinetic: f64,
    /// Potential energy of height, J.
    pub potential: f64,
}

impl EnergyBook {
    /// Returns the sum of kinetic and potential energy, J.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// Returns the sum of all work terms, J.
    pub fn work(&self) -> f64 {
        self.motor + self.brake + self.slip + self.rolling + self.damping + self.drag + self.contact
    }

    /// Adds the work of the wheels of a vehicle and of the ground in a step of `dt` seconds, from the twists of the
    /// vehicle before and after it.
    fn add_wheels(
        &mut self,
        vehicles: &Vehicles,
        i: usize,
        twists: [Twist; 2],
        spins: &[f64],
        dt: f64,
    ) {
        let (count, host, wheels) = (vehicles.lanes.len(), &vehicles.host, &vehicles.wheels);
        let get = |column: Column, index: usize| vehicles.value(column, index);
        let (centre, [vx, vy, turning]) = (vehicles.centre(i), mean(twists));
        for index in (0..wheels.count).map(|wheel| wheel * count + i) {
            let arm = [
                get(host.measured.wheel_x, index) - centre[0],
                get(host.measured.wheel_y, index) - centre[1],
            ];
            let [fx, fy] = vehicles.values(host.own.force, index);
            let pushed = fx * (vx - turning * arm[1]) + fy * (vy + turning * arm[0]);
            let spin = 0.5 * (spins[index] + get(host.measured.spin, index));
            let rim = get(host.measured.radius, index) * get(host.forces.fx, index);
            let (motor, reaction) = (get(host.torque, index), get(host.forces.spin_torque, index));
            let inertia = get(host.contact.inertia, index);
            let spun = get(host.measured.spin, index) - spins[index];
            let unbraked = spins[index] + dt * (motor + reaction) / inertia;
            let aligning = host.aligning_moment.map_or(0.0, |column| get(column, index));
            self.slip += dt * (pushed - rim * spin + aligning * turning);
            self.rolling += dt * (reaction + rim) * spin;
            // inertia that the powertrain adds takes its torque before it reaches the wheel
            let added = inertia - vehicles.own_inertia(index);
            self.motor += (dt * motor - added * spun) * spin;
            self.brake += inertia * (get(host.measured.spin, index) - unbraked) * spin;
        }
    }

    /// Combines each term with that of another book of the same vehicle.
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
}

/// Velocity of a vehicle's centre of mass in the vehicle's plane, m/s, and its rotation rate, rad/s.
pub(super) type Twist = [f64; 3];

/// Mass, kg, yaw inertia, kg·m², and centre of mass, m, that a dynamics class measures itself.
#[derive(Clone, Copy)]
pub(super) struct OwnMass {
    pub mass: [Column; 2],
    pub centre: [Column; 3],
}

/// The energy books of a table, one per vehicle.
#[derive(Clone)]
pub(super) struct EnergyBooks {
    /// In the order of the lanes.
    pub books: Vec<EnergyBook>,
    /// Masses of a class that moves its body itself.
    own: Option<OwnMass>,
    /// Energy of the tyres, J, and powers, W, at the start of the step of a class that computes its energies.
    begun: Vec<(f64, [f64; 4])>,
}

impl EnergyBooks {
    /// Opens the books of all vehicles.
    pub fn new(vehicles: &Vehicles, own: Option<OwnMass>) -> Self {
        let count = vehicles.lanes.len();
        let books = vec![EnergyBook::default(); count];
        let mut books = Self { books, own, begun: vec![Default::default(); count] };
        books.update_energy(vehicles);
        books
    }

    /// Sets kinetic and potential energy to their present values.
    fn update_energy(&mut self, vehicles: &Vehicles) {
        for (i, book) in self.books.iter_mut().enumerate() {
            let ([mass, _], centre) = vehicles.mass_of(i, self.own);
            book.kinetic = match self.own {
                Some(own) => vehicles.own_kinetic_energy(i, own, vehicles.reference_twist(i)),
                None => vehicles.kinetic_energy(i, vehicles.measured_twist(i)),
            };
            let z = vehicles.pose3(i).transform(centre)[2];
            book.potential = mass * vehicles.environment.gravity * z;
        }
    }

    /// Adds the work of contacts after the bodies have moved and have been read.
    pub fn add_contacts(&mut self, vehicles: &Vehicles) {
        let before: Vec<f64> = self.books.iter().map(|book| book.kinetic).collect();
        self.update_energy(vehicles);
        for (book, before) in self.books.iter_mut().zip(before) {
            book.contact += book.kinetic - before;
        }
    }

    /// Adds the work of wheels and ground in a step of `dt` seconds; `spins` are those before it.
    pub fn add_wheels(
        &mut self,
        vehicles: &Vehicles,
        spins: &[f64],
        dt: f64,
        bodies: &[RigidBody],
    ) {
        for (i, book) in self.books.iter_mut().enumerate() {
            let twists = [vehicles.measured_twist(i), vehicles.accelerated_twist(i, bodies)];
            book.add_wheels(vehicles, i, twists, spins, dt);
            add_body(book, vehicles, i, twists, dt);
        }
    }

    /// Adds the work of wheels and ground in a step of `dt` seconds of vehicles whose dynamics class moves the
    /// body; `spins` are those before it. The work of the ground and of dampers is added at the end of the step, of a
    /// class that computes its energies; else the books contain the motion in the plane of the vehicle only.
    pub fn add_sprung(
        &mut self,
        vehicles: &Vehicles,
        spins: &[f64],
        dt: f64,
        sprung: &SprungMotion,
    ) {
        let twist = sprung.motion.twist;
        for (i, book) in self.books.iter_mut().enumerate() {
            if vehicles.lanes[i].disabled {
                continue;
            }
            let ([cx, cy], reference) = (vehicles.centre(i), vehicles.values(twist, i));
            let [vx, vy, turning] = reference;
            let after = [vx - turning * cy, vy + turning * cx, turning];
            let twists = match sprung.energies {
                Some(_) => [[0.0; 3]; 2],
                None => [vehicles.measured_twist(i), after],
            };
            book.add_wheels(vehicles, i, twists, spins, dt);
            book.kinetic = match self.own {
                Some(own) => vehicles.own_kinetic_energy(i, own, reference),
                None => vehicles.kinetic_energy(i, after),
            };
        }
    }

    /// Keeps energy and powers at the start of a step of a class that computes them.
    pub fn begin_step(&mut self, vehicles: &Vehicles, energies: &EnergyColumns) {
        for (i, begun) in self.begun.iter_mut().enumerate() {
            let [_, _, tyres] = vehicles.values(energies.energies, i);
            *begun = (tyres, vehicles.values(energies.powers, i));
        }
    }

    /// Adds the work of the powers in a step of `dt` seconds, by their means, and sets the energies, of a class that
    /// computes them. A class that does not know its energy leaves the book without numbers.
    pub fn end_step(&mut self, vehicles: &Vehicles, energies: &EnergyColumns, dt: f64) {
        for (i, (book, (pressed, before))) in self.books.iter_mut().zip(&self.begun).enumerate() {
            if vehicles.lanes[i].disabled {
                continue;
            }
            let after = vehicles.values(energies.powers, i);
            let [slip, damping, air, compression] =
                [0, 1, 2, 3].map(|k| 0.5 * dt * (before[k] + after[k]));
            let [kinetic, potential, tyres] = vehicles.values(energies.energies, i);
            book.slip += slip;
            book.damping += damping;
            book.drag += air;
            if dt > 0.0 {
                // the ground has risen
                book.contact += tyres - pressed - compression;
            }
            book.kinetic = kinetic + vehicles.spin_energy(i);
            book.potential = potential;
            if kinetic < 0.0 {
                *book = book.combine(book, |_, _| f64::NAN);
            }
        }
    }

    /// Adds the work of the force and moment of a dynamics class in a step of `dt` seconds.
    pub fn add_wrench(
        &mut self,
        vehicles: &Vehicles,
        wrench: Wrench,
        dt: f64,
        bodies: &[RigidBody],
    ) {
        for (i, book) in self.books.iter_mut().enumerate() {
            let twists = [vehicles.measured_twist(i), vehicles.accelerated_twist(i, bodies)];
            let [vx, vy, turning] = mean(twists);
            let [fx, fy] = wrench.force.map(|column| vehicles.value(column, i));
            let [cx, cy] = vehicles.centre(i);
            let moment = vehicles.value(wrench.moment, i) - (cx * fy - cy * fx);
            book.motor += dt * (fx * vx + fy * vy + moment * turning);
            add_body(book, vehicles, i, twists, dt);
        }
    }
}

fn mean([before, after]: [Twist; 2]) -> Twist {
    [0, 1, 2].map(|k| 0.5 * (before[k] + after[k]))
}

/// Adds the work of air and damping, and sets the kinetic energy before the bodies move.
fn add_body(book: &mut EnergyBook, vehicles: &Vehicles, i: usize, twists: [Twist; 2], dt: f64) {
    let environment = &vehicles.environment;
    let ([mass, inertia], own) = (vehicles.mass(i), &vehicles.host.own);
    let [vx, vy, turning] = mean(twists);
    let [_, after] = twists;
    let [gx, gy, _] = vehicles.values(own.slope_gravity, i);
    let [px, py] = vehicles.values(own.pull, i);
    if environment.dynamic_loads {
        let air = [px - mass * gx, py - mass * gy];
        let turned = vehicles.air_moment(i) * turning;
        book.drag += dt * (air[0] * vx + air[1] * vy + turned);
    }
    // damping is implicit: proportional to the velocity after the step
    let [linear, angular] = vehicles.values(own.damping, i);
    let slowed = linear * mass * (after[0] * vx + after[1] * vy);
    book.damping -= dt * (slowed + angular * inertia * after[2] * turning);
    book.kinetic = vehicles.kinetic_energy(i, after);
}

impl Vehicles {
    /// Returns the kinetic energy of body and wheels of a vehicle with this twist, J.
    pub(super) fn kinetic_energy(&self, i: usize, twist: Twist) -> f64 {
        self.kinetic_energy_with(i, self.mass(i), twist)
    }

    /// Returns the kinetic energy of a vehicle whose class measures its mass, with this twist of its reference
    /// point, J.
    fn own_kinetic_energy(&self, i: usize, own: OwnMass, [vx, vy, turning]: Twist) -> f64 {
        let [cx, cy, _] = self.values(own.centre, i);
        let twist = [vx - turning * cy, vy + turning * cx, turning];
        self.kinetic_energy_with(i, self.values(own.mass, i), twist)
    }

    /// Returns mass, kg, yaw inertia, kg·m², and centre of mass, m, of a vehicle.
    fn mass_of(&self, i: usize, own: Option<OwnMass>) -> ([f64; 2], [f64; 3]) {
        match own {
            Some(own) => (self.values(own.mass, i), self.values(own.centre, i)),
            None => (self.mass(i), self.centre_in_space(i)),
        }
    }

    fn kinetic_energy_with(
        &self,
        i: usize,
        [mass, inertia]: [f64; 2],
        [vx, vy, turning]: Twist,
    ) -> f64 {
        let body = mass * (vx * vx + vy * vy) + inertia * turning * turning;
        0.5 * body + self.spin_energy(i)
    }

    /// Returns the kinetic energy of the spins of the wheels of a vehicle, J.
    fn spin_energy(&self, i: usize) -> f64 {
        let wheel = |wheel: usize| {
            let index = wheel * self.lanes.len() + i;
            let spin = self.value(self.host.measured.spin, index);
            0.5 * self.own_inertia(index) * spin * spin
        };
        (0..self.wheels.count).map(wheel).sum()
    }

    /// Returns the moment of inertia of a wheel without that of the powertrain, kg·m².
    fn own_inertia(&self, index: usize) -> f64 {
        let [_, alone] =
            self.host.drive_inertia.unwrap_or([Column::NONE, self.host.contact.inertia]);
        self.value(alone, index)
    }

    /// Returns the twist of the reference point as of the last read of the bodies.
    fn reference_twist(&self, i: usize) -> Twist {
        let measured = &self.host.measured;
        self.values([measured.vx, measured.vy, measured.omega], i)
    }

    /// Returns the twist as of the last read of the bodies.
    fn measured_twist(&self, i: usize) -> Twist {
        let [vx, vy, turning] = self.reference_twist(i);
        let [cx, cy] = self.centre(i);
        [vx - turning * cy, vy + turning * cx, turning]
    }

    /// Returns the twist after the forces of the step, before the bodies move.
    pub(super) fn accelerated_twist(&self, i: usize, bodies: &[RigidBody]) -> Twist {
        let lane = &self.lanes[i];
        let own = &self.host.own;
        let [cos, sin] = self.values(own.heading, i);
        let [vx, vy] = self.values(own.velocity, i);
        let [vx, vy] = lane.tilt.to_slope([cos * vx + sin * vy, cos * vy - sin * vx]);
        [vx, vy, lane.tilt.rotation_rate(bodies[i].state.omega)]
    }
}
