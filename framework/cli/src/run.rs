//! `simhost run`: loads a world, steps it, writes and reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use simhost_engine::{BuildError, Options, Simulation, StepError};
use simhost_world::{Diagnostic, LoadError, LoadOptions, Loaded, Severity};

use crate::arguments::Run;
use crate::catalogue;
use crate::exit::{Code, Failure};
use crate::observer::Observer;
use crate::progress::Progress;
use crate::summary::Summary;
use crate::terminal;

/// Simulated time when nothing says how long, s.
const DEFAULT_DURATION: f64 = 10.0;

/// Runs a world.
pub fn run(arguments: &Run) -> Result<Code, Failure> {
    let interrupted = watch_interrupts()?;
    let catalogue = catalogue::collect(arguments)?;
    let loaded = load(arguments, &catalogue)?;
    let settings = &loaded.world.settings;
    let seed = arguments.seed.or(settings.seed).unwrap_or(0);
    let options = Options { seed, threads: arguments.threads };
    let mut simulation =
        Simulation::new(&loaded.world, options).map_err(|error| build_failure(&error, &loaded))?;
    if let Some(commands) = &arguments.commands {
        simulation.load_commands(commands).map_err(|error| Failure::new(Code::BadInput, error))?;
    }
    let duration = duration(arguments, settings.duration);
    let steps = (duration / simulation.clock().dt - 1e-9).ceil() as u64;
    if arguments.verbose {
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
    let ended = simulate(&mut simulation, steps, observer.as_mut(), &interrupted);
    let wall = begun.elapsed();

    // whatever ended the run, its files are completed
    let files = observer
        .map(Observer::finish)
        .transpose()
        .map_err(|error| Failure::new(Code::Output, error))?
        .unwrap_or_default();
    let code = ended?;
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
) -> Result<Code, Failure> {
    let progress = Progress::new(steps);
    let mut observe = |simulation: &Simulation| {
        observer
            .as_mut()
            .map_or(Ok(()), |observer| observer.observe(simulation))
            .map_err(|error| Failure::new(Code::Output, error))
    };
    simulation.start().map_err(step_failure)?;
    observe(simulation)?;
    for step in 1..=steps {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(Code::Interrupted);
        }
        simulation.step().map_err(step_failure)?;
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

fn load(arguments: &Run, catalogue: &simhost_registry::Catalogue) -> Result<Loaded, Failure> {
    let options = LoadOptions {
        lenient: arguments.lenient,
        compat: arguments.compat.clone(),
        seed: arguments.seed,
        ..LoadOptions::default()
    };
    let loaded = simhost_world::load(&arguments.world, &options, catalogue)
        .map_err(|error| load_failure(&error))?;
    for warning in &loaded.warnings {
        terminal::remark(&format!("{}\n", loaded.sources.render(warning, terminal::colours())));
    }
    Ok(loaded)
}

fn load_failure(error: &LoadError) -> Failure {
    let colours = terminal::colours();
    let rendered: Vec<String> = error
        .diagnostics
        .iter()
        .map(|diagnostic| error.sources.render(diagnostic, colours))
        .collect();
    let errors = error.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
    let count = if errors == 1 { "1 error".to_string() } else { format!("{errors} errors") };
    let code = if error.usage { Code::Usage } else { Code::BadInput };
    let mut text = rendered.join("\n\n");
    if !error.usage {
        text += &format!("\n\nerror: the world cannot be used: {count}");
    }
    Failure::new(code, text)
}

fn build_failure(error: &BuildError, loaded: &Loaded) -> Failure {
    let code = match error {
        BuildError::Panicked { .. } => Code::PluginFault,
        _ => Code::BadInput,
    };
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        message: error.to_string(),
        span: error.span(),
        label: String::new(),
        notes: Vec::new(),
    };
    Failure::new(code, loaded.sources.render(&diagnostic, terminal::colours()))
}

fn step_failure(error: StepError) -> Failure {
    let code = match error {
        StepError::Diverged { .. } => Code::Diverged,
        _ => Code::PluginFault,
    };
    let help = match error {
        StepError::Fault(_) => {
            "\nhelp: <plugin_faults action=\"disable\"/> in the world lets the run go on without \
             that vehicle's models"
        }
        _ => "\nhelp: a smaller <simul_timestep> may do, or gains and stiffnesses are too large",
    };
    Failure::new(code, format!("{error}{help}"))
}

fn duration(arguments: &Run, of_world: Option<f64>) -> f64 {
    arguments.duration.or(of_world).unwrap_or_else(|| {
        terminal::remark(&format!(
            "neither --duration nor <duration> is given: the run ends after {DEFAULT_DURATION} s"
        ));
        DEFAULT_DURATION
    })
}
