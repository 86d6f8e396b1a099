//! Standard manoeuvres on the car of the validation worlds, against the linear single-track model.

use simhost::manoeuvres::{Manoeuvre, ManoeuvreReport};
use simhost_world::{LoadOptions, load_text};

use crate::support::{Workspace, projects, runs::catalogue};

fn drive(manoeuvre: Manoeuvre, kmh: f64) -> ManoeuvreReport {
    let path = projects::root().join("worlds/validation/manoeuvre.world.xml");
    let world = manoeuvre.world("<include file=\"car.xml\"/>", "car");
    let loaded = load_text(&path, world.as_bytes(), &LoadOptions::default(), &catalogue()).unwrap();
    manoeuvre.run(&loaded.world, kmh / 3.6).unwrap()
}

fn metric(report: &ManoeuvreReport, name: &str) -> f64 {
    report.metrics.iter().find(|metric| metric.name == name).unwrap().value
}

fn close(value: f64, expected: f64, part: f64) {
    assert!((value - expected).abs() <= part * expected.abs(), "{value} instead of {expected}");
}

/// Understeer gradient m/L (b/C_f − a/C_r), rad/(m/s²), and yaw velocity gain v/(L + K v²), 1/s.
fn single_track(speed: f64) -> (f64, f64) {
    let (mass, wheelbase, stiffness) = (1460.0, 2.6, 120e3);
    let to_rear = (1400.0 * 1.5 + 30.0 * 2.6) / mass;
    let understeer = mass / wheelbase * (2.0 * to_rear - wheelbase) / stiffness;
    (understeer, speed / (wheelbase + understeer * speed * speed))
}

#[test]
fn a_circle_and_a_step_show_the_gradients_of_the_single_track_model() {
    let speed = 80.0 / 3.6;
    let (understeer, gain) = single_track(speed);
    let circle = drive(Manoeuvre::Circle, 80.0);
    close(metric(&circle, "understeer gradient"), understeer.to_degrees(), 0.12);
    close(metric(&circle, "yaw velocity gain"), gain, 0.05);
    let characteristic = 3.6 * (2.6 / understeer).sqrt();
    close(metric(&circle, "characteristic speed"), characteristic, 0.06);
    // the friction of the tyres is 0.8 to 0.9
    let most = metric(&circle, "greatest lateral acceleration");
    assert!((7.0..9.0).contains(&most), "{most}");

    let step = drive(Manoeuvre::StepSteer, 80.0);
    close(metric(&step, "steady-state lateral acceleration"), 4.0, 0.02);
    close(metric(&step, "steady-state yaw velocity gain"), gain, 0.08);
    let [response, peak] = ["yaw velocity response time", "yaw velocity peak response time"]
        .map(|name| metric(&step, name));
    assert!(0.05 < response && response < peak && peak < 0.8, "{response} {peak}");
}

/// At the usual speeds of the standards the car passes, with tyres whose friction is 0.8 to 0.9.
#[test]
fn a_driver_changes_lanes_up_to_a_speed() {
    for (manoeuvre, slow, fast) in
        [(Manoeuvre::DoubleLaneChange, 80.0, 190.0), (Manoeuvre::ObstacleAvoidance, 60.0, 130.0)]
    {
        let holds = |kmh: f64| {
            let report = drive(manoeuvre, kmh);
            let first = &report.metrics[0];
            (first.holds, first.value)
        };
        let (slow, fast) = (holds(slow), holds(fast));
        assert!(slow.0 == Some(true), "{}: {slow:?}", manoeuvre.name());
        assert!(fast.0 == Some(false), "{}: {fast:?}", manoeuvre.name());
    }
}

#[test]
fn a_car_that_brakes_on_split_friction_turns_to_the_side_with_grip() {
    let report = drive(Manoeuvre::SplitBraking, 80.0);
    // the right wheels brake with their torque, 0.25 g, the left ones slide with 0.1 g
    close(metric(&report, "mean deceleration in the first second"), 0.35 * 9.81, 0.15);
    assert!(metric(&report, "yaw angle after one second") < -2.0);
}

/// Returns the car of the validation with another mass of its chassis, kg, and another friction of its tyres.
fn other_car(mass: f64, friction: [f64; 2]) -> String {
    let text = std::fs::read_to_string(projects::root().join("worlds/validation/car.xml")).unwrap();
    let [low, high] = friction;
    text.replace("mass=\"1400\"", &format!("mass=\"{mass}\""))
        .replace("<u_min>0.8<", &format!("<u_min>{low}<"))
        .replace("<u_max>0.9<", &format!("<u_max>{high}<"))
}

