//! Examined calls of models from plugin files: which outputs a model does not write, and which memory it writes that is
//! not its own.
//!
//! Before an examined call, the outputs get a number that no model computes, and the whole store of columns is copied.
//! Whether a call is examined depends on the number of the step alone, so that a mistake is found in the same step of
//! each repeated run. The calls in between cost nothing.

use std::cell::RefCell;
use std::ops::Range;

use simhost_abi::host::LaneShape;
use simhost_abi::{Fault, Phase, StateDesc, fault_code};
use simhost_model::View;

use crate::columns::{Column, Columns};

/// Number of steps at the start of a run whose calls are examined.
const FIRST: u64 = 8;
/// Distance of the later steps whose calls are examined. With a friction model in C, the cost is 0.3 % of the instructions of
/// a step with one differential drive, and 0.6 % with 500 of them.
const EVERY: u64 = 1024;
/// Bits of outputs before a call: a NaN with a payload.
const UNWRITTEN: u64 = 0x7ff8_5349_4d48_4f53;

/// Numbers of the store before a call, and the own numbers of the model with their indices.
type Before = (Vec<f64>, Vec<(usize, f64)>);

thread_local! {
    /// Kept because steps do not allocate.
    static BEFORE: RefCell<Before> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// Returns whether the calls of a step are examined.
pub(super) fn is_examined(step: u64) -> bool {
    step < FIRST || step.is_multiple_of(EVERY)
}

/// The columns of a call and the lanes of its states.
pub(super) struct Examination<'c> {
    pub phase: &'static View<Phase>,
    pub slots: &'static [View<StateDesc>],
    pub shape: LaneShape,
    pub inputs: &'c [Column],
    pub outputs: &'c [Column],
    pub states: &'c [Column],
    /// Whether all lanes share the states of lane 0.
    pub shares_states: bool,
}

impl Examination<'_> {
    /// Makes a call for some lanes and examines it.
    ///
    /// # Errors
    /// The fault of the model, or one that says what it does not write, or writes although it must not. The numbers of
    /// lanes that have not been completed are then those before the call.
    #[cold]
    #[expect(clippy::result_large_err, reason = "a fault contains its text, as at the boundary")]
    pub(super) fn examined(
        &self,
        columns: &mut Columns,
        lanes: &Range<usize>,
        call: impl FnOnce() -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        BEFORE.with_borrow_mut(|(before, own)| {
            before.clear();
            before.extend_from_slice(columns.memory());
            own.clear();
            lanes.clone().for_each(|lane| own.extend(self.own_places(lane, before)));
            self.for_each_output(lanes, |place, _, _| {
                columns.memory_mut()[place] = f64::from_bits(UNWRITTEN);
                false
            });
            let called = call();
            let after = columns.memory();
            own.iter().for_each(|(place, _)| before[*place] = after[*place]);
            let foreign = first_difference(before, columns.memory());
            let memory = columns.memory_mut();
            if let Some(place) = foreign {
                memory.copy_from_slice(before);
                own.iter().for_each(|(place, number)| memory[*place] = *number);
                return Err(failed(lanes.start, &self.describe_place(place)));
            }
            let is_unwritten = |memory: &[f64], place: usize| memory[place].to_bits() == UNWRITTEN;
            let unwritten = match called {
                Ok(()) => self.for_each_output(lanes, |place, _, _| is_unwritten(memory, place)),
                Err(_) => None,
            };
            for (place, number) in own.iter() {
                if is_unwritten(memory, *place) {
                    memory[*place] = *number;
                }
            }
            let Some((_, lane, output)) = unwritten else { return called };
            // all lanes have the same number of values
            let first = (lane - lanes.start) * (own.len() / lanes.len());
            own[first..].iter().for_each(|(place, number)| memory[*place] = *number);
            let name = self.phase.outputs()[output].name();
            let text = format!("it does not write output `{name}`; a call writes all outputs");
            Err(failed(lane, &text))
        })
    }

    /// Returns the places of the outputs and states of a lane in the store, and their numbers.
    fn own_places<'s>(
        &'s self,
        lane: usize,
        memory: &'s [f64],
    ) -> impl Iterator<Item = (usize, f64)> + 's {
        let shape = self.shape;
        let of = move |column: Column, scope: u32, lane: usize| {
            shape.places(scope, lane).map(move |place| column.place(place))
        };
        let outputs = self.phase.outputs().iter().zip(self.outputs);
        let outputs = outputs.flat_map(move |(port, column)| of(*column, port.scope, lane));
        let state_lane = if self.shares_states { 0 } else { lane };
        let states = self.slots.iter().zip(self.states);
        let states = states.flat_map(move |(slot, column)| of(*column, slot.scope, state_lane));
        outputs.chain(states).map(|place| (place, memory[place]))
    }

    /// Calls `is_wanted` with the place in the store, the lane and the index of each value of an output, and returns the
    /// first ones for which it returns true, in the order of the lanes.
    fn for_each_output(
        &self,
        lanes: &Range<usize>,
        mut is_wanted: impl FnMut(usize, usize, usize) -> bool,
    ) -> Option<(usize, usize, usize)> {
        for lane in lanes.clone() {
            let outputs = self.phase.outputs().iter().zip(self.outputs).enumerate();
            for (output, (port, column)) in outputs {
                for place in self.shape.places(port.scope, lane) {
                    let place = column.place(place);
                    if is_wanted(place, lane, output) {
                        return Some((place, lane, output));
                    }
                }
            }
        }
        None
    }

    /// Describes a place in the store by the nearest column of the call.
    fn describe_place(&self, place: usize) -> String {
        let outputs = self.phase.outputs().iter().map(|port| ("output", port.name()));
        let outputs = outputs.zip(self.outputs);
        let states = self.slots.iter().map(|slot| ("state", slot.name()));
        let states = states.zip(self.states);
        let inputs = self.phase.inputs().iter().map(|port| ("input", port.name()));
        let inputs = inputs.zip(self.inputs).filter(|(_, column)| column.len() > 0);
        let nearest = outputs
            .chain(states)
            .chain(inputs)
            .min_by_key(|(_, column)| column.distance(place).unsigned_abs());
        let Some(((kind, name), column)) = nearest else {
            return "it writes memory that is not its own".to_owned();
        };
        match (column.distance(place), kind) {
            (0, "input") => format!("it writes input `{name}`"),
            (0, _) => format!("it writes {kind} `{name}` of a lane that is not one of the call"),
            (distance, _) => {
                let side = if distance < 0 { "before" } else { "behind" };
                let count = distance.unsigned_abs();
                let noun = if count == 1 { "number" } else { "numbers" };
                format!(
                    "it writes memory that is not its own, {count} {noun} {side} {kind} `{name}`"
                )
            }
        }
    }
}

fn failed(lane: usize, text: &str) -> Fault {
    Fault { lane: lane as u64, ..Fault::new(fault_code::REFUSED, text) }
}

/// Returns the index of the first number whose bits differ.
fn first_difference(expected: &[f64], found: &[f64]) -> Option<usize> {
    let mut pairs = expected.iter().zip(found);
    pairs.position(|(expected, found)| expected.to_bits() != found.to_bits())
}
