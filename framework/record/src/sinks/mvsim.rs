//! Logs with the columns of MVSim.
//!
//! MVSim (manual, section 3.3.1) writes a file per vehicle and one per wheel while recording is on.
//! Names of columns are in alphabetical order, and cells are separated by a comma and a space.
//! Simplification: the name of a file has the number of the session where MVSim has the time of
//! day, so that equal runs have equal files, and the columns of single models are left out. The
//! time is the time of the values, where MVSim has the start of the step.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use simhost_streams::background::{Background, Writer};
use simhost_streams::{RecordingAction, Sample, Sink, SinkError, Stamp, Stream};

use crate::file_name::FileNames;
use crate::sinks::{Lines, create_folder, flush_all};

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

/// Header of the file of a vehicle.
const POSE: &str =
    "Timestamp, dqw, dqx, dqy, odo_x, odo_y, odo_yaw, q0x, q1y, q2z, q3yaw, q4pitch, q5roll";
/// Header of the file of a wheel.
const WHEEL: &str = "Timestamp, force_z, friction_x, friction_y, torque, velocity_x, velocity_y, wheel_pos_x, wheel_pos_y";
/// Places of the columns of a wheel among the fields of its stream.
const WHEEL_FIELDS: [&str; 8] = ["normal_force", "fx", "fy", "torque", "vx", "vy", "x", "y"];

/// The files on their thread.
struct Files {
    folder: PathBuf,
    sources: Vec<Option<Source>>,
    paths: Paths,
    /// Names of files in each folder.
    folders: BTreeMap<PathBuf, FileNames>,
    /// Files by session and vehicle.
    open: BTreeMap<(usize, String), Log>,
}

/// Returns the folder of the files of a vehicle and the start of their names, for its `<log_path>`. They do
/// not leave `folder`: of an absolute path and one with `..`, only the last part counts.
fn place<'a>(folder: &Path, path: &'a str) -> (PathBuf, &'a str) {
    let (parents, start) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    match Path::new(parents).components().all(is_inside) {
        true => (folder.join(parents), start),
        false => (folder.to_owned(), start),
    }
}

/// The files of a vehicle in a session.
struct Log {
    pose: Lines,
    wheels: Vec<Lines>,
    /// Odometry and truth of one time until both are known.
    odometry: Option<(Stamp, [f64; 3])>,
    truth: Option<(Stamp, [f64; 9])>,
}

impl Files {
    /// Creates the files when their first samples come.
    fn new(folder: PathBuf, sources: Vec<Option<Source>>, paths: Paths) -> Self {
        Self { folder, sources, paths, folders: BTreeMap::new(), open: BTreeMap::new() }
    }

    fn log(&mut self, session: usize, source: &Source) -> Result<&mut Log, SinkError> {
        let key = (session, source.vehicle.clone());
        let wheels = match source.part {
            Part::Wheels => source.stream.labels.len(),
            Part::Truth | Part::Odometry => 0,
        };
        if self.open.get(&key).is_none_or(|log| log.wheels.len() < wheels) {
            self.create(&key, wheels)?;
        }
        Ok(self.open.get_mut(&key).expect("it has been created"))
    }

    /// Creates the files of a vehicle in a session that do not exist yet.
    fn create(&mut self, key: &(usize, String), wheels: usize) -> Result<(), SinkError> {
        let (session, vehicle) = key;
        let path = self.paths.lock().unwrap_or_else(PoisonError::into_inner).get(vehicle).cloned();
        let (folder, start) = place(&self.folder, path.as_deref().unwrap_or_default());
        create_folder(&folder)?;
        let names = self.folders.entry(folder.clone()).or_default();
        let mut create = |part: &str, header: &str| {
            let name = format!("session_{session}-{start}mvsim_{vehicle}_{part}");
            table(folder.join(names.claim_as(&name, "csv")), header)
        };
        let log = match self.open.entry(key.clone()) {
            Entry::Occupied(log) => log.into_mut(),
            Entry::Vacant(place) => {
                let pose = create("pose", POSE)?;
                place.insert(Log { pose, wheels: Vec::new(), odometry: None, truth: None })
            }
        };
        for wheel in log.wheels.len()..wheels {
            log.wheels.push(create(&format!("wheel_{}", wheel + 1), WHEEL)?);
        }
        Ok(())
    }
}

impl Writer for Files {
    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let (session, stream) = (stream / self.sources.len(), stream % self.sources.len());
        let Some(source) = self.sources[stream].clone() else { return Ok(()) };
        let log = self.log(session, &source)?;
        let (stamp, numbers) = (sample.stamp, sample.numbers);
        match (source.part, numbers) {
            (Part::Wheels, _) => return log.push_wheels(&source.stream, sample),
            (Part::Odometry, [x, y, _, yaw, ..]) => log.odometry = Some((stamp, [*x, *y, *yaw])),
            (Part::Truth, _) => {
                let number = |index: usize| numbers.get(index).copied().unwrap_or(f64::NAN);
                log.truth = Some((stamp, std::array::from_fn(number)));
            }
            _ => {}
        }
        log.push_pose()
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        let files = self.open.values_mut();
        files
            .flat_map(|log| std::iter::once(&mut log.pose).chain(&mut log.wheels))
            .try_for_each(Lines::flush)
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        let files = self.open.values_mut();
        flush_all(files.flat_map(|log| std::iter::once(&mut log.pose).chain(&mut log.wheels)))
    }
}

impl Log {
    /// Writes a row when both parts of it are known.
    fn push_pose(&mut self) -> Result<(), SinkError> {
        let (Some((stamp, odometry)), Some((other, truth))) = (self.odometry, self.truth) else {
            return Ok(());
        };
        if stamp != other {
            return Ok(());
        }
        let [x, y, z, yaw, pitch, roll, vx, vy, omega] = truth;
        let rest = [x, y, z, yaw, pitch, roll];
        let numbers = [omega, vx, vy].into_iter().chain(odometry).chain(rest);
        row(&mut self.pose, stamp, numbers)
    }

    fn push_wheels(&mut self, stream: &Stream, sample: &Sample<'_>) -> Result<(), SinkError> {
        let count = stream.labels.len();
        let fields = WHEEL_FIELDS.map(|name| {
            stream.kind.fields.iter().position(|field| field.name == name).unwrap_or(usize::MAX)
        });
        for (wheel, file) in self.wheels.iter_mut().enumerate() {
            let number = |field: usize| {
                let place = field.checked_mul(count).and_then(|start| start.checked_add(wheel));
                place.and_then(|place| sample.numbers.get(place)).copied().unwrap_or(f64::NAN)
            };
            row(file, sample.stamp, fields.into_iter().map(number))?;
        }
        Ok(())
    }
}

fn table(path: PathBuf, header: &str) -> Result<Lines, SinkError> {
    let mut file = Lines::create(path)?;
    file.push(header);
    file.end()?;
    Ok(file)
}

fn row(
    file: &mut Lines,
    stamp: Stamp,
    numbers: impl Iterator<Item = f64>,
) -> Result<(), SinkError> {
    file.push(&stamp.to_string());
    for number in numbers {
        file.push(", ");
        file.push_number(number);
    }
    file.end()
}

/// Part of a log that a stream holds.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Truth,
    Odometry,
    Wheels,
}

/// A stream of a vehicle.
#[derive(Clone)]
struct Source {
    pub stream: Arc<Stream>,
    pub vehicle: String,
    pub part: Part,
}

/// Start of the names of the files of each vehicle that has one, shared with the thread that writes.
type Paths = Arc<Mutex<BTreeMap<String, String>>>;
