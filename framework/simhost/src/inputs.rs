//! The queue of inputs of a session.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use simhost_engine::{CommandKind, NameIndex, Snapshot};
use simhost_model::nearest;
use simhost_streams::{
    Control, Input, InputError, Parameter, Progress, RecordingAction, SinkError, Stream,
};
use simhost_world::{Diagnostic, FaultSeverity, LoadError, World};

use crate::description::Description;
use crate::error::Error;
use crate::pace::{PaceStatus, check_factor};

/// Takes the inputs of a session before they act.
pub trait InputLog: Send {
    /// Writes an input that acts after `step` completed steps and is number `sequence` of its session,
    /// counted from 0. Edits that a program makes before the first run act before the measurements at
    /// the start, so [`Session::edit`](crate::Session::edit) has to repeat them, not a planned input.
    ///
    /// # Errors
    /// [`SinkError`] if the input cannot be written. It then does not act, and the run ends.
    fn append(&mut self, step: u64, sequence: u64, input: &Input) -> Result<(), SinkError>;

    /// Writes a snapshot to which the session returns, and returns the name of its file, which
    /// [`Input::Restore`] mentions.
    ///
    /// # Errors
    /// [`SinkError`] if it cannot be written.
    fn keep(&mut self, snapshot: &Snapshot) -> Result<String, SinkError> {
        let _ = snapshot;
        Ok(String::new())
    }
}

/// Keeps the inputs with the steps after which they act, for a program that holds a clone.
impl InputLog for Arc<Mutex<Vec<(u64, Input)>>> {
    fn append(&mut self, step: u64, _: u64, input: &Input) -> Result<(), SinkError> {
        self.lock().unwrap_or_else(PoisonError::into_inner).push((step, input.clone()));
        Ok(())
    }
}

/// An input that has been checked, with the world that it leads to.
pub(crate) struct PreparedInput {
    /// The input.
    pub input: Input,
    /// The world before and after an edit.
    edited: Option<(Arc<World>, Description)>,
}

impl PreparedInput {
    /// Returns the world after an edit of `before`, if it has been built for the check of the input.
    pub fn take_edited(&mut self, before: &Description) -> Option<Description> {
        let (known, after) = self.edited.take()?;
        Arc::ptr_eq(&known, &before.world).then_some(after)
    }
}

impl From<Input> for PreparedInput {
    /// Wraps an input that needs no check, or for which the world is built when it acts.
    fn from(input: Input) -> Self {
        Self { input, edited: None }
    }
}

/// Sends inputs to a session, from any thread. Clones send to the same session.
///
/// Inputs act at the start of the next step, in the order of their arrival.
#[derive(Clone)]
pub struct Inputs {
    queue: Arc<Queue>,
    directory: Arc<RwLock<Directory>>,
    pace: PaceStatus,
    /// Seed of all random numbers.
    seed: Arc<AtomicU64>,
}

#[derive(Default)]
struct Queue {
    /// Number of inputs, so that a step without inputs takes no lock.
    len: AtomicUsize,
    inputs: Mutex<VecDeque<PreparedInput>>,
    /// Notified when an input arrives, and to wake a run that waits for one.
    arrival: Condvar,
    /// Whether a waiting run must check its inputs again.
    is_woken: AtomicBool,
    /// Whether the session has ended.
    is_ended: AtomicBool,
}

/// Names that inputs may use.
#[derive(Default)]
pub struct Directory {
    /// Vehicles in the order of the world.
    pub vehicles: Arc<NameIndex>,
    /// Kinds of commands that each of them accepts.
    pub kinds: Vec<Arc<[CommandKind]>>,
    /// Entities whose poses and velocities can be set.
    pub placeable: Arc<NameIndex>,
    /// Description of the world, unless it has been dropped.
    pub description: Option<Description>,
    /// Input streams, if clients see them.
    pub streams: Option<Vec<Arc<Stream>>>,
}

