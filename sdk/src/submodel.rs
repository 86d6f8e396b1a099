//! Parts of a model that are connected by the names of signals.

mod wiring;

pub use wiring::Wiring;

use crate::BinaryFile;

/// A part of a model: it computes the next values of its own signals from these and from signals of
/// others. A learned vehicle model consists of such parts, for example one for the drive, one for the
/// steering, and one for the kinematics.
///
/// A submodel is stateless between two steps. Its signals are stored in a pool that all parts
/// share, and other numbers that it keeps, such as a delay line, in `memory`. Both belong to one
/// vehicle, and the host saves and restores them.
///
/// ```
/// use simhost_sdk::submodel::{Submodel, Wiring};
///
/// /// Follows the commanded speed with a time constant of 0.5 s.
/// struct Lag;
///
/// impl Submodel for Lag {
///     fn actions(&self) -> Vec<String> {
///         vec!["VX_DES".into()]
///     }
///     fn states(&self) -> Vec<String> {
///         vec!["VX".into()]
///     }
///     fn forward(&self, actions: &[f64], states: &[f64], dt: f64, _: &mut [f64], next: &mut [f64]) {
///         next[0] = states[0] + dt * (actions[0] - states[0]) / 0.5;
///     }
/// }
///
/// let wiring = Wiring::new(&["VX_DES"], &["VX"], vec![Box::new(Lag)])?;
/// let mut pool = wiring.start();
/// let mut states = [0.0];
/// wiring.step(&mut pool, &[2.0], &mut states, 0.1);
/// assert_eq!(states, [0.4]);
/// # Ok::<(), String>(())
/// ```
pub trait Submodel: Send + Sync {
    /// Returns the names of the signals that it reads besides its own.
    fn actions(&self) -> Vec<String>;

    /// Returns the names of the signals that it computes.
    fn states(&self) -> Vec<String>;

    /// Loads parameters from a file. Called at most once, before any method but [`Self::actions`] and
    /// [`Self::states`]; it can change the names that they return.
    ///
    /// # Errors
    ///
    /// A message for the user that says what is wrong with the file, with line or byte.
    fn load(&mut self, file: &BinaryFile) -> Result<(), String> {
        Err(format!("{}: this submodel takes no file of parameters", file.path))
    }

    /// Returns how many numbers it remembers for a vehicle between two steps.
    fn memory_len(&self) -> usize {
        0
    }

    /// Sets the memory of a vehicle that starts, whose numbers are 0 before the call.
    fn reset(&self, _memory: &mut [f64]) {}

    /// Computes the values `next` of the signals of [`Self::states`] at the end of a step of `dt` seconds,
    /// from the signals of [`Self::actions`] and [`Self::states`] at its start.
    ///
    /// Called once per vehicle and step, on any thread. It must not print or keep anything outside
    /// of `memory`. Non-finite values end the run, as for any model.
    fn forward(
        &self,
        actions: &[f64],
        states: &[f64],
        dt: f64,
        memory: &mut [f64],
        next: &mut [f64],
    );
}
