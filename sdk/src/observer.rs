//! Observers: read the quantities of a run, write files about them, and can end the run.

mod folder;
mod run;
mod table;

use crate::ModelCore;

pub use folder::OutputFolder;
pub use run::{EndReason, Place, Quantity, RunEnd, RunStart, Sample};
#[doc(hidden)]
pub use table::ObserverModel;

/// An observer: reads quantities of a run at the start, after each step and at the end. It changes
/// nothing, so results are the same with and without it. The implementing struct holds the parameters.
///
/// An observer can allocate, keep anything in [`Self::Run`] and write files. Recorders, metrics and
/// stop conditions are observers. What an observer keeps is not part of snapshots: in a resumed run it
/// starts anew.
///
/// ```
/// use simhost_sdk::prelude::*;
///
/// /// Ends the run when a vehicle has driven a distance, and writes the time that it took.
/// #[derive(Params)]
/// pub struct Odometer {
///     /// Name of the vehicle.
///     #[param(required)]
///     vehicle: String,
///     /// Distance to drive. A larger value makes the run longer.
///     #[param(default = 100.0, above = 0.0, unit = "m")]
///     distance: f64,
/// }
///
/// /// Distance so far.
/// pub struct Driven {
///     pose: Place,
///     last: Option<[f64; 2]>,
///     distance: f64,
/// }
///
/// #[model]
/// impl Observer for Odometer {
///     const STOPS: bool = true;
///
///     fn select(&self) -> Vec<String> {
///         vec![format!("{}/pose", self.vehicle)]
///     }
///
///     fn start(&self, run: &RunStart) -> Result<Driven, String> {
///         let pose = run.find(&format!("{}/pose", self.vehicle))?;
///         Ok(Driven { pose, last: None, distance: 0.0 })
///     }
///
///     fn step(&self, run: &mut Driven, sample: &Sample) -> Flow {
///         let [x, y] = [sample[run.pose][0], sample[run.pose][1]];
///         let [before_x, before_y] = run.last.replace([x, y]).unwrap_or([x, y]);
///         let [dx, dy] = [x - before_x, y - before_y];
///         run.distance += (dx * dx + dy * dy).sqrt();
///         match run.distance >= self.distance {
///             true => Flow::stop(format!("{} has driven {} m", self.vehicle, self.distance)),
///             false => Flow::Continue,
///         }
///     }
///
///     fn end(&self, run: &mut Driven, end: &RunEnd) -> Result<(), String> {
///         let text = format!("distance_m,time_s\n{},{}\n", run.distance, end.last.time);
///         end.folder.write("odometer.csv", &text)
///     }
/// }
///
/// export_plugin! { vendor: "acme", observer: { "odometer" => Odometer } }
/// # fn main() {}
/// ```
pub trait Observer: ModelCore {
    /// Everything that the observer keeps during one run.
    type Run: Send + 'static;

    /// Whether [`Self::step`] can end the run. Without a duration, a run lasts until such an observer
    /// ends it.
    const STOPS: bool = false;

    /// Returns the names of the quantities to observe. They are patterns as in `--record`: `*` does
    /// not cross `/`, `**` does, and `!` excludes; a pattern without a matching quantity is an
    /// error of the world. `simhost quantities WORLD` lists all quantities. An empty list selects
    /// none.
    ///
    /// Called once when a world is loaded, on the thread that loads it. It can allocate.
    fn select(&self) -> Vec<String>;

    /// Begins a run with the quantities that the patterns have selected.
    ///
    /// Called once per run before its first sample, on the thread that steps the world. It can
    /// allocate and create files.
    ///
    /// # Errors
    ///
    /// A message for the user; the run does not begin.
    fn start(&self, run: &RunStart<'_>) -> Result<Self::Run, String>;

    /// Takes a sample: the state at the start of the run, then after each step, or after each
    /// period of the attribute `every`. Values are in the units of the quantities, times are in s.
    ///
    /// Called on the thread that steps the world, between two steps. It can allocate and write files.
    /// If it panics, a warning is printed and the run continues without the observer.
    fn step(&self, run: &mut Self::Run, sample: &Sample<'_>) -> Flow;

    /// Ends a run, however it ends. The last state is in `end`, also if no sample was due then.
    ///
    /// Called once, unless the observer has failed before. It can allocate and write files.
    ///
    /// # Errors
    ///
    /// A message for the user, which is printed as a warning.
    fn end(&self, _run: &mut Self::Run, _end: &RunEnd<'_>) -> Result<(), String> {
        Ok(())
    }
}

/// The decision of an observer after a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The run continues.
    Continue,
    /// The run ends here, successfully, for this reason. Requires [`Observer::STOPS`].
    Stop(String),
}

impl Flow {
    /// Returns the decision to end the run, with a reason that follows the name of the observer, such
    /// as `the car stands at its goal`.
    pub fn stop(reason: impl Into<String>) -> Self {
        Self::Stop(reason.into())
    }
}
