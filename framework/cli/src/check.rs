//! `simhost check`: reports all errors of worlds without running them.

mod report;

use std::path::Path;

use simhost_engine::{Observers, Options, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{Diagnostic, LoadError, LoadOptions, Loaded, Sources};

use crate::arguments::Check;
use crate::diagnostics::{self, Count};
use crate::exit::{Code, Failure};
use crate::{catalogue, guard, interrupt, quantities, terminal, working_folder, world_file};

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
            reports.push(report::WorldReport::new(world, examined));
        } else {
            diagnostics::show(&examined.diagnostics, &examined.sources);
            terminal::result(&format!("{}: {}", world.display(), verdict(examined.count())))?;
        }
    }
    if arguments.json {
        terminal::document(&report::json(&reports))?;
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

/// Combines the exit code so far with that of another world. Usage errors take precedence.
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
