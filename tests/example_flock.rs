//! The flock of the book: built as a user would, run, and shown.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::support::golden::picture;
use crate::support::plot::{self, Line};
use crate::support::world::World;
use crate::support::{Table, projects};

/// Colours of the three drives, distinguishable with most kinds of colour blindness (Okabe and Ito).
const DRIVES: [(&str, &str); 3] =
    [("differential", "#0072b2"), ("Ackermann", "#d55e00"), ("skid steering", "#009e73")];

/// Draws the track of each vehicle in the colour of its drive, with a dot at its end.
fn tracks(trajectory: &Table) -> String {
    let mut points: BTreeMap<&str, Vec<[f64; 2]>> = BTreeMap::new();
    let column = |name: &str| trajectory.header.iter().position(|one| one == name).unwrap();
    let [vehicle, x, y] = ["vehicle", "x_m", "y_m"].map(column);
    for row in &trajectory.rows {
        let at = |index: usize| row[index].parse::<f64>().unwrap();
        points.entry(&row[vehicle]).or_default().push([at(x), at(y)]);
    }
    let all = || points.values().flatten();
    let low = [0, 1].map(|axis: usize| all().map(|at| at[axis]).fold(f64::INFINITY, f64::min));
    let high = [0, 1].map(|axis: usize| all().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max));
    let scale = 860.0 / (high[0] - low[0]);
    let place = |at: &[f64; 2]| [20.0 + scale * (at[0] - low[0]), 40.0 + scale * (high[1] - at[1])];
    let height = 60.0 + scale * (high[1] - low[1]);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"900\" height=\"{height:.0}\" \
         fill=\"white\"/>\n"
    );
    for (number, (drive, colour)) in DRIVES.iter().enumerate() {
        let left = 20 + 150 * number;
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"12\" width=\"14\" height=\"14\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"24\">{drive}</text>",
            left + 20
        );
    }
    let bar = 10.0 * scale;
    let _ = writeln!(
        svg,
        "<path d=\"M{:.1} 20h{bar:.1}\" stroke=\"black\"/><text x=\"{:.1}\" y=\"25\">10 m</text>",
        820.0 - bar,
        830.0
    );
    for (name, points) in &points {
        let numbers = name.split('_').skip(1).map(|part| part.parse::<usize>().unwrap());
        let colour = DRIVES[numbers.sum::<usize>() % 3].1;
        let line = points.iter().step_by(2).map(|at| {
            let [x, y] = place(at);
            format!("{x:.0} {y:.0}")
        });
        let line = line.collect::<Vec<_>>().join(" ");
        let [x, y] = place(points.last().unwrap());
        let _ = writeln!(
            svg,
            "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.7\" \
             opacity=\"0.6\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{colour}\"/>"
        );
    }
    svg + "</svg>\n"
}

#[test]
fn two_hundred_robots_of_three_drives_align() {
    let run = World::example("flock").every(0.5).run(40.0);
    let quantities = run.table("quantities.csv");
    let time = quantities.numbers("time_s");
    let order = quantities.numbers("robot_0_0/fleet/order [1]");
    assert!(order[1] < 0.5, "the robots start with different headings: {}", order[1]);
    assert!(*order.last().unwrap() > 0.9, "{:?}", order.last());
    // the order parameter is that of the headings of the step before
    let trajectory = run.table("trajectory.csv");
    let yaws = trajectory.numbers("yaw_rad");
    let last = &yaws[yaws.len() - 200..];
    let mean =
        [f64::cos, f64::sin].map(|part| last.iter().map(|yaw| part(*yaw)).sum::<f64>() / 200.0);
    assert!((mean[0].hypot(mean[1]) - order.last().unwrap()).abs() < 0.01, "{mean:?}");
    let line = [Line::new("order", &time, &order)];
    let title = "200 robots with random headings align";
    picture("flock-order.svg", &plot::svg(title, ["time, s", "length of the mean heading"], &line));
    picture("flock.svg", &tracks(trajectory));
}

#[test]
fn threads_and_snapshots_change_no_bit() {
    World::example("flock").every(0.5).repeats(1.0, 2.0);
}

/// The animation of the README shows this world.
#[test]
fn ten_robots_change_places_without_a_collision() {
    let folder = projects::root().join("docs/examples/crossing");
    let plugins = projects::project("docs/examples/crossing", "crossing");
    let run = World::of_file(&folder, "crossing").plugins(&plugins).every(0.5).run(24.0);
    let quantities = run.table("quantities.csv");
    for robot in 0..10 {
        let distances = quantities.numbers(&format!("robot_{robot}/fleet/distance [m]"));
        let [start, end] = [distances[1], *distances.last().unwrap()];
        assert!(start > 9.0 && end < 0.3, "robot_{robot}: {start} m, {end} m");
    }
    let manifest = std::fs::read_to_string(run.path("manifest.json")).unwrap();
    assert!(manifest.contains("result_hash") && !manifest.contains("collisions"));
}
