//! `simhost run`: loads a world, steps it, writes the output and prints a summary.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use simhost::output::{Manifest, Recorded};
use simhost::{Session, Variation, tables};
use simhost_engine::{Clock, FaultReport, RunEnding, Snapshot};
use simhost_model::profile::CallProfile;
use simhost_registry::Catalogue;
use simhost_world::{ObserverUse, World};

use crate::arguments::Run;
use crate::capture::Captures;
use crate::clients::Clients;
use crate::interrupt::Phase;
use crate::opening::{self, Opening};
use crate::process::{Code, Failure};
use crate::recording::Recording;
use crate::stepping::{Extent, Finished};
use crate::summary::Summary;
use crate::watch::Watch;
use crate::{
    catalogue, failures, guard, interrupt, mcap, profile, snapshots, stepping, terminal,
    working_folder,
};

/// Simulated time if neither the command line nor the world gives one, s.
const DEFAULT_DURATION: f64 = 10.0;

/// A run that has ended, with complete files.
pub struct Performed {
    /// The session after the last step.
    pub session: Session,
    /// Manifest of a repeated run, before its first step.
    pub manifest: Option<Manifest>,
    /// How the run ended.
    pub ended: Result<Finished, Failure>,
    /// Clock at the start of the run, or at the snapshot from which it was resumed.
    from: Clock,
    /// Wall time of all steps, with pauses.
    wall: Duration,
    /// Paths of the files written.
    pub files: Vec<PathBuf>,
    /// Faults of observers, after which the run continued without them.
    lost: Vec<FaultReport>,
    /// Wall times of models and phases, if they were measured.
    profile: Option<CallProfile>,
}

/// Runs a world.
pub fn run(arguments: &Run) -> Result<Code, Failure> {
    let Performed { mut session, ended, from, wall, files, lost, profile, .. } =
        perform(arguments, None)?;
    let finished = ended?;
    let work = session.control().work();
    let simulation = session.simulation();
    failures::report_faults(simulation.faults(), arguments.out.as_deref());
    failures::warn_of_tipping(simulation);
    guard::warn_of_floats();
    let hash = arguments.resuming.hash_every.map(|_| tables::state_hash(simulation));
    let hash = hash.transpose().map_err(|error| Failure::new(Code::PluginFault, error))?;
    let interrupted = matches!(finished, Finished::Interrupted);
    let stop = match finished {
        Finished::Stopped(stop) => Some(stop),
        _ => None,
    };
    Summary { simulation, from, work, wall, files: &files, interrupted, stop, lost: &lost, hash }
        .print()?;
    if let Some(profile) = profile {
        profile::print(&profile, work.steps, wall)?;
        let trace = arguments.profile.as_deref().filter(|trace| !trace.as_os_str().is_empty());
        trace.map_or(Ok(()), |trace| profile::write_trace(trace, &profile))?;
    }
    Ok(if interrupted { Code::Interrupted } else { Code::Done })
}

/// Runs a world, or repeats a recorded run.
pub fn perform(arguments: &Run, recorded: Option<&Recorded>) -> Result<Performed, Failure> {
    limit(arguments);
    let mut clients = Clients::bind(arguments)?;
    let resumed = arguments.resuming.resume.as_deref().map(snapshots::read).transpose()?;
    let arguments = &clients.configure(with_seed_of(resumed.as_ref(), arguments)?);
    let out = opening::out(arguments, resumed.as_ref());
    let log = opening::log(arguments)?;
    let opening = Opening { arguments, recorded, resumed: resumed.as_ref(), out, log };
    let mut watch = arguments.watch.then(|| Watch::start(&arguments.models));
    let catalogue = match &mut watch {
        Some(watch) => watch.collect()?,
        None => catalogue::collect(&arguments.models)?,
    };
    let mut session = open(&opening, &catalogue, watch.as_mut())?;
    remark_on_start(&session);
    if resumed.is_none() {
        failures::warn_of_overlaps(session.simulation());
    }
    if arguments.out.is_none() {
        check_quantities(&session)?;
    }
    if arguments.energy {
        session.edit().keep_energy_books();
    }
    opening.prepare(&mut session)?;
    let captures = Captures::begin(&arguments.capture, &mut session)?;
    let from = session.simulation().clock();
    let steps = match recorded {
        // the step that failed may not have been counted
        Some(recorded) => Some(recorded.last_step() + u64::from(recorded.failure().is_some())),
        None => steps(arguments, &session, from)?,
    };
    if arguments.models.verbose {
        describe(&session, steps);
    }
    session.record().begin().map_err(opening::failure)?;
    let manifest = recorded.map(|recorded| found(recorded, &mut session)).transpose()?;
    let was_resumed = recorded.is_some_and(|recorded| recorded.manifest.resumed.is_some());
    let is_resumed = resumed.is_some() || was_resumed;
    let mut recording = Recording::new(arguments, &session, is_resumed)?;
    session.record().announce(recording.path().as_slice()).map_err(opening::failure)?;
    mcap::attach(arguments, &mut session)?;
    clients.attach(arguments, &mut session)?;
    let is_open = clients.is_open();
    if !is_open && recorded.is_none() && session.intake().next_planned().is_none() {
        // the run does not need the description, which can be as large as the simulation
        session.edit().forget_description();
    }

    let start = Instant::now();
    interrupt::enter(Phase::Steps);
    let extent = Extent { steps, has_end: recorded.is_some(), is_open };
    let reload = |session: &mut Session| {
        clients.attend(session);
        if let Some(watch) = &mut watch {
            reload(&opening, watch, session);
        }
    };
    if arguments.profile.is_some() {
        simhost_model::profile::begin();
    }
    let ended = stepping::simulate(&mut session, extent, &mut recording, reload);
    let profile = arguments.profile.as_ref().map(|_| simhost_model::profile::end());
    clients.end();
    interrupt::enter(Phase::Completion);
    working_folder::restore();
    let wall = start.elapsed();
    let ended =
        ended.map_err(|error| failures::of_run(error, &recording, arguments.out.as_deref()));
    // the files are completed however the run ended
    report_delays(&mut session);
    failures::warn_of_fallback(session.world().gpu());
    let (mut files, lost) = close(recording, &mut session, &ended, arguments.out.as_deref())?;
    files.extend(captures.write(arguments.out.as_deref())?);
    files.extend(opening.log_file()?);
    clients.report();
    Ok(Performed { session, manifest, ended, from, wall, files, lost, profile })
}

