//! Metrics of manoeuvres computed a second time, from the files that the run writes.

use simhost::manoeuvres::Manoeuvre;

use super::single_track;
use crate::support::{Workspace, projects};

/// Steering ratio of all drives.
const RATIO: f64 = 16.0;

/// The table that a manoeuvre prints, and the rows of its files.
struct Drive {
    table: String,
    /// Time, x, y, heading, forward velocity, steering angle, lateral acceleration.
    rows: Vec<[f64; 7]>,
}

impl Drive {
    /// Drives the car of the validation.
    fn new(arguments: &[&str]) -> Self {
        let workspace = Workspace::new("");
        let car = projects::root().join("worlds/validation/car.xml");
        let fixed = ["--vehicle", car.to_str().unwrap(), "--out", "found"];
        let outcome = workspace.run(&[&["manoeuvre"], arguments, &fixed].concat());
        assert!(outcome.code < 2, "{}{}", outcome.stdout, outcome.stderr);
        let [motion, quantities] = ["trajectory", "quantities"].map(|name| {
            let path = workspace.path(&format!("found/{name}.csv"));
            std::fs::read_to_string(path).unwrap()
        });
        let titles: Vec<&str> = quantities.lines().next().unwrap().split(',').collect();
        let column = |start: &str| titles.iter().position(|one| one.starts_with(start)).unwrap();
        let picks = [column("car/controller/steer"), column("car/lateral_acceleration")];
        let rows = motion.lines().zip(quantities.lines()).skip(1).map(|(motion, more)| {
            let number = |text: &str, at: usize| text.split(',').nth(at).unwrap().parse().unwrap();
            let [steer, lateral] = picks.map(|at| number(more, at));
            let [time, x, y, yaw, vx] = [0, 2, 3, 5, 8].map(|at| number(motion, at));
            [time, x, y, yaw, vx, steer, lateral]
        });
        Self { rows: rows.collect(), table: outcome.stdout }
    }

    /// Returns a metric of the table.
    fn metric(&self, name: &str) -> f64 {
        let line = self.table.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let line = line.unwrap_or_else(|| panic!("{name}: {}", self.table));
        line.split('|').nth(2).unwrap().trim().parse().unwrap()
    }

    /// Returns the first row at a time or later.
    fn at(&self, time: f64) -> usize {
        self.rows.partition_point(|row| row[0] < time - 1e-9)
    }

    /// Returns the yaw rate of a row, from the headings around it.
    fn yaw_rate(&self, at: usize) -> f64 {
        let [before, after] = [self.rows[at - 1], self.rows[at + 1]];
        let turn = after[3] - before[3];
        let whole = std::f64::consts::TAU;
        (turn - whole * (turn / whole).round()) / (after[0] - before[0])
    }

    /// Returns the greatest magnitude of a column.
    fn greatest(&self, column: usize) -> f64 {
        self.rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max)
    }

    /// Compares a metric with a value.
    fn check(&self, name: &str, expected: f64, tolerance: f64) {
        let found = self.metric(name);
        assert!((found - expected).abs() <= tolerance, "{name}: {found}, expected {expected}");
    }
}

/// Returns the slope of the second number over the first, by the mean of the upper and of the lower half.
fn rise(mut points: Vec<[f64; 2]>) -> f64 {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (low, high) = points.split_at(points.len() / 2);
    let mean = |half: &[[f64; 2]], at: usize| {
        half.iter().map(|point| point[at]).sum::<f64>() / half.len() as f64
    };
    (mean(high, 1) - mean(low, 1)) / (mean(high, 0) - mean(low, 0))
}

