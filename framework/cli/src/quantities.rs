//! `simhost quantities`, and a check of the quantities that a world records.

use std::path::PathBuf;

use clap::Args;
use simhost_engine::{Patterns, Quantities, QuantityInfo};
use simhost_world::Sources;

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
        terminal::document(&format!(
            "{:#}\n",
            simhost::check::describe_quantities(quantities.infos())
        ))?;
    } else {
        terminal::document(&table(quantities.infos()))?;
    }
    Ok(Code::Done)
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
