//! Runs that are simulated together, as members of an ensemble.

use std::path::Path;
use std::time::Instant;

use simhost::{
    Ensemble, EnsembleOptions, Error, Member, MemberMetrics, MetricResults, Session, Time,
};

use crate::error::StudyError;
use crate::open_world::OpenWorld;
use crate::plan::StudyPlan;
use crate::row::{RunRow, RunStatus};

/// Steps between checks for an early end.
const LOOK: u64 = 256;

/// Why a batch has no rows.
pub enum Unfinished {
    /// It was asked to stop.
    Stopped,
    /// Its time was over.
    TimedOut,
    /// Its world or its members cannot be built or stepped.
    Refused(StudyError),
}

impl From<Error> for Unfinished {
    fn from(error: Error) -> Self {
        Self::Refused(error.into())
    }
}

impl From<StudyError> for Unfinished {
    fn from(error: StudyError) -> Self {
        Self::Refused(error)
    }
}

/// When a batch ends early.
pub struct Bounds<'b> {
    /// Whether it is to stop.
    pub is_stopped: &'b (dyn Fn() -> bool + Sync),
    /// When its time is over.
    pub deadline: Option<Instant>,
}

/// Simulates runs with the same variables, whose rows are returned in the same order. Those that the world refuses or that
/// exceed their time are found by bisection, and have a row with the reason. `limit` is the wall time of one run in s.
///
/// # Errors
/// The rows so far, if the batch was stopped.
pub fn rows(
    plan: &StudyPlan,
    runs: &[u64],
    is_stopped: &(dyn Fn() -> bool + Sync),
    limit: Option<f64>,
) -> Result<Vec<RunRow>, Vec<RunRow>> {
    let world = match plan.world_of(runs[0]) {
        Ok(world) => world,
        Err(error) => {
            return Ok(runs.iter().map(|run| refused(plan, None, *run, &error)).collect());
        }
    };
    let deadline = limit.map(|limit| {
        Instant::now() + std::time::Duration::from_secs_f64(limit * runs.len() as f64)
    });
    match simulate(plan, &world, runs, &Bounds { is_stopped, deadline }) {
        Ok(rows) => Ok(rows),
        Err(Unfinished::Stopped) => Err(Vec::new()),
        Err(reason) if runs.len() == 1 => Ok(vec![match reason {
            Unfinished::Refused(error) => refused(plan, Some(&world), runs[0], &error),
            _ => timed_out(plan, &world, runs[0], limit.unwrap_or_default()),
        }]),
        Err(_) => {
            let (first, second) = runs.split_at(runs.len() / 2);
            let first = rows(plan, first, is_stopped, limit)?;
            let join = |second: Vec<RunRow>| [&first[..], &second].concat();
            rows(plan, second, is_stopped, limit).map(join).map_err(join)
        }
    }
}

fn simulate(
    plan: &StudyPlan,
    world: &OpenWorld,
    runs: &[u64],
    bounds: &Bounds<'_>,
) -> Result<Vec<RunRow>, Unfinished> {
    // observers write what is read at the end
    let folder = plan.metrics().are_observed().then(tempfile::tempdir).transpose();
    let folder = folder.map_err(|error| StudyError::write(&std::env::temp_dir())(error))?;
    let observers = folder.as_ref().map(tempfile::TempDir::path);
    let mut ensemble = self::ensemble(plan, world, runs, observers)?;
    let metrics = plan.metrics().clone();
    let mut measured = MemberMetrics::of(metrics, &mut ensemble, plan.study().period)?;
    while !ensemble.has_ended() {
        if (bounds.is_stopped)() {
            return Err(Unfinished::Stopped);
        }
        if bounds.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(Unfinished::TimedOut);
        }
        measured.step(&mut ensemble, LOOK)?;
    }
    ensemble.finish()?;
    let rows = runs.iter().enumerate().map(|(number, run)| {
        let results = measured.results(number, ensemble.observer_folder(number).as_deref());
        Ok(finished(plan, world, *run, ensemble.member(number)?, results)?)
    });
    rows.collect()
}

/// Returns an ensemble whose members are runs with the same variables, and whose observers write to a folder.
pub fn ensemble(
    plan: &StudyPlan,
    world: &OpenWorld,
    runs: &[u64],
    observers: Option<&Path>,
) -> Result<Ensemble, Error> {
    let session: Session = world.session(plan.seed(), observers)?;
    let mut options = EnsembleOptions::members(runs.len());
    options.variations = plan.variations(runs);
    let mut ensemble = Ensemble::from_session(session, options)?;
    ensemble.end_after(Some(world.last_step));
    Ok(ensemble)
}

/// Returns the row of a run that a member has simulated.
fn finished(
    plan: &StudyPlan,
    world: &OpenWorld,
    run: u64,
    mut member: Member<'_>,
    MetricResults { metrics, conditions, missing }: MetricResults,
) -> Result<RunRow, Error> {
    let (mut status, mut reason) = RunStatus::of(member.end());
    if let Some(missing) = missing {
        reason = if reason.is_empty() { missing } else { format!("{reason}; {missing}") };
    }
    let holds = |value: &f64| *value != 0.0 && !value.is_nan();
    if conditions.iter().any(holds) && status == RunStatus::Ok {
        status = RunStatus::Failed;
    }
    let (Time(time_s), steps) = (member.time(), member.steps());
    let hash = format!("{:032x}", member.result_hash()?);
    let metrics = metrics.into_iter().map(|value| Some(value).filter(|one| one.is_finite()));
    Ok(RunRow {
        reason: one_line(&reason),
        metrics: metrics.collect(),
        steps,
        time_s,
        hash,
        ..empty(plan, Some(world), run, status)
    })
}

/// Returns the row of a run without results.
fn empty(plan: &StudyPlan, world: Option<&OpenWorld>, run: u64, status: RunStatus) -> RunRow {
    RunRow {
        run,
        id: world.map_or_else(|| plan.id(run), |world| plan.id_in(world, run)),
        seed: plan.seed_of(run),
        values: plan.values(run),
        status,
        reason: String::new(),
        metrics: vec![None; plan.metric_names().len()],
        steps: 0,
        time_s: 0.0,
        hash: String::new(),
        attempt: 0,
    }
}

fn refused(plan: &StudyPlan, world: Option<&OpenWorld>, run: u64, error: &StudyError) -> RunRow {
    let reason = one_line(&error.to_string());
    RunRow { reason, ..empty(plan, world, run, RunStatus::Refused) }
}

fn timed_out(plan: &StudyPlan, world: &OpenWorld, run: u64, limit: f64) -> RunRow {
    let reason = format!("it has taken longer than {limit} s");
    RunRow { reason, ..empty(plan, Some(world), run, RunStatus::Timeout) }
}

/// Returns the row of a run whose process has crashed.
pub fn crashed(plan: &StudyPlan, run: u64, reason: &str) -> RunRow {
    RunRow { reason: one_line(reason), ..empty(plan, None, run, RunStatus::Crashed) }
}

fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
