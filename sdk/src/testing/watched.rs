//! A run for the tests of an observer.

use std::path::Path;

use crate::observer::{RunEnd, RunStart, Sample};
use crate::{EndReason, Flow, Observer, OutputFolder, Place, Quantity};

/// A run that an observer watches, without a world.
///
/// ```
/// use simhost_sdk::prelude::*;
/// use simhost_sdk::testing::{self, Watched};
///
/// /// Ends the run above a temperature.
/// #[derive(Params)]
/// pub struct Fuse {
///     /// Temperature at which the run ends. A larger value lets it last longer.
///     #[param(default = 400.0, above = 0.0, unit = "K")]
///     limit: f64,
/// }
///
/// #[model]
/// impl Observer for Fuse {
///     const STOPS: bool = true;
///     fn select(&self) -> Vec<String> {
///         vec!["**/temperature".into()]
///     }
///     fn start(&self, _: &RunStart) -> Result<(), String> {
///         Ok(())
///     }
///     fn step(&self, _: &mut (), sample: &Sample) -> Flow {
///         match sample.values.iter().any(|value| *value > self.limit) {
///             true => Flow::stop("a tyre is too hot"),
///             false => Flow::Continue,
///         }
///     }
/// }
///
/// let fuse: Fuse = testing::observer(&[("limit", "350")]);
/// let mut run = Watched::start(&fuse, &[("car/wheel/fl/temperature", "K", 1)], None).unwrap();
/// assert_eq!(run.sample(0.0, &[300.0]), Flow::Continue);
/// assert_eq!(run.sample(0.1, &[351.0]), Flow::stop("a tyre is too hot"));
/// ```
pub struct Watched<'m, M: Observer> {
    model: &'m M,
    run: M::Run,
    folder: OutputFolder,
    step: u64,
    time: f64,
    values: Vec<f64>,
}

impl<'m, M: Observer> Watched<'m, M> {
    /// Begins a run with steps of 5 ms and these quantities: name, unit and number of values. `folder`
    /// is the folder for files; without one, nothing is written.
    ///
    /// # Errors
    ///
    /// The message of the observer.
    pub fn start(
        model: &'m M,
        quantities: &[(&str, &str, usize)],
        folder: Option<&Path>,
    ) -> Result<Self, String> {
        let mut first = 0;
        let quantity = |(name, unit, len): &(&str, &str, usize)| {
            let place = Place { first, len: *len };
            first += len;
            let (name, units) = ((*name).to_owned(), vec![(*unit).to_owned(); *len]);
            Quantity { name, units, place }
        };
        let quantities = quantities.iter().map(quantity).collect();
        let folder = OutputFolder::new(folder.map(Path::to_path_buf));
        let (dt, period) = (super::step().dt, None);
        let start =
            RunStart { name: "test", quantities, time: 0.0, dt, period, seed: 0, folder: &folder };
        let run = model.start(&start)?;
        Ok(Self { model, run, folder, step: 0, time: 0.0, values: vec![f64::NAN; first] })
    }

    /// Takes a sample with the values of all quantities. The first one is the state at the start.
    ///
    /// # Panics
    ///
    /// If the number of values does not match the quantities.
    pub fn sample(&mut self, time: f64, values: &[f64]) -> Flow {
        assert_eq!(values.len(), self.values.len(), "a value for each one of the quantities");
        self.time = time;
        self.values.copy_from_slice(values);
        let sample = Sample { step: self.step, time, values: &self.values };
        self.step += 1;
        self.model.step(&mut self.run, &sample)
    }

    /// Ends the run after the last sample.
    ///
    /// # Errors
    ///
    /// The message of the observer.
    pub fn end(mut self, reason: EndReason, text: &str) -> Result<M::Run, String> {
        let step = self.step.saturating_sub(1);
        let last = Sample { step, time: self.time, values: &self.values };
        let end = RunEnd { reason, text, last, folder: &self.folder };
        self.model.end(&mut self.run, &end).map(|()| self.run)
    }

    /// Returns what the observer keeps during the run.
    pub fn kept(&self) -> &M::Run {
        &self.run
    }
}
