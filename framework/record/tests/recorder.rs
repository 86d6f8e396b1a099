//! The files that a recorder writes.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use simhost_record::Standard::{Odometry, Trajectory, Wheels};
use simhost_record::{CsvRecorder, HashRow, RecordError, SensorFile, Tables};

/// Pose and twist of a vehicle.
const MOTION: [f64; 9] = [1.0, -2.5, 0.0, 0.1, -0.0, f64::NAN, 1e-7, 0.30000000000000004, -3.0];

fn sensor(vehicle: &str, sensor: &str, columns: &[&str]) -> SensorFile {
    let columns = columns.iter().map(ToString::to_string).collect();
    SensorFile { vehicle: vehicle.into(), sensor: sensor.into(), columns }
}

fn of(sensors: &[SensorFile]) -> Tables<'_> {
    Tables { sensors, ..Tables::default() }
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn every_file_has_its_header_and_rows() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("deep/out");
    let sensors = [sensor("r1", "laser", &["range_0_m", "a,b"]), sensor("r1", "Laser", &[])];
    let mut recorder = CsvRecorder::create(&out, of(&sensors)).unwrap();
    recorder.tick().unwrap().standard(Trajectory, 0.1, ["r1"], &MOTION);
    recorder.tick().unwrap().standard(Odometry, 0.1, ["a, \"b\""], &MOTION);
    let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.5];
    recorder.tick().unwrap().standard(Wheels, 0.25, ["r1", "l_wheel"], &numbers);
    recorder.tick().unwrap().readings(0, 0.5, &[f64::INFINITY, -1.5]).unwrap();
    recorder.tick().unwrap().readings(1, 0.5, &[]).unwrap();
    let paths = recorder.finish().unwrap();
    let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap()).collect();
    let expected =
        ["trajectory.csv", "odometry.csv", "wheels.csv", "r1.laser.csv", "r1.Laser-2.csv"];
    assert_eq!(names, expected);

    let header =
        "time_s,vehicle,x_m,y_m,z_m,yaw_rad,pitch_rad,roll_rad,vx_mps,vy_mps,omega_radps\n";
    let numbers = "1,-2.5,0,0.1,0,nan,1e-7,0.30000000000000004,-3\n";
    assert_eq!(read(&out, "trajectory.csv"), format!("{header}0.1,r1,{numbers}"));
    assert_eq!(read(&out, "odometry.csv"), format!("{header}0.1,\"a, \"\"b\"\"\",{numbers}"));
    assert_eq!(
        read(&out, "wheels.csv"),
        "time_s,vehicle,wheel,spin_radps,angle_rad,steer_rad,torque_nm,normal_n,vx_mps,vy_mps,fx_n,\
         fy_n\n0.25,r1,l_wheel,1,2,3,4,5,6,7,8,9.5\n"
    );
    assert_eq!(read(&out, "r1.laser.csv"), "time_s,range_0_m,\"a,b\"\n0.5,inf,-1.5\n");
    assert_eq!(read(&out, "r1.Laser-2.csv"), "time_s\n0.5\n");
}

#[test]
fn a_drop_writes_the_rest_and_old_files_are_replaced() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("trajectory.csv"), "old\n".repeat(1000)).unwrap();
    let mut recorder = CsvRecorder::create(dir.path(), Tables::default()).unwrap();
    for _ in 0..20_000 {
        recorder.tick().unwrap().standard(Trajectory, 0.1, ["r1"], &MOTION);
    }
    drop(recorder);
    let text = read(dir.path(), "trajectory.csv");
    assert_eq!(text.lines().count(), 20_001);
    assert!(text.starts_with("time_s,") && text.ends_with("-3\n"));
}

#[test]
fn thousands_of_sensors_do_not_run_out_of_open_files() {
    let dir = tempfile::tempdir().unwrap();
    let sensors: Vec<_> = (0..1500).map(|k| sensor("r", &k.to_string(), &["x"])).collect();
    let mut recorder = CsvRecorder::create(dir.path(), of(&sensors)).unwrap();
    for _ in 0..10_000 {
        recorder.tick().unwrap().readings(1499, 0.0, &[1.0]).unwrap();
    }
    recorder.finish().unwrap();
    assert_eq!(read(dir.path(), "r.1499.csv"), format!("time_s,x\n{}", "0,1\n".repeat(10_000)));
}

