//! The step of a table.

use std::sync::Arc;

use simhost_abi::Kind;
use simhost_world::{FaultEffect, FaultPort};

use super::blueprint::TableBlueprint;
use super::books::{EnergyBook, EnergyBooks, OwnMass};
use super::calls::Phase;
use super::driving::{Driving, SprungMotion};
use super::extrapolation::Extrapolation;
use super::imposed::ImposedTwist;
use super::kept::Kept;
use super::models::{Actuator, Models, Trial};
use super::port_faults::{Cell, PortFaults, Stage};
use super::sensor_inputs::ReadingModel;
use super::vehicles::Vehicles;
use crate::columns::{Column, all_finite};
use crate::fault::FaultReport;
use crate::limits::Limits;
use crate::moment::Moment;
use crate::physics::{Physics, RigidBody};
use crate::result_hash::Items;
use crate::tiles::{Kernel, TileView};
use crate::workers::Crew;

/// Vehicles that share their models and parameters.
#[derive(Clone)]
pub(crate) struct Table {
    /// The vehicles.
    pub vehicles: Vehicles,
    /// Their models.
    pub(super) models: Models,
    /// Properties that no step changes.
    pub blueprint: Arc<TableBlueprint>,
    /// Effects of the faults of the vehicles.
    pub port_faults: PortFaults,
    /// Energy books, if they have been opened.
    pub(super) books: Option<EnergyBooks>,
    /// Set with the integrator `extrapolated`, unless a twist is imposed or the dynamics class sets the
    /// pose.
    pub(super) extrapolation: Option<Extrapolation>,
    /// Whether a body leaves the circle of the last neighbour search in this substep.
    pub leaves_search: bool,
    /// Whether all states were finite and within limits at the end of the last step.
    pub is_sound: bool,
    /// The state before several steps that the table tries to make on its own.
    pub kept: Kept,
    /// Index of the first of several steps that the table could not make on its own.
    pub stopped: Option<u64>,
    /// Faults of controllers and dynamics classes, and those of friction models, that have not been
    /// settled.
    pub faults: [Vec<FaultReport>; FAULT_PHASES],
}

/// Number of parts of a step whose faults are settled one after the other.
pub(crate) const FAULT_PHASES: usize = 2;

/// Calls `work` for every table and the bodies of its vehicles. The vehicles of the tables, in order,
/// are the last bodies.
pub(crate) fn for_each(
    crew: Crew<'_>,
    tables: &mut [Table],
    physics: &mut Physics,
    work: &(impl Fn(&mut Table, &mut [RigidBody]) + Sync),
) {
    let Some(first) = tables.first() else { return };
    let mut bodies = physics.bodies.range_mut(&(first.vehicles.bodies.start..physics.bodies.len()));
    let with_bodies = tables.iter_mut().map(move |table| {
        let (own, others) = std::mem::take(&mut bodies).split_at_mut(table.vehicles.bodies.len());
        bodies = others;
        (table, own)
    });
    crew.for_each(with_bodies, |(table, bodies)| work(table, bodies));
}

impl Table {
    /// Reads the bodies and measures, before the first step.
    pub fn start(&mut self, moment: &Moment, bodies: &[RigidBody]) {
        self.vehicles.read_bodies(bodies);
        self.vehicles.update_motion(None);
        self.vehicles.update_wheel_velocities();
        self.models.run(Phase::Measure, &mut self.vehicles, moment, &mut self.faults[0]);
        self.show_initial_forces(moment, bodies);
        // masses that a class measures are known now
        if self.books.is_some() && self.own_mass().is_some() {
            self.open_books();
            self.settle_energies(moment, 0.0);
        }
    }

