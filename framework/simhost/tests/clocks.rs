//! Clocks of a session: J1.1 to J1.4 and J1.11 of the driving-lab manual.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use simhost::{ClockMode, Ended, Input, Options, Session, Stamp, WhenPaused, seconds};

/// Opens a world with one robot that turns, with a time step and a clock.
fn open(step: &str, clock: ClockMode) -> Session {
    let world = format!(
        "<mvsim_world><simul_timestep>{step}</simul_timestep>\
         <vehicle name=\"robot\"><init_pose>0 0 0</init_pose>\
         <dynamics class=\"differential\"><controller class=\"twist_pid\"><V>1</V></controller>\
         </dynamics></vehicle></mvsim_world>"
    );
    let options = Options { clock, ..Options::default() };
    Session::from_text(&world, "test.world.xml", options).unwrap()
}

fn hash(session: &mut Session) -> u128 {
    session.snapshot().unwrap().state_hash()
}

/// Returns the wall time of a run until a simulated time.
fn wall(session: &mut Session, until: f64) -> Duration {
    let start = Instant::now();
    assert_eq!(session.run_until(seconds(until)).unwrap(), Ended::Reached);
    start.elapsed()
}

const REALTIME: ClockMode = ClockMode::Realtime { factor: 1.0 };

#[test]
fn j1_1_the_frequency_can_be_set() {
    for (step, frequency) in [("0.05", 20), ("$f{1/30}", 30), ("0.01", 100), ("0.001", 1000)] {
        let mut session = open(step, ClockMode::Fixed);
        session.run_until(seconds(1.0)).unwrap();
        assert_eq!(session.steps(), frequency, "{step}");
        assert_eq!(session.time(), seconds(1.0), "{step}");
    }
}

#[test]
fn j1_1_negative_steps_and_frequencies_of_zero_are_errors() {
    for step in ["-0.01", "$f{1/0}", "nan"] {
        let world = format!("<mvsim_world><simul_timestep>{step}</simul_timestep></mvsim_world>");
        let opened = Session::from_text(&world, "test.world.xml", Options::default());
        let error = opened.err().unwrap().to_string();
        assert!(error.contains("test.world.xml:1:"), "{step}: {error}");
    }
}

/// Returns the simulated time in whole nanoseconds.
fn stamp(session: &Session) -> u64 {
    let clock = session.simulation().clock();
    Stamp::of_step(clock.steps, clock.dt).0
}

#[test]
fn j1_2_steps_of_the_fixed_clock_have_equal_lengths() {
    let mut session = open("$f{1/30}", ClockMode::Fixed);
    let mut stamps = vec![0];
    for _ in 0..30 {
        session.run_steps(1).unwrap();
        stamps.push(stamp(&session));
    }
    assert_eq!(*stamps.last().unwrap(), 1_000_000_000);
    // whole nanoseconds differ by one at most
    let lengths = stamps.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(
        lengths.clone().all(|length| (33_333_333..=33_333_334).contains(&length)),
        "{stamps:?}"
    );

    let mut again = open("$f{1/30}", ClockMode::Fixed);
    again.run_until(seconds(1.0)).unwrap();
    assert_eq!(hash(&mut again), hash(&mut session));
}

#[test]
fn j1_2_a_time_between_two_steps_is_reached_at_the_last_whole_step() {
    let mut session = open("0.03", ClockMode::Fixed);
    session.run_until(seconds(1.0)).unwrap();
    assert_eq!((session.steps(), stamp(&session)), (33, 990_000_000));
}

#[test]
fn j1_3_two_seconds_in_real_time_take_two_seconds() {
    let mut session = open("0.02", REALTIME);
    let wall = wall(&mut session, 2.0);
    assert!(wall >= Duration::from_millis(1990), "{wall:?}");
    assert!(session.time().0 > 1.8);
    assert_eq!(session.control().overruns().frames, 100);
}

