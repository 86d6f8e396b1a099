//! A model without a world in an FMU.

use std::path::{Path, PathBuf};

use simhost::Catalogue;
use simhost_fmi::{Interface, LoneModel, ModelSource, Role, StartValue};

use crate::logger::Status;
use crate::saved::{ModelState, SimulatorState};
use crate::simulator::{Failure, POINT_TOLERANCE, Simulator};

/// Largest seed: the largest whole number below which numbers of FMI have no gaps.
const MOST_SEED: f64 = 9_007_199_254_740_992.0;

/// A model with its variables. A communication step is one call of the model.
pub struct ModelSimulator {
    model: LoneModel,
    catalogue: Catalogue,
    source: ModelSource,
    folder: PathBuf,
    /// Roles of the variables.
    roles: Vec<Role>,
    /// States that start from the values of their variables.
    settable: Vec<bool>,
    /// Suggested communication step, s.
    dt: f64,
    /// Time of the importer, s.
    time: f64,
    seed: u64,
    /// Number of steps.
    steps: u64,
    is_exchange: bool,
    is_initialized: bool,
    /// Whether the outputs belong to the present time, inputs and states, for model exchange.
    is_fresh: bool,
}

impl ModelSimulator {
    /// Creates the model of an FMU.
    pub fn new(
        source: &ModelSource,
        interface: &Interface,
        folder: &Path,
        catalogue: Catalogue,
        is_exchange: bool,
    ) -> Result<Self, Failure> {
        let model = LoneModel::new(&catalogue, source, folder).map_err(Failure::error)?;
        let variables = interface.variables.iter();
        let settable = variables.clone().map(|one| one.start != StartValue::Number(None));
        Ok(Self {
            model,
            catalogue,
            source: source.clone(),
            folder: folder.to_owned(),
            settable: settable.collect(),
            roles: variables.map(|one| one.role.clone()).collect(),
            dt: interface.dt,
            time: 0.0,
            seed: 0,
            steps: 0,
            is_exchange,
            is_initialized: false,
            is_fresh: false,
        })
    }

    /// Computes the outputs of the present time, inputs and states, unless they are known.
    fn refresh(&mut self) -> Result<(), Failure> {
        if !self.is_fresh {
            let at = [self.time, self.dt];
            self.model.preview(at, self.seed, self.steps).map_err(Failure::error)?;
            self.is_fresh = true;
        }
        Ok(())
    }

    /// Returns all columns that are part of the state.
    fn columns(&mut self) -> impl Iterator<Item = &mut f64> {
        let rig = self.model.rig_mut();
        let ports = rig
            .phases
            .iter_mut()
            .flat_map(|phase| phase.inputs.iter_mut().chain(&mut phase.outputs));
        rig.states.iter_mut().chain(ports).flatten()
    }

    /// Returns an input of the first phase that has it.
    fn input(&self, port: &str, index: usize) -> Option<f64> {
        self.model.rig().phases.iter().find_map(|phase| {
            let place = phase.phase.inputs().iter().position(|one| one.name() == port)?;
            phase.inputs[place].get(index).copied()
        })
    }
}

impl Simulator for ModelSimulator {
    fn time(&self) -> f64 {
        self.time
    }

    fn set_time(&mut self, time: f64) {
        self.time = time;
        self.is_fresh = false;
    }

    fn initialize(&mut self) -> Result<(), Failure> {
        self.is_initialized = true;
        self.is_fresh = false;
        self.refresh()
    }

    fn number(&mut self, reference: usize) -> Result<f64, Failure> {
        if self.is_exchange && self.is_initialized && self.roles[reference].is_output() {
            self.refresh()?;
        }
        let rig = self.model.rig();
        let found = match &self.roles[reference] {
            Role::PortInput { port, index } => self.input(port, *index),
            Role::PortOutput { phase, port, index } => {
                rig.phases[*phase].outputs[*port].get(*index).copied()
            }
            Role::State { slot, index, .. } => rig.states[*slot].get(*index).copied(),
            Role::Rate { slot, index } => {
                let (slot, index) = (*slot, *index);
                let rates = self.model.rates([self.time, self.dt]).map_err(Failure::error)?;
                rates[slot].get(index).copied()
            }
            _ => None,
        };
        found.ok_or_else(|| Failure::error("the variable has no value"))
    }

    fn set_number(&mut self, reference: usize, value: f64) -> bool {
        let rig = self.model.rig_mut();
        match &self.roles[reference] {
            Role::PortInput { port, index } => {
                for phase in &mut rig.phases {
                    let to = phase.input(port).and_then(|column| column.get_mut(*index));
                    to.into_iter().for_each(|to| *to = value);
                }
            }
            Role::State { slot, index, .. } if self.settable[reference] && !self.is_initialized => {
                rig.states[*slot][*index] = value;
            }
            _ => return false,
        }
        self.is_fresh = false;
        true
    }