impl Inputs {
    pub(crate) fn new(directory: Directory, pace: PaceStatus) -> Self {
        Self {
            queue: Arc::default(),
            directory: Arc::new(RwLock::new(directory)),
            pace,
            seed: Arc::default(),
        }
    }

    /// Sends an input.
    ///
    /// # Errors
    /// [`InputError`] if it names something that the world does not have, or a number is not finite. The
    /// input then has no effect.
    pub fn send(&self, input: Input) -> Result<(), InputError> {
        if self.queue.is_ended.load(Ordering::Acquire) {
            return Err(InputError::Ended);
        }
        let input = self.prepare_as(input, Description::for_client).map_err(into_input_error)?;
        let mut inputs = self.lock();
        inputs.push_back(input);
        self.queue.len.store(inputs.len(), Ordering::Release);
        self.queue.arrival.notify_all();
        Ok(())
    }

    /// Checks an input without sending it.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn check(&self, input: &Input) -> Result<(), InputError> {
        self.prepare(input.clone()).map(drop).map_err(into_input_error)
    }

    /// Checks an input of the program, as [`Self::send`] does for clients.
    pub(crate) fn prepare(&self, input: Input) -> Result<PreparedInput, Error> {
        self.prepare_as(input, Description::clone)
    }

    /// Checks an input, and resolves includes and expressions of a fragment. The world of an edit that is
    /// built for the check is kept, so that it is built once.
    fn prepare_as(
        &self,
        input: Input,
        access: impl Fn(&Description) -> Description,
    ) -> Result<PreparedInput, Error> {
        let is_edit = matches!(
            input,
            Input::Parameter { .. }
                | Input::Remove { .. }
                | Input::Add { .. }
                | Input::Reset { .. }
        );
        // a copy, because reading a fragment can take long
        let description = {
            let directory = self.read();
            directory.check(&input)?;
            directory.description.as_ref().filter(|_| is_edit).map(access)
        };
        let described = || description.ok_or(Error::Forgotten);
        match &input {
            Input::Parameter { .. } | Input::Remove { .. } => {
                let before = described()?;
                let edited = Some((before.world.clone(), before.with(&input)?));
                return Ok(PreparedInput { input, edited });
            }
            Input::Add { fragment, .. } => {
                return Ok(described()?.addition(fragment, None)?.into());
            }
            Input::Reset { .. } => drop(described()?),
            _ => {}
        }
        Ok(input.into())
    }

    /// Returns the parameters of models with their present values, unless the description of the world has
    /// been dropped.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let description = self.read().description.clone();
        description.map_or(Vec::new(), |description| description.world.parameters())
    }

    /// Returns the present world, unless its description has been dropped.
    pub fn world(&self) -> Option<Arc<World>> {
        self.read().description.as_ref().map(|description| description.world.clone())
    }

    pub(crate) fn set_seed(&self, seed: u64) {
        self.seed.store(seed, Ordering::Relaxed);
    }

    /// Returns whether clients see the input streams.
    pub(crate) fn has_streams(&self) -> bool {
        self.read().streams.is_some()
    }

    pub(crate) fn set_streams(&self, streams: Vec<Arc<Stream>>) {
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        directory.streams = Some(streams);
    }

    pub(crate) fn set_directory(&self, directory: Directory) {
        *self.directory.write().unwrap_or_else(PoisonError::into_inner) = directory;
    }

    pub(crate) fn forget_description(&self) {
        let mut directory = self.directory.write().unwrap_or_else(PoisonError::into_inner);
        directory.description = None;
    }

    fn read(&self) -> RwLockReadGuard<'_, Directory> {
        self.directory.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether all inputs that were sent have been taken by the session.
    pub fn is_empty(&self) -> bool {
        self.queue.len.load(Ordering::Acquire) == 0
    }

    /// Returns the pace of the session.
    pub fn pace(&self) -> &PaceStatus {
        &self.pace
    }

    /// Takes the inputs that have arrived, in their order.
    pub(crate) fn take(&self) -> VecDeque<PreparedInput> {
        if self.queue.len.load(Ordering::Acquire) == 0 {
            return VecDeque::new();
        }
        let mut inputs = self.lock();
        self.queue.len.store(0, Ordering::Release);
        std::mem::take(&mut inputs)
    }

    /// Waits until an input is in the queue, at most for `limit`.
    pub(crate) fn wait(&self, limit: Duration) {
        // without threads, no input can arrive meanwhile
        if cfg!(target_family = "wasm") {
            return;
        }
        let inputs = self.lock();
        // the run checks its inputs after a spurious wake-up, too
        let woken = &self.queue.is_woken;
        drop(self.queue.arrival.wait_timeout_while(inputs, limit, |inputs| {
            inputs.is_empty() && !woken.swap(false, Ordering::AcqRel)
        }));
    }

    /// Ends the wait of a session that is paused or ahead of its clock, so that it re-checks its
    /// inputs at once.
    pub fn wake(&self) {
        let inputs = self.lock();
        self.queue.is_woken.store(true, Ordering::Release);
        drop(inputs);
        self.queue.arrival.notify_all();
    }

    /// Refuses all inputs from now on.
    pub(crate) fn end(&self) {
        self.queue.is_ended.store(true, Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<PreparedInput>> {
        self.queue.inputs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Directory {
    /// Checks everything that does not require reading a part of a world.
    fn check(&self, input: &Input) -> Result<(), InputError> {
        match input {
            Input::Command { vehicle, kind, values } => self.command(vehicle, kind, values),
            Input::AddFault { vehicle, sensor, severity, .. } => {
                self.vehicle(vehicle)?;
                check_fault(sensor, severity)
            }
            Input::Recording { vehicle, .. } if vehicle.is_empty() => Ok(()),
            Input::Recording { vehicle, action: RecordingAction::Clear } => {
                Err(InputError::Value {
                    name: "the vehicle of `clear`".to_owned(),
                    found: format!("'{vehicle}'"),
                    expected: "an empty name, because tables have rows of all vehicles".to_owned(),
                })
            }
            Input::ClearFaults { vehicle } | Input::Recording { vehicle, .. } => {
                self.vehicle(vehicle).map(drop)
            }
            Input::Pace { factor } => check_factor(*factor).map_err(|_| InputError::Value {
                name: "the pace".to_owned(),
                found: factor.to_string(),
                expected: "a number from 0.000001 to 1000000".to_owned(),
            }),
            Input::Pose { entity, pose: numbers } => self.placed(entity, "pose", numbers),
            Input::Velocity { entity, velocity } => self.placed(entity, "velocity", velocity),
            Input::Restore { .. } => Err(InputError::Value {
                name: "the input".to_owned(),
                found: "a return to a snapshot".to_owned(),
                expected: "a call of `Session::restore`".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Checks the entity and the numbers of a pose or a velocity.
    fn placed(&self, entity: &String, what: &str, numbers: &[f64; 3]) -> Result<(), InputError> {
        if self.placeable.number(entity).is_none() {
            let known = self.placeable.iter().map(String::as_str);
            return Err(unknown("vehicle or movable block", entity, known));
        }
        check_finite(numbers, || format!("a number of the {what} of '{entity}'"))
    }

    /// Returns the kinds of commands of a vehicle.
    fn vehicle(&self, vehicle: &str) -> Result<&[CommandKind], InputError> {
        Ok(&self.kinds[vehicle_number(&self.vehicles, vehicle)?])
    }

    fn command(&self, vehicle: &str, kind: &str, values: &[f64]) -> Result<(), InputError> {
        let kinds = self.vehicle(vehicle)?;
        let Some(known) = kinds.iter().find(|known| known.name == kind) else {
            let known = kinds.iter().map(|known| known.name.as_str());
            return Err(unknown("command", kind, known));
        };
        let count = known.values.len();
        if values.len() != count {
            return Err(InputError::Value {
                name: format!("number of values of '{kind}'"),
                found: values.len().to_string(),
                expected: count.to_string(),
            });
        }
        check_finite(values, || format!("a value of '{kind}'"))
    }
}

fn check_finite(numbers: &[f64], name: impl FnOnce() -> String) -> Result<(), InputError> {
    match numbers.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(number) => Err(InputError::Value {
            name: name(),
            found: number.to_string(),
            expected: "a finite number".to_owned(),
        }),
    }
}

/// Returns the error of an input that was sent from anywhere.
fn into_input_error(error: Error) -> InputError {
    match error {
        Error::Input(error) => error,
        Error::Load(error) => InputError::World { text: text_for_client(&error) },
        other => InputError::World { text: other.to_string() },
    }
}

/// Returns the errors of a fragment or a value without text of files.
fn text_for_client(error: &LoadError) -> String {
    let own = |found: &Diagnostic| found.span.is_none_or(|span| error.sources.is_fragment(span));
    let text = |found: &Diagnostic| match own(found) {
        true => found.render(&error.sources, false),
        false => {
            let (path, line, column) = found.span.map_or_else(Default::default, |span| {
                let (path, line, column) = error.sources.position(span);
                (path.display().to_string(), line, column)
            });
            format!("error: {path}:{line}:{column} has an error, which `simhost check` shows")
        }
    };
    error.diagnostics.iter().map(text).collect::<Vec<_>>().join("\n")
}

impl Control for Inputs {
    fn send(&self, input: Input) -> Result<(), InputError> {
        Self::send(self, input)
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        self.read().streams.clone().unwrap_or_default()
    }

    fn parameters(&self) -> Vec<Parameter> {
        let all = Self::parameters(self).into_iter();
        all.map(|(name, value)| Parameter { name, value }).collect()
    }

    fn waiting(&self) -> usize {
        self.queue.len.load(Ordering::Acquire)
    }

    fn progress(&self) -> Progress {
        Progress {
            is_paused: self.pace.is_paused(),
            pace: self.pace.factor(),
            steps: self.pace.steps(),
            seed: self.seed.load(Ordering::Relaxed),
            lost: self.pace.lost(),
        }
    }
}

/// Checks sensor and severity of an entry.
///
/// # Errors
/// [`InputError`] for an empty name or an unknown severity.
fn check_fault(sensor: &str, severity: &str) -> Result<(), InputError> {
    if sensor.trim().is_empty() {
        return Err(InputError::Value {
            name: "the sensor of a fault".to_owned(),
            found: "empty".to_owned(),
            expected: "a name, such as brake".to_owned(),
        });
    }
    if FaultSeverity::from_name(severity).is_none() {
        let known = FaultSeverity::ALL.iter().map(|severity| severity.name());
        return Err(unknown("severity", severity, known));
    }
    Ok(())
}

/// Returns the number of a vehicle.
///
/// # Errors
/// [`InputError`] with the nearest name if there is no such vehicle.
pub fn vehicle_number(vehicles: &NameIndex, name: &str) -> Result<usize, InputError> {
    let known = vehicles.iter().map(String::as_str);
    vehicles.number(name).ok_or_else(|| unknown("vehicle", name, known))
}

/// Returns the error for an unknown name.
pub fn unknown<'a>(
    what: &'static str,
    found: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> InputError {
    // more names would hide the message
    const MOST: usize = 8;
    let help = match nearest(found, known.clone()) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => {
            let listed: Vec<&str> = known.take(MOST).collect();
            match listed.is_empty() {
                true => "there is none".to_owned(),
                false => format!("expected, for instance: {}", listed.join(", ")),
            }
        }
    };
    InputError::Unknown { what, found: found.to_owned(), help }
}
