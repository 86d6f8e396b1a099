//! Summary that is printed at the end of a run.

use std::time::Duration;

use simhost_engine::{Clock, Simulation};

use crate::hashes;
use crate::terminal;

/// Summary of a run.
pub struct Summary<'a> {
    /// Simulation after its last step.
    pub simulation: &'a Simulation,
    /// Clock at the start of the run, or at the snapshot from which it was resumed.
    pub from: Clock,
    /// Wall time of all steps.
    pub wall: Duration,
    /// Number of warnings printed before the run.
    pub warnings: usize,
    /// Paths of the files written.
    pub files: &'a [std::path::PathBuf],
    /// Whether Ctrl-C ended the run.
    pub interrupted: bool,
    /// State hash at the end, if hashes are requested. The result hash is then printed too.
    pub hash: Option<String>,
}

impl Summary<'_> {
    /// Prints the summary to standard output.
    pub fn print(&self) {
        let clock = self.simulation.clock();
        let (time, steps) = (clock.time(), clock.steps);
        let wall = self.wall.as_secs_f64().max(1e-9);
        let state = if self.interrupted { "interrupted after" } else { "simulated" };
        let since = match self.from.steps {
            0 => String::new(),
            _ => format!(", resumed at {} s,", self.from.time()),
        };
        terminal::result(&format!(
            "{state} {time} s{since} in {wall:.3} s of wall time: {:.1} times real time, {:.0} steps/s \
             of {} ms",
            (time - self.from.time()) / wall,
            (steps - self.from.steps) as f64 / wall,
            clock.dt * 1e3,
        ));
        if let Some(hash) = &self.hash {
            terminal::result(&format!("state hash {hash} after step {steps}"));
            let results = hashes::of_results(self.simulation);
            terminal::result(&format!("result hash {results} after step {steps}"));
        }
        let width = self.simulation.vehicle_names().iter().map(String::len).max().unwrap_or(0);
        for vehicle in self.simulation.vehicles() {
            let [x, y, _, yaw, ..] = vehicle.pose;
            let [vx, vy, omega] = vehicle.twist;
            terminal::result(&format!(
                "  {:width$}  x {x:9.3} m  y {y:9.3} m  yaw {:8.2}°  vx {vx:7.3} m/s  vy {vy:7.3} \
                 m/s  omega {omega:7.3} rad/s",
                vehicle.name,
                yaw.to_degrees(),
            ));
        }
        for fault in self.simulation.faults() {
            terminal::result(&format!("  {}", fault.outcome()));
        }
        let warnings = self.warnings + self.simulation.faults().len();
        terminal::result(&match warnings {
            0 => "no warnings".to_string(),
            1 => "1 warning".to_string(),
            many => format!("{many} warnings"),
        });
        if let Some(directory) = self.files.first().and_then(|file| file.parent()) {
            let (count, directory) = (self.files.len(), directory.display());
            terminal::result(&format!("{count} files in {directory}"));
        }
    }
}
