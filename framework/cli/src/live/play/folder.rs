//! Poses in the CSV files of an output folder.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use simhost::{Options, Selection, Session};
use simhost_runs::{Run, RunFiles, RunWorld};
use simhost_streams::{Sample, Sink, SinkError, Stamp, Stream, ros, types};
use simhost_world::LoadOptions;

use super::Tape;
use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{catalogue, terminal, working_folder};

/// Poses in the CSV files of an output folder.
pub struct Folder {
    streams: Vec<Stream>,
    /// Scene and maps at the start, as messages: index of the stream, and the message.
    still: Vec<(usize, Vec<u8>)>,
    vehicles: Vec<Vehicle>,
    /// Frames of everything else.
    frames: Vec<Frame>,
    /// Index of the stream of transforms.
    transforms: usize,
    /// Times at which there is a pose, s.
    times: Vec<f64>,
    run: Run,
}

/// The streams of a vehicle.
struct Vehicle {
    name: String,
    /// Indices of the streams of the true pose and of the odometry.
    truth: usize,
    odometry: Option<usize>,
}

/// A frame of a sensor, or of a block, actor or plane.
#[derive(Clone)]
struct Frame {
    parent: String,
    child: String,
    /// Pose at the start: x, y, z, m; yaw, pitch, roll, rad.
    start: [f64; 6],
}

/// Streams of the transforms of a session.
const FRAMES: [&str; 2] = ["tf", "tf_static"];
/// Ends of the names of the series that are played.
const NAMES: [&str; 4] = ["/pose", "/twist", "/odometry_pose", "/odometry_twist"];

