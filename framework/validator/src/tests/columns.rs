//! Tests of what a call reads and writes.

use std::ops::Range;
use std::ptr;

use simhost_abi::Scope;
use simhost_abi::host::PhaseColumns;
use simhost_model::lanes::per_lane;

use crate::case::Case;
use crate::guarded::{Guarded, Side, is_unwritten, watch};
use crate::instance::{Outcome, fail, fail_for, of_seed, skip};
use crate::rig::{DT, Rig, When, inputs, outputs, slots};

/// Number of lanes, and of steps.
const LANES: usize = 24;
const STEPS: u64 = 5;

/// The columns of a call, each between inaccessible pages.
struct Columns {
    inputs: Vec<Guarded>,
    outputs: Vec<Guarded>,
    states: Vec<Guarded>,
    streams: Guarded,
}

impl Columns {
    /// Copies the columns of a phase. Outputs have no content.
    fn of(rig: &Rig, phase: usize, side: Side) -> Outcome<Self> {
        let guarded = |column: &Vec<f64>| {
            let bits: Vec<u64> = column.iter().map(|value| value.to_bits()).collect();
            Guarded::new(&bits, side)
        };
        let all =
            |columns: &[Vec<f64>]| columns.iter().map(guarded).collect::<std::io::Result<Vec<_>>>();
        let bound = &rig.phases[phase];
        let made = || {
            let mut outputs = all(&bound.outputs)?;
            outputs.iter_mut().for_each(Guarded::forget);
            let streams = Guarded::new(&rig.streams, side)?;
            let (inputs, states) = (all(&bound.inputs)?, all(&rig.states)?);
            Ok(Self { inputs, outputs, states, streams })
        };
        made().or_else(|error: std::io::Error| skip(format!("no memory: {error}")))
    }

    /// Calls a phase for some lanes on these columns.
    fn call(&self, rig: &Rig, phase: usize, lanes: &Range<usize>, when: When) -> Outcome {
        let of = |columns: &[Guarded]| {
            columns.iter().map(|column| column.pointer().cast()).collect::<Vec<*mut f64>>()
        };
        let input = |column: &Guarded| {
            ptr::slice_from_raw_parts(column.pointer().cast_const().cast(), column.len())
        };
        let columns = PhaseColumns {
            inputs: self.inputs.iter().map(input).collect(),
            outputs: of(&self.outputs),
            states: of(&self.states),
            arrays: rig.readings.ports(rig.phases[phase].phase),
        };
        // SAFETY: the columns are copies of those of the rig, and used by this call only.
        let bound = unsafe { rig.bound_to(phase, columns, self.streams.pointer()) };
        bound.call(lanes, when).or_else(|fault| rig.blame(&fault, when))
    }

    /// Reports an access outside of a column as the failure of the test.
    fn watch(&self, rig: &Rig, phase: usize) {
        let [inputs, outputs, states] = names(rig, phase);
        let streams = [("the random streams".into(), Scope::Instance)];
        let all = self.inputs.iter().zip(inputs).chain(self.outputs.iter().zip(outputs));
        let all = all.chain(self.states.iter().zip(states));
        let all = all.chain(std::iter::once(&self.streams).zip(streams));
        watch(rig.phases[phase].phase.id(), all.map(|(column, (name, _))| (column, name)));
    }

    /// Copies outputs and states back.
    fn keep(&mut self, rig: &mut Rig, phase: usize) {
        let model = &mut rig.model;
        let kept = model.phases[phase].outputs.iter_mut().chain(&mut model.states);
        for (to, from) in kept.zip(self.outputs.iter_mut().chain(&mut self.states)) {
            to.iter_mut().zip(from.values()).for_each(|(to, from)| *to = f64::from_bits(*from));
        }
    }
}

/// The columns of a phase by name, with their scopes: inputs, outputs and states.
fn names(rig: &Rig, phase: usize) -> [Vec<(String, Scope)>; 3] {
    let phase = rig.phases[phase].phase;
    let port =
        |kind: &str, name: &str, scope: u32| (format!("{kind} `{name}`"), Scope::from_u32(scope));
    [
        inputs(phase).iter().map(|one| port("input", one.name(), one.scope)).collect(),
        outputs(phase).iter().map(|one| port("output", one.name(), one.scope)).collect(),
        slots(&rig.instance).iter().map(|one| port("state", one.name(), one.scope)).collect(),
    ]
}

/// Calls all phases of some steps on guarded columns, and checks each call.
fn step_by_step(
    case: &Case,
    mut check: impl FnMut(&Rig, usize, &mut Columns, When) -> Outcome,
) -> Outcome {
    let instance = case.instance()?;
    for (number, seed) in case.seeds().take(5).enumerate() {
        let mut rig = Rig::new(&instance, LANES, seed)?;
        if number % 2 == 1 {
            rig = rig.with_columns(&case.values());
        }
        for step in 0..STEPS {
            rig.fill(step);
            let when = When { step, dt: DT };
            for phase in 0..rig.phases.len() {
                let mut columns = Columns::of(&rig, phase, Side::End)?;
                columns.watch(&rig, phase);
                columns.call(&rig, phase, &(0..LANES), when)?;
                of_seed(seed, check(&rig, phase, &mut columns, when))?;
                columns.keep(&mut rig, phase);
                rig.integrate(phase, DT);
            }
        }
    }
    Ok(())
}

/// `outputs-written`
pub(crate) fn outputs_written(case: &Case) -> Outcome {
    step_by_step(case, |rig, phase, columns, when| {
        let [_, names, _] = names(rig, phase);
        for (column, (name, scope)) in columns.outputs.iter_mut().zip(names) {
            let mut values = column.values().iter();
            if let Some(index) = values.position(|value| is_unwritten(*value)) {
                let (lane, id) =
                    (rig.shape.owner(scope as u32, index).0, rig.phases[phase].phase.id());
                let what = format!("`{id}` does not write {name} of lane {lane}");
                return fail_for(what, rig.inputs_of(lane, when));
            }
        }
        Ok(())
    })
}