/// Limits the time of calls and the memory as the command line asks for.
pub fn limit(arguments: &Run) {
    if let Some(limit) = arguments.watchdog {
        guard::watch(Duration::from_secs_f64(limit));
    }
    if let Some(limit) = arguments.max_memory {
        guard::limit_memory(limit);
    }
}

/// Reports what the opening of a session has changed or left out.
pub fn remark_on_start(session: &Session) {
    guard::warn_of_floats();
    if let Some(reason) = session.world().gpu().failure() {
        let reason = reason.replace('\n', "; ");
        terminal::remark(&format!("the CPU casts the rays of all sensors: {reason}"));
    }
}

/// Opens the session, and watches the files of its world from then on.
fn open(
    opening: &Opening<'_>,
    catalogue: &Catalogue,
    mut watch: Option<&mut Watch>,
) -> Result<Session, Failure> {
    if let Some(watch) = &mut watch {
        watch.add_worlds(std::iter::once(&*opening.arguments.world));
    }
    let session = opening.open(catalogue)?;
    if let (Some(watch), Some(sources)) = (watch, session.world().sources()) {
        watch.add_worlds(sources.paths());
    }
    Ok(session)
}

/// Returns the manifest of a repeated run, to compare it with the recorded one.
fn found(recorded: &Recorded, session: &mut Session) -> Result<Manifest, Failure> {
    let flat = simhost_files::read_text(&recorded.world(), simhost_files::MAX_DATA_BYTES).ok();
    session.record().manifest(flat.as_deref()).map_err(opening::failure)
}

/// Reports the extent of a run.
fn describe(session: &Session, steps: Option<u64>) {
    let dt = session.simulation().clock().dt;
    let profile = session.world().description().map_or("", |world| world.settings.profile.name);
    let steps = steps.map_or_else(|| "any number of".to_owned(), |steps| steps.to_string());
    let seed = session.world().seed();
    terminal::remark(&format!("profile {profile}, seed {seed}, {steps} steps of {dt} s"));
}

/// Returns the number of the last step, or `None` if observers end the run.
pub fn steps(arguments: &Run, session: &Session, from: Clock) -> Result<Option<u64>, Failure> {
    let duration = session
        .world()
        .description()
        .map_or(arguments.duration, |world| duration(arguments, world));
    let Some(duration) = duration else { return Ok(None) };
    let (steps, is_whole) = from.last_step(duration);
    if steps < from.steps {
        return Err(past_the_end(from.time(), duration));
    }
    if !is_whole {
        let (step, end) = (from.dt, Clock { steps, ..from }.time());
        terminal::remark(&format!(
            "the duration of {duration} s is not a multiple of the time step of {step} s; the run \
             ends at {end} s"
        ));
    }
    Ok(Some(steps))
}

/// Reports frames that began late in relation to the clock.
fn report_delays(session: &mut Session) {
    let control = session.control();
    let overruns = control.overruns();
    if overruns.count > 0 {
        terminal::remark(&format!("clock {}: {overruns}", control.clock()));
    }
}

/// Checks the quantities that the world records. A session that writes its tables has checked them.
pub fn check_quantities(session: &Session) -> Result<(), Failure> {
    let described = session.world().description().zip(session.world().sources());
    let Some((world, sources)) = described else { return Ok(()) };
    simhost::check::quantities(world, session.simulation()).map_or(Ok(()), |error| {
        Err(Failure::new(Code::BadInput, error.render(sources, terminal::colours())))
    })
}