fn drive_other(manoeuvre: Manoeuvre, car: &str, kmh: f64) -> Result<ManoeuvreReport, String> {
    let world = manoeuvre.world(car, "car");
    let path = std::path::Path::new("car.world.xml");
    let loaded = load_text(path, world.as_bytes(), &LoadOptions::default(), &catalogue()).unwrap();
    manoeuvre.run(&loaded.world, kmh / 3.6).map_err(|error| error.to_string())
}

/// At the start, the lateral acceleration is as small as the errors of rounding, and its fall ended the run: with most masses
/// and at 116 km/h, all metrics were NaN.
#[test]
fn metrics_of_a_circle_are_numbers_at_any_mass_and_speed() {
    for (mass, kmh) in [(1400.0, 116.0), (2500.0, 80.0), (600.0, 100.0)] {
        let report = drive_other(Manoeuvre::Circle, &other_car(mass, [0.8, 0.9]), kmh).unwrap();
        assert!(report.metrics.iter().all(|one| one.value.is_finite()), "{:?}", report.metrics);
        let most = metric(&report, "greatest lateral acceleration");
        assert!((6.0..9.0).contains(&most), "{mass} kg, {kmh} km/h: {most}");
    }
    // the gradient of understeer does not depend on the speed
    let slow = metric(&drive(Manoeuvre::Circle, 80.0), "understeer gradient");
    close(metric(&drive(Manoeuvre::Circle, 116.0), "understeer gradient"), slow, 0.005);
}

/// A metric without a value was printed as NaN, with the exit code of success.
#[test]
fn a_manoeuvre_that_a_car_cannot_do_is_an_error_with_the_reason() {
    let slippery = other_car(1400.0, [0.1, 0.12]);
    for (manoeuvre, part) in [
        (Manoeuvre::Circle, "ISO-4138 has no result: the lateral acceleration reaches 1."),
        (Manoeuvre::StepSteer, "ISO-7401 has no result: the "),
        (
            Manoeuvre::SineWithDwell,
            "sine-with-dwell has no result: the lateral acceleration reaches 1.",
        ),
    ] {
        let text = drive_other(manoeuvre, &slippery, 80.0).map(drop).unwrap_err();
        assert!(text.starts_with(part) && text.contains("; expected "), "{text}");
    }
    let workspace = Workspace::new("");
    workspace.write("car.xml", &slippery);
    let outcome = workspace.run(&["manoeuvre", "ISO-4138", "--vehicle", "car.xml"]);
    assert_eq!(outcome.code, 12, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stderr.contains("help: choose another speed"), "{}", outcome.stderr);
    assert!(!outcome.stdout.contains("NaN"), "{}", outcome.stdout);
}

#[test]
fn a_heavy_vehicle_may_be_displaced_less_and_one_that_spins_is_reported() {
    for (mass, least) in [(1400.0, 1.83), (4200.0, 1.52)] {
        let report =
            drive_other(Manoeuvre::SineWithDwell, &other_car(mass, [0.8, 0.9]), 80.0).unwrap();
        let shift =
            report.metrics.iter().find(|one| one.name.starts_with("lateral displacement")).unwrap();
        assert_eq!(shift.holds, Some(shift.value >= least), "{mass}: {shift:?}");
        // without control of its stability
        let time = report.spun.unwrap();
        assert!(
            (2.0..5.0).contains(&time) && report.table().contains("The vehicle spins: "),
            "{time}"
        );
    }
}

#[test]
fn a_car_recovers_from_a_sine_with_dwell_or_the_metrics_say_that_it_does_not() {
    let report = drive(Manoeuvre::SineWithDwell, 80.0);
    assert!(report.metrics.iter().all(|metric| metric.value.is_finite()), "{:?}", report.metrics);
    assert!(metric(&report, "lateral displacement after 1.07 s") > 1.0);
}

#[test]
fn the_program_prints_metrics_and_writes_the_motion() {
    let workspace = Workspace::new("<mvsim_world version=\"1.0\"/>");
    let car = projects::root().join("worlds/validation/car.xml");
    let car = car.to_str().unwrap();
    let run = |name: &str, vehicle: &str| {
        workspace.run(&["manoeuvre", name, "--vehicle", vehicle, "--out", "found"])
    };
    let outcome = run("iso-7401", car);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("| yaw velocity response time | 0."), "{}", outcome.stdout);
    let rows = std::fs::read_to_string(workspace.path("found/ISO-7401.csv")).unwrap();
    assert_eq!(rows.lines().count(), 2502);
    let unknown = run("iso-9999", car);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("expected one of: ISO-4138"), "{}", unknown.stderr);
    let nothing = run("ISO-7401", "world.xml");
    assert!(nothing.stderr.contains("declares no vehicle"), "{}", nothing.stderr);
}
