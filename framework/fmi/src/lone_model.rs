//! A model with the columns of one lane, called without a world.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_abi::host::{ServiceHost, services};
use simhost_abi::{Fault, Kind, Scope, WheelGeometry, model_flag, wheel_flag};
use simhost_engine::stream_key;
use simhost_model::breadcrumb::LabelHandle;
use simhost_model::{
    Classes, Instance, Memories, ModelRef, ModelRig, ParamValue, RigShape, defect_of_wheels,
};
use simhost_registry::Catalogue;

use crate::interface::ModelSource;

/// Positions of the wheels of a class that does not place them, m: the corners of a rectangle, and
/// again from the first one on.
const CORNERS: [(f64, f64); 4] = [(0.4, 0.3), (0.4, -0.3), (-0.4, 0.3), (-0.4, -0.3)];
/// Radius of a wheel that a class does not place, m.
const RADIUS: f64 = 0.2;
/// Phase that computes the rates of the states.
const RATES: &str = "rates";

/// A model with the columns of one lane.
pub struct LoneModel {
    class: ModelRef,
    labels: Vec<LabelHandle>,
    source: ModelSource,
    /// Folder at which relative paths of parameters start.
    folder: PathBuf,
    wheels: Vec<WheelGeometry>,
    rig: ModelRig,
}

/// A host that has no world. It keeps the first service that a model asks for.
#[derive(Default)]
struct NoWorld {
    asked: RefCell<Option<String>>,
}

impl ServiceHost for NoWorld {
    fn offers(&self, id: &str) -> bool {
        self.asked.borrow_mut().get_or_insert_with(|| id.to_owned());
        false
    }
}

impl LoneModel {
    /// Creates the model of a source, with states as at the start of a run.
    ///
    /// # Errors
    /// A description of the class, the parameter or the call that fails.
    pub fn new(catalogue: &Catalogue, source: &ModelSource, folder: &Path) -> Result<Self, String> {
        let class = find(catalogue, source)?;
        let instance = instance(&class, source, folder)?;
        let wheels = wheels(&instance, source.wheels)?;
        let labels = ModelRig::labels(&class);
        let rig = rig(&instance, &labels, &wheels)?;
        let (source, folder) = (source.clone(), folder.to_owned());
        Ok(Self { class, labels, source, folder, wheels, rig })
    }

    /// Returns the columns of the model.
    pub const fn rig(&self) -> &ModelRig {
        &self.rig
    }

    /// Returns the columns of the model.
    pub const fn rig_mut(&mut self) -> &mut ModelRig {
        &mut self.rig
    }

    /// Returns the parameters that differ from their defaults, as a world file has them.
    pub fn parameters(&self) -> &[(String, String)] {
        &self.source.parameters
    }

    /// Returns the number of wheels.
    pub const fn wheels(&self) -> usize {
        self.wheels.len()
    }

    /// Returns the index of the phase that computes the rates of the states.
    pub fn rates_phase(&self) -> Option<usize> {
        self.rig.phase(RATES)
    }

    /// Returns whether an importer can integrate the states: the model has rates, and its outputs
    /// depend on nothing but inputs, states and time.
    pub fn has_rates(&self) -> bool {
        self.rates_phase().is_some() && self.rig.memories.is_none() && !self.draws()
    }

    /// Returns whether the model draws random numbers.
    pub fn draws(&self) -> bool {
        let model = self.class.model;
        model.kind() == Some(Kind::Sensor) || model.flags & model_flag::RANDOM != 0
    }

    /// Sets a parameter to a value as in a world file. States, inputs and memory stay as they are,
    /// but at the start of a run, states that start from the parameter take its value.
    ///
    /// # Errors
    /// A description of the value that does not fit, or of the call that fails. The model then does
    /// not change.
    pub fn set_parameter(&mut self, key: &str, text: &str, is_started: bool) -> Result<(), String> {
        let mut parameters = self.source.parameters.clone();
        parameters.retain(|(known, _)| known != key);
        parameters.push((key.to_owned(), text.to_owned()));
        self.rebuild(parameters, is_started, Some(key).filter(|_| !is_started))
    }

    /// Sets all parameters, as [`Self::set_parameter`] does during a run.
    ///
    /// # Errors
    /// As [`Self::set_parameter`].
    pub fn set_parameters(&mut self, parameters: &[(String, String)]) -> Result<(), String> {
        if self.source.parameters == parameters {
            return Ok(());
        }
        self.rebuild(parameters.to_vec(), true, None)
    }

