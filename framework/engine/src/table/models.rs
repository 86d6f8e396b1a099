//! The models of a table and the calls of their phases.

use std::ops::Range;

use simhost_world::FaultPolicy;

use super::calls::{Fallback, ModelRun, Phase, TableFault, set_streams};
use super::port_faults::{PortFaults, Stage};
use super::rates::Rates;
use super::suspension::GuidedAxle;
use super::vehicles::Vehicles;
use super::wheel_friction::WheelFriction;
use crate::columns::Column;
use crate::fault::FaultReport;
use crate::model::Call;
use crate::moment::Moment;

/// The models of a table.
#[derive(Clone)]
pub(super) struct Models {
    pub control: Call,
    pub drive: Call,
    pub measure: Call,
    /// Phase with which a class on wheels moves the body, after friction.
    pub advance: Option<Call>,
    /// Phase that returns the energies of such a class.
    pub energy: Option<Call>,
    /// The suspensions of the axles.
    pub suspensions: Vec<GuidedAxle>,
    pub friction: Call,
    /// Friction models of single wheels.
    pub wheel_friction: Vec<WheelFriction>,
    /// Continuous states, with the phase after which they are integrated.
    pub rates: Vec<(Phase, Rates)>,
    pub fallback: Option<Fallback>,
    /// The actuators, in the order in which they act.
    pub actuators: Vec<Actuator>,
    pub policy: FaultPolicy,
    pub buffers: Buffers,
    /// Set while the table takes steps that it retraces one by one if a model faults.
    pub trial: Option<Trial>,
}

/// Outcome of steps that are retraced if a model faults, so that calls keep no evidence of faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trial {
    /// Whether a model has faulted.
    pub has_failed: bool,
}

/// Memory that calls reuse.
#[derive(Clone, Default)]
pub(super) struct Buffers {
    /// State columns before a call.
    before: Vec<f64>,
    /// Random streams of the lanes of a call.
    streams: Vec<u64>,
    /// Wheels of a friction model.
    own_wheels: Vec<bool>,
}

impl Models {
    /// Calls a phase for every enabled vehicle, then integrates the states of its model. Faults are
    /// added to `faults`; the vehicles concerned are disabled or use the fallback.
    pub fn run(
        &mut self,
        phase: Phase,
        vehicles: &mut Vehicles,
        moment: &Moment,
        faults: &mut Vec<FaultReport>,
    ) {
        let call = match phase {
            Phase::Control => &self.control,
            Phase::Drive => &self.drive,
            Phase::Measure => &self.measure,
            Phase::Advance => self.advance.as_ref().unwrap_or(&self.drive),
            Phase::Energy => self.energy.as_ref().unwrap_or(&self.drive),
            Phase::Suspension(number) => &self.suspensions[number].call,
            Phase::Friction => &self.friction,
            Phase::WheelFriction(number) => &self.wheel_friction[number].call,
            Phase::Actuator { number, .. } => &self.actuators[number].call,
        };
        let is_simple = self.wheel_friction.is_empty() && self.rates.is_empty();
        if let (Some(trial), true) = (&mut self.trial, is_simple && call.is_plain()) {
            let wheels = if phase.is_by_wheel() { vehicles.wheels.count } else { 1 };
            let lanes = vehicles.lanes.len() * wheels;
            trial.has_failed |= !call.try_run(&mut vehicles.columns, lanes, moment);
            return;
        }
        let last_friction = self.last_friction();
        let Buffers { before, streams, own_wheels } = &mut self.buffers;
        let has_own_wheels = phase.is_friction() && !self.wheel_friction.is_empty();
        if has_own_wheels {
            select_wheels(own_wheels, phase, &self.wheel_friction, vehicles.wheels.count);
        }
        set_streams(streams, call, phase, vehicles, moment);
        let mut run = ModelRun {
            lanes: &mut vehicles.lanes,
            wheels: if phase.is_by_wheel() { vehicles.wheels.count } else { 1 },
            any_disabled: &mut vehicles.any_disabled,
            columns: &mut vehicles.columns,
            policy: &self.policy,
            selects: if phase.is_friction() { |lane| !lane.uses_fallback } else { |_| true },
            own_wheels: has_own_wheels.then_some(&**own_wheels),
            before,
        };
        let mut found = run.call(call, phase, moment, streams);
        for (_, rates) in self.rates.iter_mut().filter(|(after, _)| *after == phase) {
            found.extend(rates.advance(&mut run, phase, moment));
        }
        if let Phase::WheelFriction(number) = phase {
            self.wheel_friction[number].copy_outputs(&mut run);
        }
        if let (true, Some(fallback)) = (phase == last_friction, &self.fallback) {
            found.extend(fallback.run(&mut run, moment));
        }
        if !found.is_empty() {
            self.report(found, vehicles, faults);
        }
    }