    /// Makes the wheel forces and accelerations that are shown before the first step those of the initial state: takes a
    /// step and reverts it, where that is possible.
    fn show_initial_forces(&mut self, moment: &Moment, bodies: &[RigidBody]) {
        let books = self.books.take();
        if !self.has_faults() && self.can_return() {
            let (mut trial, mut kept) = (bodies.to_vec(), Kept::default());
            kept.fill(&self.vehicles.columns, &trial);
            self.begin_substep([moment, moment], true, &mut trial);
            let own = &self.vehicles.host.own;
            let ([fx, fy], [ax, ay, turning]) = (own.force, own.acceleration);
            let forces = [fx, fy].map(|column| self.vehicles.columns.get(column).to_vec());
            let accelerations = self.first_accelerations(moment.clock.dt, &trial);
            self.return_to(&kept, &mut trial);
            let shown = [fx, fy, ax, ay, turning];
            for (column, values) in shown.into_iter().zip(forces.iter().chain(&accelerations)) {
                self.vehicles.columns.get_mut(column).copy_from_slice(values);
            }
        }
        self.books = books;
    }

    /// Makes the part of a substep before the bodies move: computes their velocities. `moments` are
    /// those of the whole step and of the substep.
    pub fn begin_substep(
        &mut self,
        [step, substep]: [&Moment; 2],
        is_first: bool,
        bodies: &mut [RigidBody],
    ) {
        if is_first {
            self.pre(step, bodies);
        } else {
            self.next_substep(bodies);
        }
        self.extrapolate_halves(substep, bodies);
        self.push(substep, bodies);
        self.leaves_search = !bodies.iter().all(|body| body.stays_within_search(substep.clock.dt));
    }

    /// Returns whether faults have not been settled.
    pub fn has_faults(&self) -> bool {
        self.faults.iter().any(|faults| !faults.is_empty())
    }

    /// Runs controllers, actuators and dynamics classes, which set torques and steering or the velocity of the
    /// whole step.
    fn pre(&mut self, moment: &Moment, bodies: &mut [RigidBody]) {
        let Self { vehicles, models, blueprint, faults: [faults, _], port_faults, .. } = self;
        blueprint.sensor_inputs.update_ages(&mut vehicles.columns, moment.time());
        vehicles.begin_acceleration();
        vehicles.update_wheel_velocities();
        let present = Some(&*port_faults).filter(|faults| faults.is_active());
        let apply = |stage, vehicles: &mut Vehicles| {
            if let Some(present) = present {
                present.apply(stage, vehicles);
            }
        };
        if let Some(present) = present {
            present.restore(vehicles);
        }
        models.run(Phase::Control, vehicles, moment, faults);
        apply(Stage::Control, vehicles);
        models.actuate(vehicles, moment, faults, present);
        apply(Stage::Input, vehicles);
        models.guide_axles(vehicles, moment, faults);
        models.run(Phase::Drive, vehicles, moment, faults);
        apply(Stage::Drive, vehicles);
        vehicles.publish_steering();
        vehicles.add_drive_inertia();
        let dt = moment.clock.dt;
        if let Some(imposed) = self.blueprint.imposed_before_step() {
            imposed.apply(&mut self.vehicles, bodies, 0.5 * dt);
            imposed.roll_wheels(&mut self.vehicles);
        } else if let Driving::Motion(motion) = self.blueprint.driving {
            motion.apply(&mut self.vehicles, dt, bodies);
        } else if let Driving::Sprung(sprung) = self.blueprint.driving {
            self.advance_sprung(&sprung, moment, bodies);
        }
    }

    /// Prepares the next substep: reads the bodies and computes wheel velocities.
    fn next_substep(&mut self, bodies: &[RigidBody]) {
        self.vehicles.read_bodies(bodies);
        if let Some(books) = &mut self.books {
            books.add_contacts(&self.vehicles);
        }
        self.vehicles.update_wheel_velocities();
    }

    /// Makes a substep in two halves and takes it back, if the step is extrapolated.
    fn extrapolate_halves(&mut self, whole: &Moment, bodies: &mut [RigidBody]) {
        let Some(mut extrapolation) = self.extrapolation.take() else { return };
        extrapolation.begin(&mut self.vehicles, self.books.as_ref(), bodies);
        for half in [0, 1] {
            let moment = &whole.at(whole.clock.substep(half, 2)).divided(2);
            if half > 0 {
                self.next_substep(bodies);
                extrapolation.set_wheel_force(&mut self.vehicles);
            }
            self.push(moment, bodies);
            for body in bodies.iter_mut() {
                body.advance(moment.clock.dt);
            }
        }
        extrapolation.rewind(&mut self.vehicles, &mut self.books, &self.models, bodies);
        self.extrapolation = Some(extrapolation);
    }

