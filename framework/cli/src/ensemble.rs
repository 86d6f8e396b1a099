//! `simhost run --members`: runs many members of one world, and writes their metrics.

mod options;
mod repeat;
mod summary;
mod verify;

use std::io::{LineWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use simhost::output::Recorded;
use simhost::{Ensemble, EnsembleError, EnsembleOptions, Error, MemberMetrics};
use simhost_record::RecordError;

use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::interrupt::Phase;
use crate::opening::{self, Opening};
use crate::progress::Progress;
use crate::run::{self, Performed};
use crate::{catalogue, failures, guard, interrupt, terminal, working_folder};

pub use repeat::repeat;
use summary::{EnsembleSummary, code_of};

/// Name of the table.
const TABLE: &str = "metrics.csv";
/// Wall time between checks for an early end.
const LOOK: Duration = Duration::from_millis(40);

/// Runs an ensemble.
pub fn run(arguments: &Run, count: usize) -> Result<Code, Failure> {
    options::check(arguments)?;
    let arguments = &run::with_seed_of(None, arguments)?;
    let mut study = open(arguments, count, None)?;
    let simulated = study.simulate();
    interrupt::enter(Phase::Completion);
    working_folder::restore();
    let verified = match simulated {
        Ok(()) => verify::verify(&mut study, arguments),
        Err(failure) => Err(failure),
    };
    // the files are completed however the run ended
    let closed = study.close(arguments);
    match verified? {
        Code::Done => closed,
        code => closed.map(|_| code),
    }
}

/// Opens an ensemble, new or recorded, before its first step.
fn open(arguments: &Run, count: usize, recorded: Option<&Recorded>) -> Result<Study, Failure> {
    run::limit(arguments);
    let catalogue = catalogue::collect(&arguments.models)?;
    let mut out = opening::out(arguments, None);
    if let Some(out) = &mut out {
        out.tables = None;
    }
    let opening = Opening { arguments, recorded, resumed: None, out, log: None };
    let mut session = opening.open(&catalogue)?;
    if let Some(recorded) = recorded {
        session.set_recorded_commands(recorded).map_err(opening::failure)?;
    }
    run::remark_on_start(&session);
    failures::warn_of_overlaps(session.simulation());
    run::check_quantities(&session)?;
    let steps = run::steps(arguments, &session, session.simulation().clock())?;
    let mut options = EnsembleOptions::members(count);
    options.variations = arguments.variations();
    options.max_memory = arguments.max_memory.unwrap_or(options.max_memory);
    let mut ensemble = Ensemble::from_session(session, options).map_err(refused)?;
    ensemble.end_after(steps);
    if let Some(shared) = ensemble.shared_random_values() {
        failures::warn_of_shared_values("members", &shared);
    }
    let varying = &arguments.varying;
    let wanted = match varying.metric.is_empty() {
        true => ensemble.usual_metrics(),
        false => varying.metric.clone(),
    };
    let metrics = MemberMetrics::new(&mut ensemble, &wanted, varying.metric_period);
    let metrics = metrics.map_err(opening::failure)?;
    if !arguments.record.is_empty() {
        ensemble.select(&arguments.record).map_err(opening::failure)?;
    }
    if arguments.models.verbose {
        describe(&ensemble, steps);
    }
    let table = arguments.out.as_ref().map(|out| out.join(TABLE));
    // from here on, Ctrl-C leads to a complete table
    interrupt::enter(Phase::Steps);
    ensemble.record().announce(table.as_slice()).map_err(opening::failure)?;
    ensemble.start_record().map_err(opening::failure)?;
    Ok(Study { ensemble, metrics, steps, table, wall: Duration::ZERO, is_interrupted: false })
}

/// Reports the extent of an ensemble.
fn describe(ensemble: &Ensemble, steps: Option<u64>) {
    let steps = steps.map_or_else(|| "any number of".to_owned(), |steps| steps.to_string());
    terminal::remark(&format!("{} members, {steps} steps each", ensemble.members()));
    for reason in ensemble.why_not_shared() {
        terminal::remark(&format!("members do not share tables: {reason}"));
    }
}

/// An ensemble that runs.
struct Study {
    ensemble: Ensemble,
    metrics: MemberMetrics,
    /// Number of the last step; `None` if observers end the members.
    steps: Option<u64>,
    /// Path of the table.
    table: Option<PathBuf>,
    /// Wall time of all steps.
    wall: Duration,
    is_interrupted: bool,
}

impl Study {
    /// Takes steps until all members have ended, or Ctrl-C.
    fn simulate(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        let outcome = self.step();
        self.wall = start.elapsed();
        self.metrics.finish(&mut self.ensemble).map_err(opening::failure)?;
        outcome
    }

    fn step(&mut self) -> Result<(), Failure> {
        let Self { ensemble, metrics, steps, .. } = self;
        let progress = Progress::new(ensemble.session().simulation().clock(), *steps);
        let (mut done, mut piece) = (0, 1);
        while !ensemble.has_ended() && !self.is_interrupted {
            let began = Instant::now();
            metrics.step(ensemble, piece).map_err(opening::failure)?;
            done += piece;
            progress.at_member_steps(done, ensemble.members() as u64);
            piece = match began.elapsed() {
                short if short < LOOK / 4 => piece.saturating_mul(2),
                long if long > LOOK => (piece / 2).max(1),
                _ => piece,
            };
            self.is_interrupted = interrupt::is_requested();
            if steps.is_none() && !can_stop(ensemble)? {
                let text = "the members have no duration, and the last observer that could end one has \
                            failed\nhelp: give a --duration, or correct the observer";
                return Err(Failure::new(Code::PluginFault, text));
            }
        }
        Ok(())
    }

    /// Writes all files, prints the summary, and returns the exit code.
    fn close(mut self, arguments: &Run) -> Result<Code, Failure> {
        let table = self.table.clone();
        // the table has numbers of observers, whose files are complete then
        let observed = self.ensemble.finish().map_err(opening::failure)?;
        self.metrics.read_observed(&self.ensemble);
        let mut files: Vec<PathBuf> = Vec::new();
        if let Some(table) = &table {
            self.write(table)?;
            files.push(table.clone());
        }
        if arguments.varying.each && !self.is_interrupted {
            files.extend(self.run_each(arguments)?);
        }
        files.extend(observed);
        failures::warn_of_fallback(self.ensemble.session().world().gpu());
        self.ensemble.record().announce(&files).map_err(opening::failure)?;
        let Self { ensemble, metrics, steps, wall, .. } = &mut self;
        let summary = EnsembleSummary { ensemble, metrics, steps: *steps, wall: *wall };
        let failed = summary.print(table.as_deref(), &files)?;
        if self.is_interrupted {
            return Ok(Code::Interrupted);
        }
        match failed.first() {
            Some((_, end)) if failed.len() == self.ensemble.members() => {
                let text = format!("all members have failed; the first one: {end}");
                Err(Failure::new(code_of(end), text))
            }
            _ => Ok(Code::Done),
        }
    }

    /// Writes the table.
    fn write(&mut self, path: &Path) -> Result<(), Failure> {
        let failed = |source| {
            Failure::new(Code::Output, RecordError::Write { path: path.to_owned(), source })
        };
        let mut file = LineWriter::new(simhost_files::create(path).map_err(failed)?);
        for row in self.rows()? {
            writeln!(file, "{row}").map_err(failed)?;
        }
        file.flush().map_err(failed)
    }

    /// Returns the rows of the table, the head first.
    fn rows(&mut self) -> Result<Vec<String>, Failure> {
        let Self { ensemble, metrics, .. } = self;
        let mut rows = vec![metrics.table_head(ensemble)];
        for number in 0..ensemble.members() {
            rows.push(metrics.table_row(ensemble, number).map_err(opening::failure)?);
        }
        Ok(rows)
    }

    /// Runs each member alone, with its usual files. Returns their paths.
    fn run_each(&mut self, arguments: &Run) -> Result<Vec<PathBuf>, Failure> {
        let mut all = Vec::new();
        let is_quiet = terminal::is_quiet();
        // remarks are those of the ensemble
        terminal::show(true, None);
        for number in 0..self.ensemble.members() {
            let mut own = arguments.clone();
            own.varying.member = Some(number);
            // the limits hold for the program
            (own.watchdog, own.max_memory) = (None, None);
            own.out = arguments.out.as_ref().map(|out| out.join(format!("member-{number}")));
            let Performed { files, ended, .. } = run::perform(&own, None)?;
            self.is_interrupted = interrupt::is_requested();
            // a member that has failed has its files, and the summary names it
            drop(ended);
            self.ensemble.record().announce(&files).map_err(opening::failure)?;
            all.extend(files);
            if self.is_interrupted {
                break;
            }
        }
        terminal::show(is_quiet, None);
        Ok(all)
    }
}

/// Returns the failure of an ensemble that cannot be opened.
fn refused(error: Error) -> Failure {
    let Error::Ensemble(EnsembleError::Memory { members, needed, most }) = error else {
        return opening::failure(error);
    };
    let [needed, most] = [needed, most].map(guard::shown);
    let text = format!(
        "{members} members need about {needed} of memory; expected at most {most}\nhelp: run fewer members, or \
         raise the limit with --max-memory"
    );
    Failure::new(Code::Memory, text)
}

/// Returns whether an observer can end a member that runs.
fn can_stop(ensemble: &mut Ensemble) -> Result<bool, Failure> {
    for number in 0..ensemble.members() {
        let is_running = ensemble.member(number).map_err(opening::failure)?.end().is_none();
        let session = ensemble.session_of(number).map_err(opening::failure)?;
        if is_running && session.outputs().observers().can_stop() {
            return Ok(true);
        }
    }
    Ok(ensemble.has_ended())
}
