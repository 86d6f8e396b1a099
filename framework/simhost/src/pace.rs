//! Clocks of a run: simulated time in relation to wall time.
//!
//! The length of a step never depends on wall time, so all clocks give the same results. A clock only
//! decides when the next step begins.

mod mode;
mod status;

use std::time::{Duration, Instant};

use simhost_engine::Clock;

pub use mode::{ClockError, ClockMode, check_factor};
pub use status::{Overruns, PaceStatus};

/// Wall time that is caught up after a delay. The rest of a longer delay is lost: simulated time then
/// stays behind.
const CATCH_UP: Duration = Duration::from_millis(100);
/// Delay up to which a step counts as on time. Operating systems wake threads about 0.1 ms late.
const TOLERANCE: Duration = Duration::from_millis(1);
/// Longest wait between two looks at inputs and signals.
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// Steps that a run may make now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Up to this number of steps.
    Steps(u64),
    /// None within this time, unless an input arrives.
    Wait(Duration),
}

/// Decides when the steps of a run begin.
#[derive(Debug)]
pub struct Pacer {
    mode: ClockMode,
    /// Simulated time per wall time of the clocks that have one.
    factor: f64,
    /// Wall time at which the step with this number was complete, from which due times count.
    anchor: Option<(Instant, u64)>,
    /// Number of completed steps at the start of the frame.
    seen: u64,
    /// Number of steps of the frame.
    granted: u64,
    /// Start of the frame, if it is timed.
    start: Option<Instant>,
    overruns: Overruns,
    status: PaceStatus,
}

impl Pacer {
    /// Creates a pacer.
    pub fn new(mode: ClockMode) -> Self {
        let mut pacer = Self {
            mode,
            factor: 1.0,
            anchor: None,
            seen: 0,
            granted: 0,
            start: None,
            overruns: Overruns::default(),
            status: PaceStatus::default(),
        };
        pacer.set_mode(mode);
        pacer
    }

    /// Returns the clock.
    pub fn mode(&self) -> ClockMode {
        self.mode
    }

    /// Changes the clock. Wall time counts from now on.
    pub fn set_mode(&mut self, mode: ClockMode) {
        self.mode = mode;
        self.restart();
        self.factor = match mode {
            ClockMode::Realtime { factor } => factor,
            ClockMode::Fixed | ClockMode::Max => 1.0,
        };
        self.status.set_factor((mode != ClockMode::Fixed).then_some(self.factor));
    }

    /// Changes the simulated time per wall time. A run that is as fast as possible then runs in real
    /// time with this factor.
    pub fn set_factor(&mut self, factor: f64) {
        match self.mode {
            ClockMode::Max => {
                self.restart();
                self.factor = factor;
                self.status.set_factor(Some(factor));
            }
            _ => self.set_mode(ClockMode::Realtime { factor }),
        }
    }

    /// Counts wall time from now on: a pause ends, or the simulated time has jumped.
    pub fn restart(&mut self) {
        self.anchor = None;
        self.granted = 0;
    }

    /// Declares that a run begins or continues. Time that has passed since the run before is not caught
    /// up if it is long, and does not count as a delay.
    pub fn begin(&mut self, clock: Clock) {
        let Some((origin, first)) = self.anchor else { return };
        let steps = clock.steps.saturating_sub(first);
        if origin.elapsed() > self.wall(steps, clock) + CATCH_UP {
            self.restart();
        }
    }

    /// Returns the steps that may be made now.
    pub fn due(&mut self, clock: Clock) -> Due {
        if self.mode == ClockMode::Fixed {
            self.start = None;
            return Due::Steps(u64::MAX);
        }
        match clock.steps.checked_sub(self.seen).and_then(|made| self.granted.checked_sub(made)) {
            // a reset or a restored snapshot has changed the time
            None => self.restart(),
            Some(0) => {}
            Some(left) => return Due::Steps(left),
        }
        let now = Instant::now();
        let due = self.due_at(clock, now);
        self.start = matches!(due, Due::Steps(_)).then_some(now);
        due
    }

    fn due_at(&mut self, clock: Clock, now: Instant) -> Due {
        (self.seen, self.granted) = (clock.steps, 0);
        let (origin, first) = *self.anchor.get_or_insert((now, clock.steps));
        let next = self.wall(clock.steps + 1 - first, clock);
        let passed = now.saturating_duration_since(origin);
        if passed < next {
            return Due::Wait((next - passed).min(LONGEST_WAIT));
        }
        let late = passed - next;
        // a step that is longer than the limit is caught up as well
        let most = CATCH_UP.max(self.wall(1, clock));
        let lost = late.saturating_sub(most);
        self.anchor = Some((origin + lost, first));
        let is_realtime = matches!(self.mode, ClockMode::Realtime { .. });
        // frames of `max` may take several steps, and are late if time is lost
        self.count(late, lost, if is_realtime { TOLERANCE } else { most });
        self.granted = match is_realtime {
            true => 1,
            false => {
                let steps = (passed - lost).as_secs_f64() * self.factor / clock.dt;
                (steps as u64).saturating_sub(clock.steps - first).max(1)
            }
        };
        Due::Steps(self.granted)
    }

    /// Returns the wall time of a number of steps.
    fn wall(&self, steps: u64, clock: Clock) -> Duration {
        let time = steps as f64 * clock.dt / self.factor;
        Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX)
    }

    /// Counts a frame that begins late.
    fn count(&mut self, late: Duration, lost: Duration, tolerated: Duration) {
        self.overruns.frames += 1;
        self.overruns.lost += lost;
        if late > tolerated {
            self.overruns.count += 1;
            self.overruns.longest = self.overruns.longest.max(late);
            self.status.set_overruns(&self.overruns);
        }
    }

    /// Times the frame that begins. The frames of a clock that follows wall time are timed anyway.
    pub fn time_frame(&mut self) {
        self.start.get_or_insert_with(Instant::now);
    }

    /// Ends a frame after its steps and their samples.
    pub fn end_frame(&mut self, clock: Clock) {
        let is_complete =
            self.mode == ClockMode::Fixed || clock.steps >= self.seen.saturating_add(self.granted);
        if is_complete && let Some(start) = self.start.take() {
            self.status.set_last_frame(start.elapsed());
        }
    }

    /// Returns the delays so far.
    pub fn overruns(&self) -> Overruns {
        self.overruns
    }

    /// Returns the pace for any thread.
    pub fn status(&self) -> &PaceStatus {
        &self.status
    }
}

#[cfg(test)]
mod tests {
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
        let steps =
            (3..100).take_while(|n| pacer.due_at(at(*n), start + ms(1030)) == Due::Steps(1));
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
}
