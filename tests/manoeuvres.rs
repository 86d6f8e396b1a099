//! Standard manoeuvres on the car of the validation worlds, against the linear single-track model.

mod engine;
mod standards;
mod towing;

use simhost::manoeuvres::{Manoeuvre, ManoeuvreReport, ManoeuvreSettings};
use simhost_world::{LoadOptions, load_text};

use crate::support::{Workspace, projects, runs::catalogue};

fn drive(manoeuvre: Manoeuvre, kmh: f64) -> ManoeuvreReport {
    let path = projects::root().join("worlds/validation/manoeuvre.world.xml");
    let world = manoeuvre.world("<include file=\"car.xml\"/>", "car", kmh / 3.6, None, &[]);
    let loaded = load_text(&path, world.as_bytes(), &LoadOptions::default(), &catalogue()).unwrap();
    manoeuvre.run(&loaded.world, &ManoeuvreSettings::default()).unwrap()
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
    let world = manoeuvre.world(car, "car", kmh / 3.6, None, &[]);
    let path = std::path::Path::new("car.world.xml");
    let loaded = load_text(path, world.as_bytes(), &LoadOptions::default(), &catalogue()).unwrap();
    manoeuvre.run(&loaded.world, &ManoeuvreSettings::default()).map_err(|error| error.to_string())
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
fn the_program_prints_metrics_and_writes_the_run_as_a_run() {
    let workspace = Workspace::new("<mvsim_world version=\"1.0\"/>");
    let car = projects::root().join("worlds/validation/car.xml");
    workspace.write("engine.xml", &engine::car("engine", &[engine::FIALA]));
    let run = |name: &str, vehicle: &str, folder: &str| {
        workspace.run(&["manoeuvre", name, "--vehicle", vehicle, "--out", folder])
    };
    for (name, vehicle, folder) in
        [("iso-7401", car.to_str().unwrap(), "found"), ("iso-3888-2", "engine.xml", "other")]
    {
        let outcome = run(name, vehicle, folder);
        assert!(outcome.code < 2, "{}", outcome.stderr);
        let report = std::fs::read_to_string(
            workspace.path(&format!("{folder}/{}.md", name.to_uppercase())),
        );
        assert!(outcome.stdout.contains(report.unwrap().trim_end()), "{}", outcome.stdout);
        let repeated = workspace.run(&["rerun", folder]);
        assert_eq!(repeated.code, 0, "{}{}", repeated.stdout, repeated.stderr);
        let plot = ["plot", folder, "--of", "xy", "speed", "sideslip", "slip_angle"];
        for verb in [&plot[..], &["report", folder]] {
            let outcome = workspace.run(verb);
            assert_eq!(outcome.code, 0, "{verb:?}: {}", outcome.stderr);
        }
    }
    assert_eq!(workspace.run(&["diff", "found", "other"]).code, 1);
}

/// The metrics are computed from the run that is written.
#[test]
fn a_manoeuvre_writes_its_run_and_replaces_that_of_another_one() {
    let workspace = Workspace::new("<mvsim_world version=\"1.0\"/>");
    let car = projects::root().join("worlds/validation/car.xml");
    let run = |name: &str, vehicle: &str, folder: &str| {
        workspace.run(&["manoeuvre", name, "--vehicle", vehicle, "--out", folder])
    };
    assert_eq!(run("iso-7401", car.to_str().unwrap(), "found").code, 0);
    let rows = std::fs::read_to_string(workspace.path("found/trajectory.csv")).unwrap();
    assert_eq!(rows.lines().count(), 2502);
    let report = drive(Manoeuvre::StepSteer, 80.0);
    let last = report.run.samples.last().unwrap();
    let row: Vec<&str> = rows.lines().last().unwrap().split(',').collect();
    let number = |at: usize| row[at].parse::<f64>().unwrap();
    assert_eq!([number(2), number(3)], last.position);
    let recorded = std::fs::read_to_string(workspace.path("found/quantities.csv")).unwrap();
    assert!(recorded.starts_with("time_s,"));
    assert!(recorded.contains(",car/longitudinal_acceleration [m/s²],"), "{recorded}");
    // another manoeuvre in the folder replaces the run and its report
    assert!(run("iso-4138", car.to_str().unwrap(), "found").code == 0);
    assert!(!workspace.path("found/ISO-7401.md").exists());

    let unknown = run("iso-9999", car.to_str().unwrap(), "none");
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("expected one of: ISO-4138"), "{}", unknown.stderr);
    let nothing = run("ISO-7401", "world.xml", "none");
    assert!(nothing.stderr.contains("declares no vehicle"), "{}", nothing.stderr);
}

