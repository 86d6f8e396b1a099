//! One observer with its quantities.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use simhost_abi::{Fault, fault_code};
use simhost_model::{Beginning, Instant, ObservedQuantity, Observer, ObserverRun, ParamValue};
use simhost_world::{FaultAction, ModelUse, ObserverUse, Span, World};

use super::error::ObserverError;
use crate::clock::Clock;
use crate::fault::{EVIDENCE_VERSION, Evidence, EvidenceValue, FaultReport};
use crate::model::{create_instance, incomplete};
use crate::period::Period;
use crate::quantities::{Patterns, Quantities, QuantityInfo};
use crate::simulation::Simulation;

/// One observer with its quantities.
pub(super) struct Watcher {
    name: String,
    wanted: ModelUse,
    span: Span,
    /// Whether it can end the run.
    stops: bool,
    observer: Arc<Observer>,
    quantities: Quantities,
    /// Values of the last sample, and the clock then.
    values: Vec<f64>,
    sampled: Option<Clock>,
    /// Time between samples, s, and the next one.
    every: Option<f64>,
    period: Option<Period>,
    /// The memory of the run; `None` before the start, and after the end or a fault.
    run: Option<ObserverRun>,
}

impl Watcher {
    /// Creates an observer and selects its quantities.
    ///
    /// # Errors
    /// As for [`super::Observers::new`].
    pub fn new(
        wanted: &ObserverUse,
        world: &World,
        simulation: &Simulation,
    ) -> Result<Self, ObserverError> {
        let ObserverUse { name, period, model, span } = wanted;
        let (class, stops) = (&model.model, wanted.stops());
        let instance = create_instance(model)?;
        let observer = Observer::new(instance, &format!("observer '{name}'"))
            .map_err(|defect| incomplete(class, defect, model.span))?;
        let patterns = observer.select().map_err(|fault| {
            ObserverError::of_fault(name, &class.full_name, "select", &fault, *span)
        })?;
        let patterns = Patterns::new(patterns.iter().map(String::as_str));
        let quantities = match patterns.list() {
            [] => Quantities::default(),
            _ => Quantities::select(world, simulation, &patterns).map_err(|source| {
                ObserverError::Quantity { observer: name.clone(), source, span: *span }
            })?,
        };
        Ok(Self {
            name: name.clone(),
            wanted: model.clone(),
            span: *span,
            stops,
            observer,
            quantities,
            values: Vec::new(),
            sampled: None,
            every: *period,
            period: None,
            run: None,
        })
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the observer can end the run. One that has failed cannot.
    pub fn can_stop(&self) -> bool {
        self.stops && (self.run.is_some() || self.sampled.is_none())
    }

    /// Returns whether the observer watches a run.
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Begins a run.
    ///
    /// # Errors
    /// The failure of the observer.
    pub fn start(
        &mut self,
        simulation: &Simulation,
        folder: Option<&Path>,
    ) -> Result<(), ObserverError> {
        let clock = simulation.clock();
        let start = Beginning {
            quantities: &self.quantities.infos().iter().map(observed).collect::<Vec<_>>(),
            name: &self.name,
            folder: folder.and_then(Path::to_str).unwrap_or_default(),
            time: clock.time(),
            dt: clock.dt,
            period: self.every.unwrap_or(0.0),
            seed: simulation.state.seed,
        };
        let run = self.observer.start(&start).map_err(|fault| {
            let class = &self.wanted.model.full_name;
            ObserverError::of_fault(&self.name, class, "start", &fault, self.span)
        })?;
        self.run = Some(run);
        self.period = self.every.map(|every| Period::after(every, clock));
        self.read(simulation);
        Ok(())
    }

    /// Returns the number of steps to the next sample, `u64::MAX` if there will be none.
    pub fn steps_to_sample(&self, clock: Clock) -> u64 {
        match (&self.run, self.period) {
            (None, _) => u64::MAX,
            (Some(_), None) => 1,
            (Some(_), Some(period)) => period.steps_to_due(clock),
        }
    }

    /// Returns whether a sample is due.
    pub fn is_due(&mut self, clock: Clock) -> bool {
        self.run.is_some() && self.period.as_mut().is_none_or(|period| period.is_due(clock))
    }

    /// Reads the present values.
    fn read(&mut self, simulation: &Simulation) {
        self.values.clear();
        self.quantities.read(simulation, &mut self.values);
        self.sampled = Some(simulation.clock());
    }

    /// Takes a sample. Returns the reason if the observer asks for the end of the run.
    ///
    /// # Errors
    /// The fault of the observer, which then takes no more samples.
    pub fn sample(&mut self, simulation: &Simulation) -> Result<Option<String>, Box<FaultReport>> {
        if self.run.is_none() {
            return Ok(None);
        }
        self.read(simulation);
        let clock = simulation.clock();
        let at = Instant { step: clock.steps, time: clock.time(), values: &self.values };
        let Some(run) = &mut self.run else { return Ok(None) };
        let outcome = match run.step(&at) {
            Ok(Some(_)) if !self.stops => {
                let text = "it ends the run, but its class does not declare that it can: `STOPS`";
                Err(Fault::new(fault_code::REFUSED, text))
            }
            outcome => outcome,
        };
        outcome.map_err(|fault| {
            self.run = None;
            Box::new(self.report("step", &fault))
        })
    }

    /// Ends the run for a reason. Returns the paths of the files that were written, and the fault of
    /// the observer.
    pub fn end(
        &mut self,
        simulation: &Simulation,
        reason: u32,
        text: &str,
        folder: Option<&Path>,
    ) -> (Vec<PathBuf>, Option<FaultReport>) {
        if self.run.is_none() {
            return (Vec::new(), None);
        }
        // the state after a fault is not complete
        let is_complete = reason != simhost_abi::end_reason::FAULT;
        if is_complete && self.sampled != Some(simulation.clock()) {
            self.read(simulation);
        }
        let (Some(mut run), Some(clock)) = (self.run.take(), self.sampled) else {
            return (Vec::new(), None);
        };
        let last = Instant { step: clock.steps, time: clock.time(), values: &self.values };
        let (names, fault) = run.end(reason, text, &last);
        let mut files = Vec::new();
        let mut strange = None;
        for name in names {
            match folder.filter(|_| stays(&name)) {
                Some(folder) => files.push(folder.join(name)),
                None => {
                    let text =
                        format!("it names the file `{name}`, which is not in the output folder");
                    strange.get_or_insert(Fault::new(fault_code::REFUSED, &text));
                }
            }
        }
        let fault = fault.or(strange);
        (files, fault.map(|fault| self.report("end", &fault)))
    }

    /// Returns whether this is the same observer as an older one, with the same quantities.
    pub fn continues(&self, old: &Self) -> bool {
        let (new, before) = (self.quantities.infos(), old.quantities.infos());
        let same = |(new, old): (&QuantityInfo, &QuantityInfo)| {
            new.name == old.name && new.count() == old.count()
        };
        self.name == old.name
            && std::ptr::eq(self.wanted.model.model, old.wanted.model.model)
            && self.wanted.values == old.wanted.values
            && self.every == old.every
            && new.len() == before.len()
            && new.iter().zip(before).all(same)
    }

    /// Takes over the run of an older observer.
    pub fn take_over(&mut self, old: &mut Self) {
        std::mem::swap(&mut self.observer, &mut old.observer);
        std::mem::swap(&mut self.values, &mut old.values);
        self.run = old.run.take();
        (self.sampled, self.period) = (old.sampled, old.period);
    }

    /// Reports a file that another observer has written before.
    pub fn overwrites(&self, path: &Path) -> FaultReport {
        let text = format!("it overwrites {}, the file of another observer", path.display());
        self.report("end", &Fault::new(fault_code::REFUSED, &text))
    }

    /// Describes a fault, with the data to repeat the call.
    fn report(&self, function: &str, fault: &Fault) -> FaultReport {
        let class = &self.wanted.model;
        let clock = self.sampled.unwrap_or(Clock { steps: 0, dt: 0.0 });
        let keys = class.model.params().iter().map(|desc| desc.key().to_owned());
        let mut values = self.values.iter().copied();
        let input = |info: &QuantityInfo| {
            let values = values.by_ref().take(info.count()).collect();
            EvidenceValue::of(&info.name, &info.units.to_string(), values)
        };
        let parameters: Vec<(String, ParamValue)> =
            keys.zip(self.wanted.values.iter().cloned()).collect();
        let evidence = Evidence {
            evidence: EVIDENCE_VERSION,
            class: class.full_name.to_string(),
            kind: class.model.kind_tag().to_owned(),
            version: class.model.version().to_owned(),
            source: class.source.to_string(),
            entity: format!("observer '{}'", self.name),
            phase: function.to_owned(),
            time: clock.time(),
            dt: clock.dt,
            parameters,
            inputs: self.quantities.infos().iter().map(input).collect(),
            states: Vec::new(),
            readings: Vec::new(),
            stream: None,
            memory: None,
            lanes: 1,
            streams: Vec::new(),
            memories: Vec::new(),
            outputs: Vec::new(),
            wheels: 0,
            rays: 0,
            code: fault.code,
            suggested_dt: 0.0,
            text: fault.message(),
        };
        FaultReport::of(evidence, FaultAction::Disable)
    }
}

/// Returns whether a name is that of a file inside a folder.
fn stays(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

fn observed(info: &QuantityInfo) -> ObservedQuantity {
    let units = (0..info.count()).map(|index| info.units.of(index).into()).collect();
    ObservedQuantity { name: info.name.clone(), units }
}
