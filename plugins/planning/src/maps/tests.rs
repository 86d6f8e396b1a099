use super::*;
use simhost_sdk::TextFile;

/// Speeds and commands of the example in the documentation of Autoware `simple_planning_simulator`.
const ACCELERATION: &str = include_str!("../../maps/acceleration.csv");
/// Default of `autoware_raw_vehicle_cmd_converter`.
const ACCEL: &str = include_str!("../../maps/accel.csv");
/// Map of the tests of Autoware `simple_planning_simulator` 1.0.0.
const ACCEL_OF_TESTS: &str = include_str!("../../maps/accel_of_tests.csv");

fn text_file(text: &str) -> TextFile {
    TextFile { path: "map.csv".to_owned(), text: text.to_owned() }
}

fn map(text: &str) -> Map {
    read(&text_file(text)).expect("a map")
}

#[test]
fn lookups_interpolate_and_clamp() {
    let cases = [
        (ACCELERATION, [0.0, 0.0], 0.0),
        (ACCELERATION, [1.0, 0.0], 1.0),
        (ACCELERATION, [1.0, 5.56], 0.76),
        (ACCELERATION, [-1.0, 0.695], -1.29),
        (ACCELERATION, [0.5, 2.0], 0.390251798561),
        (ACCELERATION, [1.25, 10.0], 0.680863309353),
        (ACCELERATION, [0.1, 0.7], 0.069928057554),
        (ACCELERATION, [5.0, 0.0], 1.8),
        (ACCELERATION, [5.0, 30.0], 0.42),
        (ACCELERATION, [-9.0, -3.0], -4.4),
        (ACCELERATION, [-9.0, 30.0], -3.4),
        (ACCEL, [0.05, 0.5], 0.354676258993),
        (ACCEL, [0.25, 3.0], 1.07625899281),
        (ACCEL, [0.45, 20.0], 1.355),
        (ACCEL, [0.9, 0.0], 3.3),
        (ACCEL, [0.5, -2.0], 3.3),
        (ACCEL_OF_TESTS, [0.05, 0.5], 3.16306695464),
        (ACCEL_OF_TESTS, [0.25, 3.0], 3.8117350612),
        (ACCEL_OF_TESTS, [0.45, 20.0], 4.65),
        (ACCEL_OF_TESTS, [0.9, 0.0], 9.33333333333),
        (ACCEL_OF_TESTS, [0.5, -2.0], 5.0),
    ];
    for (text, [row, column], expected) in cases {
        let found = map(text).lookup(row, column);
        assert!((found - expected).abs() < 5e-12, "({row}, {column}): {found} {expected}");
    }
}

#[test]
fn the_inverse_finds_the_row() {
    let brake = map("default,0,1\n0,-0.3,-0.3\n0.5,-3,-3\n");
    assert!((brake.row_of(-0.4, 0.0) - 0.0185185185185).abs() < 1e-12);
    assert_eq!(brake.row_of(0.0, 0.0), 0.0);
    assert_eq!(brake.row_of(-9.0, 0.0), 0.5);
    let accel = map(ACCEL);
    for value in [-0.2, 0.1, 0.9, 2.0] {
        let row = accel.row_of(value, 4.0);
        assert!((accel.lookup(row, 4.0) - value).abs() < 1e-12, "{value}");
    }
}

#[test]
fn files_that_are_no_maps_name_the_cell() {
    let cases = [
        ("", "1:1: the map is empty"),
        ("a\n0\n", "1:1: the map has 0 columns of values; expected at least 2"),
        ("a,1\n0,2\n", "1:1: the map has 1 columns of values; expected at least 2"),
        ("a,1,2\n0,2,3\n", "2:1: the map has 1 rows of values; expected at least 2"),
        ("a,1,2\n0,2,3\n1,2\n", "3:1: the row has 2 cells; expected 3"),
        ("a,1,2\n0,2,3\n1,2,3,4\n", "3:1: the row has 4 cells; expected 3"),
        ("a,1,2\n0,x,3\n1,2,3\n", "2:3: `x` is not a number"),
        ("a,1,2\n0,2, 1e999\n1,2,3\n", "2:6: `1e999` is not a number"),
        ("a,1,2\n0,2,\n1,2,3\n", "2:5: `` is not a number"),
        ("a,2, 2\n0,2,3\n1,2,3\n", "1:6: the column coordinate 2 follows 2"),
        ("a,1,2\n1,2,3\n\n0,2,3\n", "4:1: the row coordinate 0 follows 1"),
    ];
    for (text, expected) in cases {
        let error = read(&text_file(text)).expect_err(text).to_string();
        assert!(error.starts_with(&format!("map.csv:{expected}")), "{error}");
    }
    assert_eq!(map("a, 1, 2\r\n0, 3, 4\r\n\r\n1, 5, 6\r\n").lookup(0.5, 1.5), 4.5);
}
