//! Faults and failures of a run: their messages, and the evidence that is written.

use std::path::{Path, PathBuf};

use simhost::{Gpu, ScanFallback};
use simhost_abi::Kind;
use simhost_engine::{Divergence, FaultReport, Simulation, StepError};

use crate::process::{Code, Failure};
use crate::recording::Recording;
use crate::stepping::Ended;
use crate::{evidence, terminal};

/// Returns the failure for a run that ended early, and writes the last snapshot before a divergence or the
/// evidence of a fault.
pub fn of_run(ended: Ended, recording: &Recording, directory: Option<&Path>) -> Failure {
    match ended {
        Ended::Output(failure) => failure,
        Ended::Endless => {
            let text = "the run has no duration, and the last observer that could end it has \
                        failed\nhelp: give a --duration, or correct the observer";
            Failure::new(Code::PluginFault, text)
        }
        Ended::Step(StepError::Diverged(found)) => diverged(&found, recording),
        Ended::Step(StepError::Fault(fault)) => {
            let note = write_evidence(&fault, directory);
            let shorter = match fault.evidence.suggested_dt {
                dt if dt > 0.0 => format!("help: set <simul_timestep>{dt}</simul_timestep>\n"),
                _ => String::new(),
            };
            let models = match fault.evidence.kind == Kind::Fleet.tag() {
                true => "the commands of that fleet",
                false => "the models of that vehicle",
            };
            let text = format!(
                "{fault}\n{note}\n{shorter}help: to continue the run without {models}, \
                 add <plugin_faults action=\"disable\"/> to the world"
            );
            Failure::new(Code::PluginFault, text)
        }
        Ended::Step(StepError::Scan(error)) => {
            let help = "help: to continue such a run on the CPU, use `--gpu auto`";
            Failure::new(
                Code::Gpu,
                format!("the GPU cannot cast the rays of sensors: {error}\n{help}"),
            )
        }
        Ended::Step(error) => Failure::new(Code::PluginFault, error),
    }
}

/// Returns the failure for a run that diverged, and writes the last snapshot.
fn diverged(found: &Divergence, recording: &Recording) -> Failure {
    let (kept, advice) = (recording.keep_last(found), found.advice);
    Failure::new(Code::Diverged, format!("{found}\n{kept}\nhelp: {advice}"))
}

/// Writes the evidence of a fault, and returns a note about it.
fn write_evidence(fault: &FaultReport, directory: Option<&Path>) -> String {
    match evidence::write(fault, directory) {
        Ok(path) => format!("note: `simhost plugin replay {}` repeats the call", path.display()),
        Err(failure) => format!("note: {}", failure.text),
    }
}

/// Prints the faults after which the run continued, and writes their evidence.
pub fn report_faults(faults: &[FaultReport], directory: Option<&Path>) {
    for fault in faults.iter().take(evidence::MAX_FILES) {
        terminal::warning(&format!("{fault}\n{}", write_evidence(fault, directory)));
    }
    terminal::count_warnings(faults.len().saturating_sub(evidence::MAX_FILES));
}

/// Warns that the CPU has cast rays in place of the GPU.
pub fn warn_of_fallback(gpu: &Gpu) {
    if let Some(ScanFallback { step, time, reason }) = gpu.fallback() {
        terminal::warning(&format!(
            "the CPU casts the rays of all sensors from step {step} on, at {time} s: {reason}"
        ));
    }
}

/// Warns of files of a run that an observer has written too.
pub fn warn_of_overwriting(files: &[PathBuf], observed: &[PathBuf]) {
    let of_run = files.iter().filter_map(|file| std::path::absolute(file).ok());
    for file in of_run.filter(|file| observed.contains(file)) {
        let name = file.display();
        terminal::warning(&format!("an observer and the run have both written {name}"));
    }
}

/// Number of vehicles that have tipped over that are reported one by one.
const MAX_TIPPED: usize = 10;

/// Warns of vehicles that have tipped over.
pub fn warn_of_tipping(simulation: &Simulation) {
    let tipped: Vec<(&str, f64)> = simulation.tipped().collect();
    for (name, time) in tipped.iter().take(MAX_TIPPED) {
        terminal::warning(&format!(
            "vehicle '{name}' tipped over at {time} s: the moment of its wheel forces exceeds what its wheels \
             can balance\nhelp: lower its <chassis cg_height>, widen its track, or drive it slower"
        ));
    }
    if tipped.len() > MAX_TIPPED {
        let more = tipped.len() - MAX_TIPPED;
        terminal::warning(&format!("{more} more vehicles tipped over"));
        terminal::count_warnings(more - 1);
    }
}

/// Warns of random values of the world file that all `whose`, members or runs, share.
pub fn warn_of_shared_values(whose: &str, shared: &str) {
    terminal::warning(&format!(
        "all {whose} have the same random values of the world file: {shared}\nhelp: draw what is to differ with a \
         distribution, such as NAME=uniform:0.3:1, which varies a parameter, a pose or a command"
    ));
}

/// Number of overlaps that are reported one by one.
const MAX_OVERLAPS: usize = 10;

/// Warns of bodies that overlap at the start.
pub fn warn_of_overlaps(simulation: &Simulation) {
    let overlaps = simulation.overlaps();
    for (one, other) in overlaps.named.iter().take(MAX_OVERLAPS) {
        terminal::warning(&format!("{one} and {other} overlap at the start and are pushed apart"));
    }
    if overlaps.count > MAX_OVERLAPS {
        let more = overlaps.count - MAX_OVERLAPS;
        terminal::warning(&format!("{more} more pairs overlap at the start"));
        terminal::count_warnings(more - 1);
    }
}
