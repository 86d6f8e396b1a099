//! Progress bar of a run. Shown on a terminal only.

use std::cell::Cell;
use std::time::Duration;

use simhost::PaceStatus;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::keys::HELP;

/// Progress bar of a run.
pub struct Progress {
    bar: ProgressBar,
    every: u64,
    /// Step from which the bar is updated next.
    next: Cell<u64>,
    /// Pace that is shown, and whether a pause is.
    shown: Cell<(Option<f64>, bool)>,
}

impl Progress {
    /// Creates a bar for `steps` steps, or for any number of them. It is drawn only if standard error is a terminal.
    pub fn new(steps: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template(match steps {
            Some(_) => {
                "{msg}{bar:40.cyan/blue} {percent:>3} %  {pos}/{len} steps  {elapsed} (ETA {eta})"
            }
            None => "{msg}{spinner} {pos} steps  {elapsed}",
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
            next: Cell::new(0),
            shown: Cell::new((None, false)),
        }
    }

    /// Updates the number of steps done, and the pace.
    pub fn at(&self, step: u64, pace: &PaceStatus) {
        let now = (pace.factor(), pace.is_paused());
        if now != self.shown.replace(now) {
            self.bar.set_message(describe(now));
        }
        // each step of a paused run is shown
        if now.1 {
            self.next.set(0);
        }
        if step >= self.next.get() {
            self.bar.set_position(step);
            self.next.set(step + self.every);
        }
    }
}

/// Describes the pace of a run, and whether it is paused.
fn describe((factor, is_paused): (Option<f64>, bool)) -> String {
    let pace = factor.map_or(String::new(), |factor| format!("{factor}x "));
    if is_paused { format!("{pace}paused ({HELP}) ") } else { pace }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
