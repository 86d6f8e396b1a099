//! The step of vehicles whose dynamics class moves the body with the forces of friction models.
//!
//! The class sets load and velocity of each contact in its phase `drive`, the friction models compute the
//! forces there, the host integrates the spins, and the class moves the body in its phase `advance`.
//! Brakes hold the vehicle on a slope as they hold others: gravity pulls along the axes of the body.

use super::calls::Phase;
use super::driving::SprungMotion;
use super::motion::Inclination;
use super::step::Table;
use super::vehicles::{Vehicles, WEIGHTLESS};
use crate::moment::Moment;
use crate::physics::RigidBody;

impl Table {
    /// Computes the forces of the friction models on the wheels, and the velocities with which the bodies
    /// reach the poses of the dynamics class.
    pub(super) fn advance_sprung(
        &mut self,
        sprung: &SprungMotion,
        moment: &Moment,
        bodies: &mut [RigidBody],
    ) {
        let Self { vehicles, models, blueprint, books, faults: [faults, of_friction], .. } = self;
        let brakes = &blueprint.brakes;
        let dt = moment.clock.dt;
        vehicles.face_contacts(sprung);
        if let Some(brakes) = brakes {
            brakes.apply(vehicles, dt);
        }
        models.run_friction(vehicles, moment, of_friction);
        vehicles.measure_rolling_radii();
        vehicles.measure_aligning_moments();
        let spin = vehicles.host.measured.spin;
        let spins = books.is_some().then(|| vehicles.columns.get(spin).to_vec());
        vehicles.integrate_spin(dt);
        if let Some(brakes) = brakes {
            brakes.stop_spin(vehicles, dt);
        }
        vehicles.turn_wheel_forces();
        if let (Some(books), Some(energies)) = (&mut *books, &sprung.energies) {
            models.run(Phase::Energy, vehicles, moment, faults);
            books.begin_step(vehicles, energies);
        }
        models.run(Phase::Advance, vehicles, moment, faults);
        sprung.motion.apply(vehicles, dt, bodies);
        if let (Some(books), Some(spins)) = (books, spins) {
            books.add_sprung(vehicles, &spins, dt, sprung);
        }
    }

    /// Sets the energies in the books to those of a class that computes them, and adds the work of its powers in a step
    /// of `dt` seconds, which ends now.
    pub fn settle_energies(&mut self, moment: &Moment, dt: f64) {
        let Self { vehicles, models, blueprint, books, faults: [faults, _], .. } = self;
        let (Some(books), Some(energies)) = (books, blueprint.driving.energies()) else { return };
        // springs and links are known for the start of the last step
        let shown = vehicles.columns.clone();
        models.guide_axles(vehicles, moment, faults);
        models.run(Phase::Energy, vehicles, moment, faults);
        books.end_step(vehicles, energies, dt);
        vehicles.columns.copy_all(&shown);
    }
}

impl Vehicles {
    /// Sets velocity, gravity and pull of the contacts.
    fn face_contacts(&mut self, sprung: &SprungMotion) {
        let measured = [self.host.measured.wheel_vx, self.host.measured.wheel_vy];
        for (from, to) in sprung.contact.into_iter().zip(measured) {
            self.columns.copy(from, to);
        }
        self.update_contact_velocities();
        let (count, gravity) = (self.lanes.len(), self.environment.gravity);
        let (attitude, pull) = (self.host.own.attitude, self.host.own.pull);
        let (mass, normal) = (self.host.measured.mass, self.host.contact.gravity);
        for lane in 0..count {
            let [_, pitch, roll] = self.values(attitude, lane);
            let [x, y, z] = Inclination { pitch, roll }.to_body([0.0, 0.0, -gravity]);
            let mass = self.value(mass, lane);
            self.set_values(pull, lane, [mass * x, mass * y]);
            for wheel in 0..self.wheels.count {
                self.set_values([normal], wheel * count + lane, [(-z).max(WEIGHTLESS)]);
            }
        }
    }

    /// Turns the forces on the wheels into the frame of their vehicles.
    fn turn_wheel_forces(&mut self) {
        let (count, host) = (self.lanes.len(), &self.host);
        let (forces, heading) = ([host.forces.fx, host.forces.fy], host.own.wheel_heading);
        let (force, total) = (host.own.force, host.wheel_force);
        for lane in 0..count {
            let mut sum = [0.0; 2];
            for index in (0..self.wheels.count).map(|wheel| wheel * count + lane) {
                let ([along, across], [cos, sin]) =
                    (self.values(forces, index), self.values(heading, index));
                let turned = [cos * along - sin * across, sin * along + cos * across];
                sum = [sum[0] + turned[0], sum[1] + turned[1]];
                self.set_values(force, index, turned);
            }
            self.set_values(total, lane, sum);
        }
    }
}