    fn set_parameter(&mut self, reference: usize, text: &str) -> Result<(), Failure> {
        self.is_fresh = false;
        match &self.roles[reference] {
            Role::ModelParameter { key, .. } => {
                let set = self.model.set_parameter(key, text, self.is_initialized);
                set.map_err(Failure::error)
            }
            _ => {
                let seed: Option<f64> = text.parse().ok();
                let is_seed = |seed: &f64| seed.fract() == 0.0 && (0.0..=MOST_SEED).contains(seed);
                let Some(seed) = seed.filter(is_seed) else {
                    let text = format!("seed is {text}; expected a whole number from 0 to 2^53");
                    return Err(Failure::error(text));
                };
                self.seed = seed as u64;
                Ok(())
            }
        }
    }

    fn step(&mut self, point: f64, size: f64) -> Result<bool, Failure> {
        if !(size > 0.0 && size.is_finite()) {
            let text = format!("the communication step is {size} s; expected one above 0 s");
            return Err(Failure { status: Status::Discard, text });
        }
        // also refuses what is not finite
        let is_near = (point - self.time).abs() <= POINT_TOLERANCE * size;
        if !is_near {
            let now = self.time;
            let text = format!("the communication point is {point} s; expected {now} s");
            return Err(Failure::error(text));
        }
        self.model.step([point, size], self.seed, self.steps).map_err(Failure::error)?;
        self.steps += 1;
        self.time = point + size;
        Ok(false)
    }

    fn reset(&mut self) -> Result<(), Failure> {
        let model = LoneModel::new(&self.catalogue, &self.source, &self.folder);
        self.model = model.map_err(Failure::error)?;
        (self.time, self.seed, self.steps) = (0.0, 0, 0);
        (self.is_initialized, self.is_fresh) = (false, false);
        Ok(())
    }

    fn save(&mut self) -> Result<SimulatorState, Failure> {
        Ok(SimulatorState::Model(ModelState {
            numbers: self.columns().map(|value| value.to_bits()).collect(),
            memory: self.model.save_memory().map_err(Failure::error)?,
            parameters: self.model.parameters().to_vec(),
            seed: self.seed,
            steps: self.steps,
            time: self.time,
            is_initialized: self.is_initialized,
        }))
    }

    fn restore(&mut self, state: &SimulatorState) -> Result<(), Failure> {
        let SimulatorState::Model(state) = state else {
            return Err(Failure::error("the state is one of a world; expected one of a model"));
        };
        let (found, expected) = (state.numbers.len(), self.columns().count());
        if found != expected {
            let text = format!("the state has {found} numbers; expected {expected}");
            return Err(Failure::error(text));
        }
        self.model.set_parameters(&state.parameters).map_err(Failure::error)?;
        if let Some(memory) = &state.memory {
            self.model.load_memory(memory).map_err(Failure::error)?;
        }
        let numbers = state.numbers.iter();
        self.columns().zip(numbers).for_each(|(to, bits)| *to = f64::from_bits(*bits));
        (self.seed, self.steps, self.time) = (state.seed, state.steps, state.time);
        (self.is_initialized, self.is_fresh) = (state.is_initialized, false);
        Ok(())
    }

    fn continuous_states(&self) -> Vec<f64> {
        self.model.rig().states.concat()
    }

    fn set_continuous_states(&mut self, states: &[f64]) -> Result<(), Failure> {
        let slots = &mut self.model.rig_mut().states;
        let count: usize = slots.iter().map(Vec::len).sum();
        if states.len() != count {
            let text = format!("the list has {} states; expected {count}", states.len());
            return Err(Failure::error(text));
        }
        slots.iter_mut().flatten().zip(states).for_each(|(to, state)| *to = *state);
        self.is_fresh = false;
        Ok(())
    }

    fn set_known(&mut self, reference: usize, value: f64) -> bool {
        match self.roles[reference] {
            Role::State { slot, index, is_discrete: false } => {
                self.model.rig_mut().states[slot][index] = value;
                self.is_fresh = false;
                true
            }
            Role::PortInput { .. } => self.set_number(reference, value),
            _ => false,
        }
    }

    fn rates(&mut self) -> Result<Vec<f64>, Failure> {
        let rates = self.model.rates([self.time, self.dt]).map_err(Failure::error)?;
        Ok(rates.concat())
    }
}
