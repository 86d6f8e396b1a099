//! Tests of reading output folders.

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
    let folder = folder(&[("trajectory.csv", &format!("{TRAJECTORY}0,car,1,2,0,0,0,0,3,0,0\n"))]);
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
    let folder = folder(&[("a.csv", "time_s,b\n0,1\n"), ("manifest.json", "{\"name\": \"app\"}")]);
    assert!(matches!(read(folder.path(), &|_| true), Err(RunError::NotARun { .. })));
    let missing = folder.path().join("none");
    assert!(matches!(Run::open(&missing, &|_| true), Err(RunError::Missing { .. })));
    std::fs::write(folder.path().join("manifest.json"), "{\n\"a\": ").unwrap();
    let text = read(folder.path(), &|_| true).unwrap_err().to_string();
    assert!(text.contains("manifest.json:2: column"), "{text}");
}
