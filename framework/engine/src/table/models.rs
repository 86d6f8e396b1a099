//! The models of a table and the calls of their phases.

use simhost_world::FaultPolicy;

use super::actuation::Actuator;
use super::calls::{ModelRun, Phase, TableFault, set_streams};
use super::fallback::Fallback;
use super::port_faults::{PortFaults, Stage};
use super::rates::Rates;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::fault::FaultReport;
use crate::model::Call;
use crate::moment::Moment;

/// The models of a table.
pub(super) struct Models {
    pub control: Call,
    pub drive: Call,
    pub measure: Call,
    pub friction: Call,
    /// Continuous states, with the phase after which they are integrated.
    pub rates: Vec<(Phase, Rates)>,
    pub fallback: Option<Fallback>,
    /// The actuators, in the order in which they act.
    pub actuators: Vec<Actuator>,
    pub policy: FaultPolicy,
    pub buffers: Buffers,
}

/// Memory that calls reuse.
#[derive(Default)]
pub(super) struct Buffers {
    /// State columns before a call.
    before: Vec<f64>,
    /// Random streams of the lanes of a call.
    streams: Vec<u64>,
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
            Phase::Friction => &self.friction,
            Phase::Actuator { number, .. } => &self.actuators[number].call,
        };
        let Buffers { before, streams } = &mut self.buffers;
        set_streams(streams, call, phase, vehicles, moment);
        let mut run = ModelRun {
            lanes: &mut vehicles.lanes,
            wheels: if phase.is_by_wheel() { vehicles.wheels.count } else { 1 },
            any_disabled: &mut vehicles.any_disabled,
            columns: &mut vehicles.columns,
            policy: &self.policy,
            selects: if phase == Phase::Friction { |lane| !lane.uses_fallback } else { |_| true },
            before,
        };
        let mut found = run.call(call, phase, moment, streams);
        for (_, rates) in self.rates.iter_mut().filter(|(after, _)| *after == phase) {
            found.extend(rates.advance(&mut run, phase, moment));
        }
        if let (Phase::Friction, Some(fallback)) = (phase, &self.fallback) {
            found.extend(fallback.run(&mut run, moment));
        }
        if !found.is_empty() {
            self.report(found, vehicles, faults);
        }
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
        for call in own.into_iter().chain(self.actuators.iter().map(|actuator| &actuator.call)) {
            call.zero_outputs(&mut vehicles.columns, |index| index % count == lane);
        }
    }

    /// Returns the columns that must stay finite: all state slots whose initial value is finite.
    pub fn finite_columns(&self) -> Vec<Column> {
        self.stateful().flat_map(Call::finite_states).collect()
    }

    /// Returns all phases that are called once per step, with their names after that of the vehicle or the wheel,
    /// and whether their lanes are wheels.
    pub fn named(&mut self) -> impl Iterator<Item = (String, bool, &mut Call)> {
        let own = [
            ("controller/", false, &mut self.control),
            ("dynamics/", false, &mut self.drive),
            ("dynamics/", false, &mut self.measure),
            ("", true, &mut self.friction),
        ];
        let own = own.into_iter().map(|(role, by_wheel, call)| (role.to_owned(), by_wheel, call));
        let actuators = self
            .actuators
            .iter_mut()
            .map(|one| (format!("actuator/{}/", one.name), one.by_wheel, &mut one.call));
        own.chain(actuators).map(|(role, by_wheel, call)| {
            let phase = call.phase.id();
            (role + phase, by_wheel, call)
        })
    }

    /// Returns the calls that hold the states and memories of all models, one call per model.
    pub fn stateful(&self) -> impl Iterator<Item = &Call> {
        let own = [&self.control, &self.drive, &self.friction];
        let own = own.into_iter().chain(self.fallback.as_ref().map(|fallback| &fallback.call));
        own.chain(self.actuators.iter().map(|actuator| &actuator.call))
    }
}
