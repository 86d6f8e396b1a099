//! Cars that are built in code, their vehicle files, and worlds that read them. Tests have the
//! numbers of the checklist of the driving lab.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use simhost::{
    ActuatorProperties, Brake, CarBuilder, Error, Odometry, Options, Road, Session,
    VehicleFileError, seconds,
};

/// Opens a world with the vehicles `inside` and the file `car.json`.
fn open(json: &str, inside: &str) -> Result<Session, Error> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("car.json"), json).unwrap();
    let world = format!("<mvsim_world>{inside}</mvsim_world>");
    Session::from_text(&world, folder.path().join("world.xml"), Options::default())
}

const CAR: &str = "<vehicle name=\"car\" file=\"car.json\"/>";

fn message(result: Result<Session, Error>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn j6_1_a_car_without_any_setting_drives() {
    let mut sim = open(&CarBuilder::new().to_json(), CAR).unwrap();
    sim.run_until(seconds(1.0)).unwrap();
    let truth: Odometry = sim.latest("car/ground_truth").unwrap();
    assert_eq!((truth.pose, truth.twist), ([0.0; 6], [0.0; 3]));
}

/// The file of a default car is the car of `worlds/parts/lab_car.json`.
#[test]
fn the_committed_car_is_the_default_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/parts/lab_car.json");
    let text = CarBuilder::new().to_json();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == text, "set UPDATE_EXPECT=1 to renew {path}");
}

#[test]
fn j6_4_the_round_trip_is_exact() {
    let mut car = CarBuilder::new();
    car.set_dimensions(1.0 / 3.0, 0.1 + 0.2, std::f64::consts::PI)
        .set_position([1e-300, -0.0, 5e-324])
        .set_rotation([1e22, 0.1, -1.0 / 7.0])
        .set_masses(1e3 / 3.0, 901.0)
        .set_wheels(0.3, 2.7, 1.6)
        .set_tyre_pressure(2.2)
        .set_drag_coefficient(0.29)
        .set_road(Road::Wet)
        .set_motor(ActuatorProperties::new(-1.0, 4.0, 3.0))
        .set_steering(ActuatorProperties::new(-6.0, 6.0, 3.0))
        .set_brake(Brake::RearRight, ActuatorProperties::new(0.0, 7.0, 9.0));
    let text = car.to_json();
    let again = CarBuilder::from_json(&text).unwrap();
    assert_eq!(again, car);
    assert_eq!(again.to_json(), text);
    assert_eq!(again.mass(), 1e3 / 3.0 + 901.0);
    // J6.3: a reset returns to the defaults
    assert_eq!(*car.reset(), CarBuilder::new());
}

#[test]
fn j6_4_missing_keys_have_defaults_and_unknown_ones_are_errors() {
    assert_eq!(CarBuilder::from_json("{\"version\": 1}").unwrap(), CarBuilder::new());
    let error = CarBuilder::from_json("{\n \"version\": 1,\n \"dynamics\": {\"trak\": 1.5}}");
    let text = error.unwrap_err().to_string();
    assert!(text.starts_with("vehicle:3:20: unknown field `trak`"), "{text}");
    assert!(text.ends_with("did you mean `track`?"), "{text}");
    let error = CarBuilder::from_json("{\"version\": 2}").unwrap_err();
    assert!(matches!(error, VehicleFileError::Version { found: 2, .. }), "{error}");
    assert!(CarBuilder::from_json("{}").unwrap_err().to_string().contains("version"));
    let missing = CarBuilder::load(Path::new("no/such.json")).unwrap_err();
    assert!(matches!(missing, VehicleFileError::Io { .. }), "{missing}");
}