/// `inputs-unchanged`
pub(crate) fn inputs_unchanged(case: &Case) -> Outcome {
    step_by_step(case, |rig, phase, columns, when| {
        let [names, ..] = names(rig, phase);
        let before = &rig.phases[phase].inputs;
        for ((column, (name, scope)), before) in columns.inputs.iter_mut().zip(names).zip(before) {
            let mut values = column.values().iter().zip(before);
            if let Some(index) = values.position(|(now, before)| *now != before.to_bits()) {
                let (from, to) = (before[index], f64::from_bits(column.values()[index]));
                let (lane, id) =
                    (rig.shape.owner(scope as u32, index).0, rig.phases[phase].phase.id());
                let what = format!("`{id}` changes {name} of lane {lane} from {from} to {to}");
                return fail_for(what, rig.inputs_of(lane, when));
            }
        }
        Ok(())
    })
}

/// `lanes-of-the-call`
pub(crate) fn lanes_of_the_call(case: &Case) -> Outcome {
    let instance = case.instance()?;
    let whole = instance.is_whole();
    let has_columns = per_lane(case.model).next().is_some();
    let parts = [0..LANES, 8..16, 5..6, LANES - 1..LANES];
    // lanes that depend on each other are in one call
    for part in parts.into_iter().take(if whole { 1 } else { usize::MAX }) {
        let rig = Rig::new(&instance, LANES, case.seed)?;
        for phase in 0..rig.phases.len() {
            let plain = called(case, phase, &part, false, false)?;
            let poisoned = called(case, phase, &part, true, false)?;
            if plain != poisoned || has_columns && plain != called(case, phase, &part, true, true)?
            {
                let id = rig.phases[phase].phase.id();
                return fail(format!(
                    "the results of `{id}` for {} depend on inputs or states of other lanes",
                    lanes(&part)
                ));
            }
        }
    }
    Ok(())
}

fn lanes(part: &Range<usize>) -> String {
    format!("lanes {} to {} of {LANES}", part.start, part.end - 1)
}

/// Calls a phase of a new rig for some lanes, and returns the bits that it writes there. With `poison`,
/// the inputs and states of the other lanes are not numbers; with `varied`, parameters have columns.
fn called(
    case: &Case,
    phase: usize,
    part: &Range<usize>,
    poison: bool,
    varied: bool,
) -> Outcome<Vec<u64>> {
    let mut rig = case.rig(LANES)?;
    if varied {
        rig = rig.with_columns(&case.values());
    }
    rig.fill(0);
    let mut columns = Columns::of(&rig, phase, Side::End)?;
    let [inputs, outputs, states] = names(&rig, phase);
    let is_other = |scope, index: usize| !part.contains(&rig.shape.owner(scope as u32, index).0);
    let named = columns.inputs.iter_mut().zip(&inputs);
    // all lanes read the state of the world
    let own = if rig.instance.shares_state() { &mut [] } else { &mut columns.states[..] };
    for (column, (_, scope)) in named.chain(own.iter_mut().zip(&states)) {
        let others = column.values().iter_mut().enumerate();
        for (_, value) in others.filter(|(index, _)| poison && is_other(*scope, *index)) {
            *value = f64::NAN.to_bits();
        }
    }
    let mut before: Vec<Vec<u64>> = Vec::new();
    before.extend(columns.outputs.iter_mut().map(|column| column.values().to_vec()));
    before.extend(columns.states.iter_mut().map(|column| column.values().to_vec()));
    columns.watch(&rig, phase);
    let when = When { step: 0, dt: DT };
    columns.call(&rig, phase, part, when)?;
    let id = rig.phases[phase].phase.id();
    let mut bits = Vec::new();
    let written = columns.outputs.iter_mut().chain(&mut columns.states);
    for ((column, (name, scope)), before) in written.zip(outputs.iter().chain(&states)).zip(before)
    {
        if let Some(at) = column.written_beside() {
            return fail(format!("`{id}` writes value {at} of {name}, which begins with value 0"));
        }
        for (index, (now, before)) in column.values().iter().zip(before).enumerate() {
            if !is_other(*scope, index) {
                bits.push(*now);
            } else if *now != before {
                let other = rig.shape.owner(*scope as u32, index).0;
                let called = lanes(part);
                return fail(format!(
                    "a call of `{id}` for {called} writes {name} of lane {other}"
                ));
            }
        }
    }
    Ok(bits)
}

/// `column-bounds`
pub(crate) fn column_bounds(case: &Case) -> Outcome {
    let instance = case.instance()?;
    let whole = instance.is_whole();
    for count in [1, 2, 5, 8, 64] {
        for (side, varied) in [(Side::End, false), (Side::Start, false), (Side::End, true)] {
            let mut rig = Rig::new(&instance, count, case.seed)?;
            if varied {
                rig = rig.with_columns(&case.values());
            }
            rig.fill(0);
            for phase in 0..rig.phases.len() {
                let mut columns = Columns::of(&rig, phase, side)?;
                columns.watch(&rig, phase);
                let when = When { step: 0, dt: DT };
                let parts = [0..count, 0..1, count - 1..count];
                for part in parts.iter().take(if whole { 1 } else { usize::MAX }) {
                    columns.call(&rig, phase, part, when)?;
                }
                columns.keep(&mut rig, phase);
                rig.integrate(phase, DT);
            }
        }
    }
    Ok(())
}
