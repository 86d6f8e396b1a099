//! The examples of the book whose models perceive other vehicles.

use crate::support::Table;
use crate::support::golden::picture;
use crate::support::plot::{self, Line};
use crate::support::world::World;

/// Runs the world of an example on 1, 2 and 4 threads and through a snapshot at 10 s, and returns its quantities.
fn run(name: &str, seconds: f64) -> Table {
    World::example(name).runs_and_repeats(10.0, seconds).table("quantities.csv").clone()
}

/// Returns x and y of several vehicles over time.
fn paths(table: &Table, names: &[String]) -> Vec<[Vec<f64>; 2]> {
    let column = |name: &str, axis: usize| table.numbers(&format!("{name}/pose[{axis}] [m]"));
    names.iter().map(|name| [column(name, 0), column(name, 1)]).collect()
}

/// Returns the smallest distance between any two of the vehicles at any time, m.
fn smallest_distance(paths: &[[Vec<f64>; 2]]) -> f64 {
    let mut smallest = f64::INFINITY;
    for (i, [x, y]) in paths.iter().enumerate() {
        for [other_x, other_y] in &paths[..i] {
            let (along, across) = (x.iter().zip(other_x), y.iter().zip(other_y));
            let away = along.zip(across).map(|((x, other_x), (y, other_y))| {
                ((x - other_x) * (x - other_x) + (y - other_y) * (y - other_y)).sqrt()
            });
            smallest = away.fold(smallest, f64::min);
        }
    }
    smallest
}

#[test]
fn robots_cross_a_place_without_touching() {
    let table = run("obstacle_avoider", 22.0);
    let names: Vec<String> = (0..6).map(|i| format!("r{i}")).collect();
    let paths = paths(&table, &names);
    // the outline of the robots lies within 0.7 m of their reference points, the pillar has 0.4 m
    let smallest = smallest_distance(&paths);
    assert!(smallest > 1.4, "{smallest}");
    for (i, [x, y]) in paths.iter().enumerate() {
        let nearest = x.iter().zip(y).map(|(x, y)| (x * x + y * y).sqrt()).fold(9.0, f64::min);
        assert!(nearest > 1.1, "robot {i} comes as near as {nearest} m to the pillar");
        // on the other side of the circle
        let (first, last) = ([x[0], y[0]], [x[x.len() - 1], y[y.len() - 1]]);
        let off = (first[0] + last[0]).abs() + (first[1] + last[1]).abs();
        assert!(off < 0.05, "robot {i} is {off} m from its goal");
    }
    let lines: Vec<Line> =
        names.iter().zip(&paths).map(|(name, [x, y])| Line::new(name, x, y)).collect();
    let title = "Six robots cross a place with a pillar in its middle";
    picture("obstacle-avoider.svg", &plot::svg(title, ["x, m", "y, m"], &lines));
}

#[test]
fn cars_on_a_loop_keep_lane_and_gap() {
    let table = run("loop_traffic", 60.0);
    let names: Vec<String> = (0..10).map(|i| format!("car{i}")).collect();
    let time = table.numbers("time_s");
    let paths = paths(&table, &names);
    for (name, [x, y]) in names.iter().zip(&paths) {
        // the lane is 20 m from the straight line between the centres of the half circles
        let off = x.iter().zip(y).map(|(x, y)| {
            let away = x - x.clamp(-30.0, 30.0);
            ((away * away + y * y).sqrt() - 20.0).abs()
        });
        let off = off.fold(0.0, f64::max);
        assert!(off < 0.1, "{name} leaves its lane by {off} m");
    }
    assert!(smallest_distance(&paths) > 5.0, "{}", smallest_distance(&paths));

    // the wave: each car slows down less, and later
    let speed = |car: usize| table.numbers(&format!("car{car}/twist[0] [m/s]"));
    let slowest = |car: usize| {
        let speed = speed(car);
        let after = |step: &usize| time[*step] >= 30.0;
        let step = (0..time.len()).filter(after).min_by(|a, b| speed[*a].total_cmp(&speed[*b]));
        (time[step.unwrap()], speed[step.unwrap()])
    };
    let slowest: Vec<(f64, f64)> = [4, 3, 2, 1].map(slowest).into();
    assert!(slowest[0].1 < 1.5 && (slowest[0].0 - 32.0).abs() < 0.1, "{slowest:?}");
    assert!(slowest.windows(2).all(|pair| pair[0].0 < pair[1].0), "{slowest:?}");
    assert!(slowest.windows(2).all(|pair| pair[0].1 < pair[1].1), "{slowest:?}");

    let lines = [4, 3, 2, 1, 0, 9].map(|car| Line::new(&names[car], &time, &speed(car)));
    let axes = ["time, s", "speed, m/s"];
    let title = "Ten cars on a loop, of which car4 brakes after 30 s: it and the five behind";
    picture("loop-traffic.svg", &plot::svg(title, axes, &lines));
}
