//! The step of a table.

use super::books::{EnergyBook, EnergyBooks};
use super::brake::Brakes;
use super::driving::Driving;
use super::extrapolation::Extrapolation;
use super::imposed::ImposedTwist;
use super::models::{Models, Phase};
use super::odometry::Odometry;
use super::vehicles::Vehicles;
use crate::fault::FaultReport;
use crate::model::PortMap;
use crate::moment::Moment;
use crate::physics::Physics;

/// Vehicles that share their models and parameters.
pub(crate) struct Table {
    /// The vehicles.
    pub vehicles: Vehicles,
    /// Their models.
    pub(super) models: Models,
    pub(super) driving: Driving,
    pub(super) imposed: Option<ImposedTwist>,
    pub(super) odometry: Odometry,
    pub(super) brakes: Option<Brakes>,
    /// Inputs of the controller that commands set.
    pub commands: PortMap,
    /// Quantities that sensors can read.
    pub measurements: PortMap,
    /// Energy books, if they have been opened.
    pub(super) books: Option<EnergyBooks>,
    /// Set with the integrator `extrapolated`, unless a twist is imposed or the dynamics class sets the
    /// pose.
    pub(super) extrapolation: Option<Extrapolation>,
}

impl Table {
    /// Reads the bodies and measures, before the first step.
    pub fn start(&mut self, moment: &Moment, physics: &Physics, faults: &mut Vec<FaultReport>) {
        self.vehicles.read_bodies(physics);
        self.models.run(Phase::Measure, &mut self.vehicles, moment, faults);
    }

    /// Runs controllers and dynamics classes, which set torques and steering or the velocity of the
    /// whole step.
    pub fn pre(&mut self, moment: &Moment, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        let Self { vehicles, models, .. } = self;
        vehicles.update_wheel_velocities();
        models.run(Phase::Control, vehicles, moment, faults);
        models.run(Phase::Drive, vehicles, moment, faults);
        vehicles.publish_steering();
        let dt = moment.clock.dt;
        if let Some(imposed) = self.imposed_before_step() {
            imposed.apply(&mut self.vehicles, physics, 0.5 * dt);
            imposed.roll_wheels(&mut self.vehicles);
        } else if let Driving::Motion(motion) = self.driving {
            motion.apply(&mut self.vehicles, dt, physics);
        }
    }

    /// Prepares the next substep: reads the bodies and computes wheel velocities.
    pub fn next_substep(&mut self, physics: &Physics) {
        self.vehicles.read_bodies(physics);
        if let Some(books) = &mut self.books {
            books.add_contacts(&self.vehicles);
        }
        self.vehicles.update_wheel_velocities();
    }

    /// Makes a substep in two halves and takes it back, if the step is extrapolated.
    pub fn extrapolate_halves(
        &mut self,
        halves: [&Moment; 2],
        physics: &mut Physics,
        faults: &mut Vec<FaultReport>,
    ) {
        let Some(mut extrapolation) = self.extrapolation.take() else { return };
        extrapolation.begin(&mut self.vehicles, self.books.as_ref(), physics);
        for (half, moment) in halves.into_iter().enumerate() {
            if half > 0 {
                self.next_substep(physics);
                extrapolation.set_wheel_force(&mut self.vehicles);
            }
            self.push(moment, physics, faults);
            for lane in &self.vehicles.lanes {
                physics.advance_freely(lane.body, moment.clock.dt);
            }
        }
        extrapolation.rewind(&mut self.vehicles, &mut self.books, &self.models, physics);
        self.extrapolation = Some(extrapolation);
    }

    /// Turns forces into velocities of the bodies, for one substep.
    pub fn push(&mut self, moment: &Moment, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        if self.imposed_before_step().is_some() {
            return;
        }
        let dt = moment.clock.dt;
        match self.driving {
            Driving::Wheels => self.push_by_wheels(moment, physics, faults),
            Driving::Wrench(wrench) => {
                self.vehicles.update_loads(dt);
                wrench.apply(&mut self.vehicles, dt, physics);
                if let Some(books) = &mut self.books {
                    books.add_wrench(&self.vehicles, wrench, dt, physics);
                }
            }
            Driving::Motion(_) => {}
        }
        if let Some(extrapolation) = &mut self.extrapolation {
            extrapolation.save_pushed(&self.vehicles, physics);
        }
    }

    fn push_by_wheels(
        &mut self,
        moment: &Moment,
        physics: &mut Physics,
        faults: &mut Vec<FaultReport>,
    ) {
        let Self { vehicles, models, brakes, books, .. } = self;
        let dt = moment.clock.dt;
        vehicles.update_loads(dt);
        vehicles.update_contact_velocities();
        if let Some(brakes) = brakes {
            brakes.apply(vehicles, dt);
        }
        models.run(Phase::Friction, vehicles, moment, faults);
        let spin = vehicles.host.measured.spin;
        let spins = books.is_some().then(|| vehicles.columns.get(spin).to_vec());
        vehicles.integrate_spin(dt);
        if let Some(brakes) = brakes {
            brakes.stop_spin(vehicles, dt);
        }
        vehicles.apply_wheel_forces(dt, physics);
        if let (Some(books), Some(spins)) = (books, spins) {
            books.add_wheels(vehicles, &spins, dt, physics);
        }
    }

    /// Extrapolates the substep that the bodies have just made.
    pub fn finish_substep(&mut self, physics: &mut Physics) {
        if let Some(extrapolation) = &self.extrapolation {
            extrapolation.finish(&mut self.vehicles, &mut self.books, physics);
        }
    }

    /// Reads the bodies at the end of the step and measures.
    pub fn post(&mut self, moment: &Moment, physics: &mut Physics, faults: &mut Vec<FaultReport>) {
        let vehicles = &mut self.vehicles;
        match (self.imposed, self.driving) {
            (Some(imposed), _) if !imposed.after_step => {
                imposed.apply_after_contacts(vehicles, physics);
            }
            (_, Driving::Motion(motion)) => motion.finish(vehicles, physics),
            // as in MVSim, with the heading from before the step
            (Some(imposed), _) => imposed.apply(vehicles, physics, 0.0),
            (None, _) => {}
        }
        vehicles.read_bodies(physics);
        if let Some(books) = &mut self.books {
            books.add_contacts(vehicles);
        }
        vehicles.advance_wheel_angles(moment.clock.dt);
        self.models.run(Phase::Measure, vehicles, moment, faults);
        self.odometry.advance(vehicles, moment.clock.dt);
    }

    /// Opens energy books of all vehicles.
    pub fn open_books(&mut self) {
        self.books = Some(EnergyBooks::new(&self.vehicles));
    }

    /// Returns the energy book of a vehicle, if books have been opened.
    pub fn book(&self, lane: usize) -> Option<EnergyBook> {
        self.books.as_ref().map(|books| books.books[lane])
    }

    /// Returns the imposed twist, unless friction acts first.
    fn imposed_before_step(&self) -> Option<ImposedTwist> {
        self.imposed.filter(|imposed| !imposed.after_step)
    }
}