/// Completes all files and ends the observers. Returns the paths of the files, and the faults of
/// observers.
pub fn close(
    recording: Recording,
    session: &mut Session,
    ended: &Result<Finished, Failure>,
    out: Option<&Path>,
) -> Result<(Vec<PathBuf>, Vec<FaultReport>), Failure> {
    let files = session.outputs_mut().finish_tables().map_err(opening::failure);
    let pictures = recording.finish(session.simulation());
    let observed = session.finish_with(&ending(ended)).map_err(opening::failure);
    working_folder::restore();
    let lost = session.outputs().observers().faults().to_vec();
    failures::report_faults(&lost, out);
    let (mut files, pictures, observed) = (files?, pictures?, observed?);
    files.extend(pictures);
    failures::warn_of_overwriting(&files, &observed);
    files.extend(observed);
    Ok((files, lost))
}

/// Returns the end of a run as observers learn it.
fn ending(ended: &Result<Finished, Failure>) -> RunEnding {
    match ended {
        Ok(Finished::Done) => RunEnding::Duration,
        Ok(Finished::Interrupted | Finished::Quit) => RunEnding::Interrupt,
        Ok(Finished::Stopped(stop)) => RunEnding::Stop(stop.clone()),
        Err(failure) => {
            RunEnding::Fault(failure.text.lines().next().unwrap_or_default().to_owned())
        }
    }
}

/// Returns the arguments with the seed of `--set`, or of the snapshot, unless another seed is
/// given.
pub fn with_seed_of(snapshot: Option<&Snapshot>, arguments: &Run) -> Result<Run, Failure> {
    let mut arguments = arguments.clone();
    let is_seed = |one: &mut Variation| one.name == "seed";
    for variation in arguments.set.extract_if(.., is_seed).collect::<Vec<_>>() {
        let wrong =
            |problem: &str| Failure::new(Code::Usage, format!("--set {variation}: {problem}"));
        let seed =
            variation.values.items().first().and_then(|value| value.to_string().parse().ok());
        let seed =
            seed.ok_or_else(|| wrong("expected a whole number from 0 to 18446744073709551615"))?;
        if arguments.loading.seed.replace(seed).is_some() {
            return Err(wrong("the seed is given twice; expected one --seed or one --set seed=N"));
        }
    }
    if let Some(snapshot) = snapshot {
        arguments.loading.seed.get_or_insert(snapshot.header().seed);
    }
    Ok(arguments)
}

fn past_the_end(time: f64, duration: f64) -> Failure {
    let text = format!(
        "the snapshot was taken at {time} s, after the end of the run at {duration} s\nhelp: \
         increase --duration, or the <duration> of the world, which counts from the start of the world, \
         not from the snapshot"
    );
    Failure::new(Code::Usage, text)
}

/// Reloads plugins that were rebuilt. If that fails, the failure is reported and the run continues
/// with the old plugins.
fn reload(opening: &Opening<'_>, watch: &mut Watch, session: &mut Session) {
    let changed = watch.changed();
    if changed.is_empty() {
        return;
    }
    let names: Vec<_> = changed.iter().map(|file| file.display().to_string()).collect();
    let time = session.time().0;
    match reloaded(opening, watch, session) {
        Ok(()) => terminal::remark(&format!("at {time} s: reloaded {}", names.join(", "))),
        Err(failure) => {
            terminal::error(&failure.text);
            terminal::remark(&format!(
                "at {time} s: cannot reload {}; keeping the old {}",
                names.join(", "),
                if changed.iter().any(|file| simhost_registry::is_plugin_name(file)) {
                    "plugin"
                } else {
                    "world"
                }
            ));
        }
    }
}

fn reloaded(
    opening: &Opening<'_>,
    watch: &mut Watch,
    session: &mut Session,
) -> Result<(), Failure> {
    let catalogue = watch.collect()?;
    let loaded = opening.load(&catalogue)?;
    watch.add_worlds(loaded.sources.paths());
    session.edit().reload(loaded, catalogue).map_err(opening::failure)
}

fn duration(arguments: &Run, world: &World) -> Option<f64> {
    let is_live = arguments.live.live.is_some() || arguments.ros2.ros2.is_some();
    // a run that is driven by hand does not end by itself
    let of_world = world.settings.duration.filter(|_| !is_live);
    let given = arguments.duration.or(of_world);
    if given.is_some() {
        return given;
    }
    if is_live {
        terminal::remark("the run lasts until it is stopped");
        return None;
    }
    let missing = "neither --duration nor <duration> is given; the run ends";
    if world.observers.iter().any(ObserverUse::stops) {
        terminal::remark(&format!("{missing} when an observer ends it"));
        return None;
    }
    terminal::remark(&format!("{missing} after {DEFAULT_DURATION} s"));
    Some(DEFAULT_DURATION)
}
