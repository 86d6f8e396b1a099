//! Order of convergence of each integrator.

use std::path::Path;

use crate::check::{Case, Check};
use crate::plot::{Line, svg};
use crate::recording::Recording;

/// Steps, s, each half of the one before.
const STEPS: [f64; 5] = [0.016, 0.008, 0.004, 0.002, 0.001];
/// Step of the reference solution, s.
const SHORTEST: f64 = 0.000_125;

/// Compares both integrators at decreasing steps, for a car that accelerates in a turn.
pub fn all(folder: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(folder.join("convergence.world.xml"));
    let text = text.expect("the world is committed");
    let end = |integrator: &str, dt: f64| {
        let world = text
            .replace("INTEGRATOR|euler", &format!("INTEGRATOR|{integrator}"))
            .replace("DT|0.005", &format!("DT|{dt}"));
        let run = Recording::of_text(&folder.join("convergence.world.xml"), &world);
        let track = &run.tracks[0];
        let (pose, twist) = (track.pose[track.pose.len() - 1], track.twist[track.twist.len() - 1]);
        [pose[0], pose[1], pose[3], twist[0], twist[1], twist[2]]
    };
    let truth = end("extrapolated", SHORTEST);
    let errors = |integrator: &str| {
        STEPS.map(|dt| {
            let found = end(integrator, dt);
            found.iter().zip(&truth).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        })
    };
    let (first, second) = (errors("euler"), errors("extrapolated"));
    let order = |errors: &[f64; 5]| (errors[2] / errors[3]).log2();
    let steps = STEPS.map(f64::log10);
    let lines = [
        Line::new("euler", &steps, &first.map(f64::log10)),
        Line::new("extrapolated", &steps, &second.map(f64::log10)),
    ];
    vec![Case {
        title: "Order of convergence",
        file: "order-of-convergence",
        text: "A car accelerates in a turn for two seconds. The picture shows the error of its final position, yaw and velocities as a function of \
               the step, relative to a solution with steps of 0.125 ms. See [integrators](forces.md#substeps-and-integrators)."
            .to_owned(),
        checks: vec![
            Check::within("order of `euler`, 4 to 2 ms", 1.0, order(&first), 0.2),
            Check::within("order of `extrapolated`, 4 to 2 ms", 2.0, order(&second), 0.3),
        ],
        picture: svg("Error and step", ["log₁₀ of the step, s", "log₁₀ of the error"], &lines),
    }]
}
