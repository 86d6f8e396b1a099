//! `simhost quantities`, and a check of the quantities that a world records.

use std::path::PathBuf;

use clap::Args;
use simhost_engine::{Patterns, Quantities, QuantityInfo, Simulation};
use simhost_world::{Diagnostic, Sources, World};

use crate::arguments::{Loading, Models, pattern};
use crate::process::{Code, Failure};
use crate::{diagnostics, opening, terminal};

/// Arguments of `simhost quantities`.
#[derive(Args, Clone, Debug)]
pub struct ListQuantities {
    /// World file.
    pub world: PathBuf,

    /// List quantities that match: `*` does not cross `/`, `**` does, `!` excludes [default: all].
    #[arg(value_name = "PATTERN", value_parser = pattern)]
    pub patterns: Vec<String>,

    /// Print a JSON array.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Lists the quantities of a world.
pub fn list(arguments: &ListQuantities) -> Result<Code, Failure> {
    let options = arguments.loading.load_options();
    let (models, seed) = (&arguments.models, arguments.loading.seed);
    let (loaded, simulation) = opening::simulation(&arguments.world, &options, models, seed)?;
    let quantities = match arguments.patterns.is_empty() {
        true => Quantities::new(&loaded.world, &simulation, |_| true),
        false => {
            let patterns = Patterns::new(arguments.patterns.iter().map(String::as_str));
            Quantities::select(&loaded.world, &simulation, &patterns)
                .map_err(|error| diagnostics::quantity_failure(&error, None, &Sources::default()))?
        }
    };
    if arguments.json {
        terminal::document(&format!("{:#}\n", json(quantities.infos())))?;
    } else {
        terminal::document(&table(quantities.infos()))?;
    }
    Ok(Code::Done)
}

/// Checks the patterns of a world.
pub fn check(world: &World, simulation: &Simulation) -> Option<Diagnostic> {
    let patterns = Patterns::new(world.recorded.iter().map(|recorded| recorded.pattern.as_str()));
    if patterns.list().is_empty() {
        return None;
    }
    let error = Quantities::select(world, simulation, &patterns).err()?;
    Some(diagnostics::of_quantity(&error, world.recorded[error.index].span))
}

/// Returns a name as lists show it, with the number of values of an array.
fn shown_name(info: &QuantityInfo) -> String {
    info.len.map_or_else(|| info.name.clone(), |len| format!("{}[{len}]", info.name))
}

fn table(infos: &[QuantityInfo]) -> String {
    let head = ["name", "unit", "scope", "source", "description"].map(str::to_owned);
    let rows = infos.iter().map(|info| {
        let unit = info.units.to_string();
        let scope = info.scope.name().to_owned();
        [shown_name(info), unit, scope, info.source.clone(), info.doc.clone()]
    });
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    terminal::table(&rows)
}

/// Describes quantities in JSON.
pub fn json(infos: &[QuantityInfo]) -> serde_json::Value {
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
