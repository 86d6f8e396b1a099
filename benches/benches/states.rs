//! Time to copy the state of a session: a snapshot, the return to it, and a fork.
#![allow(missing_docs)]

use simhost::{Options, Session};
use simhost_benches::{crowd_world, fastest, is_test_run, report};

fn open(vehicles: usize) -> Session {
    let text = crowd_world("differential", vehicles);
    let opened = Session::from_text(&text, "crowd.world.xml", Options::default());
    let mut session = opened.expect("the world is correct");
    session.run_steps(100).expect("nothing fails");
    session
}

/// Returns how long something takes, µs.
fn time(vehicles: usize, act: impl FnMut()) -> f64 {
    let repeats = if is_test_run() { 1 } else { 2_000 / vehicles + 5 };
    fastest(repeats, act) * 1e6
}

fn main() {
    for vehicles in [1, 1_000] {
        let mut session = open(vehicles);
        let kept = session.snapshot().expect("models without memory");
        let snapshot = time(vehicles, || drop(session.snapshot().expect("as before")));
        let restore = time(vehicles, || session.restore(&kept).expect("it fits"));
        let fork = time(vehicles, || drop(session.fork().expect("as before")));
        let simulation = session.simulation();
        let state = time(vehicles, || drop(simulation.duplicate().expect("as before")));
        let opened = time(vehicles, || drop(open(vehicles)));
        let mut other = session.fork().expect("as before");
        other.restore(&kept).expect("it fits");
        let hash = |session: &Session| session.simulation().state_hash().expect("as before");
        assert_eq!(hash(&other), kept.state_hash(), "the same state");
        report(&format!(
            "{vehicles} differential vehicles: snapshot {snapshot:.1} µs, restore {restore:.1} µs, fork {fork:.1} µs \
             (its simulation {state:.1} µs), opened with 100 steps {opened:.0} µs"
        ));
    }
}
