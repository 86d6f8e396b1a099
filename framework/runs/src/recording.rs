//! MCAP files.

mod columns;
mod names;

use std::path::Path;

use simhost_mcap::{McapError, Recording};
use simhost_streams::Stamp;

use crate::error::RunError;
use crate::manifest::Manifest;
use crate::run::Run;
use columns::Columns;

/// Reads an MCAP file. The streams that also stand in CSV files have the same names of quantities there and
/// here; the values of another stream are named after the stream.
pub(crate) fn read(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Run, RunError> {
    let mut recording = Recording::open(path).map_err(|error| match error {
        McapError::NotMcap { path } => RunError::NotARun {
            path,
            found: "it is a file without the first bytes of MCAP".to_owned(),
            expected: "an output folder of `simhost run`, or an MCAP file",
        },
        other => other.into(),
    })?;
    let mut notes = Vec::new();
    if !recording.is_complete() {
        let until = recording.end().map_or(0.0, Stamp::seconds);
        notes.push(format!(
            "{} has no end, because its run was killed or still runs; it was read up to {until} s",
            path.display()
        ));
    }
    let channels = recording.channels().iter();
    let mut columns: Vec<Columns> =
        channels.map(|channel| Columns::new(&channel.stream, keep)).collect();
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
    // the recording of an output folder
    let folder = path.parent().filter(|_| path.ends_with("run.mcap"));
    let manifest = folder.map(Manifest::read).transpose()?.flatten();
    let mut run = Run {
        path: path.to_owned(),
        manifest: manifest.filter(Manifest::is_of_simhost),
        vehicles: vehicles(&recording),
        series: Vec::new(),
        names: Vec::new(),
        notes,
    };
    for columns in columns {
        let (names, series) = columns.finish();
        run.names.extend(names);
        run.series.extend(series);
    }
    Ok(run)
}

/// Returns the names of the vehicles: those with odometry or a true pose.
fn vehicles(recording: &Recording) -> Vec<String> {
    let mut vehicles: Vec<String> = Vec::new();
    for channel in recording.channels() {
        let name = &channel.stream.name;
        let stem = ["/ground_truth", "/odometry"].iter().find_map(|end| name.strip_suffix(end));
        if let Some(vehicle) = stem
            && !vehicles.iter().any(|known| known == vehicle)
        {
            vehicles.push(vehicle.to_owned());
        }
    }
    vehicles
}

#[cfg(test)]
mod tests;