    /// Turns forces into velocities of the bodies, for one substep.
    fn push(&mut self, moment: &Moment, bodies: &mut [RigidBody]) {
        if self.blueprint.imposed_before_step().is_some() {
            return;
        }
        let dt = moment.clock.dt;
        match self.blueprint.driving {
            Driving::Wheels => self.push_by_wheels(moment, bodies),
            Driving::Wrench(wrench) => {
                self.vehicles.update_loads(moment);
                wrench.apply(&mut self.vehicles, dt, bodies);
                if let Some(books) = &mut self.books {
                    books.add_wrench(&self.vehicles, wrench, dt, bodies);
                }
            }
            Driving::Motion(_) | Driving::Sprung(_) => {}
        }
        if self.vehicles.host.air.is_some() {
            self.vehicles.apply_air_moment(dt, bodies);
        }
        if let Some(extrapolation) = &mut self.extrapolation {
            extrapolation.save_pushed(bodies);
        }
    }

    /// Determines whether all states are finite and within the limits of speed, yaw rate and spin.
    pub fn check_states(&mut self, limits: &Limits, bodies: &[RigidBody]) {
        let Limits { speed, yaw_rate, spin: most, .. } = *limits;
        let within = bodies.iter().all(|body| body.state.is_within(speed, yaw_rate));
        let spins = self.vehicles.columns.get(self.vehicles.host.measured.spin);
        // without a branch per number
        let slow = spins.iter().fold(true, |all, spin| all & (spin.abs() <= most));
        self.is_sound = within && slow && self.is_finite();
    }

    fn push_by_wheels(&mut self, moment: &Moment, bodies: &mut [RigidBody]) {
        let Self { vehicles, models, blueprint, books, faults: [_, faults], .. } = self;
        let brakes = &blueprint.brakes;
        let dt = moment.clock.dt;
        vehicles.update_loads(moment);
        vehicles.update_contact_velocities();
        if let Some(brakes) = brakes {
            brakes.apply(vehicles, dt);
        }
        models.run_friction(vehicles, moment, faults);
        vehicles.measure_rolling_radii();
        vehicles.measure_aligning_moments();
        let spin = vehicles.host.measured.spin;
        let spins = books.is_some().then(|| vehicles.columns.get(spin).to_vec());
        vehicles.integrate_spin(dt);
        if let Some(brakes) = brakes {
            brakes.stop_spin(vehicles, dt);
        }
        vehicles.apply_wheel_forces(dt, bodies);
        vehicles.apply_aligning_moments(dt, bodies);
        if let (Some(books), Some(spins)) = (books, spins) {
            books.add_wheels(vehicles, &spins, dt, bodies);
        }
    }

    /// Moves the bodies that rapier has not moved by a substep of `dt` seconds, and extrapolates it.
    pub fn finish_substep(&mut self, dt: f64, bodies: &mut [RigidBody]) {
        self.vehicles.columns.run(bodies.len(), &mut Advance { bodies, dt });
        if let Some(extrapolation) = &self.extrapolation {
            extrapolation.finish(&mut self.vehicles, &mut self.books, bodies);
        }
    }

    /// Overwrites the velocities of the bodies that rapier has moved, if the twist is imposed after the
    /// step. Returns whether it is.
    pub fn impose_on_solved(&mut self, bodies: &mut [RigidBody]) -> bool {
        let Some(imposed) = self.blueprint.imposed.filter(|imposed| imposed.after_step) else {
            return false;
        };
        imposed.apply_after_step(&mut self.vehicles, bodies, true);
        true
    }

    /// Reads the bodies at the end of the step and measures.
    pub fn post(&mut self, moment: &Moment, bodies: &mut [RigidBody]) {
        self.end_motion(moment, bodies);
        self.measure(moment);
    }

