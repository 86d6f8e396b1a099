//! The example of an observer in the book: built as a user would, run, and shown.

use crate::support::golden::picture;
use crate::support::{
    Outcome, Workspace,
    plot::{self, Line},
    projects,
};

const GOAL: [f64; 2] = [8.0, 0.0];

/// Runs the example with output and these arguments.
fn run(arguments: &[&str]) -> (Workspace, Outcome) {
    let plugins = projects::project("docs/examples/goal_metric", "goal_metric");
    let folder = projects::root().join("docs/examples/goal_metric");
    let world = folder.join("goal_metric.world.xml").display().to_string();
    let plugins = plugins.display().to_string();
    let workspace = Workspace::new("");
    let usual = [world.as_str(), "--plugin-dir", &plugins, "--out", "out"];
    let outcome = workspace.run(&[&usual[..], arguments].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    (workspace, outcome)
}

fn result_hash(workspace: &Workspace) -> String {
    let text = std::fs::read_to_string(workspace.path("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    manifest["end"]["result_hash"].as_str().unwrap().to_owned()
}

#[test]
fn the_robot_stands_at_its_goal_and_the_file_has_its_way() {
    let source = projects::root().join("docs/examples/goal_metric/src/lib.rs");
    assert!(std::fs::read_to_string(source).unwrap().lines().count() < 80);
    let (workspace, outcome) = run(&[]);
    let reason = "ended by observer 'goal_metric1': robot stands at its goal";
    assert!(outcome.stdout.contains(reason), "{}", outcome.stdout);

    let path = workspace.table("trajectory.csv");
    let (x, y, time) = (path.numbers("x_m"), path.numbers("y_m"), path.numbers("time_s"));
    let length: f64 = (1..x.len()).map(|k| (x[k] - x[k - 1]).hypot(y[k] - y[k - 1])).sum();
    let end = x.len() - 1;
    let metric = workspace.table("goal.csv");
    assert_eq!(metric.rows[0][0], "true");
    assert_eq!(metric.numbers("time_s"), [time[end]]);
    assert!((metric.numbers("length_m")[0] - length).abs() < 1e-9, "{length}");
    let direct = x[end].hypot(y[end]);
    assert!((metric.numbers("detour")[0] - length / direct).abs() < 1e-9, "{direct}");
    assert!((x[end] - GOAL[0]).hypot(y[end] - GOAL[1]) <= 0.3);

    let way = workspace.table("way.csv");
    let column = |index: usize| way.numbers(&format!("robot/pose[{index}] [m]"));
    let (x, y) = (column(0), column(1));
    let direct = Line::reference("direct", &[x[0], GOAL[0]], &[y[0], GOAL[1]]);
    let title = "The way of the robot to its goal, at which the run ends";
    let made = plot::svg(title, ["x, m", "y, m"], &[Line::new("way", &x, &y), direct]);
    picture("goal-metric.svg", &made);
}

#[test]
fn threads_and_a_snapshot_do_not_change_the_result() {
    let (whole, _) = run(&["--snapshot-every", "5"]);
    for threads in ["2", "4"] {
        let (workspace, _) = run(&["--threads", threads]);
        assert_eq!(result_hash(&whole), result_hash(&workspace), "{threads} threads");
        let read = |workspace: &Workspace| std::fs::read(workspace.path("out/goal.csv")).unwrap();
        assert!(read(&whole) == read(&workspace), "{threads} threads");
    }
    let snapshot = whole.path("out/step-1000.snapshot");
    let (resumed, _) = run(&["--resume", snapshot.to_str().unwrap()]);
    assert_eq!(result_hash(&whole), result_hash(&resumed));
    // the run ends at the same step; the way counts from the snapshot
    let time = |workspace: &Workspace| workspace.table("goal.csv").numbers("time_s");
    assert_eq!(time(&whole), time(&resumed));
    let length = |workspace: &Workspace| workspace.table("goal.csv").numbers("length_m")[0];
    assert!(length(&resumed) < length(&whole));
}
