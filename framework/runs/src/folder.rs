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

impl Run {
    /// Reads a run: an output folder or an MCAP file. Values are read of the series whose name
    /// `keep` accepts. Whole rows and chunks of a run that was killed are kept, and
    /// [`Run::notes`] mentions what is not whole.
    ///
    /// # Errors
    /// [`RunError`] if the path is not a run, or a line of a file is invalid.
    pub fn open(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Self, RunError> {
        if !path.exists() {
            return Err(RunError::Missing { path: path.to_owned() });
        }
        let mut run = match path.is_dir() {
            true => read(path, keep)?,
            false => recording::read(path, keep)?,
        };
        run.remove_absent();
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::read;
    use crate::{Run, RunError};

    const TRAJECTORY: &str =
        "time_s,vehicle,x_m,y_m,z_m,yaw_rad,pitch_rad,roll_rad,vx_mps,vy_mps,omega_radps\n";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn open(folder: &Path) -> Run {
        read(folder, &|_| true).unwrap()
    }

    #[test]
    fn rows_become_series_with_names_of_quantities() {
        let rows = "0,car,1,2,0,0.5,0,0,3,0,0\n0,\"v,an\",0,0,0,0,0,0,0,0,0\n\
                0.5,car,2,2,0,0.5,0,0,4,0,nan\n0.5,\"v,an\",1,0,0,0,0,0,0,0,0\n";
        let wheels = "time_s,vehicle,wheel,spin_radps,normal_n\n0,car,fl,1,10\n0,car,fr,2,20\n0.5,car,fl,3,30\n0.5,car,fr,4,40\n";
        let folder = folder(&[
            ("trajectory.csv", &format!("{TRAJECTORY}{rows}")),
            ("wheels.csv", wheels),
            ("v,an.laser.csv", "time_s,range_m_0,range_m_1\n0.25,5,6\n"),
            ("quantities.csv", "time_s,car/pose[0] [m],car/mass [kg]\n0,99,1000\n"),
            ("energy.csv", "time_s,vehicle,kinetic_j\n0,car,7\n"),
            ("notes.csv", "who,what\nme,nothing\n"),
        ]);
        let run = open(folder.path());
        assert_eq!(run.vehicles, ["car", "v,an"]);
        let pose = run.find("car/pose").unwrap();
        assert_eq!(*pose.times, [0.0, 0.5]);
        assert_eq!(pose.columns[0], [1.0, 2.0], "the standard file comes first");
        assert_eq!(pose.units, ["m", "m", "m", "rad", "rad", "rad"]);
        assert_eq!(run.find("car/twist").unwrap().columns[0], [3.0, 4.0]);
        assert_eq!(run.find("v,an/pose").unwrap().columns[0], [0.0, 1.0]);
        assert_eq!(run.find("car/wheel/fr/normal_force").unwrap().columns[0], [20.0, 40.0]);
        assert_eq!(run.find("v,an/sensor/laser/range").unwrap().columns, [[5.0], [6.0]]);
        assert_eq!(run.find("car/mass").unwrap().units, ["kg"]);
        assert_eq!(run.find("car/energy/kinetic").unwrap().columns, [[7.0]]);
        assert_eq!(run.wheels("car"), ["fl", "fr"]);
        assert_eq!(run.end(), Some(0.5));
        assert!(run.notes.is_empty(), "{:?}", run.notes);
    }

    #[test]
    fn series_that_are_not_kept_are_named() {
        let folder =
            folder(&[("trajectory.csv", &format!("{TRAJECTORY}0,car,1,2,0,0,0,0,3,0,0\n"))]);
        let run = read(folder.path(), &|name| name == "car/pose").unwrap();
        assert_eq!((run.series.len(), run.names.len()), (1, 2));
        assert!(run.find("car/twist").is_err());
    }

    #[test]
    fn columns_of_texts_are_left_out() {
        let folder = folder(&[
            ("trajectory.csv", &format!("{TRAJECTORY}0,car,1,2,0,0,0,0,3,0,0\n")),
            ("laps.csv", "time_s,driver,lap_s\n1,me,20.5\n2,you,21\n"),
            ("robot_faults.csv", "time_s,vehicle,sensor,text\n1,car,brake,\"worn, out\"\n2,c"),
        ]);
        let run = open(folder.path());
        assert_eq!(run.find("laps/lap").unwrap().columns, [[20.5, 21.0]]);
        assert!(run.find("laps/driver").is_err());
        let rows = super::rows(&folder.path().join("robot_faults.csv")).unwrap();
        assert_eq!(rows[1..], [["1", "car", "brake", "worn, out"]]);
    }

    #[test]
    fn a_line_that_was_cut_is_left_out() {
        for cut in ["0.5,ca", "0.5,car,2,2,0,0.5,0,0,4,0,12"] {
            let text = format!("{TRAJECTORY}0,car,1,2,0,0.5,0,0,3,0,0\n{cut}");
            let folder = folder(&[("trajectory.csv", &text)]);
            let run = open(folder.path());
            assert_eq!(run.find("car/pose").unwrap().len(), 1);
            assert!(run.notes[0].contains("trajectory.csv, which is not whole"), "{:?}", run.notes);
        }
        // not even the header is whole
        let folder = folder(&[("trajectory.csv", "time_s,veh")]);
        assert!(open(folder.path()).is_empty());
    }

    #[test]
    fn errors_have_path_and_line() {
        let error = |text: String| {
            let folder = folder(&[("trajectory.csv", &text)]);
            read(folder.path(), &|_| true).unwrap_err().to_string()
        };
        let text = error(format!("{TRAJECTORY}0,car,1,2,x,0.5,0,0,3,0,0\n"));
        assert!(text.contains("trajectory.csv:2: `x` in column z_m; expected a number"), "{text}");
        let text = error(format!("{TRAJECTORY}0,car,1,2,0,0.5,0,0,3,0,0\n1,car\n"));
        assert!(text.contains("trajectory.csv:3: 2 columns; expected 11"), "{text}");
    }

    #[test]
    fn other_folders_are_not_runs() {
        let folder =
            folder(&[("a.csv", "time_s,b\n0,1\n"), ("manifest.json", "{\"name\": \"app\"}")]);
        assert!(matches!(read(folder.path(), &|_| true), Err(RunError::NotARun { .. })));
        let missing = folder.path().join("none");
        assert!(matches!(Run::open(&missing, &|_| true), Err(RunError::Missing { .. })));
        std::fs::write(folder.path().join("manifest.json"), "{\n\"a\": ").unwrap();
        let text = read(folder.path(), &|_| true).unwrap_err().to_string();
        assert!(text.contains("manifest.json:2: column"), "{text}");
    }
}