    /// Runs the friction model of the vehicles, then those of single wheels.
    pub fn run_friction(
        &mut self,
        vehicles: &mut Vehicles,
        moment: &Moment,
        faults: &mut Vec<FaultReport>,
    ) {
        self.run(Phase::Friction, vehicles, moment, faults);
        for number in 0..self.wheel_friction.len() {
            self.run(Phase::WheelFriction(number), vehicles, moment, faults);
        }
    }

    /// Runs the suspensions of all axles.
    pub fn guide_axles(
        &mut self,
        vehicles: &mut Vehicles,
        moment: &Moment,
        faults: &mut Vec<FaultReport>,
    ) {
        for number in 0..self.suspensions.len() {
            self.run(Phase::Suspension(number), vehicles, moment, faults);
        }
    }

    /// Returns the friction phase after which the fallback runs.
    fn last_friction(&self) -> Phase {
        self.wheel_friction.len().checked_sub(1).map_or(Phase::Friction, Phase::WheelFriction)
    }

    /// Returns the calls of the friction models, and their wheels, if they have not all of them.
    pub fn friction_calls(&self) -> impl Iterator<Item = (&Call, Option<usize>)> {
        let of_wheels = self.wheel_friction.iter().map(|one| (&one.call, Some(one.wheel)));
        std::iter::once((&self.friction, None)).chain(of_wheels)
    }

    /// Returns the friction model of a wheel.
    pub fn friction_of(&self, wheel: usize) -> &Call {
        let own = self.wheel_friction.iter().find(|one| one.wheel == wheel);
        own.map_or(&self.friction, |own| &own.call)
    }

    /// Runs the actuators on the outputs of the controller, with the effects of `port_faults`.
    pub fn actuate(
        &mut self,
        vehicles: &mut Vehicles,
        moment: &Moment,
        faults: &mut Vec<FaultReport>,
        port_faults: Option<&PortFaults>,
    ) {
        for number in 0..self.actuators.len() {
            let actuator = &self.actuators[number];
            actuator.spread(vehicles);
            let by_wheel = actuator.by_wheel;
            self.run(Phase::Actuator { number, by_wheel }, vehicles, moment, faults);
            if let Some(port_faults) = port_faults {
                port_faults.apply(Stage::Actuator(number), vehicles);
            }
        }
    }

    /// Reports faults, and stops the vehicles that have no fallback.
    fn report(
        &self,
        mut found: Vec<TableFault>,
        vehicles: &mut Vehicles,
        faults: &mut Vec<FaultReport>,
    ) {
        found.sort_by_key(|at| (at.lane, at.wheel));
        for at in found {
            if !vehicles.lanes[at.lane].uses_fallback || at.in_fallback {
                self.disable(vehicles, at.lane);
            }
            faults.push(FaultReport::new(at.evidence, &self.policy));
        }
    }

    /// Disables a vehicle: it rolls on without torque and tyre force.
    pub fn disable(&self, vehicles: &mut Vehicles, lane: usize) {
        let count = vehicles.lanes.len();
        vehicles.lanes[lane].disabled = true;
        vehicles.any_disabled = true;
        let own = [&self.control, &self.drive, &self.measure, &self.friction];
        let of_wheels = self.wheel_friction.iter().map(|one| &one.call);
        let own = own.into_iter().chain(of_wheels).chain(&self.advance).chain(&self.energy);
        let own = own.chain(self.suspensions.iter().map(|one| &one.call));
        for call in own.chain(self.actuators.iter().map(|actuator| &actuator.call)) {
            call.zero_outputs(&mut vehicles.columns, |index| index % count == lane);
        }
    }

    /// Returns the model of a role, and whether its lanes are wheels.
    pub fn of_role(&mut self, role: ModelRole) -> Option<(&mut Call, bool)> {
        match role {
            ModelRole::Controller => Some((&mut self.control, false)),
            ModelRole::Friction => Some((&mut self.friction, true)),
            ModelRole::WheelFriction(wheel) => {
                let own = self.wheel_friction.iter_mut().find(|own| own.wheel == wheel);
                own.map(|own| (&mut own.call, true))
            }
            ModelRole::Actuator(number) => {
                let own = self.actuators.get_mut(number);
                own.map(|own| (&mut own.call, own.by_wheel))
            }
        }
    }

    /// Returns the columns that must stay finite: all state slots whose initial value is finite.
    pub fn finite_columns(&self) -> Vec<Column> {
        self.stateful().flat_map(Call::finite_states).collect()
    }

