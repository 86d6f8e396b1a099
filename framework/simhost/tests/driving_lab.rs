//! Behaviour of the session loop that the manual of the "Autonomous Driving Lab" simulator
//! describes. Tests have the numbers of its checklist.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use simhost::{
    Ended, Error, Input, InputLog, Odometry, Options, Session, SinkError, Twist, seconds,
};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");

fn open() -> Session {
    Session::open(DEMO, Options::default()).unwrap()
}

fn forward(speed: f64) -> Twist {
    Twist { vx: speed, vy: 0.0, omega: 0.0 }
}

/// Keeps inputs in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(u64, u64, Input)>>>);

impl InputLog for Log {
    fn append(&mut self, step: u64, sequence: u64, input: &Input) -> Result<(), SinkError> {
        self.0.lock().unwrap().push((step, sequence, input.clone()));
        Ok(())
    }
}

/// `stopAfter(0)`: no time passes; a negative time or one that has passed is an error.
#[test]
fn j1_6_a_session_stops_after_a_time() {
    let mut sim = open();
    sim.control().stop_after(seconds(0.0)).unwrap();
    assert_eq!(sim.run_steps(100).unwrap(), Ended::Reached);
    assert_eq!(sim.steps(), 0);
    sim.control().stop_after(seconds(0.5)).unwrap();
    sim.run_until(seconds(2.0)).unwrap();
    assert_eq!(sim.time(), seconds(0.5));
    for time in [-1.0, 0.4, f64::NAN, f64::INFINITY] {
        let error = sim.control().stop_after(seconds(time)).unwrap_err();
        assert!(matches!(error, Error::Past { .. }), "{error}");
    }
}

/// Two equal halves take exactly twice the time of one; 0 changes nothing; less is an error.
#[test]
fn j1_7_a_run_can_be_extended() {
    let mut sim = open();
    sim.control().stop_after(seconds(0.35)).unwrap();
    sim.run_until(seconds(9.0)).unwrap();
    let half = sim.steps();
    sim.control().extend(seconds(0.0)).unwrap();
    sim.run_until(seconds(9.0)).unwrap();
    assert_eq!(sim.steps(), half);
    sim.control().extend(seconds(0.35)).unwrap();
    sim.run_until(seconds(9.0)).unwrap();
    assert_eq!(sim.steps(), 2 * half);
    assert!(matches!(sim.control().extend(seconds(-0.1)).unwrap_err(), Error::Extension { .. }));
}

/// A reset gives a fresh simulation: the same run takes the same time and number of steps.
#[test]
fn j1_10_a_reset_gives_a_fresh_simulation() {
    let mut sim = open();
    let run = |sim: &mut Session| {
        sim.vehicle("robot").unwrap().command(forward(1.0)).unwrap();
        sim.run_until(seconds(1.0)).unwrap();
        (sim.steps(), sim.simulation().state_hash().unwrap())
    };
    let first = run(&mut sim);
    let seed = sim.world().seed();
    sim.edit().reset(seed).unwrap();
    assert_eq!(sim.steps(), 0);
    assert_eq!(run(&mut sim), first);
}

#[test]
fn a_paused_session_makes_only_the_steps_that_are_asked_for() {
    let mut sim = open();
    let inputs = sim.inputs();
    inputs.send(Input::Pause).unwrap();
    assert_eq!(sim.run_until(seconds(1.0)).unwrap(), Ended::Paused);
    assert_eq!(sim.steps(), 0);
    inputs.send(Input::Step { steps: 3 }).unwrap();
    assert_eq!(sim.run_until(seconds(1.0)).unwrap(), Ended::Paused);
    assert_eq!(sim.steps(), 3);
    inputs.send(Input::Resume).unwrap();
    inputs.send(Input::Stop).unwrap();
    assert_eq!(sim.run_until(seconds(1.0)).unwrap(), Ended::Stopped);
    assert_eq!(sim.run_until(seconds(1.0)).unwrap(), Ended::Reached);
    assert_eq!(sim.time(), seconds(1.0));
}

/// Inputs of a log, planned in another session, give the same state.
#[test]
fn logged_inputs_repeat_a_run() {
    let log = Log::default();
    let mut sim = open();
    sim.intake_mut().set_log(Box::new(log.clone()));
    let robot = sim.vehicle("robot").unwrap();
    for number in 0..5 {
        robot.command(forward(0.3 * f64::from(number))).unwrap();
        robot.command(Twist { vx: 0.5, vy: 0.0, omega: 0.1 * f64::from(number) }).unwrap();
        sim.run_steps(37).unwrap();
        if number == 2 {
            sim.edit().reset(9).unwrap();
        }
    }
    let logged = std::mem::take(&mut *log.0.lock().unwrap());
    let sequence: Vec<u64> = logged.iter().map(|(_, sequence, _)| *sequence).collect();
    assert_eq!(sequence, (0..11).collect::<Vec<_>>());
    assert_eq!(logged.last().unwrap().0, 37);

    let mut again = open();
    for (step, _, input) in logged {
        again.intake_mut().plan(step, input).unwrap();
    }
    again.run_while(|sim| sim.intake().next_planned().is_some() || sim.steps() < 74).unwrap();
    assert_eq!(again.steps(), sim.steps());
    let hash = |sim: &Session| sim.simulation().state_hash().unwrap();
    assert_eq!(hash(&again), hash(&sim));
    let odometry: Odometry = again.latest("robot/odometry").unwrap();
    assert!(odometry.twist[0] > 0.3, "{odometry:?}");
}
