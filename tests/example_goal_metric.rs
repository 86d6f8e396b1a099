//! The example of an observer in the book: built as a user would, run, and shown.

use crate::support::golden::picture;
use crate::support::runs::Run;
use crate::support::world::World;
use crate::support::{
    Table,
    plot::{self, Line},
};

const GOAL: [f64; 2] = [8.0, 0.0];

#[test]
fn the_robot_stands_at_its_goal_and_the_file_has_its_way() {
    let run = World::example("goal_metric").run(60.0);
    let reason = "observer 'goal_metric1': robot stands at its goal";
    assert_eq!(run.stop.as_deref(), Some(reason));

    let path = run.table("trajectory.csv");
    let (x, y, time) = (path.numbers("x_m"), path.numbers("y_m"), path.numbers("time_s"));
    let length: f64 = (1..x.len()).map(|k| (x[k] - x[k - 1]).hypot(y[k] - y[k - 1])).sum();
    let end = x.len() - 1;
    let metric = Table::read(&run.path("goal.csv"));
    assert_eq!(metric.rows[0][0], "true");
    assert_eq!(metric.numbers("time_s"), [time[end]]);
    assert!((metric.numbers("length_m")[0] - length).abs() < 1e-9, "{length}");
    let direct = x[end].hypot(y[end]);
    assert!((metric.numbers("detour")[0] - length / direct).abs() < 1e-9, "{direct}");
    assert!((x[end] - GOAL[0]).hypot(y[end] - GOAL[1]) <= 0.3);

    let way = run.table("way.csv");
    let column = |index: usize| way.numbers(&format!("robot/pose[{index}] [m]"));
    let (x, y) = (column(0), column(1));
    let direct = Line::reference("direct", &[x[0], GOAL[0]], &[y[0], GOAL[1]]);
    let title = "The way of the robot to its goal, at which the run ends";
    let made = plot::svg(title, ["x, m", "y, m"], &[Line::new("way", &x, &y), direct]);
    picture("goal-metric.svg", &made);
}

#[test]
fn threads_and_a_snapshot_do_not_change_the_result() {
    let world = World::example("goal_metric");
    let (whole, snapshot) = (world.run(60.0), world.snapshot(5.0));
    let goal = |run: &Run| Table::read(&run.path("goal.csv"));
    for threads in [2, 4] {
        let run = world.clone().threads(threads).run(60.0);
        assert_eq!(whole.hashes, run.hashes, "{threads} threads");
        assert!(goal(&whole) == goal(&run), "{threads} threads");
    }
    let resumed = world.resume(&snapshot, 60.0);
    assert_eq!(whole.hashes, resumed.hashes);
    // the run ends at the same step; the way counts from the snapshot
    let [whole, resumed] = [whole, resumed].map(|run| goal(&run));
    assert_eq!(whole.numbers("time_s"), resumed.numbers("time_s"));
    assert!(resumed.last("length_m") < whole.last("length_m"));
}
