//! Logs with the columns of MVSim.
//!
//! MVSim (manual, section 3.3.1) writes a file per vehicle and one per wheel while recording is on.
//! Names of columns are in alphabetical order, and cells are separated by a comma and a space.
//! Simplification: the name of a file has the number of the session where MVSim has the time of
//! day, so that equal runs have equal files, and the columns of single models are left out. The
//! time is the time of the values, where MVSim has the start of the step.

mod files;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use simhost_streams::background::Background;
use simhost_streams::{RecordingAction, Sample, Sink, SinkError, Stamp, Stream};

use files::{Files, Part, Paths, Source};

/// Switches the recording of vehicles on and off, from any thread. A change acts on the next sample.
///
/// Programs that are to be repeatable send [`Input::Recording`](simhost_streams::Input::Recording) to the
/// session instead, which records the change.
#[derive(Clone, Default)]
pub struct MvsimControl(Arc<Mutex<Switches>>);

#[derive(Default)]
struct Switches {
    /// Vehicles that are not listed.
    others: Switch,
    vehicles: BTreeMap<String, Switch>,
}

#[derive(Clone, Copy)]
struct Switch {
    is_on: bool,
    session: usize,
}

impl Default for Switch {
    fn default() -> Self {
        Self { is_on: false, session: 1 }
    }
}

impl Switch {
    fn change(&mut self, action: RecordingAction) {
        match action {
            RecordingAction::On => self.is_on = true,
            RecordingAction::Off => self.is_on = false,
            RecordingAction::New => {
                self.is_on = true;
                self.session += 1;
            }
            // concerns tables
            RecordingAction::Clear => {}
        }
    }
}

impl MvsimControl {
    /// Switches the recording of a vehicle, or of all vehicles if the name is empty.
    pub fn switch(&self, vehicle: &str, action: RecordingAction) {
        let mut switches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Switches { others, vehicles } = &mut *switches;
        if vehicle.is_empty() {
            others.change(action);
            vehicles.values_mut().for_each(|switch| switch.change(action));
        } else {
            vehicles.entry(vehicle.to_owned()).or_insert(*others).change(action);
        }
    }

    fn of(&self, vehicle: &str) -> Switch {
        let switches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        switches.vehicles.get(vehicle).copied().unwrap_or(switches.others)
    }
}

impl Source {
    fn new(stream: &Arc<Stream>) -> Option<Self> {
        let (vehicle, part) = stream.name.rsplit_once('/')?;
        let part = match part {
            "ground_truth" => Part::Truth,
            "odometry" => Part::Odometry,
            "wheels" => Part::Wheels,
            _ => return None,
        };
        Some(Self { stream: stream.clone(), vehicle: vehicle.to_owned(), part })
    }
}

/// Writes logs with the columns of MVSim to a folder: `session_1-mvsim_CAR_pose.csv` per vehicle and
/// `session_1-mvsim_CAR_wheel_1.csv` per wheel. Takes the streams `VEHICLE/ground_truth`,
/// `VEHICLE/odometry` and `VEHICLE/wheels`, at the same rate.
pub struct MvsimLog {
    folder: PathBuf,
    control: MvsimControl,
    paths: Paths,
    sources: Vec<Option<Source>>,
    /// Sequences of samples that have begun. Each sequence has its own sessions.
    begun: usize,
    open: Option<Background>,
    files: Vec<PathBuf>,
}

impl MvsimLog {
    /// Creates a sink that writes to a folder. All vehicles are recorded from the start, or none until
    /// [`Self::control`] switches it on.
    pub fn new(folder: &Path, is_on: bool) -> Self {
        let control = MvsimControl::default();
        if is_on {
            control.switch("", RecordingAction::On);
        }
        let (folder, sources, files) = (folder.to_owned(), Vec::new(), Vec::new());
        let paths = Arc::default();
        Self { folder, control, paths, sources, begun: 0, open: None, files }
    }

    /// Returns the switch of the recording.
    pub fn control(&self) -> MvsimControl {
        self.control.clone()
    }

    /// Returns the streams that the logs hold, as patterns.
    pub const fn patterns() -> &'static [&'static str] {
        &["*/ground_truth", "*/odometry", "*/wheels"]
    }
}

impl Sink for MvsimLog {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.files.extend(self.open.take().map_or(Ok(Vec::new()), |mut open| open.finish())?);
        self.begun += 1;
        let folder = match self.begun {
            1 => self.folder.clone(),
            begun => {
                let name = self.folder.file_name().unwrap_or_default().to_string_lossy();
                self.folder.with_file_name(format!("{name}-{begun}"))
            }
        };
        self.sources = streams.iter().map(Source::new).collect();
        let sources = self.sources.clone();
        let files = Files::new(folder, sources, self.paths.clone());
        self.open = Some(Background::start("mvsim log", Box::new(files))?);
        Ok(())
    }

    fn wants(&mut self, stream: usize) -> bool {
        let source = self.sources[stream].as_ref();
        source.is_some_and(|source| self.control.of(&source.vehicle).is_on)
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        if let (Some(open), Some(source)) = (&mut self.open, &self.sources[stream]) {
            let Switch { is_on, session } = self.control.of(&source.vehicle);
            if is_on {
                // the number also carries the session to the other thread, in order
                open.take(session * self.sources.len() + stream, sample);
            }
        }
        Ok(())
    }

    fn end_of_step(&mut self, _: Stamp) -> Result<(), SinkError> {
        self.open.as_mut().map_or(Ok(()), Background::end_of_step)
    }

    fn set_log_path(&mut self, vehicle: &str, path: &str) {
        let mut paths = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        paths.insert(vehicle.to_owned(), path.to_owned());
    }

    fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        self.control.switch(vehicle, action);
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        self.files.extend(self.open.take().map_or(Ok(Vec::new()), |mut open| open.finish())?);
        Ok(std::mem::take(&mut self.files))
    }
}
