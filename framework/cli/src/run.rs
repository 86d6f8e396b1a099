//! `simhost run`: loads a world, steps it, writes the output and prints a summary.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use simhost_abi::Kind;
use simhost_engine::{
    Clock, Divergence, FaultReport, Observers, Options, RunEnding, Simulation, Snapshot, StepError,
};
use simhost_registry::Catalogue;
use simhost_world::{Loaded, ObserverUse, World};

use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::interrupt::Phase;
use crate::recording::{Recording, Watched};
use crate::stepping::{Ended, Extent, Finished};
use crate::summary::Summary;
use crate::watch::Watch;
use crate::{
    catalogue, commands, diagnostics, evidence, guard, hashes, interrupt, manifest, quantities,
    snapshots, stepping, terminal, working_folder,
};

/// Simulated time if neither the command line nor the world gives one, s.
const DEFAULT_DURATION: f64 = 10.0;

/// Runs a world.
pub fn run(arguments: &Run) -> Result<Code, Failure> {
    if let Some(limit) = arguments.watchdog {
        guard::watch(Duration::from_secs_f64(limit));
    }
    let resumed = arguments.resuming.resume.as_deref().map(snapshots::read).transpose()?;
    let arguments = &with_seed_of(resumed.as_ref(), arguments);
    let mut watch = arguments.watch.then(|| Watch::start(&arguments.models));
    let catalogue = match &mut watch {
        Some(watch) => watch.collect()?,
        None => catalogue::collect(&arguments.models)?,
    };
    let loaded = load(arguments, &catalogue)?;
    let settings = &loaded.world.settings;
    let seed = arguments.loading.seed.or(settings.seed).unwrap_or(0);
    let mut simulation = prepare(arguments, &loaded)?;
    guard::warn_of_floats();
    match &resumed {
        Some(snapshot) => snapshots::resume(&arguments.resuming, snapshot, &mut simulation)?,
        None => warn_of_overlaps(&simulation),
    }
    if arguments.energy {
        simulation.keep_energy_books();
    }
    let from = simulation.clock();
    let steps = steps(arguments, &loaded.world, from)?;
    if arguments.models.verbose {
        let (profile, dt) = (settings.profile.name, from.dt);
        let steps = steps.map_or_else(|| "any number of".to_owned(), |steps| steps.to_string());
        terminal::remark(&format!("profile {profile}, seed {seed}, {steps} steps of {dt} s"));
    }
    let watched = watched(arguments, &loaded, &simulation)?;
    let described = (&loaded.world, &simulation);
    let mut recording = Recording::new(arguments, described, watched, resumed.is_some())?;
    let inputs = arguments.out.as_ref().map(|_| {
        let mut models = manifest::models(&loaded.world.vehicles);
        models.extend(manifest::environments(&loaded.world));
        manifest::Inputs { world: &arguments.world, profile: settings.profile.name, models, seed }
    });
    // the run does not need the description, which can be as large as the simulation
    drop(loaded);

    let start = Instant::now();
    let extent = Extent { steps, is_resumed: resumed.is_some() };
    interrupt::enter(Phase::Steps);
    let reload = |simulation: &mut Simulation, recording: &mut Recording| {
        if let Some(watch) = &mut watch {
            reload(arguments, watch, simulation, recording);
        }
    };
    let ended = stepping::simulate(&mut simulation, extent, &mut recording, reload);
    interrupt::enter(Phase::Completion);
    working_folder::restore();
    let wall = start.elapsed();

    let ended = ended.map_err(|error| match error {
        Ended::Step(StepError::Diverged(found)) => diverged(&found, &recording),
        other => with_evidence(other, arguments.out.as_deref()),
    });
    // the files are completed however the run ended
    let (mut files, lost) = close(recording, &simulation, &ended, arguments.out.as_deref())?;
    let stop = match &ended {
        Ok(Finished::Stopped(stop)) => Some(stop.clone()),
        _ => None,
    };
    if let (Some(out), Some(inputs)) = (&arguments.out, &inputs) {
        let outcome = manifest::Outcome { simulation: &simulation, stop: stop.as_ref() };
        files.push(manifest::write(out, inputs, &catalogue, outcome, resumed.as_ref())?);
    }
    let interrupted = matches!(ended?, Finished::Interrupted);
    report_faults(simulation.faults(), arguments.out.as_deref());
    guard::warn_of_floats();
    let hash = arguments.resuming.hash_every.map(|_| hashes::of(&simulation)).transpose()?;
    let simulation = &simulation;
    Summary { simulation, from, wall, files: &files, interrupted, stop, lost: &lost, hash }
        .print()?;
    Ok(if interrupted { Code::Interrupted } else { Code::Done })
}