#[test]
fn circles_of_constant_radius_and_steering_show_the_understeer_gradient() {
    let (understeer, _) = single_track(20.0);
    let linear = |drive: &Drive, value: &dyn Fn(usize, f64) -> f64| {
        let end = drive.rows.len() - 2;
        let rows = (drive.at(8.1)..end).map(|at| {
            let rate = drive.yaw_rate(at);
            [rate * drive.rows[at][4], value(at, rate)]
        });
        rise(rows.take_while(|point| point[0] <= 2.0).filter(|point| point[0] >= 0.5).collect())
    };
    let radius = Drive::new(&["ISO-4138-radius"]);
    let found = linear(&radius, &|at, _| radius.rows[at][5]);
    radius.check("understeer gradient", found.to_degrees(), 0.05 * found.to_degrees());
    radius.check("understeer gradient", understeer.to_degrees(), 0.12 * understeer.to_degrees());
    for row in &radius.rows[radius.at(8.0)..radius.at(40.0)] {
        assert!((row[1].hypot(row[2] - 100.0) - 100.0).abs() < 0.2, "{row:?}");
    }
    let steer = Drive::new(&["ISO-4138-steer", "--set", "radius=80"]);
    let found = -2.6 * linear(&steer, &|at, rate| rate / steer.rows[at][4]);
    steer.check("understeer gradient", found.to_degrees(), 0.05 * found.to_degrees());
    steer.check("understeer gradient", understeer.to_degrees(), 0.12 * understeer.to_degrees());
    steer.check("steering angle of the wheels", (2.6f64 / 80.0).atan().to_degrees(), 1e-3);
}

/// Returns gain and phase, °, of the yaw rate over the steering angle at a frequency, by sums over all rows.
fn response(drive: &Drive, hertz: f64) -> [f64; 2] {
    let mut sums = [[0.0; 2]; 2];
    for at in 1..drive.rows.len() - 1 {
        let (sin, cos) = (std::f64::consts::TAU * hertz * drive.rows[at][0]).sin_cos();
        for (sum, value) in sums.iter_mut().zip([drive.rows[at][5], drive.yaw_rate(at)]) {
            *sum = [sum[0] + value * cos, sum[1] - value * sin];
        }
    }
    let [input, output] = sums;
    let phase = output[1].atan2(output[0]) - input[1].atan2(input[0]);
    let phase = (phase.to_degrees() + 180.0).rem_euclid(360.0) - 180.0;
    [output[0].hypot(output[1]) / input[0].hypot(input[1]), phase]
}

/// The car has linear tyres, so both ways of steering have the same response.
#[test]
fn random_and_swept_steering_show_the_same_frequency_response() {
    let (_, gain) = single_track(80.0 / 3.6);
    for name in ["ISO-7401-random", "ISO-7401-sweep"] {
        let drive = Drive::new(&[name]);
        drive.check("yaw velocity gain at 0.2 Hz", gain, 0.05 * gain);
        drive.check("yaw velocity gain at 0.2 Hz", response(&drive, 0.2)[0], 0.03 * gain);
        drive.check("yaw velocity phase at 1 Hz", response(&drive, 1.0)[1], 2.0);
        assert!(drive.metric("least coherence up to 2 Hz") > 0.98, "{}", drive.table);
        let top = drive.metric("frequency of the greatest yaw velocity gain");
        let lag = drive.metric("frequency of −45° of the yaw velocity");
        assert!((0.2..1.6).contains(&top) && (0.5..3.0).contains(&lag), "{top} {lag}");
        // the table of the response has one row for each tenth of a hertz
        assert_eq!(drive.table.lines().filter(|line| line.starts_with("| 1.0 | ")).count(), 1);
    }
}

#[test]
fn a_weave_has_the_gain_and_the_lag_of_its_peaks_and_crossings() {
    let drive = Drive::new(&["ISO-13674-1"]);
    let steer = drive.greatest(5);
    drive.check("amplitude of the steering wheel", RATIO * steer.to_degrees(), 1e-3);
    let lateral = drive.rows[drive.at(10.5)..].iter().map(|row| row[6]).fold(0.0, f64::max);
    drive.check("greatest lateral acceleration", lateral, 0.02);
    drive.check("greatest lateral acceleration", 2.0, 0.2);
    let gain = (lateral / steer / RATIO).to_radians();
    drive.check("lateral acceleration gain", gain, 0.02 * gain);
    // times at which the values rise through zero in the fourth period, which begins at 15.5 s
    let crossing = |column: usize| {
        let rows = &drive.rows[drive.at(14.5)..];
        let pair = rows.windows(2).find(|pair| pair[0][column] < 0.0 && pair[1][column] >= 0.0);
        let pair = pair.unwrap();
        let part = pair[0][column] / (pair[0][column] - pair[1][column]);
        pair[0][0] + part * (pair[1][0] - pair[0][0])
    };
    drive.check("lag of the lateral acceleration", crossing(6) - crossing(5), 0.01);
    let steer_at = drive.rows[drive.at(crossing(6))][5];
    let width = 2.0 * RATIO * steer_at.to_degrees();
    drive.check("steering-wheel angle hysteresis at zero acceleration", width, 0.05 * width);
}