/// Waits until a file contains some text. Ends the test if that takes very long.
fn wait_for(dir: &Path, name: &str, text: &str) {
    for _ in 0..6_000 {
        if read(dir, name).contains(text) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{name} has no `{text}`: {}", read(dir, name));
}

#[test]
fn headers_are_written_at_once_and_rows_without_further_calls() {
    let dir = tempfile::tempdir().unwrap();
    let sensors: Vec<_> = (0..150).map(|k| sensor("r", &k.to_string(), &["x"])).collect();
    let tables = Tables { sensors: &sensors, energy: true, hashes: true, ..Tables::default() };
    let mut recorder = CsvRecorder::create(dir.path(), tables).unwrap();
    for name in ["trajectory.csv", "odometry.csv", "wheels.csv", "energy.csv", "r.149.csv"] {
        assert!(read(dir.path(), name).starts_with("time_s,"), "{name}");
    }
    let mut tick = recorder.tick().unwrap();
    tick.standard(Trajectory, 0.1, ["r1"], &MOTION);
    tick.hash(&HashRow { time: 5e-6, step: 1, hash: 0xab });
    tick.readings(149, 0.5, &[7.0]).unwrap();
    drop(tick);
    // no call of the recorder: the simulation hangs
    wait_for(dir.path(), "trajectory.csv", "\n0.1,r1,1,");
    wait_for(dir.path(), "r.149.csv", "\n0.5,7\n");
    let hash = format!("time_s,step,hash\n0.000005,1,{}ab\n", "0".repeat(30));
    wait_for(dir.path(), "hash.csv", &hash);
    recorder.finish().unwrap();
}

#[test]
fn rows_of_many_steps_keep_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = CsvRecorder::create(dir.path(), Tables::default()).unwrap();
    for step in 0..3_000_u32 {
        let mut tick = recorder.tick().unwrap();
        for _ in 0..20 {
            tick.standard(Trajectory, f64::from(step), ["r1"], &MOTION);
        }
    }
    recorder.finish().unwrap();
    let text = read(dir.path(), "trajectory.csv");
    let mut rows = text.lines().skip(1);
    for step in 0..3_000_u32 {
        let start = format!("{step},r1,1,");
        assert!(rows.by_ref().take(20).all(|row| row.starts_with(&start)), "{step}");
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn a_sample_that_does_not_fit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let sensors = [sensor("r", "imu", &["a", "b"])];
    let mut recorder = CsvRecorder::create(dir.path(), of(&sensors)).unwrap();
    let error = recorder.tick().unwrap().readings(0, 0.0, &[1.0]).unwrap_err();
    assert!(matches!(error, RecordError::Columns { expected: 2, found: 1, .. }), "{error}");
    let error = recorder.tick().unwrap().readings(1, 0.0, &[1.0]).unwrap_err();
    assert!(matches!(error, RecordError::UnknownSensor { sensor: 1, known: 1 }), "{error}");
    recorder.finish().unwrap();
    assert_eq!(read(dir.path(), "r.imu.csv"), "time_s,a,b\n");
}

#[test]
fn a_file_in_the_way_of_the_directory() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("out");
    fs::write(&file, "").unwrap();
    for path in [file.clone(), file.join("below")] {
        let error = CsvRecorder::create(&path, Tables::default()).err().unwrap();
        assert!(matches!(error, RecordError::Directory { .. }), "{error}");
        assert_eq!(error.path(), Some(&*path));
        assert!(error.to_string().contains("a file is in the way"), "{error}");
    }
}

#[test]
fn a_directory_in_the_way_of_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wheels.csv");
    fs::create_dir(&path).unwrap();
    let error = CsvRecorder::create(dir.path(), Tables::default()).err().unwrap();
    assert!(matches!(error, RecordError::Create { .. }), "{error}");
    assert_eq!(error.path(), Some(&*path));
}

/// Repeats a test in a process whose files cannot grow beyond 16 KiB, as on a full disk. Returns whether this is that
/// process.
#[cfg(target_os = "linux")]
fn has_small_files(test: &str) -> bool {
    if std::env::var_os("SIMHOST_SMALL_FILES").is_some() {
        return true;
    }
    // `ulimit` counts blocks of 512 bytes
    let script = "trap '' XFSZ; ulimit -f 32; exec \"$0\" --exact \"$1\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script]).arg(std::env::current_exe().unwrap()).arg(test);
    let output = command.env("SIMHOST_SMALL_FILES", "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    false
}

/// Adds 22,000 bytes to `odometry.csv`.
#[cfg(target_os = "linux")]
fn fill(recorder: &mut CsvRecorder) -> Result<(), RecordError> {
    let mut tick = recorder.tick()?;
    (0..1000).for_each(|_| tick.standard(Odometry, 0.0, ["r"], &[0.0; 9]));
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_shows_in_finish() {
    if !has_small_files("a_full_disk_shows_in_finish") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = CsvRecorder::create(dir.path(), Tables::default()).unwrap();
    fill(&mut recorder).unwrap();
    recorder.tick().unwrap().standard(Wheels, 0.0, ["r", "w"], &[0.0; 9]);
    let error = recorder.finish().unwrap_err();
    assert!(matches!(error, RecordError::Write { .. }), "{error}");
    assert_eq!(error.path(), Some(&*dir.path().join("odometry.csv")));
    assert!(error.to_string().contains("free some space"), "{error}");
    // the other files are complete
    assert_eq!(read(dir.path(), "wheels.csv").lines().count(), 2);
    let error = CsvRecorder::create(Path::new("/dev/full"), Tables::default()).err().unwrap();
    assert!(matches!(error, RecordError::Directory { .. }), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_shows_in_a_later_step() {
    if !has_small_files("a_full_disk_shows_in_a_later_step") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let full = dir.path().join("odometry.csv");
    let mut recorder = CsvRecorder::create(dir.path(), Tables::default()).unwrap();
    let error = (0..6_000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        fill(&mut recorder).err()
    });
    assert_eq!(error.unwrap().path(), Some(&*full));
    assert_eq!(recorder.finish().unwrap_err().path(), Some(&*full));
}

#[test]
fn recorded_quantities_have_a_file_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let columns = ["car/pose[0] [m]".to_owned(), "car/wheel/a,b/spin [rad/s]".to_owned()];
    let tables = Tables { quantities: &columns, ..Tables::default() };
    let mut recorder = CsvRecorder::create(dir.path(), tables).unwrap();
    recorder.tick().unwrap().quantities(0.5, &[1.5, f64::NAN]);
    recorder.finish().unwrap();
    let expected = "time_s,car/pose[0] [m],\"car/wheel/a,b/spin [rad/s]\"\n0.5,1.5,nan\n";
    assert_eq!(read(dir.path(), "quantities.csv"), expected);
}
