//! Events of a session for its log.

use simhost_engine::{Clock, ScanFallback};
use simhost_streams::Input;
use tracing::dispatcher::DefaultGuard;
use tracing::{Level, debug, enabled, error, info, trace, warn};

use super::{Ended, Session};
use crate::error::Error;

impl Session {
    /// Sends the events of this thread to the log of the session, if it has one, until the guard is
    /// dropped.
    pub(super) fn enter_log(&self) -> Option<DefaultGuard> {
        self.world.options.log.as_ref().map(crate::log::Log::enter)
    }

    pub(super) fn log_opened(&self) {
        if !enabled!(Level::INFO) {
            return;
        }
        let clock = self.world.simulation.clock();
        let libraries = self.world.catalogue.libraries();
        for library in libraries {
            if let Some(file) = &library.file {
                debug!(file = %file.display(), "plugin");
            }
        }
        let vehicles = self.world.simulation.vehicle_names().len();
        let (seed, threads) = (self.world.seed, self.world.options.threads.max(1));
        info!(vehicles, step = clock.dt, seed, threads, "world opened");
    }

    pub(super) fn log_begun(&self) {
        info!(t = self.time().0, clock = %self.pacer.mode(), "run begun");
    }

    pub(super) fn log_input(&self, input: &Input) {
        if enabled!(Level::INFO) {
            let (t, step, sequence) = (self.time().0, self.steps(), self.intake.sequence());
            match input {
                Input::Command { .. } => debug!(t, step, sequence, ?input, "input"),
                _ => info!(t, step, sequence, ?input, "input"),
            }
        }
    }

    /// Logs a planned command that acts at the start of the step after `step` completed ones.
    pub(super) fn log_command(&self, step: u64, input: &Input) {
        let clock = self.world.simulation.clock();
        let t = Clock { steps: step, ..clock }.time();
        debug!(t, step, ?input, "input");
    }

    /// Returns whether planned commands are logged.
    pub(super) fn logs_commands(&self) -> bool {
        self.world.options.log.is_some() && enabled!(Level::DEBUG)
    }

    /// Logs the faults since the last call, after which the run continues.
    pub(super) fn log_steps(&mut self) {
        if !enabled!(Level::WARN) {
            return;
        }
        trace!(t = self.time().0, steps = self.steps(), "steps completed");
        let faults = self.world.simulation.faults();
        for fault in faults.iter().skip(self.logged_faults) {
            warn!("fault of a model: {fault}");
        }
        self.logged_faults = faults.len();
    }

    /// Logs the failure of the GPU, after which the CPU casts all rays.
    pub(super) fn note_fallback(&self) {
        if let Some(ScanFallback { step, time, reason }) =
            self.world.options.gpu.note(&self.world.simulation)
        {
            warn!(t = time, step, "scans continue on the CPU: {reason}");
        }
    }

    pub(super) fn log_ended(&self, ended: &Result<Ended, Error>) {
        let (t, steps) = (self.time().0, self.steps());
        match ended {
            Ok(Ended::Reached | Ended::Condition) => debug!(t, steps, "run ended"),
            Ok(ended) => info!(t, steps, reason = ?ended, "run ended"),
            Err(error) => error!(t, steps, "{error}"),
        }
    }

    pub(super) fn log_finished(&self, files: usize) {
        let (t, steps, overruns) = (self.time().0, self.steps(), self.pacer.overruns());
        if overruns.count > 0 {
            warn!(t, "{overruns}");
        }
        info!(t, steps, files, "session finished");
    }
}
