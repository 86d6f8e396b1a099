//! The pool of signals, and the submodels that share it.

use std::ops::Range;

use super::Submodel;

/// Difference of a state from its signal above which the signals start again from the states.
const SAME: f64 = 1e-6;

/// Submodels whose signals are connected by their names.
pub struct Wiring {
    parts: Vec<Part>,
    /// Number of inputs, which are the first signals.
    inputs: usize,
    /// Number of states, which follow the inputs.
    states: usize,
    /// Number of signals.
    signals: usize,
    /// Largest number of values that a submodel gets and returns.
    scratch: usize,
    memory: usize,
}

/// A submodel, and where its values stand.
struct Part {
    submodel: Box<dyn Submodel>,
    actions: Vec<usize>,
    states: Vec<usize>,
    memory: Range<usize>,
}

impl std::fmt::Debug for Wiring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} submodels with {} signals", self.parts.len(), self.signals)
    }
}

impl Wiring {
    /// Connects submodels to each other, to `inputs`, and to the `states` of the vehicle. A state that no
    /// submodel computes keeps its value.
    ///
    /// # Errors
    ///
    /// A message for the user if nothing provides a signal that a submodel reads, if two submodels compute
    /// the same signal, or if one computes an input.
    pub fn new(
        inputs: &[&str],
        states: &[&str],
        submodels: Vec<Box<dyn Submodel>>,
    ) -> Result<Self, String> {
        let mut names: Vec<String> = inputs.iter().chain(states).map(ToString::to_string).collect();
        let mut owners = vec![None; names.len()];
        for (number, submodel) in submodels.iter().enumerate() {
            for name in submodel.states() {
                claim(&mut names, &mut owners, inputs.len(), number, name)?;
            }
        }
        let mut wiring = Self {
            parts: Vec::with_capacity(submodels.len()),
            inputs: inputs.len(),
            states: states.len(),
            signals: names.len(),
            scratch: 0,
            memory: 0,
        };
        for (number, submodel) in submodels.into_iter().enumerate() {
            let place = |name: &String| names.iter().position(|other| other == name);
            let found = |name: String| {
                place(&name).ok_or_else(|| {
                    format!(
                        "submodel {} reads the signal `{name}`, which nothing provides; there are {}",
                        number + 1,
                        names.join(", ")
                    )
                })
            };
            let actions = submodel.actions().into_iter().map(found).collect::<Result<_, _>>()?;
            let own = submodel.states().iter().filter_map(place).collect();
            wiring.add(submodel, actions, own);
        }
        Ok(wiring)
    }

    fn add(&mut self, submodel: Box<dyn Submodel>, actions: Vec<usize>, states: Vec<usize>) {
        let memory = self.memory..self.memory + submodel.memory_len();
        self.memory = memory.end;
        self.scratch = self.scratch.max(actions.len() + 2 * states.len());
        self.parts.push(Part { submodel, actions, states, memory });
    }

    /// Returns the numbers of a vehicle that starts: its signals, which are 0, and the memory of the
    /// submodels.
    pub fn start(&self) -> Vec<f64> {
        let mut pool = vec![0.0; self.len()];
        self.reset(&mut pool);
        pool
    }

    /// Forgets all signals and what submodels remember.
    ///
    /// # Panics
    ///
    /// If `pool` does not have the length of the result of [`Self::start`].
    pub fn reset(&self, pool: &mut [f64]) {
        pool.fill(0.0);
        let memory = &mut pool[2 * self.signals + self.scratch..];
        for part in &self.parts {
            part.submodel.reset(&mut memory[part.memory.clone()]);
        }
    }

    /// Returns the number of values that [`Self::start`] returns.
    pub fn len(&self) -> usize {
        2 * self.signals + self.scratch + self.memory
    }

    /// Returns whether [`Self::start`] returns no values, because there is neither a signal nor a
    /// submodel.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Advances the signals of a vehicle by a step of `dt` seconds. All submodels read the signals
    /// of the start of the step. `states` are the states of the vehicle at the start of the step,
    /// and afterwards at its end. If one of them differs from its signal, because something else
    /// has moved the vehicle, all signals start again: the states have these values, and other
    /// signals are 0.
    ///
    /// # Panics
    ///
    /// If `pool`, `inputs` or `states` have another length than at the start.
    pub fn step(&self, pool: &mut [f64], inputs: &[f64], states: &mut [f64], dt: f64) {
        assert_eq!(pool.len(), self.len(), "the pool belongs to another wiring");
        let (signals, rest) = pool.split_at_mut(self.signals);
        let (next, rest) = rest.split_at_mut(self.signals);
        let (scratch, memory) = rest.split_at_mut(self.scratch);
        let of_states = self.inputs..self.inputs + self.states;
        let differs = |(signal, state): (&f64, &f64)| (signal - state).abs() > SAME;
        if signals[of_states.clone()].iter().zip(&*states).any(differs) {
            signals.fill(0.0);
        }
        signals[of_states.clone()].copy_from_slice(states);
        signals[..self.inputs].copy_from_slice(inputs);
        next.copy_from_slice(signals);
        for part in &self.parts {
            part.forward(signals, dt, scratch, memory, next);
        }
        signals.copy_from_slice(next);
        states.copy_from_slice(&signals[of_states]);
    }
}

impl Part {
    fn forward(
        &self,
        signals: &[f64],
        dt: f64,
        scratch: &mut [f64],
        memory: &mut [f64],
        next: &mut [f64],
    ) {
        let (actions, rest) = scratch.split_at_mut(self.actions.len());
        let (states, rest) = rest.split_at_mut(self.states.len());
        let result = &mut rest[..self.states.len()];
        for (value, place) in actions.iter_mut().zip(&self.actions) {
            *value = signals[*place];
        }
        for (value, place) in states.iter_mut().zip(&self.states) {
            *value = signals[*place];
        }
        self.submodel.forward(actions, states, dt, &mut memory[self.memory.clone()], result);
        for (value, place) in result.iter().zip(&self.states) {
            next[*place] = *value;
        }
    }
}

/// Registers a submodel as the source of a signal.
fn claim(
    names: &mut Vec<String>,
    owners: &mut Vec<Option<usize>>,
    inputs: usize,
    number: usize,
    name: String,
) -> Result<(), String> {
    let place = names.iter().position(|other| *other == name).unwrap_or_else(|| {
        names.push(name.clone());
        owners.push(None);
        names.len() - 1
    });
    if place < inputs {
        return Err(format!("submodel {} computes `{name}`, which is an input", number + 1));
    }
    match owners[place].replace(number) {
        None => Ok(()),
        Some(other) => Err(format!(
            "submodels {} and {} both compute the signal `{name}`, expected one of them",
            other + 1,
            number + 1
        )),
    }
}

#[cfg(test)]
mod tests;