/// Returns the number of the last step, or `None` if observers end the run.
fn steps(arguments: &Run, world: &World, from: Clock) -> Result<Option<u64>, Failure> {
    let Some(duration) = duration(arguments, world) else { return Ok(None) };
    let steps = (duration / from.dt - 1e-9).ceil() as u64;
    if steps < from.steps {
        return Err(past_the_end(from.time(), duration));
    }
    Ok(Some(steps))
}

/// Selects everything that reads quantities during the run.
fn watched(arguments: &Run, loaded: &Loaded, simulation: &Simulation) -> Result<Watched, Failure> {
    let described = (&loaded.world, &loaded.sources);
    Ok(Watched {
        quantities: quantities::recorded(&arguments.record, described, simulation)?,
        observers: observers(loaded, simulation)?,
        sources: (!loaded.world.observers.is_empty()).then(|| loaded.sources.clone()),
    })
}

/// Ends the observers and completes all files. Returns the paths of the files, and the faults of
/// observers.
fn close(
    mut recording: Recording,
    simulation: &Simulation,
    ended: &Result<Finished, Failure>,
    out: Option<&Path>,
) -> Result<(Vec<PathBuf>, Vec<FaultReport>), Failure> {
    let observed = recording.end(simulation, &ending(ended));
    working_folder::restore();
    let lost = recording.observers().faults().to_vec();
    report_faults(&lost, out);
    let mut files = recording.finish(simulation)?;
    warn_of_overwriting(&files, &observed);
    files.extend(observed);
    Ok((files, lost))
}

/// Creates the observers of a world.
fn observers(loaded: &Loaded, simulation: &Simulation) -> Result<Observers, Failure> {
    let created = Observers::new(&loaded.world, simulation);
    working_folder::restore();
    created.map_err(|error| diagnostics::observer_failure(&error, &loaded.sources))
}

/// Returns the end of a run as observers learn it.
fn ending(ended: &Result<Finished, Failure>) -> RunEnding {
    match ended {
        Ok(Finished::Done) => RunEnding::Duration,
        Ok(Finished::Interrupted) => RunEnding::Interrupt,
        Ok(Finished::Stopped(stop)) => RunEnding::Stop(stop.clone()),
        Err(failure) => {
            RunEnding::Fault(failure.text.lines().next().unwrap_or_default().to_owned())
        }
    }
}

/// Returns the arguments with the seed of the snapshot, unless another seed is given.
fn with_seed_of(snapshot: Option<&Snapshot>, arguments: &Run) -> Run {
    let mut arguments = arguments.clone();
    if let Some(snapshot) = snapshot {
        arguments.loading.seed.get_or_insert(snapshot.header().seed);
    }
    arguments
}

fn past_the_end(time: f64, duration: f64) -> Failure {
    let text = format!(
        "the snapshot was taken at {time} s, after the end of the run at {duration} s\nhelp: \
         increase --duration, or the <duration> of the world, which counts from the start of the world, \
         not from the snapshot"
    );
    Failure::new(Code::Usage, text)
}

fn load(arguments: &Run, catalogue: &Catalogue) -> Result<Loaded, Failure> {
    let options = arguments.loading.load_options();
    let loaded = simhost_world::load(&arguments.world, &options, catalogue);
    working_folder::restore();
    let loaded = loaded.map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    Ok(loaded)
}

/// Builds the simulation of a world with its commands, before the first step.
fn prepare(arguments: &Run, loaded: &Loaded) -> Result<Simulation, Failure> {
    let seed = arguments.loading.seed.or(loaded.world.settings.seed).unwrap_or(0);
    let options = Options { seed, threads: arguments.threads };
    let simulation = Simulation::new(&loaded.world, options);
    working_folder::restore();
    let mut simulation =
        simulation.map_err(|error| diagnostics::build_failure(&error, &loaded.sources))?;
    simulation.set_limits(arguments.resuming.limits());
    if let Some(commands) = &arguments.commands {
        commands::load(commands, &mut simulation)?;
    }
    Ok(simulation)
}

