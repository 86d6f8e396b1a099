//! `simhost run`: loads a world, steps it, writes and reports.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use simhost_engine::{FaultReport, Options, Simulation, StepError};
use simhost_registry::Catalogue;
use simhost_world::Loaded;

use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::observer::Observer;
use crate::progress::Progress;
use crate::summary::Summary;
use crate::watch::Watch;
use crate::{catalogue, diagnostics, evidence, guard, manifest, terminal};

/// Simulated time when nothing says how long, s.
const DEFAULT_DURATION: f64 = 10.0;

/// Runs a world.
pub fn run(arguments: &Run) -> Result<Code, Failure> {
    guard::name_crashes();
    let interrupted = watch_interrupts()?;
    if let Some(limit) = arguments.watchdog {
        guard::watch(Duration::from_secs_f64(limit));
    }
    let mut watch = arguments.watch.then(|| Watch::begin(&arguments.models)).transpose()?;
    let catalogue = match &mut watch {
        Some(watch) => watch.collect()?,
        None => catalogue::collect(&arguments.models)?,
    };
    let loaded = load(arguments, &catalogue)?;
    let settings = &loaded.world.settings;
    let seed = arguments.loading.seed.or(settings.seed).unwrap_or(0);
    let mut simulation = prepare(arguments, &loaded)?;
    warn_of_overlaps(&simulation);
    let duration = duration(arguments, settings.duration);
    let steps = (duration / simulation.clock().dt - 1e-9).ceil() as u64;
    if arguments.models.verbose {
        let (profile, dt) = (settings.profile.name, simulation.clock().dt);
        terminal::remark(&format!("profile {profile}, seed {seed}, {steps} steps of {dt} s"));
    }
    let mut observer = arguments
        .out
        .as_ref()
        .map(|directory| Observer::new(directory, arguments.log_period, &simulation))
        .transpose()
        .map_err(|error| Failure::new(Code::Output, error))?;

    let begun = Instant::now();
    let ended = simulate(&mut simulation, steps, observer.as_mut(), &interrupted, |simulation| {
        if let Some(watch) = &mut watch {
            renew(arguments, watch, simulation);
        }
    });
    let wall = begun.elapsed();

    // whatever ended the run, its files are completed
    let mut files = observer
        .map(Observer::finish)
        .transpose()
        .map_err(|error| Failure::new(Code::Output, error))?
        .unwrap_or_default();
    if let Some(out) = &arguments.out {
        let dt = simulation.clock().dt;
        files.push(manifest::write(out, &arguments.world, &loaded, &catalogue, seed, dt)?);
    }
    let code = ended.map_err(|error| with_evidence(error, arguments.out.as_deref()))?;
    tell_evidence(&simulation, arguments.out.as_deref());
    let interrupted = code == Code::Interrupted;
    let warnings = loaded.warnings.len();
    Summary { simulation: &simulation, wall, warnings, files: &files, interrupted }.print();
    Ok(code)
}

fn simulate(
    simulation: &mut Simulation,
    steps: u64,
    mut observer: Option<&mut Observer>,
    interrupted: &AtomicBool,
    mut before_step: impl FnMut(&mut Simulation),
) -> Result<Code, Ended> {
    let progress = Progress::new(steps);
    let mut observe = |simulation: &Simulation| {
        observer
            .as_mut()
            .map_or(Ok(()), |observer| observer.observe(simulation))
            .map_err(|error| Ended::Output(Failure::new(Code::Output, error)))
    };
    simulation.start().map_err(Ended::Step)?;
    observe(simulation)?;
    for step in 1..=steps {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(Code::Interrupted);
        }
        before_step(simulation);
        simulation.step().map_err(Ended::Step)?;
        observe(simulation)?;
        progress.at(step);
    }
    Ok(Code::Done)
}

