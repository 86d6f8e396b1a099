//! The examples of the book: built as a user would, run, and shown.

use crate::support::golden::picture;
use crate::support::{
    Table, Workspace,
    plot::{self, Line},
    projects,
};

/// Greatest number of lines of the source of an example.
const LINES: usize = 80;

/// Runs the world of an example with its plugin and commands, and returns `quantities.csv`.
fn run(name: &str) -> Table {
    let plugins = projects::project(&format!("docs/examples/{name}"), name);
    let folder = projects::root().join("docs/examples").join(name);
    let source = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    assert!(source.lines().count() < LINES, "{name} is longer than {LINES} lines");
    let file = |ending: &str| folder.join(format!("{name}.{ending}")).display().to_string();
    let workspace = Workspace::new("");
    let (world, commands, plugins) =
        (file("world.xml"), file("commands.csv"), plugins.display().to_string());
    let outcome = workspace.run(&[
        world.as_str(),
        "--commands",
        &commands,
        "--plugin-dir",
        &plugins,
        "--out",
        "out",
    ]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    workspace.table("quantities.csv")
}

#[test]
fn a_heating_tyre_grips_better_and_cools_down_exponentially() {
    let table = run("heating_tyre");
    let time = table.numbers("time_s");
    let wheel = |name: &str, unit: &str| table.numbers(&format!("car/wheel/{name} [{unit}]"));
    let front = wheel("fl/temperature", "K");
    assert_eq!(front[0], 293.15, "the state starts at the temperature of the air");
    let at = |seconds: f64| time.iter().position(|time| *time >= seconds).unwrap();
    assert!(front[at(60.0)] > 320.0 && front[at(120.0)] < 320.0, "{}", front[at(60.0)]);

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