/// Errors in a world name the vehicle file, the line and the column, and the nearest name.
#[test]
fn a_world_reports_errors_at_their_place_in_the_vehicle_file() {
    for (json, expected) in [
        (
            "{\n  \"version\": 1,\n  \"dynamics\": {\"class\": \"four_mass_body\", \"trak\": 1}\n}",
            ["car.json:3:43", "`trak`", "track"],
        ),
        ("{\n  \"version\": 1,\n  \"dynamic\": {}\n}", ["car.json:3:3", "<dynamic>", "dynamics"]),
        (
            "{\n  \"version\": 3,\n  \"dynamics\": {}\n}",
            ["car.json:2:14", "unknown version of the vehicle file: 3", "expected 1"],
        ),
        ("{\n  \"dynamics\": {}\n}", ["car.json:1:1", "missing `version`", "\"version\": 1"]),
        ("{\n  \"version\": 1,\n}", ["car.json:3:1", "not JSON", "key must be a string"]),
        (
            "{\"version\": 1, \"dynamics\": {\"class\": \"four_mass_body\", \"track\": -1}}",
            ["car.json:1:65", "track", "greater than 0"],
        ),
        (
            "{\"version\": 1, \"dynamics\": {\"class\": \"four_mas_body\"}}",
            ["car.json:1:38", "four_mas_body", "four_mass_body"],
        ),
        (
            "{\"version\": 1, \"odometry\": null}",
            ["car.json:1:28", "`odometry` is null", "remove it"],
        ),
        (
            "{\"version\": 1, \"odometry\": {}, \"odometry\": {}}",
            ["car.json:1:32", "duplicate `odometry`", "remove one"],
        ),
        ("{\"version\": 1, \"name\": \"x\"}", ["car.json:1:16", "a name", "world file"]),
        ("[]", ["car.json:1:1", "without an object", "\"version\": 1"]),
    ] {
        let text = message(open(json, CAR));
        for part in expected {
            assert!(text.contains(part), "no {part:?} for {json}: {text}");
        }
    }
}

#[test]
fn a_world_reports_a_vehicle_file_that_cannot_be_used() {
    for (vehicle, expected) in [
        ("<vehicle name=\"a\" file=\"cart.json\"/>", "cart.json"),
        (
            "<vehicle name=\"a\" class=\"b\" file=\"car.json\"/>",
            "a vehicle with both `class` and `file`",
        ),
        ("<vehicle name=\"a\" file=\"https://a.b/car.json\"/>", "is not a local file"),
    ] {
        let text = message(open(&CarBuilder::new().to_json(), vehicle));
        assert!(text.contains(expected), "{text}");
    }
}

/// Any vehicle can be described, its sensors and expressions too, and a vehicle overrides its file.
#[test]
fn a_vehicle_file_describes_any_vehicle() {
    let json = "{\"version\": 1, \"init_pose\": [1, \"$f{1+1}\", 90],
        \"dynamics\": {\"class\": \"differential\", \"l_wheel\": {\"pos\": [0, 0.4]},
          \"r_wheel\": {\"pos\": [0, -0.4]}, \"controller\": {\"class\": \"twist_ideal\", \"V\": 1}},
        \"sensor\": [{\"class\": \"laser\", \"name\": \"one\", \"nrays\": 7}, {\"class\": \"laser\", \"name\": \"two\"}]}";
    let two = "<vehicle name=\"a\" file=\"car.json\"/>\
               <vehicle name=\"b\" file=\"car.json\"><init_pose>5 6 0</init_pose></vehicle>";
    let mut sim = open(json, two).unwrap();
    sim.run_until(seconds(1.0)).unwrap();
    let a: Odometry = sim.latest("a/ground_truth").unwrap();
    let b: Odometry = sim.latest("b/ground_truth").unwrap();
    assert!((a.pose[0] - 1.0).abs() < 1e-9 && (a.pose[1] - 3.0).abs() < 1e-9, "{:?}", a.pose);
    assert!((b.pose[0] - 6.0).abs() < 1e-9 && (b.pose[1] - 6.0).abs() < 1e-9, "{:?}", b.pose);
    assert_eq!(sim.world().description().unwrap().vehicles[0].sensors.len(), 2);
}
