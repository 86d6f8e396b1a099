//! `simhost check`: reports all errors of worlds without running them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use simhost::check::{DiagnosticCount, Examined, WorldReport, json};
use simhost_registry::Catalogue;
use simhost_world::LoadOptions;

use crate::arguments::{Loading, Models, seconds, size};
use crate::process::{Code, Failure};
use crate::{catalogue, diagnostics, guard, interrupt, terminal, working_folder, world_file};

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

fn examine(
    world: &Path,
    options: &LoadOptions,
    catalogue: &Catalogue,
) -> Result<Examined, Failure> {
    let mut examined = Examined::of_loaded(world_file::load(world, options, catalogue)?);
    let changes = guard::changes_of_floats();
    examined.diagnostics.extend(changes.iter().map(|text| diagnostics::warning(text)));
    Ok(examined)
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

fn verdict(count: DiagnosticCount) -> String {
    match count {
        DiagnosticCount { errors: 0, warnings: 0 } => "ok".to_owned(),
        DiagnosticCount { errors: 0, .. } => format!("ok, {}", count.warnings()),
        _ => format!("{}, {}", count.errors(), count.warnings()),
    }
}
