//! The class `learned_steer_vel_onnx` in a world, together with the car that its network has learned from.
//!
//! `cargo test -p simhost-cli --features learned learned` runs it.

use std::path::Path;
use std::process::Command;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/learned/training");

fn simhost(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_simhost")).args(arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Returns steps of the speed with a slalom for both cars, which differ from the training.
fn commands() -> String {
    let mut rows = "time_s,vehicle,kind,v1,v2,v3\n".to_owned();
    for k in 0..600 {
        let time = 0.1 * f64::from(k);
        let speed = [4.0, 9.0, 0.0, -2.0, 6.0][k as usize / 120];
        let steer = 0.3 * (1.1 * time).sin();
        for vehicle in ["plant", "learned"] {
            rows += &format!("{time:.1},{vehicle},velocity_steer,{speed},{steer},2\n");
        }
    }
    rows
}

#[test]
fn the_network_drives_like_the_car_that_it_has_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let commands_file = folder.path().join("commands.csv");
    std::fs::write(&commands_file, commands()).unwrap();
    let out = folder.path().join("out");
    let world = format!("{FOLDER}/compare.world.xml");
    let (code, message) = simhost(&[
        &world,
        "--commands",
        commands_file.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--record",
        "*/dynamics/speed",
        "--record",
        "*/dynamics/steer",
    ]);
    assert_eq!(code, 0, "{message}");
    let table = std::fs::read_to_string(out.join("quantities.csv")).unwrap();
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|column| column.starts_with(name)).unwrap();
    let of = |car: &str| ["speed", "steer"].map(|q| column(&format!("{car}/dynamics/{q}")));
    let (plant, learned) = (of("plant"), of("learned"));
    let mut worst = [0.0_f64; 2];
    let mut fastest = 0.0_f64;
    for line in lines {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        for quantity in 0..2 {
            let error = (cells[learned[quantity]] - cells[plant[quantity]]).abs();
            worst[quantity] = worst[quantity].max(error);
        }
        fastest = fastest.max(cells[plant[0]]);
    }
    assert!(fastest > 8.9, "{fastest}");
    // on the commands of train.py the worst errors are 13 mm/s and 1.4 mrad
    assert!(worst[0] < 0.03 && worst[1] < 0.003, "{worst:?}");
}

#[test]
fn a_file_that_is_no_network_is_reported_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text = std::fs::read_to_string(Path::new(FOLDER).join("compare.world.xml")).unwrap();
    std::fs::write(path("a.world.xml"), text).unwrap();
    std::fs::write(path("delay_steer_vel.onnx"), "a text").unwrap();
    std::fs::write(path("kinematics.txt"), "wheelbase = 2.79\n").unwrap();
    let (code, message) = simhost(&["check", path("a.world.xml").to_str().unwrap()]);
    assert_eq!(code, 12, "{message}");
    assert!(message.contains("delay_steer_vel.onnx: not an ONNX network"), "{message}");
    assert!(message.contains("a.world.xml:13"), "{message}");
}
