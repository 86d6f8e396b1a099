//! Output folders.

mod layout;
mod table;

use std::path::{Path, PathBuf};

use simhost_record::{RECORDING_FILE, Standard};

use crate::error::RunError;
use crate::manifest::Manifest;
use crate::recording;
use crate::run::Run;
use layout::Layout;

/// Files that are not series of numbers.
const OTHERS: [&str; 2] = ["hash.csv", "robot_faults.csv"];

/// Reads an output folder.
pub(crate) fn read(folder: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Run, RunError> {
    let manifest = Manifest::read(folder)?;
    let files = csv_files(folder)?;
    let is_run = files.iter().any(|file| name_of(file) == Standard::Trajectory.file_name())
        || manifest.as_ref().is_some_and(Manifest::is_of_simhost);
    if !is_run {
        return Err(RunError::NotARun {
            path: folder.to_owned(),
            found: "it has neither trajectory.csv nor a manifest.json of simhost".to_owned(),
            expected: "an output folder of `simhost run`",
        });
    }
    let vehicles = manifest.as_ref().map(Manifest::vehicles).unwrap_or_default();
    let mut run = Run {
        path: folder.to_owned(),
        manifest,
        vehicles,
        series: Vec::new(),
        names: Vec::new(),
        notes: Vec::new(),
    };
    for file in files {
        add_file(&mut run, &file, keep)?;
    }
    add_grouped(&mut run, &folder.join(RECORDING_FILE), keep)?;
    Ok(run)
}

/// Adds the quantities of streams of the recording that group quantities, unless a file has them.
fn add_grouped(
    run: &mut Run,
    recording: &Path,
    keep: &dyn Fn(&str) -> bool,
) -> Result<(), RunError> {
    if !recording.is_file() {
        return Ok(());
    }
    let mut names = recording::grouped(recording);
    names.retain(|name| !run.names.contains(name));
    if names.iter().any(|name| keep(name)) {
        let keeps = |name: &str| names.iter().any(|known| known == name) && keep(name);
        run.series.extend(recording::read(recording, &keeps)?.series);
    }
    run.names.extend(names);
    Ok(())
}

/// Adds the series of a file. Those that an earlier file has are left out.
fn add_file(run: &mut Run, file: &Path, keep: &dyn Fn(&str) -> bool) -> Result<(), RunError> {
    let mut table = match table::Table::open(file)? {
        Some(table) => table,
        // a file of another program
        None => return Ok(()),
    };
    let name = name_of(file);
    let Some(mut layout) = Layout::of(&name, &table.header, &run.vehicles) else { return Ok(()) };
    // columns of texts, in files of observers
    let is_standard = Standard::ALL.iter().any(|standard| standard.file_name() == name);
    if !is_standard && let Some(first) = table.first_row()? {
        let is_number = |column: usize| first.get(column).is_some_and(|text| is_number(text));
        layout
            .series
            .retain(|columns| (columns.first..columns.first + columns.units.len()).all(is_number));
    }
    let known = std::mem::take(&mut run.names);
    let names = &known;
    let keep = |name: &str| keep(name) && !names.iter().any(|known| known == name);
    let read = table.read(&layout, &keep)?;
    if table.has_cut_line {
        run.notes.push(format!("left out the last line of {}, which is not whole", file.display()));
    }
    run.names = known;
    for series in read.names {
        if !run.names.contains(&series) {
            run.names.push(series);
        }
    }
    if name == Standard::Trajectory.file_name() {
        for vehicle in read.first_names {
            // one that was added while the run was running
            if !run.vehicles.contains(&vehicle) {
                run.vehicles.push(vehicle);
            }
        }
    }
    run.series.extend(read.series);
    Ok(())
}

/// Returns the rows of a table of texts in an output folder, such as `robot_faults.csv`, with its header
/// first; none if there is no such file.
///
/// # Errors
/// [`RunError::Read`] if the file cannot be read.
pub fn rows(file: &Path) -> Result<Vec<Vec<String>>, RunError> {
    if !file.is_file() {
        return Ok(Vec::new());
    }
    match table::Table::open(file)? {
        Some(table) => table.texts(),
        None => Ok(Vec::new()),
    }
}

/// Returns the csv files in the order in which they are read: the standard ones first.
fn csv_files(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let failed = |source| RunError::Read { path: folder.to_owned(), source };
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let is_csv = path.extension().is_some_and(|extension| extension == "csv");
        if is_csv && path.is_file() && !OTHERS.contains(&name_of(&path).as_str()) {
            files.push(path);
        }
    }
    let rank = |path: &PathBuf| {
        let name = name_of(path);
        let rank = Standard::ALL.iter().position(|file| file.file_name() == name);
        (rank.unwrap_or(Standard::ALL.len()), name)
    };
    files.sort_by_key(rank);
    Ok(files)
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
