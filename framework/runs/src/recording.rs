//! MCAP files.

mod columns;
mod names;
pub mod scene;

use std::path::Path;

use simhost_mcap::{McapError, Recording};
use simhost_record::{MANIFEST_FILE, RECORDING_FILE};
use simhost_streams::Stamp;

use crate::error::RunError;
use crate::files::{RunFiles, open_recording};
use crate::manifest::Manifest;
use crate::run::Run;
use crate::series::Series;
use columns::Columns;

/// Reads an MCAP file. The streams that CSV files contain too have the same names of quantities there and
/// here; the values of another stream are named after the stream.
pub(crate) fn read(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Run, RunError> {
    let mut recording = open_recording(path)?;
    let mut notes = Vec::new();
    if !recording.is_complete() {
        let until = recording.end().map_or(0.0, Stamp::seconds);
        notes.push(format!(
            "{} has no end, because its run was killed or still runs; it was read up to {until} s",
            path.display()
        ));
    }
    let vehicles = vehicles(&recording);
    let estimated: Vec<&String> =
        vehicles.iter().filter(|(_, is_true)| !is_true).map(|(name, _)| name).collect();
    let reads = |name: &str| {
        let truth = estimated.iter().find_map(|vehicle| truth_of(vehicle, name));
        keep(name) || truth.is_some_and(|truth| keep(&truth))
    };
    let channels = recording.channels().to_vec();
    let mut columns: Vec<Columns> =
        channels.iter().map(|channel| Columns::new(&channel.stream, &reads)).collect();
    let mut failed = None;
    recording.for_each(Stamp(0), &mut |message| {
        let added = columns[message.index].add(message);
        if let Err(error) = added {
            let name = &message.channel.stream.name;
            failed = Some(format!("a message of '{name}' at {} s: {error}", message.stamp));
        }
        failed.is_none()
    })?;
    if let Some(text) = failed {
        return Err(McapError::Damaged { path: path.to_owned(), position: 0, text }.into());
    }
    // the recording of an output folder, or one that has been moved
    let mut manifest = match path.ends_with(RECORDING_FILE) {
        true => RunFiles::at(path).manifest()?,
        false => None,
    };
    if manifest.is_none() {
        let attached = recording.attachment(MANIFEST_FILE)?;
        manifest = attached.and_then(|bytes| Manifest::from_bytes(&bytes));
    }
    let mut run = Run {
        path: path.to_owned(),
        manifest: manifest.filter(Manifest::is_of_simhost),
        vehicles: vehicles.iter().map(|(name, _)| name.clone()).collect(),
        series: Vec::new(),
        names: Vec::new(),
        notes,
    };
    for columns in columns {
        let (names, series) = columns.finish();
        // a stream can group quantities of another one
        for name in names {
            if !run.names.contains(&name) {
                run.names.push(name);
            }
        }
        for series in series {
            if run.get(&series.name).is_none() {
                run.series.push(series);
            }
        }
    }
    for vehicle in estimated {
        run.estimate(vehicle, keep);
    }
    Ok(run)
}

/// Returns the names of the vehicles: those with odometry or a true pose, and whether it is the true one.
fn vehicles(recording: &Recording) -> Vec<(String, bool)> {
    let mut vehicles: Vec<(String, bool)> = Vec::new();
    for channel in recording.channels() {
        let stream = &channel.stream;
        // sensors have odometry as well
        if stream.source != "host" {
            continue;
        }
        let stems = [("/ground_truth", true), ("/odometry", false)];
        let stem = stems
            .iter()
            .find_map(|(end, is_true)| Some((stream.name.strip_suffix(end)?, *is_true)));
        let Some((vehicle, is_true)) = stem else { continue };
        match vehicles.iter_mut().find(|(known, _)| known == vehicle) {
            Some((_, known)) => *known |= is_true,
            None => vehicles.push((vehicle.to_owned(), is_true)),
        }
    }
    vehicles
}

/// Returns the name of the true quantity of a vehicle for a quantity of its odometry.
fn truth_of(vehicle: &str, name: &str) -> Option<String> {
    let quantity = name.strip_prefix(vehicle)?.strip_prefix("/odometry_")?;
    Some(format!("{vehicle}/{quantity}"))
}

impl Run {
    /// Takes the odometry of a vehicle for its motion, which the recording does not have.
    fn estimate(&mut self, vehicle: &str, keep: &dyn Fn(&str) -> bool) {
        let of = |series: &Series| {
            let name = truth_of(vehicle, &series.name).filter(|name| keep(name))?;
            Some(Series { name, ..series.clone() })
        };
        let estimated: Vec<Series> = self.series.iter().filter_map(of).collect();
        self.series
            .retain(|series| truth_of(vehicle, &series.name).is_none() || keep(&series.name));
        if !estimated.is_empty() {
            let path = self.path.display();
            self.notes.push(format!(
                "the motion of '{vehicle}' comes from its odometry, because {path} has no '{vehicle}/ground_truth'"
            ));
        }
        self.names.extend(estimated.iter().map(|series| series.name.clone()));
        self.series.extend(estimated);
    }
}

/// Returns the names of the quantities in the streams of a recording that group quantities; none if it cannot
/// be read.
pub(crate) fn grouped(path: &Path) -> Vec<String> {
    let Ok(recording) = Recording::open(path) else { return Vec::new() };
    let channels = recording.channels().iter();
    channels.flat_map(|channel| names::grouped(&channel.stream)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use simhost_mcap::McapSink;
    use simhost_streams::{Sample, Sink, Stamp, Stream, types};

    use crate::Run;

    fn record(path: &Path) {
        let kinds =
            [("car/ground_truth", types::Odometry::TYPE), ("car/wheels", types::Wheels::TYPE)];
        let mut streams: Vec<Stream> =
            kinds.into_iter().map(|(name, kind)| Stream::new(name, Arc::new(kind))).collect();
        streams[1].labels = vec!["l".to_owned(), "r".to_owned()];
        let mut sink = McapSink::new(path);
        sink.begin(&streams.into_iter().map(Arc::new).collect::<Vec<_>>()).unwrap();
        for step in 0..10_u64 {
            let (stamp, x) = (Stamp(step * 100_000_000), step as f64);
            sink.take(0, &Sample::new(stamp, &[x, -x, 0.5, 0.3, -0.2, 0.1, 1.5, 2.5, 3.5]))
                .unwrap();
            if step % 5 == 0 {
                let numbers: Vec<f64> = (0..22).map(|k| x + f64::from(k)).collect();
                sink.take(1, &Sample::new(stamp, &numbers)).unwrap();
            }
            sink.end_of_step(stamp).unwrap();
        }
        sink.finish().unwrap();
    }

    #[test]
    fn a_recording_has_the_series_of_an_output_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.mcap");
        record(&path);
        let run = Run::open(&path, &|_| true).unwrap();
        assert_eq!(run.vehicles, ["car"]);
        assert!(run.notes.is_empty());
        let pose = run.find("car/pose").unwrap();
        assert_eq!((pose.len(), pose.columns.len(), pose.is_array), (10, 6, true));
        assert_eq!(pose.units, ["m", "m", "m", "rad", "rad", "rad"]);
        assert_eq!(pose.columns[1][3], -3.0);
        for (column, angle) in [(3, 0.3), (4, -0.2), (5, 0.1)] {
            assert!((pose.columns[column][7] - angle).abs() < 1e-15);
        }
        let twist = run.find("car/twist").unwrap();
        assert_eq!([0, 1, 2].map(|column| twist.columns[column][9]), [1.5, 2.5, 3.5]);
        assert_eq!(run.wheels("car"), ["l", "r"]);
        let load = run.find("car/wheel/r/normal_force").unwrap();
        assert_eq!((&*load.units, load.is_array), (&["N".to_owned()][..], false));
        assert_eq!(*load.times, [0.0, 0.5]);
        assert_eq!(load.columns, [[13.0, 18.0]]);
    }

    #[test]
    fn series_that_are_not_asked_for_have_names_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.mcap");
        record(&path);
        let run = Run::open(&path, &|name| name == "car/twist").unwrap();
        assert_eq!(run.series.len(), 1);
        assert_eq!(run.names.len(), 2 + 22);
    }

    #[test]
    fn a_recording_that_was_cut_has_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.mcap");
        record(&path);
        let content = std::fs::read(&path).unwrap();
        std::fs::write(&path, &content[..content.len() - 30]).unwrap();
        let run = Run::open(&path, &|_| true).unwrap();
        assert!(run.notes[0].ends_with("it was read up to 0.9 s"), "{}", run.notes[0]);
        assert_eq!(run.find("car/pose").unwrap().len(), 10);
        std::fs::write(&path, "x").unwrap();
        let error = Run::open(&path, &|_| true).unwrap_err().to_string();
        assert!(error.contains("is not a run: it is a file without"), "{error}");
    }
}
