//! An environment: its phases, and the columns that they share.

use simhost_abi::host::LaneShape;
use simhost_abi::{Fault, fault_code};
use simhost_model::Entities;
use simhost_world::EnvironmentUse;

use crate::columns::{Column, Columns, Layout};
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::fault::{Evidence, LaneCall, LaneSet};
use crate::live_state::LiveState;
use crate::model::{
    Call, LaneInstances, Lengths, MemoryCopies, MigrationError, ModelError, ModelLanes, PortMap,
    UnboundCall, copy_states, create_instance,
};
use crate::moment::Moment;
use crate::random::{Purpose, stream};

/// Phases of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnvironmentPhase {
    /// Advances the state, which all other phases read.
    Update,
    /// Returns the gravity.
    Gravity,
    /// Returns the ground at points.
    Surface,
    /// Returns the velocity of the air at points.
    Wind,
}

impl EnvironmentPhase {
    const ALL: [Self; 4] = [Self::Update, Self::Gravity, Self::Surface, Self::Wind];

    const fn id(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Gravity => "gravity",
            Self::Surface => "surface",
            Self::Wind => "wind",
        }
    }
}

/// A phase with its ports by name.
#[derive(Clone)]
struct Wired<C> {
    call: C,
    /// Number of lanes: points, or 1 for the world.
    lanes: usize,
    inputs: PortMap,
    outputs: PortMap,
}

/// An environment of a world.
#[derive(Clone)]
pub(super) struct EnvironmentModel {
    /// Name in the world file.
    pub name: String,
    /// Phases of the model, in the order of [`EnvironmentPhase::ALL`].
    phases: [Option<Wired<Call>>; 4],
    /// States, which have one value, and the ports of all phases.
    pub columns: Columns,
    /// Place in the world file, for random streams.
    number: u64,
    /// Whether the model has faulted, so that it is not called any more.
    pub disabled: bool,
    /// Buffer for the state columns before a call.
    before: Vec<f64>,
    fault: Option<Evidence>,
}

/// The calls of all phases share states and memory.
impl LiveState for EnvironmentModel {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self { columns, disabled, name: _, phases: _, number: _, before: _, fault: _ } = self;
        columns.write(to)?;
        disabled.write(to)?;
        self.stateful().write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.columns.read(from)?;
        self.disabled.read(from)?;
        self.stateful().read(from)
    }
}

impl EnvironmentModel {
    /// Binds the calls of a clone to its columns.
    ///
    /// # Errors
    /// [`SnapshotError`] if the model fails to save its memory.
    pub fn bind(&mut self, copies: &mut MemoryCopies) -> Result<(), SnapshotError> {
        let Self { phases, columns, .. } = self;
        phases.iter_mut().flatten().try_for_each(|wired| wired.call.bind(columns, copies))
    }

    /// Builds an environment for `blown` vehicles and `wheels` wheels.
    ///
    /// # Errors
    /// [`ModelError`] if the model cannot be used.
    pub fn new(
        used: &EnvironmentUse,
        number: usize,
        blown: usize,
        wheels: usize,
    ) -> Result<Self, ModelError> {
        let instances = LaneInstances::equal(create_instance(&used.model)?);
        let mut layout = Layout::default();
        let world = Lengths { lanes: 1, wheels: 0, rays: 0 };
        let entities = Entities::shared(format!("environment '{}'", used.name));
        let (shape, span) =
            (LaneShape { wheel_stride: 1, ..LaneShape::default() }, used.model.span);
        let model = ModelLanes::new(instances, span, world, shape, entities, &mut layout)?;
        model.phase(&[EnvironmentPhase::Update.id()])?;
        let unbound = EnvironmentPhase::ALL.map(|phase| {
            let lanes = match phase {
                EnvironmentPhase::Update | EnvironmentPhase::Gravity => 1,
                EnvironmentPhase::Surface => wheels,
                EnvironmentPhase::Wind => blown,
            };
            wire(&model, phase, lanes, &mut layout)
        });
        let columns = layout.finish();
        let phases = unbound.map(|phase| {
            let Wired { call, lanes, inputs, outputs } = phase?;
            Some(Wired { call: call.bind(&columns), lanes, inputs, outputs })
        });
        let (name, number) = (used.name.clone(), number as u64);
        let (disabled, before, fault) = (false, Vec::new(), None);
        Ok(Self { name, phases, columns, number, disabled, before, fault })
    }

    /// Returns the call that holds states and memory.
    pub fn stateful(&self) -> &Call {
        let update = self.phases[EnvironmentPhase::Update as usize].as_ref();
        &update.expect("`new` has checked that the model has the phase").call
    }

    /// Returns whether the model has a phase.
    pub fn has(&self, phase: EnvironmentPhase) -> bool {
        self.phases[phase as usize].is_some()
    }