/// Sets a flag on Ctrl-C or a request to terminate; a second one ends the program at once.
fn watch_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = flag.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Code::Interrupted as u8));
        }
    })
    .map_err(|error| Failure::new(Code::Usage, format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(flag)
}

fn load(arguments: &Run, catalogue: &Catalogue) -> Result<Loaded, Failure> {
    let options = arguments.loading.load_options();
    let loaded = simhost_world::load(&arguments.world, &options, catalogue)
        .map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    Ok(loaded)
}

/// The world with its models and commands, before the first step.
fn prepare(arguments: &Run, loaded: &Loaded) -> Result<Simulation, Failure> {
    let seed = arguments.loading.seed.or(loaded.world.settings.seed).unwrap_or(0);
    let options = Options { seed, threads: arguments.threads };
    let mut simulation = Simulation::new(&loaded.world, options)
        .map_err(|error| diagnostics::build_failure(&error, &loaded.sources))?;
    if let Some(commands) = &arguments.commands {
        simulation.load_commands(commands).map_err(|error| Failure::new(Code::BadInput, error))?;
    }
    Ok(simulation)
}

/// Goes on with plugins that were built again. What goes wrong is told, and the old ones go on.
fn renew(arguments: &Run, watch: &mut Watch, simulation: &mut Simulation) {
    let changed = watch.changed();
    if changed.is_empty() {
        return;
    }
    let time = simulation.clock().time();
    let names: Vec<String> = changed.iter().map(|file| file.display().to_string()).collect();
    match renewed(arguments, watch, simulation) {
        Ok(()) => terminal::remark(&format!("at {time} s: loaded {} anew", names.join(", "))),
        Err(failure) => {
            terminal::error(&failure.text);
            terminal::warning(&format!(
                "at {time} s: {} cannot take over; the old one goes on",
                names.join(", ")
            ));
        }
    }
}

fn renewed(arguments: &Run, watch: &mut Watch, simulation: &mut Simulation) -> Result<(), Failure> {
    let catalogue = watch.collect()?;
    let loaded = load(arguments, &catalogue)?;
    let mut next = prepare(arguments, &loaded)?;
    next.take_over(simulation).map_err(|error| Failure::new(Code::PluginFault, error))?;
    next.start().map_err(|error| Failure::new(Code::PluginFault, error))?;
    *simulation = next;
    Ok(())
}

/// Why a run ended before its time.
enum Ended {
    Step(StepError),
    Output(Failure),
}

/// What is shown when a run ends before its time; the evidence of a fault is written.
fn with_evidence(ended: Ended, directory: Option<&Path>) -> Failure {
    match ended {
        Ended::Output(failure) => failure,
        Ended::Step(StepError::Fault(fault)) => {
            let kept = kept(&fault, directory);
            let shorter = match fault.evidence.suggested_dt {
                dt if dt > 0.0 => format!("help: write <simul_timestep>{dt}</simul_timestep>\n"),
                _ => String::new(),
            };
            let text = format!(
                "{fault}\n{kept}\n{shorter}help: <plugin_faults action=\"disable\"/> in the world lets \
                 the run go on without that vehicle's models"
            );
            Failure::new(Code::PluginFault, text)
        }
        Ended::Step(error) => {
            let help = "help: a smaller <simul_timestep> may do, or gains and stiffnesses are too \
                        large";
            let code = match error {
                StepError::Diverged { .. } => Code::Diverged,
                _ => Code::PluginFault,
            };
            Failure::new(code, format!("{error}\n{help}"))
        }
    }
}

/// Where the evidence of a fault is.
fn kept(fault: &FaultReport, directory: Option<&Path>) -> String {
    match evidence::write(fault, directory) {
        Ok(path) => format!("note: `simhost replay {}` makes the call again", path.display()),
        Err(failure) => format!("note: {}", failure.text),
    }
}

/// The faults after which the run went on, with their evidence.
fn tell_evidence(simulation: &Simulation, directory: Option<&Path>) {
    for fault in simulation.faults().iter().take(evidence::MAX_FILES) {
        terminal::warning(&format!("{fault}\n{}", kept(fault, directory)));
    }
}

/// Most overlaps that are told one by one.
const MAX_OVERLAPS: usize = 10;

fn warn_of_overlaps(simulation: &Simulation) {
    let overlaps = simulation.overlaps();
    for (one, other) in overlaps.iter().take(MAX_OVERLAPS) {
        terminal::warning(&format!("{one} and {other} overlap at the start and are pushed apart"));
    }
    if overlaps.len() > MAX_OVERLAPS {
        let more = overlaps.len() - MAX_OVERLAPS;
        terminal::warning(&format!("{more} more pairs overlap at the start"));
    }
}

fn duration(arguments: &Run, of_world: Option<f64>) -> f64 {
    arguments.duration.or(of_world).unwrap_or_else(|| {
        terminal::remark(&format!(
            "neither --duration nor <duration> is given: the run ends after {DEFAULT_DURATION} s"
        ));
        DEFAULT_DURATION
    })
}