/// Opens an output folder.
pub fn open(path: &Path, models: &Models) -> Result<Folder, Failure> {
    let keep = |name: &str| NAMES.iter().any(|known| name.ends_with(known));
    let run = Run::open(path, &keep).map_err(|error| Failure::new(Code::BadInput, error))?;
    let poses = |name: &String| run.get(&format!("{name}/pose"));
    let mut times: Vec<f64> =
        run.vehicles.iter().filter_map(poses).flat_map(|poses| poses.times.to_vec()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.is_empty() {
        let text = format!("{}: the run has no poses to play", path.display());
        return Err(Failure::new(Code::BadInput, text));
    }
    let Content { mut streams, messages: still, frames } = scene(path, models);
    let names: Vec<String> =
        run.vehicles.iter().filter(|name| poses(name).is_some()).cloned().collect();
    let mut transforms = Stream::new("tf", Arc::new(types::Transforms::TYPE));
    transforms.labels = names.iter().map(|name| format!("{name}/base_link")).collect();
    transforms.label_frames = vec!["map".to_owned(); names.len()];
    // those of vehicles follow from their poses
    let is_of_vehicle = |child: &str| {
        let vehicle = ["/base_link", "/odom"].iter().find_map(|end| child.strip_suffix(end));
        vehicle.is_some_and(|vehicle| run.vehicles.iter().any(|known| known == vehicle))
    };
    let frames: Vec<Frame> =
        frames.into_iter().filter(|frame| !is_of_vehicle(&frame.child)).collect();
    for Frame { parent, child, .. } in &frames {
        transforms.labels.push(child.clone());
        transforms.label_frames.push(parent.clone());
    }
    let mut vehicles = Vec::new();
    for name in names {
        let mut add = |last: &str, frame: String| {
            let mut stream = Stream::new(format!("{name}/{last}"), Arc::new(types::Odometry::TYPE));
            stream.frame = frame;
            stream.child_frame = format!("{name}/base_link");
            streams.push(stream);
            streams.len() - 1
        };
        let truth = add("ground_truth", "map".to_owned());
        let has_odometry = run.get(&format!("{name}/odometry_pose")).is_some();
        let odometry = has_odometry.then(|| add("odometry", format!("{name}/odom")));
        vehicles.push(Vehicle { name, truth, odometry });
    }
    streams.push(transforms);
    let transforms = streams.len() - 1;
    Ok(Folder { streams, still, vehicles, frames, transforms, times, run })
}

impl Tape for Folder {
    fn streams(&self) -> Vec<&Stream> {
        self.streams.iter().collect()
    }

    fn each(&mut self, take: &mut dyn FnMut(usize, Stamp, &[u8]) -> bool) -> Result<(), Failure> {
        for (stream, message) in &self.still {
            if !take(*stream, Stamp(0), message) {
                return Ok(());
            }
        }
        let mut message = Vec::new();
        for time in &self.times {
            let stamp = Stamp((time * 1e9).round() as u64);
            for (stream, numbers) in self.samples(*time) {
                message.clear();
                ros::cdr(&self.streams[stream], &Sample::new(stamp, &numbers), &mut message);
                if !take(stream, stamp, &message) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl Folder {
    /// Returns the samples at a time: index of the stream, and numbers.
    fn samples(&self, time: f64) -> Vec<(usize, Vec<f64>)> {
        let mut samples = Vec::new();
        let (mut places, mut rotations) = (Vec::<f64>::new(), Vec::<f64>::new());
        for Vehicle { name, truth, odometry } in &self.vehicles {
            let numbers = |last: &str, count: usize| {
                let series = self.run.get(&format!("{name}/{last}"));
                let found = series.and_then(|series| Some((series, series.sample_at(time)?)));
                let value = |column: usize| {
                    let (series, row) = found?;
                    series.columns.get(column)?.get(row).copied()
                };
                (0..count).map(|column| value(column).unwrap_or(0.0)).collect::<Vec<f64>>()
            };
            let pose = numbers("pose", 6);
            places.extend(&pose[..3]);
            rotations.extend(&pose[3..]);
            samples.push((*truth, [pose, numbers("twist", 3)].concat()));
            samples.extend(odometry.map(|stream| {
                (stream, [numbers("odometry_pose", 6), numbers("odometry_twist", 3)].concat())
            }));
        }
        for frame in &self.frames {
            let body = ["block/", "actor/", "plane/"]
                .iter()
                .find_map(|kind| frame.child.strip_prefix(kind).filter(|_| frame.parent == "map"));
            let series = body.and_then(|body| self.run.get(&format!("{body}/pose")));
            let row = series.and_then(|series| Some((series, series.sample_at(time)?)));
            let pose: [f64; 6] = std::array::from_fn(|k| {
                let recorded = row.and_then(|(series, row)| series.columns.get(k)?.get(row));
                recorded.copied().unwrap_or(frame.start[k])
            });
            places.extend(&pose[..3]);
            rotations.extend(&pose[3..]);
        }
        places.extend(rotations);
        samples.push((self.transforms, places));
        samples
    }
}

/// What a world holds before its first step.
#[derive(Clone, Default)]
struct Content {
    /// Streams that do not change.
    streams: Vec<Stream>,
    /// Their messages: index of the stream, and the message.
    messages: Vec<(usize, Vec<u8>)>,
    /// The frames of the world.
    frames: Vec<Frame>,
}

/// Returns the streams of the world of a run that do not change, with their messages, and its frames.
/// Without the world of the run, there are none.
fn scene(path: &Path, models: &Models) -> Content {
    let Ok(Some(RunWorld::File(world))) = RunFiles::at(path).world() else {
        return Content::default();
    };
    let still = Still::default();
    if let Err(reason) = look_at(&world, models, &still) {
        terminal::remark(&format!(
            "the world of the run cannot be opened here; playing it without the scene: {reason}"
        ));
    }
    still.lock().clone()
}

/// Opens a world and takes what it holds before its first step.
fn look_at(world: &Path, models: &Models, still: &Still) -> Result<(), String> {
    let catalogue = catalogue::search(models, false).map_err(|failure| failure.text)?;
    let load = LoadOptions { lenient: true, ..LoadOptions::default() };
    let options = Options { catalogue: Some(catalogue), load, ..Options::default() };
    let opened = Session::open(world, options);
    working_folder::restore();
    let look = |mut session: Session| -> Result<(), simhost::Error> {
        let names = session.world().streams()?.into_iter().map(|stream| stream.name.clone());
        let is_map = |name: &str| name == "map" || name.starts_with("map_");
        let is_still = |name: &String| {
            name == "scene"
                || FRAMES.contains(&name.as_str())
                || (is_map(name) && !name.contains('/'))
        };
        let selection =
            Selection { patterns: names.filter(is_still).collect(), ..Selection::default() };
        session.attach(Box::new(still.clone()), &selection)?;
        session.run_steps(0).map(drop)
    };
    opened.and_then(look).map_err(|error| error.to_string())
}

/// Keeps the streams, the messages and the frames of a session.
#[derive(Clone, Default)]
struct Still {
    content: Arc<Mutex<Content>>,
    /// Place of the content of each stream of the session.
    places: Vec<Kept>,
}

/// Place of the content of a stream.
#[derive(Clone, Copy)]
enum Kept {
    /// Index of the stream among those that are kept.
    Stream(usize),
    /// Index of the first frame of its transforms.
    Frames(usize),
}

impl Still {
    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for Still {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        let mut content = Content::default();
        self.places.clear();
        for stream in streams {
            if FRAMES.contains(&&*stream.name) {
                self.places.push(Kept::Frames(content.frames.len()));
                content.frames.extend(frames_of(stream));
            } else {
                self.places.push(Kept::Stream(content.streams.len()));
                content.streams.push((**stream).clone());
            }
        }
        *self.lock() = content;
        Ok(())
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let mut content = self.lock();
        let place = match self.places[stream] {
            Kept::Stream(place) => place,
            Kept::Frames(first) => {
                let (places, rotations) = sample.numbers.split_at(sample.numbers.len() / 2);
                let poses = places.chunks_exact(3).zip(rotations.chunks_exact(3));
                for (frame, (place, rotation)) in content.frames[first..].iter_mut().zip(poses) {
                    frame.start[..3].copy_from_slice(place);
                    frame.start[3..].copy_from_slice(rotation);
                }
                return Ok(());
            }
        };
        let mut message = Vec::new();
        ros::cdr(&content.streams[place], sample, &mut message);
        content.messages.push((place, message));
        Ok(())
    }
}

/// Returns the frames of a stream of transforms, at the origin.
fn frames_of(stream: &Stream) -> Vec<Frame> {
    let children = stream.labels.iter().enumerate();
    let frame = |(label, child): (usize, &String)| Frame {
        parent: stream.label_frame(label).to_owned(),
        child: child.clone(),
        start: [0.0; 6],
    };
    children.map(frame).collect()
}
