//! Progress bar of a run. Shown on a terminal only.

use std::cell::Cell;
use std::time::{Duration, Instant};

use simhost::{PaceStatus, StepsMade};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use simhost_engine::Clock;

use crate::keys::HELP;
use crate::terminal;

/// Progress bar of a run.
pub struct Progress {
    bar: ProgressBar,
    every: u64,
    /// Duration of a step, s.
    dt: f64,
    /// Wall time at the start.
    start: Instant,
    /// Step from which the bar is updated next.
    next: Cell<u64>,
    /// Pace that is shown, and whether a pause is.
    shown: Cell<(Option<f64>, bool)>,
}

impl Progress {
    /// Creates a bar for a run from a clock on, up to step number `steps` or for any number of steps. It is drawn
    /// only if standard error is a terminal, and not with `--quiet`.
    pub fn new(from: Clock, steps: Option<u64>) -> Self {
        let target = match terminal::is_quiet() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(10),
        };
        let bar = ProgressBar::with_draw_target(steps, target);
        let style = ProgressStyle::with_template(match steps {
            Some(_) => "{prefix}{bar:40.cyan/blue} {percent:>3} %  {msg}  {elapsed} (ETA {eta})",
            None => "{prefix}{spinner} {msg}  {elapsed}",
        });
        if let Ok(style) = style {
            bar.set_style(style);
        }
        // the ticks come from a thread
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        // updating the bar at every step would slow small worlds down
        Self {
            bar,
            every: steps.map_or(100, |steps| (steps / 1000).max(1)),
            dt: from.dt,
            start: Instant::now(),
            next: Cell::new(0),
            shown: Cell::new((None, false)),
        }
    }

    /// Updates the number of completed steps, the work done, and the pace.
    pub fn at(&self, step: u64, work: StepsMade, pace: &PaceStatus) {
        let now = (pace.factor(), pace.is_paused());
        if now != self.shown.replace(now) {
            self.bar.set_prefix(describe(now.0, now.1));
        }
        // each step of a paused run is shown, and those after time has gone back
        if now.1 || step < self.bar.position() {
            self.next.set(0);
        }
        if step >= self.next.get() {
            self.bar.set_position(step);
            if !self.bar.is_hidden() {
                self.bar.set_message(self.times(step, work));
            }
            self.next.set(step + self.every);
        }
    }
}

impl Progress {
    /// Updates the number of steps that each of a number of members has completed.
    pub fn at_member_steps(&self, step: u64, members: u64) {
        self.bar.set_position(step.min(self.bar.length().unwrap_or(u64::MAX)));
        if !self.bar.is_hidden() {
            let wall = self.start.elapsed().as_secs_f64().max(1e-3);
            let (time, speed) = (step as f64 * self.dt, (step * members) as f64 / wall);
            self.bar.set_message(format!("{time:.1} s simulated, {speed:.0} steps/s"));
        }
    }

    /// Returns the simulated time, and how many times faster than real time it passes.
    fn times(&self, step: u64, work: StepsMade) -> String {
        let wall = self.start.elapsed().saturating_sub(work.paused).as_secs_f64().max(1e-3);
        let pace = work.steps as f64 * self.dt / wall;
        format!("{:.1} s simulated, {pace:.1} times real time", step as f64 * self.dt)
    }
}

/// Describes the pace of a run, and whether it is paused.
fn describe(factor: Option<f64>, is_paused: bool) -> String {
    let pace = factor.map_or(String::new(), |factor| format!("{factor}x "));
    if is_paused { format!("{pace}paused ({HELP}) ") } else { pace }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