    /// Returns the fault that has not been taken.
    pub fn take_fault(&mut self) -> Option<Evidence> {
        self.fault.take()
    }

    /// Sets the points of a phase, world frame, m.
    pub fn set_points(&mut self, phase: EnvironmentPhase, points: &[[f64; 3]]) {
        let Some(wired) = &self.phases[phase as usize] else { return };
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let Some(column) = wired.inputs.get(name) else { continue };
            let values = self.columns.get_mut(column).iter_mut();
            values.zip(points).for_each(|(value, point)| *value = point[axis]);
        }
    }

    /// Calls a phase. Returns whether its outputs can be used: the model has the phase and has not
    /// faulted.
    pub fn call(&mut self, phase: EnvironmentPhase, moment: &Moment) -> bool {
        let Self { phases, columns, number, disabled, before, fault, .. } = self;
        let Some(Wired { call, lanes, .. }) = &phases[phase as usize] else { return false };
        if *disabled || *lanes == 0 {
            return false;
        }
        let draws = phase == EnvironmentPhase::Update && call.is_random();
        let key = stream(moment.seed, Purpose::Environment, *number, moment.clock.steps);
        let streams: &[u64] = if draws { &[key] } else { &[] };
        let mut run = Lanes { count: *lanes, disabled, fault };
        let mut called = LaneCall { call, moment, streams, before };
        called.run(columns, &mut run);
        if let Some((lane, text)) = first_defect(call, columns).filter(|_| !*run.disabled) {
            let fault = Fault::new(fault_code::NON_FINITE, &text);
            called.record(columns, &mut run, lane, &fault);
        }
        !self.disabled
    }

    /// Copies the state of another environment.
    ///
    /// # Errors
    /// [`MigrationError`] if the model rejects the state.
    pub fn take_over(&mut self, old: &Self) -> Result<(), MigrationError> {
        let Some(Wired { call, .. }) = &self.phases[EnvironmentPhase::Update as usize] else {
            return Ok(());
        };
        let lanes = std::iter::once((0, 0));
        copy_states(call, &mut self.columns, old.stateful(), &old.columns, lanes)
    }

    /// Returns the values of an output, which are none if the model does not have it.
    pub fn output(&self, phase: EnvironmentPhase, name: &str) -> &[f64] {
        let wired = self.phases[phase as usize].as_ref();
        let column = wired.and_then(|wired| wired.outputs.get(name));
        column.map_or(&[], |column| self.columns.get(column))
    }

    /// Returns the published outputs of the phase `update`.
    pub fn published(&self) -> &[Column] {
        self.stateful().outputs()
    }
}

/// Wires a phase with its own number of lanes, if the model has it.
fn wire(
    model: &ModelLanes,
    phase: EnvironmentPhase,
    lanes: usize,
    layout: &mut Layout,
) -> Option<Wired<UnboundCall>> {
    let found = model.instance().phase(phase.id())?;
    let (mut inputs, mut outputs) = (PortMap::default(), PortMap::default());
    let call = model.with_lanes(lanes).wire(found, &[], &mut inputs, &mut outputs, layout);
    Some(Wired { call, lanes, inputs, outputs })
}

/// Largest values of the outputs of the phase `surface`: far more than any ground has.
const LARGEST: [(&str, f64); 2] = [("mu", 10.0), ("c_rr", 10.0)];

/// Returns the lane of the first output or state that is not finite or absurd, and a message about it.
fn first_defect(call: &Call, columns: &Columns) -> Option<(usize, String)> {
    if let Some((output, lane)) = call.first_non_finite(columns) {
        let name = call.phase.outputs()[output].name();
        return Some((lane, format!("output `{name}` is not finite")));
    }
    for (port, column) in call.phase.outputs().iter().zip(call.outputs()) {
        let Some((name, most)) = LARGEST.iter().find(|(name, _)| *name == port.name()) else {
            continue;
        };
        let values = columns.get(*column);
        if let Some(lane) = values.iter().position(|value| value > most) {
            let value = values[lane];
            return Some((lane, format!("output `{name}` is {value}, expected at most {most}")));
        }
    }
    let (name, lane) = call.first_non_finite_state(columns, |_| false)?;
    Some((lane, format!("state `{name}` is not finite")))
}

/// The lanes of a call, which fault together.
struct Lanes<'e> {
    count: usize,
    disabled: &'e mut bool,
    fault: &'e mut Option<Evidence>,
}

impl LaneSet for Lanes<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn all_enabled(&self) -> bool {
        !*self.disabled
    }

    fn is_enabled(&self, _: usize) -> bool {
        !*self.disabled
    }

    fn record(&mut self, _: usize, evidence: Evidence) {
        *self.disabled = true;
        *self.fault = Some(evidence);
    }
}
