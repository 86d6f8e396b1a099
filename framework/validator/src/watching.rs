//! An observer with invented quantities, called without a world.

use std::path::Path;
use std::sync::Arc;

use simhost_abi::{Fault, end_reason};
use simhost_model::{
    Beginning, Instant, ModelRef, ObservedQuantity, Observer, ObserverRun, ParamValue,
};
use simhost_sdk::Random;

use crate::instance::{Outcome, describe, fail};
use crate::rig::{DT, key, time_of};

/// Seed of a run, as observers get it.
const SEED: u64 = 1;

/// An observer with the quantities that it selects.
pub(crate) struct Watching {
    observer: Arc<Observer>,
    pub quantities: Vec<ObservedQuantity>,
}

/// What an observer does in a run: its decisions, and the names and contents of its files.
pub(crate) type Trace = Vec<String>;

/// Quantities with several values: the last part of the name, and the units of the values.
const ARRAYS: [(&str, &[&str]); 4] = [
    ("pose", &["m", "m", "m", "rad", "rad", "rad"]),
    ("twist", &["m/s", "m/s", "rad/s"]),
    ("odometry_pose", &["m", "m", "m", "rad", "rad", "rad"]),
    ("odometry_twist", &["m/s", "m/s", "rad/s"]),
];

/// Returns a quantity that a pattern selects.
fn quantity(pattern: &str) -> ObservedQuantity {
    let name = pattern.replace("**", "a/b").replace(['*', '?'], "a");
    let last = name.rsplit('/').next().unwrap_or_default();
    let units = ARRAYS.iter().find(|(known, _)| *known == last);
    let units = units.map_or(&["1"][..], |(_, units)| units);
    ObservedQuantity { units: units.iter().map(|unit| (*unit).into()).collect(), name }
}

impl Watching {
    /// Creates an observer that has to accept its parameters, and lets it select its quantities.
    pub fn new(class: &ModelRef, values: &[ParamValue]) -> Outcome<Self> {
        let instance = crate::instance::Instance::accepted(class, values)?;
        let observer = Observer::new(Arc::clone(instance.inner()), "").or_else(fail)?;
        let patterns = selected(&observer)?;
        let mut quantities: Vec<ObservedQuantity> = Vec::new();
        for pattern in patterns.iter().filter(|pattern| !pattern.starts_with('!')) {
            let quantity = quantity(pattern);
            if !quantities.iter().any(|known| known.name == quantity.name) {
                quantities.push(quantity);
            }
        }
        Ok(Self { observer, quantities })
    }

    /// Returns the observer.
    pub fn observer(&self) -> &Arc<Observer> {
        &self.observer
    }

    /// Returns the number of values of a sample.
    pub fn count(&self) -> usize {
        self.quantities.iter().map(|quantity| quantity.units.len()).sum()
    }

    /// Begins a run. Without a folder, the observer must not write files.
    ///
    /// # Errors
    /// The fault of the observer.
    pub fn start(&self, folder: Option<&Path>) -> Result<ObserverRun, Fault> {
        self.start_with(&self.quantities, folder)
    }

    /// Begins a run with other quantities.
    ///
    /// # Errors
    /// The fault of the observer.
    pub fn start_with(
        &self,
        quantities: &[ObservedQuantity],
        folder: Option<&Path>,
    ) -> Result<ObserverRun, Fault> {
        self.observer.start(&Beginning {
            quantities,
            name: "observer",
            folder: folder.and_then(Path::to_str).unwrap_or_default(),
            time: 0.0,
            dt: DT,
            period: 0.0,
            seed: SEED,
        })
    }

    /// Begins a run that must not fail.
    pub fn started(&self, folder: Option<&Path>) -> Outcome<ObserverRun> {
        self.start(folder).or_else(|fault| fail(format!("`start` returned {}", describe(&fault))))
    }

    /// Draws the values of a sample.
    pub fn values(&self, seed: u64, step: u64) -> Vec<f64> {
        let value = |place| {
            let mut random = Random::new(key(seed, &[step, place]));
            // one in eight is small, so that limits close to 0 are met too
            let size = if random.bits().is_multiple_of(8) { 1e-3 } else { 20.0 };
            size * (2.0 * random.uniform() - 1.0)
        };
        (0..self.count() as u64).map(value).collect()
    }

    /// Runs some steps that must not fail, and returns what the observer does.
    pub fn trace(&self, seed: u64, steps: u64, folder: Option<&Path>) -> Outcome<Trace> {
        let mut traced = Traced { run: self.started(folder)?, trace: Trace::new(), is_over: false };
        for step in 0..steps {
            traced.step(self, seed, step)?;
        }
        traced.end(self, seed, steps, folder)
    }
}

/// A run whose steps are compared with the steps of another run.
pub(crate) struct Traced {
    pub run: ObserverRun,
    pub trace: Trace,
    pub is_over: bool,
}

impl Traced {
    /// Takes a sample, unless the observer has ended the run.
    pub fn step(&mut self, of: &Watching, seed: u64, step: u64) -> Outcome {
        if self.is_over {
            return Ok(());
        }
        let values = of.values(seed, step);
        let at = Instant { step, time: time_of(step), values: &values };
        let stop = self.run.step(&at).or_else(|fault| {
            fail(format!("`step` returned {} for step {step}", describe(&fault)))
        })?;
        if let Some(reason) = stop {
            self.trace.push(format!("it ends the run at step {step}: {reason}"));
            self.is_over = true;
        }
        Ok(())
    }

    /// Ends the run, and returns what the observer has done.
    pub fn end(
        mut self,
        of: &Watching,
        seed: u64,
        steps: u64,
        folder: Option<&Path>,
    ) -> Outcome<Trace> {
        let step = steps.saturating_sub(1);
        let values = of.values(seed, step);
        let last = Instant { step, time: time_of(step), values: &values };
        let (files, fault) = self.run.end(end_reason::DURATION, "", &last);
        if let Some(fault) = fault {
            return fail(format!("`end` returned {}", describe(&fault)));
        }
        drop(self.run);
        for name in files {
            let content = folder.map(|folder| std::fs::read(folder.join(&name)));
            let content = content.and_then(Result::ok).unwrap_or_default();
            self.trace.push(format!("file {name}: {}", String::from_utf8_lossy(&content)));
        }
        Ok(self.trace)
    }
}

/// Returns the patterns that an observer selects.
pub(crate) fn selected(observer: &Observer) -> Outcome<Vec<String>> {
    let patterns = observer.select();
    patterns.or_else(|fault| fail(format!("`select` returned {}", describe(&fault))))
}