    /// Replaces the instance. States that start from the parameter `restarts` start again.
    fn rebuild(
        &mut self,
        parameters: Vec<(String, String)>,
        keeps_memory: bool,
        restarts: Option<&str>,
    ) -> Result<(), String> {
        let source = ModelSource { parameters, ..self.source.clone() };
        let instance = instance(&self.class, &source, &self.folder)?;
        let mut rig = rig(&instance, &self.labels, &self.wheels)?;
        let slots = self.class.model.states();
        for (slot, (to, from)) in slots.iter().zip(rig.states.iter_mut().zip(&self.rig.states)) {
            if restarts != Some(slot.initial_key()) {
                to.clone_from(from);
            }
        }
        if let (true, Some(from), Some(to)) = (keeps_memory, &self.rig.memories, &rig.memories) {
            let bytes = from.save(0).map_err(|fault| fault.message())?;
            let schema = self.class.model.schema;
            to.load(0, schema, &bytes).map_err(|fault| fault.message())?;
        }
        for (to, from) in rig.phases.iter_mut().zip(&mut self.rig.phases) {
            to.inputs = std::mem::take(&mut from.inputs);
            to.outputs = std::mem::take(&mut from.outputs);
        }
        (self.rig, self.source) = (rig, source);
        Ok(())
    }

    /// Takes step number `number` from a time on: calls the phases in the order of a world, and
    /// integrates the states after the first phase if the model has rates.
    ///
    /// # Errors
    /// The fault of the model, or the service for which it asks. The states can have changed.
    pub fn step(&mut self, at: [f64; 2], seed: u64, number: u64) -> Result<(), String> {
        self.draw(seed, number);
        let rates = self.rates_phase();
        for phase in 0..self.rig.phases.len() {
            if Some(phase) == rates {
                continue;
            }
            self.call(phase, at)?;
            if let (0, Some(rates)) = (phase, rates) {
                let host = NoWorld::default();
                let advanced = self.rig.advance(rates, at, Some(&services(&host)));
                checked(&host, advanced)?;
            }
        }
        Ok(())
    }

    /// Computes the outputs of step number `number` from a time on, and leaves states and memory as
    /// they are.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn preview(&mut self, at: [f64; 2], seed: u64, number: u64) -> Result<(), String> {
        self.draw(seed, number);
        let states = self.rig.states.clone();
        let memories = self.rig.memories.clone();
        if let Some(memories) = &memories {
            let copy = memories.duplicate().map_err(|(_, fault)| fault.message())?;
            self.rig.memories = Some(copy);
        }
        let rates = self.rates_phase();
        let mut phases = (0..self.rig.phases.len()).filter(|phase| Some(*phase) != rates);
        let called = phases.try_for_each(|phase| self.call(phase, at));
        (self.rig.states, self.rig.memories) = (states, memories);
        called
    }

    /// Computes the rates of the states at a time.
    ///
    /// # Errors
    /// As [`Self::step`]; the model has no rates.
    pub fn rates(&mut self, at: [f64; 2]) -> Result<&[Vec<f64>], String> {
        let phase = self.rates_phase().ok_or("the model has no rates")?;
        self.call(phase, at)?;
        Ok(&self.rig.phases[phase].outputs)
    }

    /// Returns the memory of the model as bytes, if it has one.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn save_memory(&self) -> Result<Option<Vec<u8>>, String> {
        let save = |memories: &Arc<Memories>| memories.save(0).map_err(|fault| fault.message());
        self.rig.memories.as_ref().map(save).transpose()
    }

    /// Restores a memory of this model.
    ///
    /// # Errors
    /// The fault of a model that rejects the bytes.
    pub fn load_memory(&self, bytes: &[u8]) -> Result<(), String> {
        let Some(memories) = &self.rig.memories else { return Ok(()) };
        let schema = self.class.model.schema;
        memories.load(0, schema, bytes).map_err(|fault| fault.message())
    }

    /// Sets the key of the random numbers of a step.
    fn draw(&mut self, seed: u64, number: u64) {
        let kind = u64::from(self.class.model.kind);
        self.rig.streams.fill(stream_key(seed, [kind, 0, number]));
    }

    fn call(&mut self, phase: usize, at: [f64; 2]) -> Result<(), String> {
        let host = NoWorld::default();
        let called = self.rig.call_with(phase, 0..1, at, Some(&services(&host)));
        checked(&host, called)
    }
}

