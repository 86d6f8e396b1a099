//! Tests of `commands`.

use super::*;

fn read(text: &str) -> Result<Vec<CommandRow>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("commands.csv");
    std::fs::write(&path, text).expect("a temporary file");
    let kinds = vec![("torque".to_owned(), vec![Some("left".to_owned()), None])];
    let vehicles = [CommandedVehicle { name: "robot".to_owned(), kinds }];
    let nearest = |name: &str| name.starts_with("rob").then(|| "robot".to_owned());
    read_commands(&path, &vehicles, nearest)
        .map(|file| file.commands)
        .map_err(|error| error.to_string().replace(&path.display().to_string(), "commands.csv"))
}

#[test]
fn rows_have_the_values_of_their_kind() {
    let rows = read("time_s,vehicle,kind,v1\n# a comment\n0.5, robot, torque, 2, 3\n");
    let (vehicle, kind, values) = ("robot".to_owned(), "torque".to_owned(), vec![2.0, 3.0]);
    assert_eq!(rows, Ok(vec![CommandRow { time: 0.5, vehicle, kind, values }]));
}

#[test]
fn the_work_grows_with_rows_and_vehicles_not_with_their_product() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("commands.csv");
    for count in [100, 200, 400] {
        let kinds = vec![("torque".to_owned(), vec![Some("left".to_owned())])];
        let vehicle = |k| CommandedVehicle { name: format!("v{k}"), kinds: kinds.clone() };
        let vehicles: Vec<_> = (0..count).map(vehicle).collect();
        let text: String = (0..count).map(|k| format!("{k},v{},torque,1\n", k / 2)).collect();
        std::fs::write(&path, text).expect("a temporary file");
        work::take_count();
        let rows =
            read_commands(&path, &vehicles, |_| None).expect("the rows are correct").commands;
        assert_eq!((rows.len(), rows[7].vehicle.as_str()), (count, "v3"));
        assert_eq!(work::take_count(), 2 * count);
    }
}

#[test]
fn errors_name_file_line_and_value() {
    for (text, expected) in [
        ("0,robot", "commands.csv:1: missing kind: expected a row time_s,vehicle,kind,v1[,v2…]"),
        ("0,robt,torque,1,1", "commands.csv:1: unknown vehicle 'robt': did you mean 'robot'?"),
        (
            "0,car,torque,1,1",
            "commands.csv:1: unknown vehicle 'car': the world has, for instance, 'robot'",
        ),
        (
            "0,robot,twist,1",
            "commands.csv:1: unknown command 'twist' for vehicle 'robot': its controller accepts 'torque'",
        ),
        (
            "0,robot,torque,1",
            "commands.csv:1: wrong number of values for 'torque': found 1, expected 2 (left, (ignored))",
        ),
        ("0,robot,torque,x,1", "commands.csv:1: left is 'x'; expected a finite number"),
        (
            "1,robot,torque,1,1\n0,robot,torque,1,1",
            "commands.csv:2: time 0 s comes after 1 s: sort the rows by time",
        ),
    ] {
        assert_eq!(read(text), Err(expected.to_owned()));
    }
}

#[test]
fn rows_without_a_vehicle_set_parameters() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("commands.csv");
    std::fs::write(&path, "1,,parameter,robot/friction/mu,0.3\n").expect("a temporary file");
    let file = read_commands(&path, &[], |_| None).expect("the row is correct");
    let (name, value) = ("robot/friction/mu".to_owned(), "0.3".to_owned());
    assert_eq!(file.parameters, [ParameterRow { time: 1.0, name, value }]);
    let error = read("1,,parameter,robot/friction/mu\n").expect_err("no value");
    assert!(error.contains("expected time_s,,parameter,NAME,VALUE"), "{error}");
    assert!(
        read("2,,parameter,a,1\n1,,parameter,a,2\n").is_err_and(|error| error.contains("sort"))
    );
}