    /// Reads the bodies at the end of the step.
    pub fn end_motion(&mut self, moment: &Moment, bodies: &mut [RigidBody]) {
        let vehicles = &mut self.vehicles;
        match (self.blueprint.imposed, self.blueprint.driving) {
            (Some(imposed), _) if !imposed.after_step => {
                imposed.apply_after_contacts(vehicles, bodies);
            }
            (_, Driving::Motion(motion) | Driving::Sprung(SprungMotion { motion, .. })) => {
                motion.finish(vehicles, moment.clock.dt, bodies)
            }
            (Some(imposed), _) => imposed.apply_after_step(vehicles, bodies, false),
            (None, _) => {}
        }
        vehicles.read_bodies(bodies);
        vehicles.end_acceleration(moment.clock.dt);
        if let Some(books) = &mut self.books {
            books.add_contacts(vehicles);
        }
        self.settle_energies(moment, moment.clock.dt);
        let vehicles = &mut self.vehicles;
        vehicles.advance_wheel_angles(moment.clock.dt);
        vehicles.update_motion(Some(moment.clock.dt));
    }

    /// Measures at the end of the step.
    pub fn measure(&mut self, moment: &Moment) {
        self.measure_again(moment);
        self.blueprint.odometry.advance(&mut self.vehicles, moment.clock.dt);
    }

    /// Measures a state that has been changed between two steps.
    pub fn measure_again(&mut self, moment: &Moment) {
        self.models.run(Phase::Measure, &mut self.vehicles, moment, &mut self.faults[0]);
    }

    /// Returns whether all state slots and odometry poses that must be finite are.
    fn is_finite(&self) -> bool {
        let columns = &self.vehicles.columns;
        self.blueprint
            .finite_spans
            .iter()
            .all(|[first, last]| all_finite(columns.between(*first, *last)))
    }

    /// Returns the masses of a class that moves its body with the forces of friction models.
    fn own_mass(&self) -> Option<OwnMass> {
        let Driving::Sprung(_) = self.blueprint.driving else { return None };
        let own = |name| self.models.own_measurement(name);
        let mass = [own("mass")?, own("yaw_inertia")?];
        Some(OwnMass { mass, centre: [own("centre_x")?, own("centre_y")?, own("centre_z")?] })
    }

    /// Opens energy books of all vehicles.
    pub fn open_books(&mut self) {
        let own = self.own_mass();
        self.books = Some(EnergyBooks::new(&self.vehicles, own));
    }

    /// Settles the kinetic energies after the vehicles have tilted with the ground. At the end of a step, the
    /// heading of a vehicle on a slope is ahead of its inclination.
    pub fn book_ground(&mut self) {
        let (Some(books), None) = (&mut self.books, self.blueprint.driving.energies()) else {
            return;
        };
        books.add_contacts(&self.vehicles);
    }

    /// Returns the energy book of a vehicle, if books have been opened.
    pub fn book(&self, lane: usize) -> Option<EnergyBook> {
        self.books.as_ref().map(|books| books.books[lane])
    }

    /// Returns whether [`Self::return_to`] restores everything that a step can change.
    pub fn can_return(&self) -> bool {
        !self.vehicles.any_disabled && self.books.is_none() && !self.blueprint.has_memory
    }

    /// Begins or ends steps that are retraced one by one if a model faults.
    pub fn set_trial(&mut self, is_trial: bool) {
        self.models.trial = is_trial.then(Trial::default);
    }

    /// Returns whether a model has faulted in a trial, of which the table has no report.
    pub fn has_failed(&self) -> bool {
        self.models.trial.is_some_and(|trial| trial.has_failed)
    }

    /// Returns to a state that [`Kept::fill`] has saved.
    pub fn return_to(&mut self, kept: &Kept, bodies: &mut [RigidBody]) {
        kept.restore(&mut self.vehicles.columns, bodies);
        self.vehicles.is_tipping = true;
        self.vehicles.read_bodies(bodies);
        if self.has_faults() {
            // before the fault, no vehicle was disabled
            self.faults.iter_mut().for_each(Vec::clear);
            for lane in &mut self.vehicles.lanes {
                (lane.disabled, lane.uses_fallback) = (false, false);
            }
            self.vehicles.any_disabled = false;
        }
        self.is_sound = true;
    }