/// Reloads plugins that were rebuilt. If that fails, the failure is reported and the run continues
/// with the old plugins.
fn reload(
    arguments: &Run,
    watch: &mut Watch,
    simulation: &mut Simulation,
    recording: &mut Recording,
) {
    let changed = watch.changed();
    if changed.is_empty() {
        return;
    }
    let time = simulation.clock().time();
    let names: Vec<String> = changed.iter().map(|file| file.display().to_string()).collect();
    match reloaded(arguments, watch, simulation, recording) {
        Ok(()) => terminal::remark(&format!("at {time} s: reloaded {}", names.join(", "))),
        Err(failure) => {
            terminal::error(&failure.text);
            terminal::warning(&format!(
                "at {time} s: cannot reload {}; keeping the old plugin",
                names.join(", ")
            ));
        }
    }
}

fn reloaded(
    arguments: &Run,
    watch: &mut Watch,
    simulation: &mut Simulation,
    recording: &mut Recording,
) -> Result<(), Failure> {
    let catalogue = watch.collect()?;
    let loaded = load(arguments, &catalogue)?;
    let mut next = prepare(arguments, &loaded)?;
    next.take_over(simulation).map_err(|error| Failure::new(Code::PluginFault, error))?;
    next.start().map_err(|error| Failure::new(Code::PluginFault, error))?;
    recording.rebind(&loaded.world, &next)?;
    *simulation = next;
    Ok(())
}

/// Returns the failure for a run that ended early, and writes the evidence of a fault.
fn with_evidence(ended: Ended, directory: Option<&Path>) -> Failure {
    match ended {
        Ended::Output(failure) => failure,
        Ended::Endless => {
            let text = "the run has no duration, and the last observer that could end it has \
                        failed\nhelp: give a --duration, or correct the observer";
            Failure::new(Code::PluginFault, text)
        }
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
        Ok(path) => format!("note: `simhost replay {}` repeats the call", path.display()),
        Err(failure) => format!("note: {}", failure.text),
    }
}

/// Prints the faults after which the run continued, and writes their evidence.
fn report_faults(faults: &[FaultReport], directory: Option<&Path>) {
    for fault in faults.iter().take(evidence::MAX_FILES) {
        terminal::warning(&format!("{fault}\n{}", write_evidence(fault, directory)));
    }
    terminal::count_warnings(faults.len().saturating_sub(evidence::MAX_FILES));
}

/// Warns of files of a run that an observer has written too.
fn warn_of_overwriting(files: &[PathBuf], observed: &[PathBuf]) {
    let of_run = files.iter().filter_map(|file| std::path::absolute(file).ok());
    for file in of_run.filter(|file| observed.contains(file)) {
        let name = file.display();
        terminal::warning(&format!("an observer and the run have both written {name}"));
    }
}

/// Number of overlaps that are reported one by one.
const MAX_OVERLAPS: usize = 10;

fn warn_of_overlaps(simulation: &Simulation) {
    let overlaps = simulation.overlaps();
    for (one, other) in overlaps.iter().take(MAX_OVERLAPS) {
        terminal::warning(&format!("{one} and {other} overlap at the start and are pushed apart"));
    }
    if overlaps.len() > MAX_OVERLAPS {
        let more = overlaps.len() - MAX_OVERLAPS;
        terminal::warning(&format!("{more} more pairs overlap at the start"));
        terminal::count_warnings(more - 1);
    }
}

fn duration(arguments: &Run, world: &World) -> Option<f64> {
    let given = arguments.duration.or(world.settings.duration);
    if given.is_some() {
        return given;
    }
    let missing = "neither --duration nor <duration> is given; the run ends";
    if world.observers.iter().any(ObserverUse::stops) {
        terminal::remark(&format!("{missing} when an observer ends it"));
        return None;
    }
    terminal::remark(&format!("{missing} after {DEFAULT_DURATION} s"));
    Some(DEFAULT_DURATION)
}
