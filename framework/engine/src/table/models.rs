//! The models of a table and the calls of their phases.

use simhost_abi::{Fault, fault_code};
use simhost_world::{FaultAction, FaultPolicy};

use super::actuation::Actuator;
use super::fallback::Fallback;
use super::port_faults::{PortFaults, Stage};
use super::rates::Rates;
use super::vehicles::{Lane, Vehicles};
use crate::columns::{Column, Columns};
use crate::fault::{self, Evidence, FaultReport, LaneSet};
use crate::model::Call;
use crate::moment::Moment;
use crate::random::{Purpose, stream};

/// Phases of the models of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// `control` of the controller.
    Control,
    /// `drive`, `wrench` or `motion` of the dynamics class.
    Drive,
    /// `measure` of the dynamics class.
    Measure,
    /// `force` of the friction model, whose lanes are wheels.
    Friction,
    /// `actuate` of the actuator with this number.
    Actuator {
        /// Place in the list of actuators.
        number: usize,
        /// Whether its lanes are wheels.
        by_wheel: bool,
    },
}

impl Phase {
    /// Returns whether the lanes of the phase are wheels.
    fn is_by_wheel(self) -> bool {
        matches!(self, Self::Friction | Self::Actuator { by_wheel: true, .. })
    }
}

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

/// A fault within a table.
pub(super) struct TableFault {
    lane: usize,
    wheel: Option<usize>,
    /// Whether the fallback has faulted too.
    in_fallback: bool,
    evidence: Evidence,
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

/// Sets the random stream of each lane of a call; none for a model that does not draw.
fn set_streams(
    streams: &mut Vec<u64>,
    call: &Call,
    phase: Phase,
    vehicles: &Vehicles,
    moment: &Moment,
) {
    streams.clear();
    if !call.is_random() {
        return;
    }
    let (purpose, wheels) = match phase {
        Phase::Control => (Purpose::Controller, 1),
        Phase::Drive | Phase::Measure => (Purpose::Dynamics, 1),
        Phase::Friction => (Purpose::Friction, vehicles.wheels.count),
        Phase::Actuator { by_wheel: true, .. } => (Purpose::Actuator, vehicles.wheels.count),
        Phase::Actuator { by_wheel: false, .. } => (Purpose::Actuator, 1),
    };
    let chain = if let Phase::Actuator { number, .. } = phase { number as u64 } else { 0 };
    let lanes = (0..wheels).flat_map(|wheel| vehicles.lanes.iter().map(move |lane| (wheel, lane)));
    let key =
        |(wheel, lane): (usize, &Lane)| chain << 48 | (wheel as u64) << 32 | lane.vehicle as u64;
    streams.extend(lanes.map(|lane| stream(moment.seed, purpose, key(lane), moment.clock.steps)));
}

/// The vehicles of a table during a call.
pub(super) struct ModelRun<'t> {
    /// The vehicles.
    pub lanes: &'t mut Vec<Lane>,
    /// Wheels per vehicle if wheels are the lanes of the call, else 1.
    pub wheels: usize,
    any_disabled: &'t mut bool,
    /// Columns of the table.
    pub columns: &'t mut Columns,
    policy: &'t FaultPolicy,
    /// Selects the vehicles, of those that are not disabled, for which the call is made.
    pub selects: fn(&Lane) -> bool,
    /// Buffer for the state columns before a call.
    before: &'t mut Vec<f64>,
}

impl ModelRun<'_> {
    /// Calls a phase for every selected vehicle. Returns each fault once, including outputs that are
    /// not finite.
    pub fn call(
        &mut self,
        call: &Call,
        phase: Phase,
        moment: &Moment,
        streams: &[u64],
    ) -> Vec<TableFault> {
        let count = self.lanes.len();
        let mut lanes = RunLanes {
            lanes: self.lanes,
            wheels: self.wheels,
            any_disabled: self.any_disabled,
            policy: self.policy,
            selects: self.selects,
            whole: call.needs_whole_batch(),
            phase,
            found: Vec::new(),
        };
        let before = &mut *self.before;
        fault::call_lanes(call, self.columns, &mut lanes, moment, streams, before);
        while let Some((output, index)) = call.first_non_finite(self.columns) {
            let by_wheel = self.columns.get(call.outputs()[output]).len() > count;
            // the lanes of friction models and of some actuators are wheels
            let lane = if phase.is_by_wheel() { index } else { index % count };
            let fault = non_finite(call, output);
            let evidence =
                Evidence::gather(call, self.columns, before, lane, moment, &fault, streams);
            lanes.record(lane, evidence);
            if let Some(last) = lanes.found.last_mut() {
                last.wheel = by_wheel.then_some(index / count);
            }
            call.zero_outputs(self.columns, |i| i % count == lane % count);
        }
        lanes.found
    }
}

/// The lanes of one call.
struct RunLanes<'t> {
    lanes: &'t mut Vec<Lane>,
    wheels: usize,
    any_disabled: &'t mut bool,
    policy: &'t FaultPolicy,
    selects: fn(&Lane) -> bool,
    /// Whether lanes depend on each other and therefore fault together.
    whole: bool,
    phase: Phase,
    found: Vec<TableFault>,
}

impl LaneSet for RunLanes<'_> {
    fn count(&self) -> usize {
        self.lanes.len() * self.wheels
    }

    fn all_enabled(&self) -> bool {
        !*self.any_disabled
    }

    fn is_enabled(&self, lane: usize) -> bool {
        let lane = &self.lanes[lane % self.lanes.len()];
        !lane.disabled && (self.selects)(lane)
    }

    fn record(&mut self, lane: usize, evidence: Evidence) {
        let count = self.lanes.len();
        let friction = self.phase == Phase::Friction;
        let wheel = self.phase.is_by_wheel().then_some(lane / count);
        let fallback = fault::action(self.policy, evidence.code) == FaultAction::Fallback;
        let mut in_fallback = false;
        *self.any_disabled = true;
        let faulted = lane % count;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            if number == faulted || self.whole {
                in_fallback = lane.uses_fallback;
                lane.disabled |= !(fallback && friction) || in_fallback;
                lane.uses_fallback = !lane.disabled;
            }
        }
        self.found.push(TableFault { lane: faulted, wheel, in_fallback, evidence });
    }
}

fn non_finite(call: &Call, output: usize) -> Fault {
    let name = call.phase.outputs()[output].name();
    Fault::new(fault_code::NON_FINITE, &format!("output `{name}` is not finite"))
}