/// Returns the centre of the circle through three rows.
fn centre(rows: [[f64; 7]; 3]) -> [f64; 2] {
    let [[ax, ay], [bx, by], [cx, cy]] = rows.map(|row| [row[1], row[2]]);
    let (p, q, r) = (ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy);
    let area = 2.0 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by));
    let x = (p * (by - cy) + q * (cy - ay) + r * (ay - by)) / area;
    [x, (p * (cx - bx) + q * (ax - cx) + r * (bx - ax)) / area]
}

#[test]
fn disturbed_turns_are_compared_with_the_circle_through_their_places() {
    for (arguments, lateral) in [
        (&["ISO-7975", "--set", "deceleration=3"][..], 4.94),
        (&["ISO-9816"], 4.0),
        (&["ISO-9816", "--set", "radius=160"], 2.5),
    ] {
        let drive = Drive::new(arguments);
        drive.check("initial lateral acceleration", lateral, 0.05 * lateral);
        let [begin, second] = [5.0, 6.0].map(|time| drive.at(time));
        let speed = |at: usize| drive.rows[at][4];
        let slower = speed(begin) - speed(second);
        drive.check("mean deceleration in the first second", slower, 1e-3);
        let curvature = drive.yaw_rate(begin - 1) / speed(begin - 1);
        let excess = drive.yaw_rate(second) / (curvature * speed(second));
        drive.check("yaw velocity after 1 s, of the reference", excess, 0.01);
        let place = centre([4.6, 4.8, 5.0].map(|time| drive.rows[drive.at(time)]));
        let away = |at: usize| (drive.rows[at][1] - place[0]).hypot(drive.rows[at][2] - place[1]);
        let inside = away(begin) - away(second);
        drive.check("distance inside the circle after 1 s", inside, 0.03);
        assert!((2.5..3.6).contains(&slower) == arguments.contains(&"deceleration=3"), "{slower}");
    }
}

#[test]
fn fast_steering_has_the_rates_and_angles_of_the_nhtsa() {
    let dwell = Drive::new(&["sine-with-dwell"]);
    let reference = dwell.metric("steering angle at 0.3 g");
    for (name, multiple, rate) in [("J-turn", 8.0, 1000.0), ("fishhook", 6.5, 720.0)] {
        let drive = Drive::new(&[name]);
        let amplitude = drive.greatest(5).to_degrees();
        assert!((amplitude / (multiple * reference) - 1.0).abs() < 1e-3, "{name}: {amplitude}");
        drive.check("amplitude of the steering wheel", RATIO * amplitude, 0.01);
        drive.check("greatest lateral acceleration", drive.greatest(6), 0.01);
        let steps = drive.rows.windows(2);
        let turn = |pair: &[[f64; 7]]| (pair[1][5] - pair[0][5]).abs() / (pair[1][0] - pair[0][0]);
        let fastest = RATIO * steps.map(turn).fold(0.0, f64::max).to_degrees();
        assert!((fastest / rate - 1.0).abs() < 0.01, "{name}: {fastest}");
        let low = drive.rows.iter().map(|row| row[5]).fold(0.0, f64::min).to_degrees();
        let expected = if name == "fishhook" { -amplitude } else { 0.0 };
        assert!((low - expected).abs() < 0.01 * amplitude, "{name}: {low}");
    }
}

