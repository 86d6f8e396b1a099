//! Comparison with measured and published values: trajectories of MVSim, models of CommonRoad.

use std::path::{Path, PathBuf};

use simhost_commonroad::defects::Defects;

use crate::check::{Case, Check};
use crate::comparison;
use crate::file::File;
use crate::measured;
use crate::plot::{Line, svg};
use crate::recording::Recording;

/// Compares the simulation with the reference values in `folder`.
pub fn all(folder: &Path) -> Vec<Case> {
    let file = File::read(&folder.join("commonroad/reference.json").to_string_lossy());
    let file = file.expect("the reference is well formed");
    vec![mvsim(&folder.join("reference")), models(&file)]
}

/// Worst errors of a friction class, each divided by its tolerance.
struct Worst {
    friction: String,
    cases: usize,
    position: f64,
    yaw: f64,
    spin: f64,
}

/// A case and its distance from the measurement.
struct Compared {
    name: String,
    time: Vec<f64>,
    /// Distance between the positions, mm.
    distance: Vec<f64>,
}

fn mvsim(folder: &Path) -> Case {
    let read = |path: PathBuf| std::fs::read_dir(path).expect("the cases are committed");
    let mut folders: Vec<PathBuf> = read(folder.to_owned())
        .flatten()
        .map(|entry| entry.path())
        .filter(|p| p.is_dir())
        .collect();
    folders.sort();
    let (mut worst, mut compared) = (Vec::<Worst>::new(), Vec::new());
    for case in folders.into_iter().map(measured::Case::read) {
        let friction = case.class("friction").to_owned();
        let place =
            worst.iter().position(|worst| worst.friction == friction).unwrap_or_else(|| {
                let (position, yaw, spin) = (0.0, 0.0, 0.0);
                worst.push(Worst { friction, cases: 0, position, yaw, spin });
                worst.len() - 1
            });
        compared.push(compare(&case, &mut worst[place]));
    }
    worst.sort_by(|a, b| a.friction.cmp(&b.friction));
    let checks = worst.iter().flat_map(|worst| {
        let Worst { friction, cases, .. } = worst;
        let check = |what: &str, found| {
            Check::within(&format!("`{friction}`, {cases} cases: {what}"), 0.0, found, 1.0)
        };
        [
            check(
                "position error divided by 1 mm + 0.05 % of the distance travelled",
                worst.position,
            ),
            check("yaw error divided by 1 mrad", worst.yaw),
            match friction.as_str() {
                "ellipse" => check("root-mean-square spin error divided by 2 %", worst.spin),
                _ => check("spin error divided by 0.5 % + 1 mrad/s", worst.spin),
            },
        ]
    });
    let checks = checks.collect();
    compared
        .sort_by(|a, b| last(&b.distance).total_cmp(&last(&a.distance)).then(a.name.cmp(&b.name)));
    let lines: Vec<Line> = compared
        .iter()
        .take(6)
        .map(|case| Line::new(&case.name, &case.time, &case.distance))
        .collect();
    Case {
        title: "Trajectories of MVSim",
        file: "trajectories-of-mvsim",
        text: format!(
            "The profile `mvsim-1.2` compared with {} trajectories measured on MVSim 1.2 (5 dynamics classes, 3 friction classes, \
             5 controllers) in `tests/data/reference`. The table lists the worst errors divided by their tolerances; the picture shows the six \
             cases with the largest final distance.",
            compared.len()
        ),
        checks,
        picture: svg("Distance from MVSim's trajectory", ["time, s", "mm"], &lines),
    }
}

fn compare(case: &measured::Case, worst: &mut Worst) -> Compared {
    let run =
        Recording::under_mvsim(&case.folder.join("world.xml"), &case.commands(), case.duration());
    let theirs = columns(&case.folder.join("trajectory.csv"));
    let step = run.time[1] - run.time[0];
    let [t, x, y, yaw] = [0, 1, 2, 3].map(|column| &theirs[column]);
    let track = &run.tracks[0];
    let (mut travelled, mut distance) = (0.0, Vec::new());
    let rows: Vec<usize> = t.iter().map(|t| (t / step).round() as usize).collect();
    for (i, &row) in rows.iter().enumerate() {
        if i > 0 {
            travelled += (x[i] - x[i - 1]).hypot(y[i] - y[i - 1]);
        }
        let pose = track.pose[row];
        let apart = (pose[0] - x[i]).hypot(pose[1] - y[i]);
        worst.position = worst.position.max(apart / (1e-3 + 5e-4 * travelled));
        worst.yaw = worst.yaw.max(simhost_sdk::math::wrap_angle(pose[3] - yaw[i]).abs() / 1e-3);
        distance.push(1e3 * apart);
    }
    for (wheel, theirs) in theirs[4..].iter().enumerate() {
        let ours = rows.iter().map(|row| track.spins[*row][wheel]);
        let errors: Vec<f64> = ours.zip(theirs).map(|(ours, theirs)| ours - theirs).collect();
        let length = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>().sqrt();
        let share = if worst.friction == "ellipse" {
            length(&errors) / (0.02 * length(theirs) + 1e-3 * (theirs.len() as f64).sqrt())
        } else {
            let by_row = errors.iter().zip(theirs).map(|(e, s)| e.abs() / (5e-3 * s.abs() + 1e-3));
            by_row.fold(0.0, f64::max)
        };
        worst.spin = worst.spin.max(share);
    }
    worst.cases += 1;
    Compared { name: case.name.clone(), time: t.clone(), distance }
}

/// Reads the columns of a csv file of numbers.
fn columns(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).expect("the trajectory is committed");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|row| row.split(',').map(|value| value.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

fn models(file: &File) -> Case {
    let table = comparison::compare(file);
    let checks = table.iter().map(|((kind, model), worst)| {
        let what = format!("{kind}, {model}: worst relative error of {}", worst.cases);
        Check::within(&what, 0.0, worst.error, worst.tolerance)
    });
    let checks = checks.collect();
    let mut lines = Vec::new();
    for case in &file.trajectories {
        let Some(vehicle) = file.vehicle(case.vehicle) else { continue };
        let drive = |defects| {
            comparison::drive(&case.model, &vehicle, case.input, case.h, &case.rows, defects)
        };
        let Some(states) = drive(Defects::NONE) else { continue };
        let column = |rows: &[Vec<f64>], column: usize| -> Vec<f64> {
            rows.iter().map(|row| row[column]).collect()
        };
        let name = format!("{}, vehicle {}", case.model, case.vehicle);
        if lines.iter().all(|line: &Line| line.name != name) && lines.len() < 6 {
            lines.push(Line::new(&name, &column(&states, 0), &column(&states, 1)));
            lines.push(Line::reference(
                "reference",
                &column(&case.rows, 1),
                &column(&case.rows, 2),
            ));
        }
    }
    Case {
        title: "Models of CommonRoad",
        file: "models-of-commonroad",
        text: "The equations of KS, KST, ST, STD and MB and of their tyre, with the defects of commonroad-vehicle-models 3.0.2 switched \
               on, compared with values computed by that package (`tests/data/commonroad`). Errors are relative to the larger of 1 and the \
               value. The picture shows the paths without the defects next to the trajectories of the package: the differences are the \
               effect of the corrections."
            .to_owned(),
        checks,
        picture: svg("Paths of the models", ["x, m", "y, m"], &lines),
    }
}
