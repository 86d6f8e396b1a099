//! A real car: steady circles of the data set DART.

use std::path::Path;

use crate::check::{Case, Check};
use crate::plot::{Line, svg};
use crate::recording::{Recording, Track};

/// Measured circles: mean values within bins of 0.1 m/s.
const MEASURED: &str = include_str!("../data/dart_circles.csv");
/// Wheelbase, m.
const WHEELBASE: f64 = 0.1735;
/// Steering angles of both runs, rad.
const STEERING: [(&str, f64); 2] = [("left", 0.32464), ("right", -0.3065)];
/// Steps before the car has settled at its first speed.
const SETTLING: usize = 500;

/// A measured circle: speed, m/s, and yaw rate, rad/s.
type Circle = (f64, f64);

/// Returns the measured circles of a run.
fn measured(run: &str) -> Vec<Circle> {
    let rows = MEASURED.lines().filter_map(|row| row.strip_prefix(run)?.strip_prefix(','));
    let circle = |row: &str| {
        let mut cells = row.split(',').map(|cell| cell.parse().ok());
        Some((cells.next()??, cells.next()??))
    };
    rows.filter_map(circle).collect()
}

/// Returns the yaw rate of the simulated car when it has a speed, rad/s.
fn yaw_rate_at(track: &Track, speed: f64) -> f64 {
    let rows = track.twist.iter().skip(SETTLING);
    rows.into_iter().find(|twist| twist[0] >= speed).map_or(f64::NAN, |twist| twist[2])
}

fn rms(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
}

/// Compares the circles of the world in `folder` with the measured ones.
pub fn all(folder: &Path) -> Vec<Case> {
    let run = Recording::of(&folder.join("dart_circles.world.xml"));
    let (mut checks, mut lines) = (Vec::new(), Vec::new());
    for (name, steering) in STEERING {
        let track = run.tracks.iter().find(|track| track.name == name).expect("a vehicle per run");
        let circles = measured(name);
        let found: Vec<f64> = circles.iter().map(|(speed, _)| yaw_rate_at(track, *speed)).collect();
        let errors: Vec<f64> =
            circles.iter().zip(&found).map(|((_, rate), found)| found / rate - 1.0).collect();
        let worst = errors.iter().fold(0.0, |worst: f64, error| worst.max(error.abs()));
        let (speeds, rates): (Vec<f64>, Vec<f64>) = circles.iter().copied().unzip();
        let last = speeds[speeds.len() - 1];
        let kinematic = last * steering.tan() / WHEELBASE / rates[rates.len() - 1] - 1.0;
        checks.push(Check::within(
            &format!("{name}: rms error of the yaw rate, relative"),
            0.0,
            rms(&errors),
            0.045,
        ));
        checks.push(Check::within(
            &format!("{name}: largest error of the yaw rate, relative"),
            0.0,
            worst,
            0.1,
        ));
        checks.push(Check::within(
            &format!("{name}: error of a kinematic model at {last:.1} m/s, relative"),
            if name == "left" { 0.79 } else { 1.12 },
            kinematic,
            0.02,
        ));
        let size = |rates: &[f64]| rates.iter().map(|rate| rate.abs()).collect::<Vec<_>>();
        lines.push(Line::new(&format!("{name}, simulated"), &speeds, &size(&found)));
        lines.push(Line::reference(&format!("{name}, measured"), &speeds, &size(&rates)));
    }
    vec![Case {
        title: "A real car: steady circles of a 1:10 car",
        file: "dart-circles",
        text: "A car of the scale 1:10 drives circles with one constant steering command per \
               direction, at speeds that rise until its tyres saturate. The measurements are \
               mean values of motion capture at 100 Hz from the data set DART of the Delft \
               University of Technology (github Lorenzo-Lyons/DART, \
               `System_identification/Data/50_tire_model_data`, MIT licence, Copyright (c) 2024 \
               Lorenzo Lyons). Model: `double_track` with a tyre of `magic_formula` per axle. \
               Stiffness and friction of both axles and the steering angle are fitted to the \
               circles to the left. The circles to the right are a prediction; only the two \
               circles below 0.7 m/s are used, for the steering angle. The picture shows \
               magnitudes of yaw rates; a kinematic model would rise along a straight line."
            .to_owned(),
        checks,
        picture: svg("Yaw rate and speed", ["speed, m/s", "yaw rate, rad/s"], &lines),
    }]
}