    /// Returns all phases that are called once per step, with their names after that of the vehicle or the wheel,
    /// and the wheels that are their lanes, of `count` wheels. Of several phases with the same name and wheel, the
    /// first one is called.
    pub fn named(
        &mut self,
        count: usize,
    ) -> impl Iterator<Item = (String, Option<Range<usize>>, &mut Call)> {
        let of_wheels = self.wheel_friction.iter_mut();
        let of_wheels = of_wheels.map(|one| ("", Some(one.wheel..one.wheel + 1), &mut one.call));
        let own = [
            ("controller/", None, &mut self.control),
            ("dynamics/", None, &mut self.drive),
            ("dynamics/", None, &mut self.measure),
            ("", Some(0..count), &mut self.friction),
        ];
        let own = of_wheels.chain(own).map(|(role, wheels, call)| (role.to_owned(), wheels, call));
        let advance = self.advance.iter_mut().map(|call| ("dynamics/".to_owned(), None, call));
        let suspensions = self.suspensions.iter_mut();
        let suspensions =
            suspensions.map(|one| (format!("suspension/{}/", one.axle), None, &mut one.call));
        let own = own.chain(advance).chain(suspensions);
        let actuators = self.actuators.iter_mut().map(move |one| {
            (format!("actuator/{}/", one.name), one.by_wheel.then_some(0..count), &mut one.call)
        });
        own.chain(actuators).map(|(role, wheels, call)| {
            let phase = call.phase.id();
            (role + phase, wheels, call)
        })
    }

    /// Returns all calls.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Call> {
        let Self {
            control,
            drive,
            measure,
            friction,
            wheel_friction,
            rates,
            fallback,
            actuators,
            advance,
            energy,
            suspensions,
            ..
        } = self;
        let own = [control, drive, measure, friction].into_iter().chain(advance).chain(energy);
        let own = own.chain(suspensions.iter_mut().map(|one| &mut one.call));
        let own = own.chain(wheel_friction.iter_mut().map(|one| &mut one.call));
        let own = own.chain(rates.iter_mut().map(|(_, rates)| &mut rates.call));
        let own = own.chain(fallback.iter_mut().map(|fallback| &mut fallback.call));
        own.chain(actuators.iter_mut().map(|actuator| &mut actuator.call))
    }

    /// Returns the calls that hold the states and memories of all models, one call per model.
    pub fn stateful(&self) -> impl Iterator<Item = &Call> {
        let own = [&self.control, &self.drive, &self.friction];
        let of_wheels = self.wheel_friction.iter().map(|one| &one.call);
        let own = own
            .into_iter()
            .chain(of_wheels)
            .chain(self.fallback.as_ref().map(|fallback| &fallback.call))
            .chain(self.suspensions.iter().map(|one| &one.call));
        own.chain(self.actuators.iter().map(|actuator| &actuator.call))
    }
}

/// Sets whether the model of a friction phase is called for each wheel.
fn select_wheels(own: &mut Vec<bool>, phase: Phase, models: &[WheelFriction], count: usize) {
    own.clear();
    own.resize(count, phase == Phase::Friction);
    match phase {
        Phase::WheelFriction(number) => own[models[number].wheel] = true,
        _ => models.iter().for_each(|model| own[model.wheel] = false),
    }
}

/// A model of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelRole {
    /// The controller.
    Controller,
    /// The friction model of all wheels that have none of their own.
    Friction,
    /// The friction model of the wheel with this index.
    WheelFriction(usize),
    /// The actuator with this number in the chain.
    Actuator(usize),
}

/// An actuator of all vehicles of a table. It acts on one of their ports.
#[derive(Clone)]
pub(super) struct Actuator {
    /// Name, unique within the vehicle.
    pub name: String,
    /// Its phase `actuate`.
    pub call: Call,
    /// Whether its lanes are wheels.
    pub by_wheel: bool,
    /// Unit of the port.
    pub unit: &'static str,
    /// Quantities of vehicles that an actuator of wheels reads, and the columns with one value per wheel
    /// to which they are copied.
    pub spread: Vec<(Column, Column)>,
}

impl Actuator {
    /// Copies the quantities of vehicles to their wheels.
    pub fn spread(&self, vehicles: &mut Vehicles) {
        let count = vehicles.lanes.len();
        for (from, to) in &self.spread {
            let (from, to) = vehicles.columns.read_and_write(*from, *to);
            to.chunks_mut(count).for_each(|wheel| wheel.copy_from_slice(from));
        }
    }

    /// Returns the indices of the lanes of the vehicle in lane `lane` of `count`.
    pub fn lanes(
        &self,
        lane: usize,
        count: usize,
        wheels: usize,
    ) -> impl Iterator<Item = usize> + use<> {
        (0..if self.by_wheel { wheels } else { 1 }).map(move |wheel| wheel * count + lane)
    }
}
