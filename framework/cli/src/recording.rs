//! Pictures and snapshots that the command line writes during a run, in addition to the record of its
//! session.

use std::path::{Path, PathBuf};

use simhost::Session;
use simhost_engine::{Divergence, Period, Preset, Simulation};
use simhost_record::RecordError;

use crate::arguments::Run;
use crate::picture::Drawing;
use crate::process::{Code, Failure};
use crate::snapshots::Snapshots;

/// Name of the picture.
const PICTURE: &str = "trajectory.svg";

/// Pictures and snapshots of a run.
pub struct Recording {
    /// Simulated time between positions in the picture, s.
    period: Option<f64>,
    picture: Option<Sequence>,
    snapshots: Snapshots,
    /// Number of completed steps when something was last written.
    written: Option<u64>,
    is_resumed: bool,
    /// Pictures of earlier sequences of rows.
    complete: Vec<PathBuf>,
}

/// The picture of a sequence of rows in the tables.
struct Sequence {
    folder: PathBuf,
    drawing: Drawing,
    poses: Preset,
    revision: u64,
    period: Option<Period>,
}

impl Recording {
    /// Creates the pictures and snapshots of a run that starts, or is resumed from a snapshot.
    ///
    /// # Errors
    /// Fails if the directory of snapshots cannot be created.
    pub fn new(arguments: &Run, session: &Session, is_resumed: bool) -> Result<Self, Failure> {
        let out = arguments.out.as_deref();
        let snapshots = Snapshots::new(&arguments.resuming, out, session.simulation())?;
        let period = arguments.log_period;
        let clock = session.simulation().clock();
        let starts =
            |period| if is_resumed { Period::after(period, clock) } else { Period::new(period) };
        let picture = Sequence::begin(session, period.map(starts));
        Ok(Self { period, picture, snapshots, written: None, is_resumed, complete: Vec::new() })
    }

    /// Returns the path of the picture, which the end of the run adds.
    pub fn path(&self) -> Option<PathBuf> {
        self.picture.as_ref().map(|picture| picture.folder.join(PICTURE))
    }

    /// Returns whether nothing is written before the run ends.
    pub fn is_idle(&self) -> bool {
        self.picture.is_none() && self.snapshots.is_idle()
    }

    /// Takes what is due after the completed steps, once. Positions at the time of a snapshot belong to the
    /// original run.
    ///
    /// # Errors
    /// Fails if a file cannot be written, or a snapshot cannot be taken.
    pub fn observe(&mut self, session: &mut Session) -> Result<(), Failure> {
        let steps = session.steps();
        let before = self.written.replace(steps);
        if before == Some(steps) {
            return Ok(());
        }
        self.follow(session)?;
        let is_repeated = before.is_none() && self.is_resumed;
        if let Some(picture) = self.picture.as_mut().filter(|_| !is_repeated) {
            picture.observe(session);
        }
        self.snapshots.observe(session)
    }

    /// Begins another picture if the tables continue in another folder.
    fn follow(&mut self, session: &mut Session) -> Result<(), Failure> {
        let folder = session.outputs().table_folder();
        if self.picture.as_ref().is_none_or(|picture| Some(&*picture.folder) == folder) {
            return Ok(());
        }
        if let Some(picture) = self.picture.take() {
            self.complete.push(picture.write(session.simulation())?);
        }
        self.picture = Sequence::begin(session, self.period.map(Period::new));
        let picture = self.path();
        session.record().announce(picture.as_slice()).map_err(crate::opening::failure)
    }

    /// Writes the last snapshot before a divergence, and returns a note about it.
    pub fn keep_last(&self, divergence: &Divergence) -> String {
        self.snapshots.keep_last(divergence)
    }

    /// Writes the pictures and returns their paths.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn finish(self, simulation: &Simulation) -> Result<Vec<PathBuf>, Failure> {
        let mut files = self.complete;
        if let Some(picture) = self.picture {
            files.push(picture.write(simulation)?);
        }
        Ok(files)
    }
}

impl Sequence {
    /// Begins the picture of the present tables, if there are any.
    fn begin(session: &Session, period: Option<Period>) -> Option<Self> {
        let (folder, world) =
            (session.outputs().table_folder()?.to_owned(), session.world().description()?);
        let poses = poses(session.simulation());
        let revision = session.world().revision();
        Some(Self { folder, drawing: Drawing::new(world), poses, revision, period })
    }

    /// Adds the positions of the vehicles, if they are due.
    fn observe(&mut self, session: &Session) {
        let simulation = session.simulation();
        if self.revision != session.world().revision() {
            (self.revision, self.poses) = (session.world().revision(), poses(simulation));
        }
        let clock = simulation.clock();
        if self.period.as_mut().is_none_or(|period| period.is_due(clock)) {
            let Self { poses, drawing, .. } = self;
            poses.for_each(simulation, |row| {
                drawing.add(row.number, clock.time(), [row.values[0], row.values[1]])
            });
        }
    }

    /// Writes the picture and returns its path.
    fn write(self, simulation: &Simulation) -> Result<PathBuf, Failure> {
        let path = self.folder.join(PICTURE);
        write(&path, &self.drawing.picture(simulation).svg())?;
        Ok(path)
    }
}

fn poses(simulation: &Simulation) -> Preset {
    Preset::of_vehicles(simulation, &["pose"])
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    simhost_files::write(path, text).map_err(|source| {
        Failure::new(Code::Output, RecordError::Write { path: path.to_owned(), source })
    })
}
