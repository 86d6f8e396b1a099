//! `simhost run`: loads a world, steps it, writes the output and prints a summary.

use std::path::Path;
use std::time::{Duration, Instant};

use simhost_abi::Kind;
use simhost_engine::{Divergence, FaultReport, Options, Simulation, Snapshot, StepError};
use simhost_registry::Catalogue;
use simhost_world::Loaded;

use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::interrupt::Phase;
use crate::progress::Progress;
use crate::recording::Recording;
use crate::summary::Summary;
use crate::watch::Watch;
use crate::{
    catalogue, commands, diagnostics, evidence, guard, hashes, interrupt, manifest, quantities,
    snapshots, terminal, working_folder,
};

/// Simulated time if neither the command line nor the world gives one, s.
const DEFAULT_DURATION: f64 = 10.0;

/// Largest number of steps between two looks at signals and rebuilt plugins if a run writes nothing.
const UNOBSERVED_STEPS: u64 = 16;
/// Number of vehicles whose steps take about 0.1 s together. With more of them, a run looks at
/// signals more often.
const MANY_VEHICLES: u64 = 40_000;

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
    let duration = duration(arguments, settings.duration);
    let steps = (duration / from.dt - 1e-9).ceil() as u64;
    if steps < from.steps {
        return Err(past_the_end(from.time(), duration));
    }
    if arguments.models.verbose {
        let (profile, dt) = (settings.profile.name, from.dt);
        terminal::remark(&format!("profile {profile}, seed {seed}, {steps} steps of {dt} s"));
    }
    let described = (&loaded.world, &loaded.sources);
    let quantities = quantities::recorded(&arguments.record, described, &simulation)?;
    let described = (&loaded.world, &simulation);
    let mut recording = Recording::new(arguments, described, quantities, resumed.is_some())?;
    let inputs = arguments.out.as_ref().map(|_| {
        let models = manifest::models(&loaded.world.vehicles);
        manifest::Inputs { world: &arguments.world, profile: settings.profile.name, models, seed }
    });
    // the run does not need the description, which can be as large as the simulation
    drop(loaded);

    let start = Instant::now();
    let is_resumed = resumed.is_some();
    interrupt::enter(Phase::Steps);
    let reload = |simulation: &mut Simulation, recording: &mut Recording| {
        if let Some(watch) = &mut watch {
            reload(arguments, watch, simulation, recording);
        }
    };
    let ended = simulate(&mut simulation, steps, is_resumed, &mut recording, reload);
    interrupt::enter(Phase::Completion);
    working_folder::restore();
    let wall = start.elapsed();

    let ended = ended.map_err(|error| match error {
        Ended::Step(StepError::Diverged(found)) => diverged(&found, &recording),
        other => with_evidence(other, arguments.out.as_deref()),
    });
    // the files are completed however the run ended
    let mut files = recording.finish(&simulation)?;
    if let (Some(out), Some(inputs)) = (&arguments.out, &inputs) {
        files.push(manifest::write(out, inputs, &catalogue, &simulation, resumed.as_ref())?);
    }
    let code = ended?;
    report_faults(&simulation, arguments.out.as_deref());
    guard::warn_of_floats();
    let interrupted = code == Code::Interrupted;
    let hash = arguments.resuming.hash_every.map(|_| hashes::of(&simulation)).transpose()?;
    let simulation = &simulation;
    Summary { simulation, from, wall, files: &files, interrupted, hash }.print()?;
    Ok(code)
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

fn simulate(
    simulation: &mut Simulation,
    steps: u64,
    is_resumed: bool,
    recording: &mut Recording,
    mut before_step: impl FnMut(&mut Simulation, &mut Recording),
) -> Result<Code, Ended> {
    let progress = Progress::new(steps);
    if is_resumed {
        recording.resume(simulation).map_err(Ended::Output)?;
    } else {
        simulation.start().map_err(Ended::Step)?;
        recording.observe(simulation).map_err(Ended::Output)?;
    }
    let vehicles = simulation.vehicle_names().len() as u64;
    let unobserved =
        (UNOBSERVED_STEPS * MANY_VEHICLES / vehicles.max(1)).clamp(1, UNOBSERVED_STEPS);
    let piece = if recording.is_idle() { unobserved } else { 1 };
    while simulation.clock().steps < steps {
        if interrupt::is_requested() {
            return Ok(Code::Interrupted);
        }
        before_step(simulation, recording);
        let left = steps - simulation.clock().steps;
        simulation.run(left.min(piece)).map_err(Ended::Step)?;
        recording.observe(simulation).map_err(Ended::Output)?;
        progress.at(simulation.clock().steps);
    }
    Ok(Code::Done)
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
    recording.rebind(&loaded.world, &next);
    *simulation = next;
    Ok(())
}

/// Reason why a run ended early.
enum Ended {
    Step(StepError),
    Output(Failure),
}

/// Returns the failure for a run that ended early, and writes the evidence of a fault.
fn with_evidence(ended: Ended, directory: Option<&Path>) -> Failure {
    match ended {
        Ended::Output(failure) => failure,
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
fn report_faults(simulation: &Simulation, directory: Option<&Path>) {
    let faults = simulation.faults();
    for fault in faults.iter().take(evidence::MAX_FILES) {
        terminal::warning(&format!("{fault}\n{}", write_evidence(fault, directory)));
    }
    terminal::count_warnings(faults.len().saturating_sub(evidence::MAX_FILES));
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

fn duration(arguments: &Run, of_world: Option<f64>) -> f64 {
    arguments.duration.or(of_world).unwrap_or_else(|| {
        terminal::remark(&format!(
            "neither --duration nor <duration> is given; the run ends after {DEFAULT_DURATION} s"
        ));
        DEFAULT_DURATION
    })
}
