//! `simhost check`: reports all errors of worlds without running them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use simhost_engine::{Observers, Options, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{Diagnostic, LoadError, LoadOptions, Loaded, Severity, Sources, Span};

use crate::arguments::{Loading, Models, seconds, size};
use crate::diagnostics::Count;
use crate::process::{Code, Failure};
use crate::{
    catalogue, diagnostics, guard, interrupt, quantities, terminal, working_folder, world_file,
};

/// Arguments of `simhost check`.
#[derive(Args, Clone, Debug)]
pub struct Check {
    /// World files.
    #[arg(required = true, value_name = "WORLD")]
    pub worlds: Vec<PathBuf>,

    /// Print a JSON array with the name, the verdict and the diagnostics of each file.
    #[arg(long)]
    pub json: bool,

    /// End the check if the program takes more memory than SIZE: bytes, or a number with K, M, G or T
    /// [default: no limit].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,

    /// End the check if a function of a model takes longer than S seconds of wall time.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub watchdog: Duration,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Checks worlds.
pub fn check(arguments: &Check) -> Result<Code, Failure> {
    guard::watch(arguments.watchdog);
    if let Some(limit) = arguments.max_memory {
        guard::limit_memory(limit);
    }
    let catalogue = catalogue::collect(&arguments.models)?;
    let options = arguments.loading.load_options();
    let mut code = Code::Done;
    let mut reports = Vec::new();
    for world in &arguments.worlds {
        let examined = examine(world, &options, &catalogue)?;
        working_folder::restore();
        if interrupt::is_requested() {
            return Err(interrupt::failure());
        }
        code = worse(code, &examined);
        if arguments.json {
            reports.push(WorldReport::new(world, examined));
        } else {
            diagnostics::show(&examined.diagnostics, &examined.sources);
            terminal::result(&format!("{}: {}", world.display(), verdict(examined.count())))?;
        }
    }
    if arguments.json {
        terminal::document(&json(&reports))?;
    }
    Ok(code)
}

/// Result of checking one world.
struct Examined {
    diagnostics: Vec<Diagnostic>,
    sources: Sources,
    /// Number of errors beyond those in `diagnostics`.
    hidden_errors: usize,
    /// Whether the command line contradicts the world.
    usage: bool,
}

impl Examined {
    fn count(&self) -> Count {
        let count = Count::of(&self.diagnostics);
        Count { errors: count.errors + self.hidden_errors, ..count }
    }
}

fn examine(
    world: &Path,
    options: &LoadOptions,
    catalogue: &Catalogue,
) -> Result<Examined, Failure> {
    Ok(match world_file::load(world, options, catalogue)? {
        Err(LoadError { diagnostics, sources, hidden_errors, usage, .. }) => {
            Examined { diagnostics, sources, hidden_errors, usage }
        }
        Ok(Loaded { world, warnings: mut diagnostics, sources, .. }) => {
            // some errors are found only when the models are created
            let seed = world.settings.seed.unwrap_or(0);
            match Simulation::new(&world, Options { seed, threads: 1 }) {
                Ok(simulation) => {
                    diagnostics.extend(quantities::check(&world, &simulation));
                    diagnostics.extend(simhost::check_streams(&world, &simulation));
                    let observers = Observers::new(&world, &simulation);
                    let error = observers.err();
                    diagnostics.extend(error.as_ref().map(diagnostics::of_observer));
                }
                Err(error) => diagnostics.push(diagnostics::of_build(&error)),
            }
            let changes = guard::changes_of_floats();
            diagnostics.extend(changes.iter().map(|text| diagnostics::warning(text)));
            Examined { diagnostics, sources, hidden_errors: 0, usage: false }
        }
    })
}

/// Combines the exit code so far with the code of another world. Usage errors take precedence.
fn worse(code: Code, examined: &Examined) -> Code {
    match code {
        Code::Usage => code,
        _ if examined.usage => Code::Usage,
        _ if examined.count().errors > 0 => Code::BadInput,
        _ => code,
    }
}

fn verdict(count: Count) -> String {
    match count {
        Count { errors: 0, warnings: 0 } => "ok".to_owned(),
        Count { errors: 0, .. } => format!("ok, {}", count.warnings()),
        _ => format!("{}, {}", count.errors(), count.warnings()),
    }
}

/// Result of checking one world.
///
/// `docs/src/cli.md` describes the fields.
#[derive(Debug, Serialize)]
struct WorldReport {
    file: String,
    ok: bool,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Finding>,
}

/// Diagnostic with its position. Lines and columns start at 1; columns count characters.
#[derive(Debug, Serialize)]
struct Finding {
    severity: &'static str,
    message: String,
    label: String,
    notes: Vec<String>,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
}

impl WorldReport {
    /// Converts the result of checking `world`.
    pub fn new(world: &Path, examined: Examined) -> Self {
        let count = examined.count();
        let Examined { diagnostics, sources, .. } = examined;
        Self {
            file: world.display().to_string(),
            ok: count.errors == 0,
            errors: count.errors,
            warnings: count.warnings,
            diagnostics: diagnostics
                .into_iter()
                .map(|found| Finding::new(found, &sources))
                .collect(),
        }
    }
}

impl Finding {
    fn new(diagnostic: Diagnostic, sources: &Sources) -> Self {
        let Diagnostic { severity, message, span, label, notes } = diagnostic;
        let start = span.map(|span| sources.position(span));
        // an empty span at the end gives the end position
        let end = span.map(|span| sources.position(Span { start: span.end, ..span }));
        Self {
            severity: match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message,
            label,
            notes,
            file: start.map(|(path, ..)| path.display().to_string()),
            line: start.map(|(_, line, _)| line),
            column: start.map(|(.., column)| column),
            end_line: end.map(|(_, line, _)| line),
            end_column: end.map(|(.., column)| column),
        }
    }
}

/// Returns a JSON array with a newline at the end.
fn json(reports: &[WorldReport]) -> String {
    let mut text =
        serde_json::to_string_pretty(reports).expect("a report has string keys and finite numbers");
    text.push('\n');
    text
}
