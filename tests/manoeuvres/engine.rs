//! Manoeuvres of cars with engines, and of vehicles whose controllers no driver can use.

use simhost::manoeuvres::Manoeuvre;

use super::{close, drive_other, metric};
use crate::support::{Workspace, projects};

/// Returns a car of the example of powertrains, with other texts in it.
pub fn car(name: &str, changes: &[(&str, &str)]) -> String {
    let world = projects::root().join("worlds/powertrain.world.xml");
    let text = std::fs::read_to_string(world).unwrap();
    let car = text.split(&format!("<vehicle name=\"{name}\">")).nth(1).unwrap();
    let car = car.split("</vehicle>").next().unwrap();
    let (_, car) = car.split_once("</init_pose>").unwrap();
    let car = changes.iter().fold(car.to_owned(), |car, (from, to)| {
        assert!(car.contains(from), "{from}");
        car.replace(from, to)
    });
    format!("<vehicle:class name=\"car\">{car}</vehicle:class>")
}

/// Tyres with slip, which the manoeuvres of a car need.
pub const FIALA: (&str, &str) = (
    "<friction class=\"wardiagnemma\"> <mu>0.9</mu> <R1>0.008</R1> <R2>0.001</R2> </friction>",
    "<friction class=\"fiala\"><c_slip>150000</c_slip><c_alpha>60000</c_alpha><u_min>0.8</u_min>\
     <u_max>0.9</u_max></friction>",
);

/// Such a car was an error about three values of the command `pedals`.
#[test]
fn cars_with_an_engine_hold_the_speed_with_the_throttle() {
    const MANUAL: (&str, &str) = ("<shift_time>", "<automatic>false</automatic> <shift_time>");
    for (name, changes) in
        [("engine", &[FIALA][..]), ("engine", &[FIALA, MANUAL]), ("electric", &[FIALA])]
    {
        let car = self::car(name, changes);
        let report = drive_other(Manoeuvre::StepSteer, &car, 80.0).unwrap();
        for one in &report.run.samples {
            assert!((3.6 * one.speed() - 80.0).abs() < 1.5, "{name} {changes:?}: {one:?}");
        }
        close(metric(&report, "steady-state lateral acceleration"), 4.0, 0.02);
        assert!(report.begin > 0.0 && report.table().contains("reached in a run-up of"));
        let pedals = &report.run.commands;
        assert!(pedals.iter().all(|one| one.kind == "drive" && one.values[1] == 0.0));
        assert!(pedals.iter().all(|one| (0.0..=1.0).contains(&one.values[0])));
        if changes.len() > 1 {
            // 2000 rpm at 80 km/h are a ratio of 0.75 and more: the fifth gear
            let end = pedals.last().unwrap();
            assert_eq!(end.values[3], 5.0, "{end:?}");
        }
    }
}

#[test]
fn cars_with_an_engine_coast_and_brake_with_the_pedals() {
    let car = self::car("engine", &[FIALA]);
    let dwell = drive_other(Manoeuvre::SineWithDwell, &car, 80.0).unwrap();
    let steering = dwell.run.commands.iter().filter(|one| one.values[2] != 0.0);
    assert!(steering.clone().count() > 500);
    assert!(steering.clone().all(|one| one.values[..2] == [0.0, 0.0]));
    let braking = drive_other(Manoeuvre::SplitBraking, &car, 80.0).unwrap();
    // half of the weight of 1048 kg at a radius of 0.31 m, of 6000 N·m
    let pedal = 0.5 * 1048.0 * 9.81 * 0.31 / 6000.0;
    let last = braking.run.commands.last().unwrap();
    close(last.values[1], pedal, 1e-9);
    // more than the 0.35 g of the brakes alone, because the engine brakes as well, and less than grip allows
    let slower = metric(&braking, "mean deceleration in the first second");
    assert!((0.35 * 9.81..0.55 * 9.81).contains(&slower), "{slower}");
}

#[test]
fn a_car_that_is_too_weak_for_the_speed_is_an_error_with_what_it_reaches() {
    let weak = car("electric", &[("<max_power>90<", "<max_power>3<")]);
    let text = drive_other(Manoeuvre::Circle, &weak, 120.0).map(drop).unwrap_err();
    let start = "ISO-4138 has no result: the vehicle drives at ";
    assert!(text.starts_with(start) && text.ends_with("; expected 120.0 km/h"), "{text}");
}

#[test]
fn a_controller_that_no_driver_can_use_is_replaced() {
    let workspace = Workspace::new("<mvsim_world version=\"1.0\"/>");
    let shipped = projects::root().join("worlds/definitions/car.xml");
    let shipped = workspace.run(&["manoeuvre", "ISO-7401", "--vehicle", shipped.to_str().unwrap()]);
    assert_eq!(shipped.code, 0, "{}", shipped.stderr);
    let remark =
        "the controller `pedals` drives the car in place of its own, `twist_front_steer_pid`";
    assert!(shipped.stderr.contains(remark), "{}", shipped.stderr);
    for class in ["ackermann", "ackermann_drivetrain", "ackermann_powertrain"] {
        let text = format!(
            "<vehicle:class name=\"c\"><dynamics class=\"{class}\"><controller class=\"pedals\"/>\
             </dynamics></vehicle:class>"
        );
        workspace.write("car.xml", &text);
        let outcome =
            workspace.run(&["manoeuvre", "ISO-7401", "--vehicle", "car.xml", "--speed", "30"]);
        assert!(!outcome.stderr.contains("expected the command"), "{}", outcome.stderr);
    }
}

#[test]
fn a_vehicle_that_no_driver_can_drive_is_an_error_with_what_it_takes() {
    let workspace = Workspace::new("<mvsim_world version=\"1.0\"/>");
    let robot = "<vehicle:class name=\"c\"><dynamics class=\"differential\">\
                 <controller class=\"twist_pid\"/></dynamics></vehicle:class>";
    workspace.write("robot.xml", robot);
    let outcome = workspace.run(&["manoeuvre", "ISO-7401", "--vehicle", "robot.xml"]);
    assert_eq!(outcome.code, 12, "{}{}", outcome.stdout, outcome.stderr);
    for part in [
        "the controller `twist_pid` of vehicle 'car' with the dynamics class `differential` takes the command `twist`",
        "expected the command `pedals` (drive torque, brake torque, steering angle) or `drive`",
        "help: write <controller class=\"pedals\"/>",
    ] {
        assert!(outcome.stderr.contains(part), "{}", outcome.stderr);
    }
}