    /// Adds the items of one vehicle and its wheels.
    pub fn add_results(&self, lane: usize, items: &mut Items) {
        let (vehicles, models) = (&self.vehicles, &self.models);
        let columns = &vehicles.columns;
        let vehicle = self.vehicle(lane).snapshot();
        let label = format!("vehicle/{}", vehicle.name);
        items.add(format!("{label}/pose"), &vehicle.pose);
        items.add(format!("{label}/twist"), &vehicle.twist);
        items.add(format!("{label}/odometry_pose"), &vehicle.odometry_pose);
        items.add(format!("{label}/odometry_twist"), &vehicle.odometry_twist);
        items.add_states(&format!("{label}/controller"), &models.control, columns, lane);
        items.add_states(&format!("{label}/dynamics"), &models.drive, columns, lane);
        models.add_results_of_actuators(vehicles, lane, items);
        models.add_results_of_suspensions(vehicles, lane, items);
        let reader = |(kind, number): ReadingModel| match kind {
            Kind::Actuator => format!("{label}/actuator/{}", models.actuators[number].name),
            _ => format!("{label}/{}", kind.tag()),
        };
        self.blueprint.sensor_inputs.add_results(columns, lane, reader, items);
        for number in 0..vehicles.wheels.count {
            let wheel = self.vehicle(lane).wheel_snapshot(number);
            let label = format!("{label}/wheel/{}", wheel.wheel);
            items.add(format!("{label}/spin"), &[wheel.spin]);
            items.add(format!("{label}/angle"), &[wheel.angle]);
            items.add(format!("{label}/steer"), &[wheel.steer]);
            // the lanes of friction models are wheels
            let lane = number * vehicles.lanes.len() + lane;
            items.add_states(
                &format!("{label}/friction"),
                models.friction_of(number),
                columns,
                lane,
            );
            if let Some(fallback) = &models.fallback {
                items.add_states(&format!("{label}/fallback"), &fallback.call, columns, lane);
            }
        }
    }
}

/// Moves bodies without contacts by a step.
struct Advance<'a> {
    bodies: &'a mut [RigidBody],
    /// Length of the step, s.
    dt: f64,
}

impl Kernel for Advance<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, _: &mut TileView<'_>, lane: usize) {
        let bodies = &mut self.bodies[lane..lane + N];
        if bodies.iter().all(|body| !body.solved) {
            RigidBody::advance_all::<N>(bodies, self.dt);
            return;
        }
        for body in bodies.iter_mut().filter(|body| !body.solved) {
            body.advance(self.dt);
        }
    }
}

impl Table {
    /// Adds the effect of a fault on a port of a vehicle, or on that of one of its wheels.
    pub fn add_port_fault(
        &mut self,
        fault: usize,
        lane: usize,
        port: &FaultPort,
        wheel: Option<usize>,
        effect: FaultEffect,
    ) {
        let Some((stage, column)) = self.models.port(port, self.blueprint.imposed) else { return };
        let count = self.vehicles.lanes.len();
        let values = column.len() / count;
        let wheels = match wheel {
            Some(wheel) if wheel < values => wheel..wheel + 1,
            _ => 0..values,
        };
        let cells = wheels.map(|wheel| {
            let index = wheel * count + lane;
            Cell { fault, lane, stage, column, index, effect, is_present: false }
        });
        self.port_faults.cells.extend(cells);
    }
}

impl Models {
    /// Returns the column of a port, and the stage that sets it.
    fn port(&self, port: &FaultPort, imposed: Option<ImposedTwist>) -> Option<(Stage, Column)> {
        Some(match *port {
            FaultPort::Controller(name) => (Stage::Control, self.control.output(name)?),
            FaultPort::Actuator(number) => {
                let Actuator { call, .. } = self.actuators.get(number)?;
                (Stage::Actuator(number), call.output("value")?)
            }
            FaultPort::Dynamics(name) => (Stage::Drive, self.drive.output(name)?),
            FaultPort::Input(name) => {
                let input = self.drive.input(name);
                let imposed = || imposed.and_then(|imposed| imposed.column(name));
                (Stage::Input, input.or_else(imposed)?)
            }
        })
    }
}
