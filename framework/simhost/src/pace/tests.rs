use std::time::{Duration, Instant};

use simhost_engine::Clock;

use super::{ClockMode, Due, Pacer};

const REALTIME: ClockMode = ClockMode::Realtime { factor: 1.0 };

fn at(steps: u64) -> Clock {
    Clock { steps, dt: 0.01 }
}

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[test]
fn the_fixed_clock_never_waits_and_reads_no_wall_time() {
    let mut pacer = Pacer::new(ClockMode::Fixed);
    assert_eq!(pacer.due(at(0)), Due::Steps(u64::MAX));
    assert_eq!((pacer.start, pacer.anchor), (None, None));
}

#[test]
fn steps_in_real_time_begin_when_their_time_has_come() {
    let mut pacer = Pacer::new(ClockMode::Realtime { factor: 2.0 });
    let start = Instant::now();
    assert_eq!(pacer.due_at(at(0), start), Due::Wait(ms(5)));
    assert_eq!(pacer.due_at(at(0), start + ms(4)), Due::Wait(ms(1)));
    assert_eq!(pacer.due_at(at(0), start + ms(5)), Due::Steps(1));
    assert_eq!(pacer.due_at(at(1), start + ms(6)), Due::Wait(ms(4)));
    assert_eq!(pacer.overruns().count, 0);
}

#[test]
fn short_delays_are_caught_up_and_long_ones_are_lost() {
    let mut pacer = Pacer::new(REALTIME);
    let start = Instant::now();
    pacer.due_at(at(0), start);
    // the first step should have begun after 10 ms
    assert_eq!(pacer.due_at(at(0), start + ms(60)), Due::Steps(1));
    assert_eq!(pacer.due_at(at(1), start + ms(60)), Due::Steps(1));
    assert_eq!(pacer.overruns().lost, Duration::ZERO);
    assert_eq!(pacer.due_at(at(2), start + ms(1030)), Due::Steps(1));
    let overruns = pacer.overruns();
    assert_eq!((overruns.count, overruns.frames), (3, 3));
    assert_eq!(overruns.longest, ms(1000));
    assert_eq!(overruns.lost, ms(900));
    let steps = (3..100).take_while(|n| pacer.due_at(at(*n), start + ms(1030)) == Due::Steps(1));
    assert_eq!(steps.count(), 10, "100 ms are caught up");
}

#[test]
fn frames_of_max_take_all_steps_that_are_due() {
    let mut pacer = Pacer::new(ClockMode::Max);
    let start = Instant::now();
    assert_eq!(pacer.due_at(at(0), start), Due::Wait(ms(10)));
    assert_eq!(pacer.due_at(at(0), start + ms(35)), Due::Steps(3));
    assert_eq!(pacer.due(at(2)), Due::Steps(1), "the rest of the frame");
    assert_eq!(pacer.due_at(at(3), start + ms(35)), Due::Wait(ms(5)));
    assert_eq!(pacer.due_at(at(3), start + ms(2000)), Due::Steps(11));
    assert_eq!((pacer.overruns().count, pacer.overruns().lost), (1, ms(1860)));
}

#[test]
fn a_restored_state_is_paced_from_its_own_time() {
    let mut pacer = Pacer::new(REALTIME);
    for steps in [500, 20, 900] {
        assert!(matches!(pacer.due(at(steps)), Due::Wait(_)));
        assert_eq!(pacer.anchor.unwrap().1, steps);
    }
}

#[test]
fn a_long_time_between_two_runs_is_not_a_delay() {
    let mut pacer = Pacer::new(REALTIME);
    let past = Instant::now().checked_sub(ms(5000)).unwrap();
    pacer.anchor = Some((past, 0));
    pacer.begin(at(0));
    assert!(matches!(pacer.due(at(0)), Due::Wait(_)));
    pacer.anchor = Some((past, 0));
    pacer.seen = 495;
    pacer.begin(at(495));
    assert_eq!(pacer.due(at(495)), Due::Steps(1), "50 ms are caught up");
}

#[test]
fn the_fixed_clock_becomes_real_time_with_a_factor() {
    let mut pacer = Pacer::new(ClockMode::Fixed);
    assert_eq!(pacer.status().factor(), None);
    pacer.set_factor(4.0);
    assert_eq!(pacer.mode(), ClockMode::Realtime { factor: 4.0 });
    assert_eq!(pacer.status().factor(), Some(4.0));
}