#[test]
fn j1_3_a_step_takes_its_wall_time_also_if_the_run_is_made_in_parts() {
    let mut session = open("0.02", REALTIME);
    let start = Instant::now();
    for _ in 0..10 {
        session.run_steps(1).unwrap();
        // the program works meanwhile
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(start.elapsed() >= Duration::from_millis(199));
    assert!(session.inputs().pace().last_frame() > Duration::ZERO);
}

#[test]
fn j1_4_frames_of_max_follow_wall_time_over_fixed_steps() {
    let mut session = open("0.001", ClockMode::Max);
    let wall = wall(&mut session, 0.3);
    assert!(wall >= Duration::from_millis(299), "{wall:?}");
    assert!(session.control().overruns().frames <= 300, "a frame is at least one step");

    let mut fixed = open("0.001", ClockMode::Fixed);
    fixed.run_until(seconds(0.3)).unwrap();
    assert_eq!(hash(&mut fixed), hash(&mut session), "steps do not depend on frames");
}

#[test]
fn all_clocks_give_the_same_result() {
    let clocks = [ClockMode::Fixed, ClockMode::Realtime { factor: 20.0 }, ClockMode::Max];
    let hashes = clocks.map(|clock| {
        let mut session = open("0.005", clock);
        session.run_until(seconds(0.2)).unwrap();
        hash(&mut session)
    });
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

#[test]
fn j1_11_a_factor_changes_the_wall_time() {
    let mut slow = open("0.01", ClockMode::Realtime { factor: 0.5 });
    let long = wall(&mut slow, 0.2);
    assert!(long >= Duration::from_millis(399), "{long:?}");
    let mut fast = open("0.01", ClockMode::Realtime { factor: 4.0 });
    let short = wall(&mut fast, 0.8);
    assert!((Duration::from_millis(199)..long * 20).contains(&short), "{short:?}");
}

#[test]
fn j1_11_the_pace_changes_during_a_run() {
    let mut session = open("0.01", ClockMode::Fixed);
    assert_eq!(session.inputs().pace().factor(), None);
    session.inputs().send(Input::Pace { factor: 2.0 }).unwrap();
    let wall = wall(&mut session, 0.2);
    assert!(wall >= Duration::from_millis(99), "{wall:?}");
    assert_eq!(session.inputs().pace().factor(), Some(2.0));
    for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(session.inputs().send(Input::Pace { factor }).is_err(), "{factor}");
    }
}

#[test]
fn j1_11_a_run_pauses_after_a_time_and_time_stands_still() {
    let mut session = open("$f{1/30}", ClockMode::Fixed);
    session.control().pause_after(seconds(0.51)).unwrap();
    assert_eq!(session.run_until(seconds(1.0)).unwrap(), Ended::Paused);
    let time = session.time().0;
    assert!((0.51..=0.5334).contains(&time), "{time}");
    assert_eq!(session.run_until(seconds(1.0)).unwrap(), Ended::Paused);
    assert_eq!(session.time().0, time);
    session.inputs().send(Input::Resume).unwrap();
    assert_eq!(session.run_until(seconds(1.0)).unwrap(), Ended::Reached);
    assert!(session.control().pause_after(seconds(0.5)).is_err(), "the time has passed");
}

#[test]
fn a_pause_is_not_caught_up() {
    let mut session = open("0.01", REALTIME);
    session.control().set_when_paused(WhenPaused::Wait);
    session.control().pause_after(seconds(0.05)).unwrap();
    let inputs = session.inputs();
    let resume = std::thread::spawn(move || {
        while !inputs.pace().is_paused() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(300));
        inputs.send(Input::Resume).unwrap();
    });
    let wall = wall(&mut session, 0.1);
    assert!(wall >= Duration::from_millis(399), "{wall:?}");
    assert!(session.control().overruns().lost < Duration::from_millis(200));
    resume.join().unwrap();
}
