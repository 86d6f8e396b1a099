//! Calls of models for the vehicles of a table, and the vehicles that fault in them.

use simhost_abi::{Fault, fault_code};
use simhost_world::{FaultAction, FaultPolicy};

use super::vehicles::{Lane, OwnRun, Vehicles};
use crate::columns::{Column, Columns};
use crate::fault;
use crate::fault::{Evidence, LaneCall, LaneSet};
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
    /// `kinematics` of the suspension with this number.
    Suspension(usize),
    /// `advance` of the dynamics class.
    Advance,
    /// `energy` of the dynamics class, for the energy books.
    Energy,
    /// `force` of the friction model, whose lanes are wheels.
    Friction,
    /// `force` of the friction model of a single wheel, with this number.
    WheelFriction(usize),
    /// `actuate` of the actuator with this number.
    Actuator {
        /// Place in the list of actuators.
        number: usize,
        /// Whether its lanes are wheels.
        by_wheel: bool,
    },
}

impl Phase {
    /// Returns whether the phase is one of a friction model.
    pub fn is_friction(self) -> bool {
        matches!(self, Self::Friction | Self::WheelFriction(_))
    }

    /// Returns whether the lanes of the phase are wheels.
    pub fn is_by_wheel(self) -> bool {
        self.is_friction() || matches!(self, Self::Actuator { by_wheel: true, .. })
    }
}

/// A fault within a table.
pub(super) struct TableFault {
    pub lane: usize,
    pub wheel: Option<usize>,
    /// Whether the fallback has faulted too.
    pub in_fallback: bool,
    pub evidence: Evidence,
}

/// Sets the random stream of each lane of a call; none for a model that does not draw.
pub(super) fn set_streams(
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
        Phase::Drive | Phase::Measure | Phase::Advance | Phase::Energy => (Purpose::Dynamics, 1),
        Phase::Suspension(_) => (Purpose::Suspension, 1),
        Phase::Friction | Phase::WheelFriction(_) => (Purpose::Friction, vehicles.wheels.count),
        Phase::Actuator { by_wheel: true, .. } => (Purpose::Actuator, vehicles.wheels.count),
        Phase::Actuator { by_wheel: false, .. } => (Purpose::Actuator, 1),
    };
    let chain = match phase {
        Phase::Actuator { number, .. } | Phase::Suspension(number) => number as u64,
        _ => 0,
    };
    let lanes = (0..wheels).flat_map(|wheel| vehicles.lanes.iter().map(move |lane| (wheel, lane)));
    let key =
        |(wheel, lane): (usize, &Lane)| chain << 48 | (wheel as u64) << 32 | lane.vehicle as u64;
    streams.extend(lanes.map(|at| {
        let run = at.1.run.unwrap_or(OwnRun { seed: moment.seed, behind: 0 });
        stream(run.seed, purpose, key(at), moment.clock_behind(run.behind).steps)
    }));
}

/// The vehicles of a table during a call.
pub(super) struct ModelRun<'t> {
    /// The vehicles.
    pub lanes: &'t mut Vec<Lane>,
    /// Wheels per vehicle if wheels are the lanes of the call, else 1.
    pub wheels: usize,
    pub any_disabled: &'t mut bool,
    /// Columns of the table.
    pub columns: &'t mut Columns,
    pub policy: &'t FaultPolicy,
    /// Selects the vehicles, of those that are not disabled, for which the call is made.
    pub selects: fn(&Lane) -> bool,
    /// The wheels for which a friction model is called, if not all of them.
    pub own_wheels: Option<&'t [bool]>,
    /// Buffer for the state columns before a call.
    pub before: &'t mut Vec<f64>,
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
            own_wheels: self.own_wheels,
            whole: call.needs_whole_batch(),
            phase,
            found: Vec::new(),
        };
        let mut called = LaneCall { call, moment, streams, before: &mut *self.before };
        called.run(self.columns, &mut lanes);
        while let Some((output, index)) = call.first_non_finite(self.columns) {
            let by_wheel = self.columns.get(call.outputs()[output]).len() > count;
            // the lanes of friction models and of some actuators are wheels
            let lane = if phase.is_by_wheel() { index } else { index % count };
            let fault = non_finite(call, output);
            called.record(self.columns, &mut lanes, lane, &fault);
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
    own_wheels: Option<&'t [bool]>,
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
        !*self.any_disabled && self.own_wheels.is_none()
    }

    fn is_enabled(&self, lane: usize) -> bool {
        let (wheel, lane) = (lane / self.lanes.len(), &self.lanes[lane % self.lanes.len()]);
        let is_own = self.own_wheels.is_none_or(|own| own[wheel]);
        is_own && !lane.disabled && (self.selects)(lane)
    }

    fn record(&mut self, lane: usize, evidence: Evidence) {
        let count = self.lanes.len();
        let friction = self.phase.is_friction();
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

/// The friction model that replaces another one after a fault.
#[derive(Clone)]
pub(super) struct Fallback {
    /// Its phase `force`, with outputs of its own.
    pub call: Call,
    /// Outputs, and the columns to which they are copied.
    pub outputs: Vec<(Column, Column)>,
}

impl Fallback {
    /// Computes the forces of the vehicles whose own model has faulted.
    pub fn run(&self, run: &mut ModelRun<'_>, moment: &Moment) -> Vec<TableFault> {
        if !run.lanes.iter().any(|lane| lane.uses_fallback) {
            return Vec::new();
        }
        run.selects = |lane| lane.uses_fallback;
        run.own_wheels = None;
        let found = run.call(&self.call, Phase::Friction, moment, &[]);
        let count = run.lanes.len();
        for (from, to) in &self.outputs {
            for index in 0..count * run.wheels {
                if run.lanes[index % count].uses_fallback {
                    run.columns.get_mut(*to)[index] = run.columns.get(*from)[index];
                }
            }
        }
        found
    }
}
