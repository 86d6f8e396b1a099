//! Plots of quantities of one or several runs.

mod key;
mod layout;
mod panel;

use std::collections::BTreeSet;

#[cfg(feature = "film")]
pub(crate) use panel::pose_at;
pub use panel::{PathDivergence, PlotOptions, largest_distance};

use crate::chart::{dash_of, of_series};
use crate::drawing::Drawing;
use crate::error::PictureError;
use crate::signals::{NamedRun, PATH};
use key::Key;
use panel::{Line, Panel};

/// Draws quantities of runs, one panel above the other. Runs are aligned by time; several runs have
/// one colour each, or a colour by a parameter, and the time of the greatest difference is marked.
///
/// # Errors
/// [`PictureError`] if a run does not hold a quantity or a vehicle, or has no samples.
pub fn plot(runs: &[NamedRun], options: &PlotOptions) -> Result<Drawing, PictureError> {
    check_vehicles(runs, &options.vehicles)?;
    let key = options.colour.as_deref().map(|parameter| Key::new(parameter, runs)).transpose()?;
    let mut panels: Vec<Panel> = Vec::new();
    for of in &options.of {
        match of == PATH {
            true => panels.push(panel::path(runs, options, key.as_ref())?),
            false => panels.extend(panel::of_quantity(of, runs, options, key.as_ref())?),
        }
    }
    Ok(layout::draw(runs, &panels, options.size))
}

/// Draws lines of different colours in one panel; `x` and `y` are the labels of the axes.
pub(crate) fn draw_lines(x: &str, y: &str, lines: &[(String, Vec<[f64; 2]>)]) -> Drawing {
    let lines = lines.iter().enumerate().map(|(number, (name, points))| Line {
        name: name.clone(),
        points: points.clone(),
        colour: of_series(number),
        dash: dash_of(0),
    });
    let panel = Panel {
        x: x.to_owned(),
        y: y.to_owned(),
        lines: lines.collect(),
        outlines: Vec::new(),
        moved: Vec::new(),
        heading: None,
        is_map: false,
        moment: None,
        note: None,
    };
    layout::draw(&[], &[panel], None)
}

/// Checks that each vehicle is in one of the runs.
///
/// # Errors
/// [`PictureError::Vehicle`] if it is in none.
pub fn check_vehicles(runs: &[NamedRun], vehicles: &[String]) -> Result<(), PictureError> {
    let known: BTreeSet<&str> =
        runs.iter().flat_map(|named| &named.run.vehicles).map(String::as_str).collect();
    match vehicles.iter().find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let nearest = simhost_model::nearest(name, known.iter().copied()).map(str::to_owned);
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            Err(PictureError::Vehicle { name: name.clone(), nearest, known })
        }
    }
}