#[test]
fn straight_drives_have_the_times_and_distances_of_their_places() {
    let drive = Drive::new(&["acceleration", "--set", "target=80", "--set", "drive_effort=0.2"]);
    let reached = drive.rows.iter().position(|row| row[4] >= 80.0 / 3.6).unwrap();
    drive.check("time to the speed at the end", drive.rows[reached][0], 0.002);
    drive.check("distance to the speed at the end", drive.rows[reached][1], 0.05);
    // 0.2 g less the drag, and the inertia of the wheels
    let mean = drive.metric("mean acceleration");
    assert!((0.15 * 9.81..0.2 * 9.81).contains(&mean), "{mean}");

    let drive = Drive::new(&["ISO-21994", "--speed", "90"]);
    let begin = drive.at(0.5);
    let speed = drive.rows[begin][4];
    let place = |part: f64| drive.rows.iter().find(|row| row[4] <= part * speed).unwrap();
    let (from, to) = (place(0.8), place(0.1));
    // the formula of the regulation, in km/h and m
    let [fast, slow] = [from[4], to[4]].map(|one| 3.6 * one);
    let mean = (fast * fast - slow * slow) / (25.92 * (to[1] - from[1]));
    drive.check("mean fully developed deceleration", mean, 0.01);
    let end = drive.rows.last().unwrap();
    drive.check("stopping distance", end[1] - drive.rows[begin][1], 0.01);
    drive.check("stopping time", end[0] - 0.5, 0.01);
    // friction of 0.8 to 0.9, sliding and greatest
    assert!((0.75 * 9.81..0.92 * 9.81).contains(&mean), "{mean}");
}

#[test]
fn one_report_has_all_manoeuvres() {
    let workspace = Workspace::new("");
    let car = projects::root().join("worlds/validation/car.xml");
    let all = |more: &[&str]| {
        workspace.run(&[&["manoeuvre", "all", "--vehicle", car.to_str().unwrap()], more].concat())
    };
    let outcome = all(&["--out", "found", "--set", "target=60", "--set", "speed_rate=1"]);
    // the car spins in the sine with dwell
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    for one in Manoeuvre::ALL.into_iter().filter(|one| !one.needs_trailer()) {
        let name = one.name();
        assert!(outcome.stdout.contains(&format!("\n| {name} | ")), "{name}: {}", outcome.stdout);
        assert!(workspace.path(&format!("found/{name}/trajectory.csv")).exists(), "{name}");
    }
    assert!(outcome.stdout.contains("| speed at the end | 60.0000 | km/h |"), "{}", outcome.stdout);
    let report = std::fs::read_to_string(workspace.path("found/all.md")).unwrap();
    assert!(outcome.stdout.contains(report.trim_end()), "{report}");
    for (more, message) in [
        (&["--speed", "50"][..], "expected no --speed"),
        (&["--set", "radios=60"], "no manoeuvre has the setting `radios`"),
        (&["--set", "radius"], "expected NAME=VALUE with a number"),
    ] {
        let outcome = all(more);
        assert!(outcome.code == 2 && outcome.stderr.contains(message), "{}", outcome.stderr);
    }
}

#[test]
fn unknown_settings_and_values_out_of_range_are_errors() {
    let workspace = Workspace::new("");
    let car = projects::root().join("worlds/validation/car.xml");
    for (name, given, message) in [
        ("ISO-7975", "rate=2", "ISO-7975: unknown setting `rate`; expected one of: radius, decel"),
        ("ISO-3888-1", "radius=2", "ISO-3888-1: unknown setting `radius`; expected none"),
        ("ISO-7975", "radius=2", "`radius` is out of range: 2; expected 15 to 1000 m"),
    ] {
        let vehicle = ["--vehicle", car.to_str().unwrap()];
        let outcome = workspace.run(&[&["manoeuvre", name, "--set", given], &vehicle[..]].concat());
        assert_eq!(outcome.code, 12, "{}", outcome.stderr);
        for part in [message, "help: `simhost manoeuvre --help` lists the settings"] {
            assert!(outcome.stderr.contains(part), "{}", outcome.stderr);
        }
    }
    let help = workspace.run(&["manoeuvre", "--help"]).stdout;
    // lines are wrapped
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for one in Manoeuvre::ALL {
        assert!(help.contains(one.name()) && help.contains(one.source()), "{help}");
        assert!(one.settings().iter().all(|setting| help.contains(setting.name)), "{help}");
    }
}