/// Files whose arguments have no default could not be used.
#[test]
fn a_file_gets_its_arguments() {
    let workspace = Workspace::new("");
    let fixed = other_car(1500.0, [0.9, 0.9]);
    let given = fixed.replacen("1500", "${mass}", 1);
    assert_ne!(given, fixed);
    workspace.write("fixed.xml", &fixed);
    workspace.write("given.xml", &given);
    let run = |more: &[&str]| {
        workspace.run(&[&["manoeuvre", "iso-14512", "--speed", "60", "--vehicle"], more].concat())
    };
    let [expected, found] =
        [run(&["fixed.xml"]), run(&["given.xml", "--arg", "mass=1500"])].map(|one| one.stdout);
    assert!(expected.contains("| mean deceleration in the first second |"), "{expected}");
    assert_eq!(found, expected);
    for (more, message) in [
        (&["given.xml"][..], "unknown name `mass`"),
        (&["given.xml", "--arg", "mass"], "expected NAME=VALUE"),
        (&["given.xml", "--arg", "1mass=2"], "expected a name of XML"),
        (&["given.xml", "--arg", "file=other.xml"], "give the file with --vehicle"),
        (&["given.xml", "--arg", "mass=1500", "--arg", "mess=2"], "`mess`"),
    ] {
        let stderr = run(more).stderr;
        assert!(stderr.contains(message), "{more:?}: {stderr}");
    }
}

/// The ratio was 16 for all cars.
#[test]
fn the_steering_ratio_limits_the_amplitudes() {
    let workspace = Workspace::new("");
    let car = projects::root().join("worlds/validation/car.xml");
    for (ratio, amplitude) in [("16", 270.0 / 16.0), ("20", 270.0 / 20.0)] {
        let arguments = ["manoeuvre", "sine-with-dwell", "--vehicle", car.to_str().unwrap()];
        let outcome = workspace.run(&[&arguments[..], &["--steering-ratio", ratio]].concat());
        for line in [
            format!("| greatest amplitude | {amplitude:.4} |"),
            "| greatest angle of the steering wheel | 270.0000 |".to_owned(),
        ] {
            assert!(outcome.stdout.contains(&line), "{ratio}: {}", outcome.stdout);
        }
    }
}

#[test]
fn a_series_has_the_rows_of_its_runs() {
    let workspace = Workspace::new("");
    let car = projects::root().join("worlds/validation/car.xml").display().to_string();
    let run = |name: &str, more: &[&str]| {
        let outcome = workspace.run(&[&["manoeuvre", name, "--vehicle", &car], more].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout
    };
    let rows = |text: &str, start: &str| {
        let rows = text.lines().filter(|line| line.starts_with(start));
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    let read = |name: &str| std::fs::read_to_string(workspace.path(name)).unwrap();
    let series = run("ISO-7401", &["--speed", "60,80", "--out", "series"]);
    for kmh in ["60", "80"] {
        let single = run("ISO-7401", &["--speed", kmh]);
        let of_series = rows(&series, &format!("| ISO-7401 | {kmh} |"));
        let of_single = rows(&single, "| ").split_off(1);
        assert_eq!((of_series.len(), of_single.len()), (9, 9), "{series} {single}");
        for (row, single) in of_series.iter().zip(&of_single) {
            assert!(row.ends_with(single.as_str()), "{row} {single}");
        }
        let report = read(&format!("series/{kmh}-kmh/ISO-7401.md"));
        assert_eq!(report.trim_end(), single.trim_end());
    }
    assert!(read("series/series.md").contains("# ISO-7401: step steer to 4 m/s², 2 runs"));
    // the setting and the number of the run select the same steering
    let gain = |text: &str, column: usize| {
        let rows = rows(text, "| ");
        let row = rows.iter().find(|row| row.contains("yaw velocity gain at")).unwrap();
        row.split('|').nth(column).unwrap().trim().parse::<f64>().unwrap()
    };
    let random = "ISO-7401-random";
    let [one, other] = ["seed=0", "seed=1"].map(|seed| gain(&run(random, &["--set", seed]), 2));
    let repeated = run(random, &["--repeat", "2"]);
    assert!((gain(&repeated, 4) - 0.5 * (one + other)).abs() < 1e-4, "{repeated}");
    // half of the distance is the standard error of two runs, and 12.706 the value of Student's table
    let width = 12.706 * 0.5 * (one - other).abs();
    assert!(width > 1e-2 && (gain(&repeated, 5) - width).abs() < 2e-3, "{width} {repeated}");
}

#[test]
fn speeds_without_a_result_are_part_of_a_series() {
    let workspace = Workspace::new("");
    workspace.write("car.xml", &other_car(1400.0, [0.25, 0.3]));
    workspace.write("slippery.xml", &other_car(1400.0, [0.1, 0.12]));
    let run =
        |car: &str| workspace.run(&["manoeuvre", "ISO-7401", "--vehicle", car, "--speed", "60,80"]);
    let one = run("car.xml");
    assert!(one.code == 0 && one.stdout.contains(", 1 run\n"), "{}", one.stdout);
    assert_eq!(one.stdout.matches("km/h: ISO-7401 has no result: ").count(), 1, "{}", one.stdout);
    let none = run("slippery.xml");
    let part = "no run has a result:\n* 60 km/h: ISO-7401 has no result";
    assert!(none.code == 12 && none.stderr.contains(part), "{}{}", none.stdout, none.stderr);
    let all = workspace.run(&["manoeuvre", "all", "--vehicle", "car.xml", "--repeat", "2"]);
    assert!(all.code == 2 && all.stderr.contains("expected no --repeat"), "{}", all.stderr);
}
