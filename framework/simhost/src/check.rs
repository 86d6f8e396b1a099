//! Checks of worlds without running them, and their reports.

mod diagnostics;
mod report;

use std::path::Path;

use simhost_engine::{Observers, Patterns, Quantities, QuantityInfo, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{Diagnostic, LoadError, LoadOptions, Loaded, Sources, World};

use crate::error::Error;

pub use diagnostics::{
    DiagnosticCount, LIST_QUANTITIES, of_build, of_observer, of_quantity, plain_text, warning,
};
pub use report::{WorldReport, json};

/// Result of checking one world.
pub struct Examined {
    /// Errors and warnings in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
    /// Texts to which the diagnostics refer.
    pub sources: Sources,
    /// Number of errors beyond those in `diagnostics`.
    pub hidden_errors: usize,
    /// Whether the options contradict the world.
    pub usage: bool,
}

impl Examined {
    /// Reads a world file, and builds its simulation to find errors of models.
    pub fn of_file(world: &Path, options: &LoadOptions, catalogue: &Catalogue) -> Self {
        Self::of_loaded(simhost_world::load(world, options, catalogue))
    }

    /// Builds the simulation of a world that has been read, to find errors of models.
    pub fn of_loaded(loaded: Result<Loaded, LoadError>) -> Self {
        let Loaded { world, warnings: mut diagnostics, sources, .. } = match loaded {
            Ok(loaded) => loaded,
            Err(error) => return Self::of_load_error(error),
        };
        // some errors are found only when the models are created
        let seed = world.settings.seed.unwrap_or(0);
        match Simulation::new(&world, simhost_engine::Options { seed, threads: 1 }) {
            Ok(simulation) => {
                diagnostics.extend(quantities(&world, &simulation));
                diagnostics.extend(crate::check_streams(&world, &simulation));
                let error = Observers::new(&world, &simulation).err();
                diagnostics.extend(error.as_ref().map(of_observer));
            }
            Err(error) => diagnostics.push(of_build(&error)),
        }
        Self { diagnostics, sources, hidden_errors: 0, usage: false }
    }

    /// Returns the diagnostics of a session that cannot be opened.
    pub fn of_error(error: Error) -> Self {
        let (diagnostic, sources) = match error {
            Error::Load(error) => return Self::of_load_error(*error),
            Error::Build { error, sources } => (of_build(&error), *sources),
            Error::Observer { error, sources } => (of_observer(&error), *sources),
            Error::Quantity { error, span: Some(span), sources } => {
                (of_quantity(&error, span), *sources)
            }
            other => (diagnostics::without_position(&other), Sources::default()),
        };
        Self { diagnostics: vec![diagnostic], sources, hidden_errors: 0, usage: false }
    }

    fn of_load_error(error: LoadError) -> Self {
        let LoadError { diagnostics, sources, hidden_errors, usage, .. } = error;
        Self { diagnostics, sources, hidden_errors, usage }
    }

    /// Returns the number of errors and warnings.
    pub fn count(&self) -> DiagnosticCount {
        let count = DiagnosticCount::of(&self.diagnostics);
        DiagnosticCount { errors: count.errors + self.hidden_errors, ..count }
    }
}

/// Checks the patterns of quantities that a world records.
pub fn quantities(world: &World, simulation: &Simulation) -> Option<Diagnostic> {
    let patterns = Patterns::new(world.recorded.iter().map(|recorded| recorded.pattern.as_str()));
    if patterns.list().is_empty() {
        return None;
    }
    let error = Quantities::select(world, simulation, &patterns).err()?;
    Some(of_quantity(&error, world.recorded[error.index].span))
}

/// Describes quantities in JSON.
pub fn describe_quantities(infos: &[QuantityInfo]) -> serde_json::Value {
    let list = infos.iter().map(|info| {
        let units: Vec<&str> = (0..info.count()).map(|index| info.units.of(index)).collect();
        let unit = match info.units {
            simhost_engine::Units::All(unit) => serde_json::json!(unit),
            _ => serde_json::json!(units),
        };
        serde_json::json!({
            "name": info.name,
            "unit": unit,
            "length": info.len,
            "scope": info.scope.name(),
            "source": info.source,
            "description": info.doc,
        })
    });
    serde_json::Value::Array(list.collect())
}
