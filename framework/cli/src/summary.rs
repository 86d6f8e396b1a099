//! Summary that is printed at the end of a run.

use std::fmt::Write;
use std::time::Duration;

use simhost::{StepsMade, tables};
use simhost_engine::{Clock, FaultReport, Simulation, Stop};

use crate::process::Failure;
use crate::terminal;

/// Largest number of vehicles, and of faults, that are listed.
const MAX_LISTED: usize = 20;

/// Summary of a run.
pub struct Summary<'a> {
    /// Simulation after its last step.
    pub simulation: &'a Simulation,
    /// Clock at the start of the run, or at the snapshot from which it was resumed.
    pub from: Clock,
    /// Steps that the run has made, and the wall time of its pauses.
    pub work: StepsMade,
    /// Wall time of the run, with pauses.
    pub wall: Duration,
    /// Paths of the files written.
    pub files: &'a [std::path::PathBuf],
    /// Whether Ctrl-C ended the run.
    pub interrupted: bool,
    /// Request of an observer that ended the run.
    pub stop: Option<Stop>,
    /// Faults of observers, after which the run continued without them.
    pub lost: &'a [FaultReport],
    /// State hash at the end, if hashes are requested. The result hash is then printed too.
    pub hash: Option<String>,
}

impl Summary<'_> {
    /// Prints the summary to standard output.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn print(&self) -> Result<(), Failure> {
        if terminal::is_quiet() {
            return self.hashes().iter().try_for_each(|line| terminal::result(line));
        }
        let mut lines = vec![duration(
            self.interrupted,
            [self.from, self.simulation.clock()],
            self.work,
            self.wall,
        )];
        lines.extend(self.stop.as_ref().map(|stop| format!("ended by {stop}")));
        lines.extend(self.hashes());
        self.list_vehicles(&mut lines);
        let faults: Vec<&FaultReport> = self.simulation.faults().iter().chain(self.lost).collect();
        lines.extend(faults.iter().take(MAX_LISTED).map(|fault| format!("  {}", fault.outcome())));
        if faults.len() > MAX_LISTED {
            lines.push(format!("  and {} more faults", faults.len() - MAX_LISTED));
        }
        lines.push(warnings());
        if let Some(directory) = self.files.first().and_then(|file| file.parent()) {
            let (count, directory) = (self.files.len(), directory.display());
            lines.push(format!("{count} files in {directory}"));
            lines.push(format!(
                "next: open {directory}/trajectory.svg, or write a page with `simhost report {directory}`"
            ));
        }
        terminal::result(&lines.join("\n"))
    }

    /// Returns the lines with hashes, if they are requested.
    fn hashes(&self) -> Vec<String> {
        let Some(hash) = &self.hash else { return Vec::new() };
        let steps = self.simulation.clock().steps;
        let results = tables::result_hash(self.simulation);
        let state = format!("state hash {hash} after step {steps}");
        vec![state, format!("result hash {results} after step {steps}")]
    }

    /// Adds a line for each of the first vehicles.
    fn list_vehicles(&self, lines: &mut Vec<String>) {
        let names = self.simulation.vehicle_names();
        let listed = if names.len() > MAX_LISTED + 1 { MAX_LISTED } else { names.len() };
        let width = names.iter().take(listed).map(String::len).max().unwrap_or(0);
        for vehicle in self.simulation.vehicles().take(listed) {
            let [x, y, _, yaw, ..] = vehicle.pose;
            let [vx, vy, omega] = vehicle.twist;
            let mut line = format!("  {:width$}  x {x:9.3} m  y {y:9.3} m", vehicle.name);
            let _ = write!(
                line,
                "  yaw {:8.2}°  vx {vx:7.3} m/s  vy {vy:7.3} m/s  omega {omega:7.3} rad/s",
                yaw.to_degrees()
            );
            lines.push(line);
        }
        if listed < names.len() {
            let more = names.len() - listed;
            lines.push(format!(
                "  and {more} more vehicles; --out DIR writes all to trajectory.csv"
            ));
        }
    }
}

/// Returns the line with the number of warnings.
fn warnings() -> String {
    match terminal::warnings() {
        0 => "no warnings".to_owned(),
        1 => "1 warning".to_owned(),
        many => format!("{many} warnings"),
    }
}

/// Returns the line with the simulated time and the speed of a run from one clock to another.
fn duration(
    is_interrupted: bool,
    [from, to]: [Clock; 2],
    work: StepsMade,
    wall: Duration,
) -> String {
    let StepsMade { steps, paused } = work;
    let wall = wall.saturating_sub(paused).as_secs_f64().max(1e-9);
    let simulated = Clock { steps, ..to }.time();
    let state = if is_interrupted { "interrupted after" } else { "simulated" };
    // a reset or the return to a snapshot leads to a time that was simulated before
    let until = match from.steps + steps == to.steps {
        true => format!("{} s", to.time()),
        false => format!("{simulated} s, up to {} s after time has gone back,", to.time()),
    };
    let since = match from.steps {
        0 => String::new(),
        _ => format!(", resumed at {} s,", from.time()),
    };
    let pauses = match paused.as_secs_f64() {
        short if short < 0.05 => String::new(),
        long => format!(" without {long:.1} s of pauses"),
    };
    format!(
        "{state} {until}{since} in {wall:.3} s of wall time{pauses}: {:.1} times real time, {:.0} steps/s of \
         {} ms",
        simulated / wall,
        steps as f64 / wall,
        to.dt * 1e3,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_and_resets_do_not_change_the_speed() {
        let clock = |steps: u64| Clock { steps, dt: 0.01 };
        let of = |steps: u64, end: u64, paused: f64| {
            let work = StepsMade { steps, paused: Duration::from_secs_f64(paused) };
            duration(false, [clock(0), clock(end)], work, Duration::from_secs_f64(2.0 + paused))
        };
        let plain =
            "simulated 1 s in 2.000 s of wall time: 0.5 times real time, 50 steps/s of 10 ms";
        assert_eq!(of(100, 100, 0.0), plain);
        assert_eq!(of(100, 100, 3.0), plain.replace("time:", "time without 3.0 s of pauses:"));
        let after =
            "simulated 4 s, up to 1 s after time has gone back, in 2.000 s of wall time: 2.0 times";
        assert!(of(400, 100, 0.0).starts_with(after), "{}", of(400, 100, 0.0));
    }
}
