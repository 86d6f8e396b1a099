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
mod tests;
