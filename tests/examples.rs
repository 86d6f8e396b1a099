//! The examples of the book: built as a user would, run, and shown.

use crate::support::golden::picture;
use crate::support::plot::{self, Line};
use crate::support::world::World;

#[test]
fn a_heating_tyre_grips_better_and_cools_down_exponentially() {
    let run = World::example("heating_tyre").run(120.0);
    let table = run.table("quantities.csv");
    let time = table.numbers("time_s");
    let wheel = |name: &str, unit: &str| table.numbers(&format!("car/wheel/{name} [{unit}]"));
    let front = wheel("fl/temperature", "K");
    assert_eq!(front[0], 293.15, "the state starts at the temperature of the air");
    let at = |seconds: f64| time.iter().position(|time| *time >= seconds).unwrap();
    assert!(
        front[at(60.0)] > 320.0 && front[at(120.0)] < front[at(60.0)] - 20.0,
        "{}",
        front[at(60.0)]
    );

    // the grip belongs to the temperature that the step has left
    let grip = wheel("fl/grip", "1");
    for step in 1..time.len() {
        let distance = (front[step] - 360.0) / 80.0;
        assert!((grip[step] - 1.0 / (1.0 + distance * distance)).abs() < 1e-12, "{step}");
    }

    // Newton's law of cooling at rest: C dT/dt = -h (T - Ta), C = 4000 J/K, h = 40 W/K
    let (from, to) = (at(80.0), at(120.0));
    let expected = (front[from] - 293.15) * (-40.0_f64 / 4000.0 * (time[to] - time[from])).exp();
    let error = (front[to] - 293.15) / expected - 1.0;
    assert!(error.abs() < 1e-3, "{error}");

    let lines = ["fl", "fr", "rl", "rr"]
        .map(|name| Line::new(name, &time, &wheel(&format!("{name}/temperature"), "K")));
    let title = "A circle that cold tyres cannot hold, and a stop after 60 s";
    let axes = ["time, s", "temperature of the tread, K"];
    picture("heating-tyre.svg", &plot::svg(title, axes, &lines));
}
