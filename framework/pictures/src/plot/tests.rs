//! Tests of plots.

use std::sync::Arc;

use simhost_runs::{Run, Series};

use super::*;

fn series(name: &str, unit: &str, columns: Vec<Vec<f64>>) -> Series {
    let times = (0..columns[0].len()).map(|k| k as f64 * 0.5).collect();
    Series {
        name: name.to_owned(),
        units: vec![unit.to_owned(); columns.len()],
        is_array: columns.len() > 1,
        times: Arc::new(times),
        columns,
    }
}

/// A vehicle that drives along x with a velocity, from y.
fn run(name: &str, velocity: f64, y: f64) -> NamedRun {
    let x: Vec<f64> = (0..5).map(|k| f64::from(k) * 0.5 * velocity).collect();
    let zero = vec![0.0; 5];
    let mut pose = series("car/pose", "m", vec![x, vec![y; 5], zero.clone(), zero.clone()]);
    pose.units[3] = "rad".to_owned();
    let series = vec![
        pose,
        series("car/twist", "m/s", vec![vec![velocity; 5], zero.clone(), zero.clone()]),
        series("car/wheel/l/spin", "rad/s", vec![vec![2.0 * velocity; 5]]),
        series("car/wheel/r/spin", "rad/s", vec![vec![2.0 * velocity; 5]]),
        series("car/wheel/l/vx", "m/s", vec![vec![velocity; 5]]),
        series("car/wheel/l/vy", "m/s", vec![zero.clone()]),
        series("car/wheel/l/steer", "rad", vec![zero]),
        series("car/wheel/l/radius", "m", vec![vec![1.0; 5]]),
    ];
    let run = Run {
        path: name.into(),
        manifest: None,
        vehicles: vec!["car".to_owned()],
        names: series.iter().map(|series| series.name.clone()).collect(),
        series,
        notes: Vec::new(),
    };
    NamedRun { name: name.to_owned(), run, scene: None }
}

fn options(of: &[&str]) -> PlotOptions {
    let of = of.iter().map(|of| (*of).to_owned()).collect();
    PlotOptions { of, ..PlotOptions::default() }
}

fn texts(drawing: &Drawing) -> Vec<&str> {
    let text = |item: &'_ crate::drawing::Item| matches!(item, crate::drawing::Item::Text { .. });
    let items = drawing.items.iter().filter(|item| text(item));
    items
        .filter_map(|item| match item {
            crate::drawing::Item::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

#[test]
fn each_axis_has_a_unit_and_each_line_a_name() {
    let drawing =
        plot(&[run("a", 2.0, 0.0)], &options(&["xy", "speed", "*/wheel/*/spin"])).unwrap();
    let texts = texts(&drawing);
    for expected in ["x (m)", "y (m)", "time (s)", "speed (m/s)", "spin (rad/s)", "car", "car l"] {
        assert!(texts.contains(&expected), "{expected}: {texts:?}");
    }
}

#[test]
fn units_have_panels_of_their_own() {
    let panels = panel::of_quantity("car/pose", &[run("a", 2.0, 0.0)], &options(&[])).unwrap();
    let labels: Vec<(&str, usize)> =
        panels.iter().map(|panel| (panel.y.as_str(), panel.lines.len())).collect();
    assert_eq!(labels, [("pose (m)", 3), ("pose (rad)", 1)]);
    assert_eq!(panels[0].lines[1].name, "car [1]");
}

#[test]
fn the_slip_ratio_relates_the_rolling_to_the_larger_velocity() {
    let signals = crate::signals::of_run("slip", 0, &run("a", 2.0, 0.0)).unwrap();
    // radius 1 m at 4 rad/s with 2 m/s
    assert_eq!((signals.len(), signals[0].values[0]), (1, 0.5));
}

#[test]
fn runs_differ_most_where_it_is_marked() {
    let runs = [run("a", 2.0, 0.0), run("b", 3.0, 0.0)];
    let found = largest_distance(&runs, &[]).unwrap();
    assert_eq!((found.time, found.distance), (2.0, 2.0));
    assert_eq!(found.positions, [[4.0, 0.0], [6.0, 0.0]]);
    let panel = &panel::of_quantity("car/pose[0]", &runs, &options(&[])).unwrap()[0];
    assert_eq!(panel.moment, Some(2.0));
    assert_eq!(panel.note.as_deref(), Some("largest difference 2 m at 2 s"));
    assert_ne!(panel.lines[0].colour, panel.lines[1].colour);
    assert_eq!(panel.lines[1].name, "b");
    assert_eq!(largest_distance(&[run("a", 2.0, 0.0), run("c", 2.0, 0.0)], &[]), None);
}

#[test]
fn a_quantity_is_drawn_against_one_of_the_same_vehicle() {
    let mut options = options(&["y"]);
    options.against = Some("*/pose[0]".to_owned());
    let panels = panel::of_quantity("y", &[run("a", 2.0, 7.0)], &options).unwrap();
    assert_eq!(panels[0].x, "pose[0] (m)");
    assert_eq!(panels[0].lines[0].points[4], [4.0, 7.0]);
    options.against = Some("*/wheel/*/spin".to_owned());
    let error = panel::of_quantity("y", &[run("a", 2.0, 7.0)], &options).err().unwrap();
    assert!(error.to_string().contains("2 quantities fit car"), "{error}");
}

#[test]
fn errors_name_what_is_nearest() {
    let error = |of: &str| plot(&[run("a", 2.0, 0.0)], &options(&[of])).unwrap_err().to_string();
    assert!(error("sped").contains("did you mean `speed`?"), "{}", error("sped"));
    assert!(error("car/wheel/*/spinn").contains("`car/wheel/*/spin`?"));
    let mut options = options(&["speed"]);
    options.vehicles = vec!["cab".to_owned()];
    let error = plot(&[run("a", 2.0, 0.0)], &options).unwrap_err().to_string();
    assert!(error.contains("unknown vehicle `cab`; did you mean `car`?"), "{error}");
    let mut empty = run("a", 2.0, 0.0);
    for series in &mut empty.run.series {
        *series = Series {
            times: Arc::default(),
            columns: vec![vec![]; series.columns.len()],
            ..series.clone()
        };
    }
    options.vehicles.clear();
    let error = plot(&[empty], &options).unwrap_err().to_string();
    assert!(error.starts_with("a has no samples\n"), "{error}");
}
