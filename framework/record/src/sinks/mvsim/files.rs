//! The files of logs.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use simhost_streams::background::Writer;
use simhost_streams::{Sample, SinkError, Stamp, Stream};

use crate::file_name::FileNames;
use crate::sinks::lines::{Lines, create_folder, finish};

/// Header of the file of a vehicle.
const POSE: &str =
    "Timestamp, dqw, dqx, dqy, odo_x, odo_y, odo_yaw, q0x, q1y, q2z, q3yaw, q4pitch, q5roll";
/// Header of the file of a wheel.
const WHEEL: &str = "Timestamp, force_z, friction_x, friction_y, torque, velocity_x, velocity_y, wheel_pos_x, wheel_pos_y";
/// Places of the columns of a wheel among the fields of its stream.
const WHEEL_FIELDS: [&str; 8] = ["normal_force", "fx", "fy", "torque", "vx", "vy", "x", "y"];

/// The files on their thread.
pub(super) struct Files {
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
    pub(super) fn new(folder: PathBuf, sources: Vec<Option<Source>>, paths: Paths) -> Self {
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
        finish(files.flat_map(|log| std::iter::once(&mut log.pose).chain(&mut log.wheels)))
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
pub(super) enum Part {
    Truth,
    Odometry,
    Wheels,
}

/// A stream of a vehicle.
#[derive(Clone)]
pub(super) struct Source {
    pub stream: Arc<Stream>,
    pub vehicle: String,
    pub part: Part,
}

/// Start of the names of the files of each vehicle that has one, shared with the thread that writes.
pub(super) type Paths = Arc<Mutex<BTreeMap<String, String>>>;
