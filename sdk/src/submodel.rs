//! Parts of a vehicle model that are wired by the names of their signals.

use crate::TextFile;

/// A part of a vehicle model, such as a steering or a drive, that advances some signals by a step.
///
/// A model that consists of submodels keeps a pool of named signals. In each step every submodel reads
/// its actions and its states from the pool as it was before the step, and its new states are written to
/// the pool after it, so the order of submodels has no influence. The method of control_analysis_pipeline
/// (`v0.1_autoware`), which Autoware `simple_planning_simulator` 1.0.0 runs in Python.
///
/// ```
/// use simhost_sdk::Submodel;
///
/// /// A speed that follows its target with a time constant of 0.5 s.
/// struct Drive;
///
/// impl Submodel for Drive {
///     fn action_names(&self) -> Vec<String> {
///         vec!["VX_DES".to_owned()]
///     }
///     fn state_names(&self) -> Vec<String> {
///         vec!["VX".to_owned()]
///     }
///     fn forward(&self, dt: f64, action: &[f64], state: &[f64], _: &mut [f64], next: &mut [f64]) {
///         next[0] = state[0] + dt * (action[0] - state[0]) / 0.5;
///     }
/// }
///
/// let mut next = [0.0];
/// Drive.forward(0.1, &[5.0], &[0.0], &mut [], &mut next);
/// assert_eq!(next, [1.0]);
/// ```
pub trait Submodel: Send + Sync {
    /// Returns the names of the signals that the submodel reads. Called while the world is loaded.
    fn action_names(&self) -> Vec<String>;

    /// Returns the names of the signals that the submodel advances. Called while the world is loaded.
    fn state_names(&self) -> Vec<String>;

    /// Takes parameters from a file. Called before all other methods, if there is a file.
    ///
    /// # Errors
    ///
    /// A message for the user, with the line, that says what is wrong.
    fn load_params(&mut self, file: &TextFile) -> Result<(), String> {
        Err(format!("{}: the submodel has no parameters; expected no file", file.path))
    }

    /// Returns the number of values that the submodel remembers between steps beside its states, such
    /// as a delay line. Called while the world is loaded.
    fn memory_len(&self) -> usize {
        0
    }

    /// Sets the remembered values to those at the start of a run. Must not allocate.
    fn reset(&self, memory: &mut [f64]) {
        memory.fill(0.0);
    }

    /// Computes the states after a step of `dt` seconds. `action`, `state` and `next` are in the order of
    /// the names. Called once per vehicle and step, on any thread. Must not allocate, and must not keep
    /// anything outside `memory`.
    fn forward(&self, dt: f64, action: &[f64], state: &[f64], memory: &mut [f64], next: &mut [f64]);
}
