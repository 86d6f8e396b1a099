//! Snapshots of a run: written at regular times, kept in case the run diverges, and resumed from.

use std::path::{Path, PathBuf};

use simhost::{Error, Session};
use simhost_engine::{
    Divergence, Fit, Period, RestoreError, Simulation, Snapshot, SnapshotFileError,
};

use crate::arguments::Resuming;
use crate::process::{Code, Failure};
use crate::{diagnostics, working_folder};

/// Simulated time between snapshots that are kept in memory in case the run diverges, s.
const KEPT_EVERY: f64 = 1.0;

/// Takes the snapshots of a run.
pub struct Snapshots {
    written: Option<(Period, PathBuf)>,
    /// Directory for the last snapshot before a divergence, if the run writes output.
    out: Option<PathBuf>,
    kept: Period,
    last: Option<Snapshot>,
    /// Why no state is kept in case the run diverges.
    unsaved: Option<String>,
}

impl Snapshots {
    /// Prepares the snapshots of a run with the output directory `out`.
    ///
    /// # Errors
    /// Fails if no directory is given for snapshots, or if it cannot be created.
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
                    let text = format!("cannot create {}: {error}", folder.display());
                    Failure::new(Code::Output, text)
                })?;
                Some((Period::after(period, simulation.clock()), folder.to_owned()))
            }
            (Some(_), None) => {
                let text = "missing directory for --snapshot-every\nhelp: add --snapshot-dir DIR or --out DIR";
                return Err(Failure::new(Code::Usage, text));
            }
        };
        let kept = Period::after(KEPT_EVERY, simulation.clock());
        Ok(Self { written, out: out.map(Path::to_owned), kept, last: None, unsaved: None })
    }

    /// Returns whether no snapshot is taken.
    pub fn is_idle(&self) -> bool {
        self.written.is_none() && self.out.is_none()
    }

    /// Takes the snapshots that are due.
    ///
    /// # Errors
    /// Fails if a snapshot cannot be taken or written.
    pub fn observe(&mut self, session: &mut Session) -> Result<(), Failure> {
        let clock = session.simulation().clock();
        let due = self
            .written
            .as_mut()
            .and_then(|(period, folder)| period.is_due(clock).then_some(folder));
        let file = due.map(|folder| folder.join(format!("step-{}.snapshot", clock.steps)));
        let keep = self.out.is_some() && self.unsaved.is_none();
        let keep = keep && (self.last.is_none() || self.kept.is_due(clock));
        if file.is_none() && !keep {
            return Ok(());
        }
        let snapshot = match session.snapshot() {
            // not asked for, so the run continues without it
            Err(error) if file.is_none() => {
                self.unsaved = Some(error.to_string());
                return Ok(());
            }
            other => other.map_err(diagnostics::session_failure)?,
        };
        if let Some(file) = file {
            working_folder::restore();
            snapshot.write(&file).map_err(|error| Failure::new(Code::Output, error))?;
        }
        if self.out.is_some() {
            self.last = Some(snapshot);
        }
        Ok(())
    }

    /// Writes the last snapshot before a divergence, and returns a note about it.
    pub fn keep_last(&self, divergence: &Divergence) -> String {
        if let Some(reason) = &self.unsaved {
            return format!("note: no state before the divergence was kept: {reason}");
        }
        let (Some(out), Some(last)) = (&self.out, &self.last) else {
            return "note: add --out DIR to keep the last snapshot before a divergence".to_owned();
        };
        let file = out.join(format!("diverged-{}.snapshot", divergence.step));
        match last.write(&file) {
            Ok(()) => format!(
                "note: {} holds the state at {} s; resume from it with --resume",
                file.display(),
                last.header().time
            ),
            Err(error) => format!("note: {error}"),
        }
    }
}

/// Reads the snapshot from which a run is resumed.
///
/// # Errors
/// Fails if the file cannot be read or is not a snapshot.
pub fn read(file: &Path) -> Result<Snapshot, Failure> {
    Snapshot::read(file).map_err(|error| {
        let help = match &error {
            SnapshotFileError::NotASnapshot => "name a file that a run with --snapshot-every wrote",
            SnapshotFileError::Newer { .. } => {
                "use the version of simhost that wrote it, or a newer one"
            }
            SnapshotFileError::Damaged(_) => "use an earlier snapshot, or run from the start",
            _ => return Failure::new(Code::BadInput, error),
        };
        let text = format!("cannot resume from {}: {error}\nhelp: {help}", file.display());
        Failure::new(Code::BadInput, text)
    })
}

/// Continues a session from a snapshot.
///
/// # Errors
/// Fails if the snapshot does not fit the world.
pub fn resume(
    arguments: &Resuming,
    snapshot: &Snapshot,
    session: &mut Session,
) -> Result<(), Failure> {
    let fit = if arguments.resume_anyway { Fit::Slots } else { Fit::Exact };
    session.restore_with(snapshot, fit).map_err(|error| {
        let Error::Restore(error) = error else { return diagnostics::session_failure(error) };
        let text = match &*error {
            RestoreError::Misfit { reasons, may_be_forced } => {
                let file = arguments.resume.as_deref().unwrap_or(Path::new("")).display();
                let reasons = reasons.join("\n  ");
                let help = if *may_be_forced {
                    "use the world, the plugins and the version of simhost that the snapshot was \
                     taken with, or resume with --resume-anyway, which is not bit for bit the same"
                } else {
                    "use the world and the plugins that the snapshot was taken with"
                };
                format!("{file} does not fit:\n  {reasons}\nhelp: {help}")
            }
            _ => error.to_string(),
        };
        Failure::new(Code::BadInput, text)
    })
}
