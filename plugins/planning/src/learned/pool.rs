//! The pool of signals of submodels.

use simhost_sdk::prelude::*;

/// Largest number of actions or states of a submodel.
const MOST: usize = 32;
/// Difference of a state from its signal above which the pool starts again, m, rad, m/s or rad/s.
const SAME: f64 = 1e-6;

/// Signals of the inputs.
const INPUTS: [&str; 2] = ["VX_DES", "STEER_DES"];
/// Signals of the states.
const STATES: [&str; 7] = ["POS_X", "POS_Y", "YAW", "YAW_RATE", "VX", "VY", "STEER"];

/// A submodel with the places of its signals.
struct Part {
    submodel: Box<dyn Submodel>,
    actions: Vec<usize>,
    states: Vec<usize>,
    /// First remembered value, and the one behind the last.
    memory: [usize; 2],
}

/// Submodels and the names of their signals. The values of the signals, twice, and what the submodels
/// remember stand in the memory of a vehicle.
#[derive(Default)]
pub struct Pool {
    names: Vec<String>,
    parts: Vec<Part>,
    /// Number of remembered values of a vehicle.
    len: usize,
}

impl Pool {
    /// Wires submodels by the names of their signals.
    ///
    /// # Errors
    ///
    /// A message for the user when two submodels advance the same signal, or one has too many.
    pub fn of(submodels: Vec<Box<dyn Submodel>>) -> Result<Self, String> {
        let names = INPUTS.iter().chain(&STATES).map(|name| (*name).to_owned()).collect();
        let mut pool = Self { names, parts: Vec::new(), len: 0 };
        let mut advanced = Vec::new();
        for submodel in submodels {
            let actions = pool.places(&submodel.action_names())?;
            let states = pool.places(&submodel.state_names())?;
            if let Some(twice) = states.iter().find(|state| advanced.contains(*state)) {
                let name = &pool.names[*twice];
                return Err(format!("two submodels advance the signal {name}; expected one"));
            }
            advanced.extend(&states);
            pool.parts.push(Part { submodel, actions, states, memory: [0; 2] });
        }
        pool.len = 2 * pool.names.len();
        for part in &mut pool.parts {
            part.memory = [pool.len, pool.len + part.submodel.memory_len()];
            pool.len = part.memory[1];
        }
        Ok(pool)
    }

    /// Returns the places of signals, and adds those that are new.
    fn places(&mut self, names: &[String]) -> Result<Vec<usize>, String> {
        if names.len() > MOST {
            let count = names.len();
            return Err(format!(
                "a submodel has {count} signals of a kind; expected at most {MOST}"
            ));
        }
        let place = |name: &String| {
            self.names.iter().position(|known| known == name).unwrap_or_else(|| {
                self.names.push(name.clone());
                self.names.len() - 1
            })
        };
        Ok(names.iter().map(place).collect())
    }

    /// Returns the memory of a vehicle at the start of a run.
    pub fn memory(&self) -> Vec<f64> {
        let mut memory = vec![0.0; self.len];
        self.reset(&mut memory);
        memory
    }

    /// Sets a memory to that at the start of a run.
    pub fn reset(&self, memory: &mut [f64]) {
        memory.fill(0.0);
        for Part { submodel, memory: [from, to], .. } in &self.parts {
            submodel.reset(&mut memory[*from..*to]);
        }
    }

    /// Advances the states by `dt` seconds.
    pub fn step(
        &self,
        memory: &mut [f64],
        states: [f64; STATES.len()],
        inputs: [f64; INPUTS.len()],
        dt: f64,
    ) -> [f64; STATES.len()] {
        let count = self.names.len();
        let (signals, remembered) = memory.split_at_mut(2 * count);
        let (old, new) = signals.split_at_mut(count);
        let place = INPUTS.len()..INPUTS.len() + STATES.len();
        if old[place.clone()].iter().zip(states).any(|(own, state)| (own - state).abs() > SAME) {
            old.fill(0.0);
        }
        old[place.clone()].copy_from_slice(&states);
        old[..INPUTS.len()].copy_from_slice(&inputs);
        new.copy_from_slice(old);
        for Part { submodel, actions, states, memory: [from, to] } in &self.parts {
            let (mut action, mut state, mut next) = ([0.0; MOST], [0.0; MOST], [0.0; MOST]);
            for (value, place) in action.iter_mut().zip(actions) {
                *value = old[*place];
            }
            for (value, place) in state.iter_mut().zip(states) {
                *value = old[*place];
            }
            let (action, state) = (&action[..actions.len()], &state[..states.len()]);
            let memory = &mut remembered[from - 2 * count..to - 2 * count];
            submodel.forward(dt, action, state, memory, &mut next[..states.len()]);
            for (value, place) in next.iter().zip(states) {
                new[*place] = *value;
            }
        }
        old.copy_from_slice(new);
        let mut after = [0.0; STATES.len()];
        after.copy_from_slice(&old[place]);
        after
    }
}
