//! Snapshots of a run: written every so often, kept for the case that it diverges, gone on from.

use std::path::{Path, PathBuf};

use simhost_engine::{Divergence, Fit, RestoreError, Simulation, Snapshot, SnapshotFileError};

use crate::arguments::Resuming;
use crate::exit::{Code, Failure};
use crate::period::Period;

/// How often a state is kept for the case that the run diverges, in simulated time, s.
const KEPT_EVERY: f64 = 1.0;

/// The snapshots that a run takes.
pub struct Snapshots {
    written: Option<(Period, PathBuf)>,
    /// Where the last good one goes; none where nothing is written.
    out: Option<PathBuf>,
    kept: Period,
    last: Option<Snapshot>,
}

impl Snapshots {
    /// For a run into `out` that is about to begin, or to go on.
    ///
    /// # Errors
    /// There is no folder for them.
    pub fn new(
        arguments: &Resuming,
        out: Option<&Path>,
        simulation: &Simulation,
    ) -> Result<Self, Failure> {
        let folder = arguments.snapshot_dir.as_deref().or(out);
        let written = match (arguments.snapshot_every, folder) {
            (None, _) => None,
            (Some(period), Some(folder)) => {
                std::fs::create_dir_all(folder).map_err(|error| {
                    let text = format!("cannot make {}: {error}", folder.display());
                    Failure::new(Code::Output, text)
                })?;
                Some((Period::after(period, simulation.clock()), folder.to_owned()))
            }
            (Some(_), None) => {
                let text = "--snapshot-every needs a folder: add --snapshot-dir DIR or --out DIR";
                return Err(Failure::new(Code::Usage, text));
            }
        };
        let kept = Period::after(KEPT_EVERY, simulation.clock());
        Ok(Self { written, out: out.map(Path::to_owned), kept, last: None })
    }

    /// Takes the snapshots that are due.
    ///
    /// # Errors
    /// One cannot be taken or written.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let clock = simulation.clock();
        let due = self
            .written
            .as_mut()
            .and_then(|(period, folder)| period.is_due(clock).then_some(folder));
        let file = due.map(|folder| folder.join(format!("step-{}.snapshot", clock.steps)));
        let keep = self.out.is_some() && (self.last.is_none() || self.kept.is_due(clock));
        if file.is_none() && !keep {
            return Ok(());
        }
        let snapshot = simulation.snapshot();
        let snapshot = snapshot.map_err(|error| Failure::new(Code::PluginFault, error))?;
        if let Some(file) = file {
            snapshot.write(&file).map_err(|error| Failure::new(Code::Output, error))?;
        }
        if self.out.is_some() {
            self.last = Some(snapshot);
        }
        Ok(())
    }

    /// Writes the last good snapshot of a run that has diverged; what there is to tell of that.
    pub fn keep_last(&self, divergence: &Divergence) -> String {
        let (Some(out), Some(last)) = (&self.out, &self.last) else {
            return "note: with --out DIR the last good state is written there".to_owned();
        };
        let file = out.join(format!("diverged-{}.snapshot", divergence.step));
        match last.write(&file) {
            Ok(()) => format!(
                "note: {} is the state at {} s: --resume goes on from it",
                file.display(),
                last.header().time
            ),
            Err(error) => format!("note: {error}"),
        }
    }
}

/// Reads the snapshot that a run is to go on from.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read(file: &Path) -> Result<Snapshot, Failure> {
    Snapshot::read(file).map_err(|error| {
        let help = match &error {
            SnapshotFileError::Foreign => "a run with --snapshot-every writes snapshots",
            SnapshotFileError::Newer { .. } => "use the simhost that wrote it, or a newer one",
            SnapshotFileError::Damaged(_) => "take an earlier snapshot, or run from the start",
            _ => return Failure::new(Code::BadInput, error),
        };
        let text = format!("cannot resume from {}: {error}\nhelp: {help}", file.display());
        Failure::new(Code::BadInput, text)
    })
}

/// Lets a simulation go on from a snapshot.
///
/// # Errors
/// It does not fit.
pub fn resume(
    arguments: &Resuming,
    snapshot: &Snapshot,
    simulation: &mut Simulation,
) -> Result<(), Failure> {
    let fit = if arguments.resume_anyway { Fit::Slots } else { Fit::Exact };
    simulation.restore(snapshot, fit).map_err(|error| {
        let text = match &error {
            RestoreError::Misfit { reasons, may_be_forced } => {
                let file = arguments.resume.as_deref().unwrap_or(Path::new("")).display();
                let reasons = reasons.join("\n  ");
                let help = if *may_be_forced {
                    "use the world, plugins and simhost of then; --resume-anyway goes on with these, \
                     and not bit for bit"
                } else {
                    "use the world and plugins that the snapshot was taken with"
                };
                format!("{file} does not fit:\n  {reasons}\nhelp: {help}")
            }
            _ => error.to_string(),
        };
        Failure::new(Code::BadInput, text)
    })
}