/// Returns the result of a call, which fails if the model has asked for a service.
fn checked(host: &NoWorld, called: Result<(), Fault>) -> Result<(), String> {
    match host.asked.borrow().as_deref() {
        Some(id) => Err(format!("it asks for the service `{id}`, which only a world can answer")),
        None => called.map_err(|fault| fault.message()),
    }
}

/// Returns the class of a source.
fn find(catalogue: &Catalogue, source: &ModelSource) -> Result<ModelRef, String> {
    let ModelSource { kind: tag, class, variant, .. } = source;
    let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == tag);
    let kind = kind.ok_or_else(|| format!("unknown kind of model '{tag}'"))?;
    let variants =
        catalogue.find(kind, class).map_err(|error| format!("{tag} {class}: {error}"))?;
    let count = variants.len();
    variants
        .into_iter()
        .nth(*variant)
        .ok_or_else(|| format!("{tag} {class} has {count} variants; expected more than {variant}"))
}

/// Creates an instance with the defaults and the parameters of a source.
fn instance(
    class: &ModelRef,
    source: &ModelSource,
    folder: &Path,
) -> Result<Arc<Instance>, String> {
    let params = class.model.params();
    let texts: Vec<(&str, &str)> =
        source.parameters.iter().map(|(key, text)| (&**key, &**text)).collect();
    let given = simhost_world::model_parameters(class.model, &texts, folder)
        .map_err(|error| simhost_world::ParameterError::Value(Box::new(error)).to_string())?;
    let mut values: Vec<ParamValue> = params.iter().map(ParamValue::default_of).collect();
    for (place, value) in given {
        values[place] = value;
    }
    let instance = Instance::new(class, values).map_err(|fault| fault.message())?;
    match instance.defect() {
        Some(defect) => Err(defect),
        None => Ok(Arc::new(instance)),
    }
}

/// Returns the wheels where the class places them. A class without wheels gets `count` wheels if a
/// port has a value per wheel, and an element that can be repeated is given `count` times.
fn wheels(instance: &Instance, count: usize) -> Result<Vec<WheelGeometry>, String> {
    let model = instance.model();
    let corner = |number: usize| CORNERS[number % CORNERS.len()];
    let mut places: Vec<(f64, f64)> = Vec::new();
    for wheel in model.wheels() {
        match wheel.flags & wheel_flag::REPEATED {
            0 => places.push((wheel.x, wheel.y)),
            _ => places.extend((0..count).map(corner)),
        }
    }
    let mut ports =
        model.phases().iter().flat_map(|phase| phase.inputs().iter().chain(phase.outputs()));
    let is_dynamics = model.kind() == Some(Kind::Dynamics);
    if !is_dynamics && ports.any(|port| port.scope == Scope::Wheel as u32) {
        places.extend((0..count).map(corner));
    }
    let wheel = |(x, y)| WheelGeometry { x, y, yaw: 0.0, radius: RADIUS };
    let mut wheels: Vec<WheelGeometry> = places.into_iter().map(wheel).collect();
    if is_dynamics {
        instance.arrange(&mut wheels).map_err(|fault| fault.message())?;
    }
    match defect_of_wheels(&wheels) {
        Some(defect) => Err(defect),
        None => Ok(wheels),
    }
}

/// Returns columns with the positions of the wheels.
fn rig(
    instance: &Arc<Instance>,
    labels: &[LabelHandle],
    wheels: &[WheelGeometry],
) -> Result<ModelRig, String> {
    let shape = RigShape { lanes: 1, wheels: wheels.len(), rays: instance.rays(), capacity: 0 };
    let mut rig = ModelRig::new(instance, labels, shape).map_err(|fault| fault.message())?;
    for phase in &mut rig.phases {
        for (name, of) in [
            ("wheel_x", (|wheel| wheel.x) as fn(&WheelGeometry) -> f64),
            ("wheel_y", |wheel| wheel.y),
        ] {
            let Some(column) = phase.input(name) else { continue };
            if column.len() == wheels.len() {
                column.iter_mut().zip(wheels).for_each(|(value, wheel)| *value = of(wheel));
            }
        }
        // a value that only a world can provide
        let unknown = |value: &&mut f64| !value.is_finite();
        phase.inputs.iter_mut().flatten().filter(unknown).for_each(|value| *value = 0.0);
    }
    Ok(rig)
}