#[cfg(test)]
mod tests {
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
        NamedRun { name: name.to_owned(), run, world: None, scene: None }
    }

    /// A run whose manifest has the mass properties of the car.
    fn heavy(mut run: NamedRun) -> NamedRun {
        let car = serde_json::json!({
            "name": "car", "mass_kg": 10.0, "yaw_inertia_kgm2": 2.0, "centre_of_mass_m": [1.0, 0.0]
        });
        run.run.manifest =
            Some(simhost_runs::Manifest(serde_json::json!({ "simhost": "1", "vehicles": [car] })));
        run
    }

    fn options(of: &[&str]) -> PlotOptions {
        let of = of.iter().map(|of| (*of).to_owned()).collect();
        PlotOptions { of, ..PlotOptions::default() }
    }

    fn texts(drawing: &Drawing) -> Vec<&str> {
        let text =
            |item: &'_ crate::drawing::Item| matches!(item, crate::drawing::Item::Text { .. });
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
        for expected in
            ["x (m)", "y (m)", "time (s)", "speed (m/s)", "spin (rad/s)", "car", "car l"]
        {
            assert!(texts.contains(&expected), "{expected}: {texts:?}");
        }
    }

    #[test]
    fn units_have_panels_of_their_own() {
        let panels =
            panel::of_quantity("car/pose", &[run("a", 2.0, 0.0)], &options(&[]), None).unwrap();
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
        let panel = &panel::of_quantity("car/pose[0]", &runs, &options(&[]), None).unwrap()[0];
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
        let panels = panel::of_quantity("y", &[run("a", 2.0, 7.0)], &options, None).unwrap();
        assert_eq!(panels[0].x, "pose[0] (m)");
        assert_eq!(panels[0].lines[0].points[4], [4.0, 7.0]);
        options.against = Some("*/wheel/*/spin".to_owned());
        let error = panel::of_quantity("y", &[run("a", 2.0, 7.0)], &options, None).err().unwrap();
        assert!(error.to_string().contains("2 quantities fit car"), "{error}");
        // the centre and the wheels, each over its own
        options.against = Some("*/pose[0]+*/wheel/*/spin".to_owned());
        let of = "*/pose[1]+*/wheel/*/spin";
        let panels = panel::of_quantity(of, &[run("a", 2.0, 7.0)], &options, None).unwrap();
        let axes: Vec<&str> = panels.iter().map(|panel| panel.x.as_str()).collect();
        assert_eq!(axes, ["pose[0] (m)", "spin (rad/s)"]);
    }

    #[test]
    fn errors_name_what_is_nearest() {
        let error =
            |of: &str| plot(&[run("a", 2.0, 0.0)], &options(&[of])).unwrap_err().to_string();
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

    #[test]
    fn motions_are_those_of_the_centre_of_mass() {
        let mut run = heavy(run("a", 2.0, 0.0));
        let twist = run.run.series.iter_mut().find(|series| series.name == "car/twist").unwrap();
        // a circle at constant speed
        twist.columns[2] = vec![0.5; 5];
        let value = |preset: &str| {
            let signals = crate::signals::of_run(preset, 0, &run).unwrap();
            (signals[0].values[2], signals[0].unit.clone())
        };
        // the centre of mass moves to the left with 0.5 rad/s · 1 m
        let (lateral, unit) = value("lateral_acceleration");
        assert!((lateral - 0.5 * 2.0).abs() < 1e-12 && unit == "m/s²");
        assert!((value("acceleration").0 + 0.5 * 0.5).abs() < 1e-12);
        assert!((value("sideslip").0 - 0.5_f64.atan2(2.0).to_degrees()).abs() < 1e-12);
        let energy = 0.5 * 10.0 * (4.0 + 0.25) + 0.5 * 2.0 * 0.25;
        assert!((value("energy").0 - energy).abs() < 1e-12);
        let light = plot(&[super::tests::run("b", 2.0, 0.0)], &options(&["sideslip"])).unwrap_err();
        assert!(light.to_string().contains("needs the centre of mass"), "{light}");
    }

    #[test]
    fn quantities_that_are_joined_share_a_panel() {
        let options = options(&["car/wheel/l/spin+car/wheel/r/spin", "speed+car/wheel/l/vx"]);
        let drawing = plot(&[run("a", 2.0, 0.0)], &options).unwrap();
        let texts = texts(&drawing);
        for name in ["car l spin", "car r spin", "car speed", "car l vx", "value (m/s)"] {
            assert!(texts.contains(&name), "{name}: {texts:?}");
        }
    }

    #[test]
    fn a_parameter_colours_the_runs_and_orders_the_legend() {
        let with = |name: &str, value: &str| {
            let folder = tempfile::tempdir().unwrap();
            let inputs = format!(
                "{{\"input\":\"parameter\",\"step\":0,\"sequence\":1,\"name\":\"car/friction/mu\",\"value\":\"{value}\"}}\n"
            );
            std::fs::write(folder.path().join("inputs.jsonl"), inputs).unwrap();
            let mut run = run(name, 2.0, 0.0);
            run.run.path = folder.path().to_owned();
            (folder, run)
        };
        let (_a, one) = with("one", "0.9");
        let (_b, two) = with("two", "0.3");
        let runs = [one, two];
        let options = PlotOptions {
            colour: Some("car/friction/mu".to_owned()),
            size: Some([900, 500]),
            ..options(&["speed"])
        };
        let drawing = plot(&runs, &options).unwrap();
        assert_eq!(drawing.size, [900, 500]);
        let texts = texts(&drawing);
        let place = |text: &str| texts.iter().position(|known| *known == text).unwrap();
        assert!(
            place("car/friction/mu") < place("0.3") && place("0.3") < place("0.9"),
            "{texts:?}"
        );
        let options = PlotOptions { colour: Some("car/friction/mi".to_owned()), ..options };
        let error = plot(&runs, &options).unwrap_err().to_string();
        assert!(error.contains("keep world.flat.xml"), "{error}");
    }

    #[test]
    fn wide_paths_have_low_panels_and_many_lines_high_ones() {
        let wide = plot(&[run("a", 20.0, 0.0)], &options(&["xy"])).unwrap().size[1];
        let square = plot(&[run("a", 2.0, 0.0), run("b", 2.0, 4.0)], &options(&["xy"])).unwrap();
        assert!(wide < square.size[1], "{wide}");
        let runs: Vec<NamedRun> = (0..16).map(|k| run(&format!("run {k}"), 2.0, 0.0)).collect();
        let drawing = plot(&runs, &options(&["speed"])).unwrap();
        assert!(texts(&drawing).contains(&"run 15"), "every run has a name");
    }
}
