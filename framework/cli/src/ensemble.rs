//! `simhost run --members`: runs many members of one world, and writes their metrics.

mod repeat;
mod summary;

use std::io::{LineWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use simhost::output::Recorded;
use simhost::{Ensemble, EnsembleError, EnsembleOptions, Error, MemberDifference, MemberMetrics};
use simhost_record::RecordError;

use crate::arguments::Run;
use crate::interrupt::Phase;
use crate::opening::Opening;
use crate::process::{Code, Failure};
use crate::progress::Progress;
use crate::run::{self, Performed};
use crate::{catalogue, failures, guard, interrupt, opening, terminal, working_folder};
use summary::{EnsembleSummary, code_of};

pub use repeat::repeat;

/// Name of the table.
const TABLE: &str = "metrics.csv";
/// Wall time between checks for an early end.
const LOOK: Duration = Duration::from_millis(40);

/// Runs an ensemble.
pub fn run(arguments: &Run, count: usize) -> Result<Code, Failure> {
    check_options(arguments)?;
    let arguments = &run::with_seed_of(None, arguments)?;
    let mut study = open(arguments, count, None)?;
    let simulated = study.simulate();
    interrupt::enter(Phase::Completion);
    working_folder::restore();
    let verified = match simulated {
        Ok(()) => verify(&mut study, arguments),
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

/// Runs some members again by themselves, if the command line asks for it, and prints whether their results agree. The
/// exit code is [`Code::Negative`] if one differs.
///
/// # Errors
/// Fails if the world has observers, whose files the members would write again.
fn verify(study: &mut Study, arguments: &Run) -> Result<Code, Failure> {
    let Some(count) = arguments.varying.verify else { return Ok(Code::Done) };
    if study.is_interrupted {
        return Ok(Code::Done);
    }
    if !study.ensemble.session().outputs().observers().is_empty() {
        let text = "--verify has no meaning for a world with observers, whose members are stepped one by one\nhelp: \
                    leave out --verify, or the observers";
        return Err(Failure::new(Code::Usage, text));
    }
    let members = study.ensemble.members();
    let count = (count as usize).min(members);
    for number in 0..count {
        // the first and the last member, and others in between
        let member = if count == 1 { 0 } else { number * (members - 1) / (count - 1) };
        if let Some(difference) = study.ensemble.verify(member).map_err(opening::failure)? {
            report(&difference);
            return Ok(Code::Negative);
        }
    }
    let noun = if count == 1 { "member has" } else { "members have" };
    terminal::result(&format!("verified: {count} {noun} the same result hash alone"))?;
    Ok(Code::Done)
}

fn report(difference: &MemberDifference) {
    let MemberDifference { member, in_ensemble, alone, step, foreign_models } = difference;
    let first = match step {
        Some(step) => format!("; the results differ from step {step} on"),
        None => "; the results agree when both are repeated".to_owned(),
    };
    let suspects = match foreign_models.as_slice() {
        [] => "all models of the world are built in: report this as a defect of simhost".to_owned(),
        models => format!(
            "a model keeps something outside of its states, such as a static variable; those that are not built in \
             are {}. `simhost plugin check` finds most of such models",
            models.join(", ")
        ),
    };
    terminal::error(&format!(
        "member {member} has result hash {in_ensemble:032x} in the ensemble, and {alone:032x} alone{first}\nhelp: \
         {suspects}"
    ));
}

/// Checks that all options have a meaning for an ensemble.
fn check_options(arguments: &Run) -> Result<(), Failure> {
    let Run { live, pacing, resuming, mcap, ros2, .. } = arguments;
    let never = [
        ("--live", live.live.is_some()),
        ("--ros2", ros2.ros2.is_some()),
        ("--command-timeout", live.command_timeout.is_some()),
        ("--clock", pacing.clock.is_some()),
        ("--log", pacing.log.is_some()),
        ("--watch", arguments.watch),
        ("--capture", !arguments.capture.is_empty()),
        ("--snapshot-dir", resuming.snapshot_dir.is_some()),
    ];
    let of_files = [
        ("--mcap", mcap.is_on),
        ("--export", !mcap.export.is_empty()),
        ("--record", !arguments.record.is_empty()),
        ("--energy", arguments.energy),
        ("--log-period", arguments.log_period.is_some()),
        ("--stream", !arguments.groups.list.is_empty()),
        ("--hash-every", resuming.hash_every.is_some()),
        ("--snapshot-every", resuming.snapshot_every.is_some()),
    ];
    let given = |(name, is_given): &(&'static str, bool)| is_given.then_some(*name);
    let failed = |option: &str, help: &str| {
        let text = format!(
            "{option} has no meaning for an ensemble (--members)\nhelp: {help}--member K to run member K alone"
        );
        Err(Failure::new(Code::Usage, text))
    };
    if resuming.resume.is_some() {
        let text = "--resume has no meaning for an ensemble (--members)\nhelp: take snapshots of one member with \
                    --member K and --snapshot-every, and resume one without --members";
        return Err(Failure::new(Code::Usage, text));
    }
    if let Some(option) = never.iter().find_map(given) {
        return failed(option, "add ");
    }
    if let Some(option) = of_files.iter().find_map(given).filter(|_| !arguments.varying.each) {
        return failed(option, "add --each to write the files of each member, or ");
    }
    Ok(())
}
