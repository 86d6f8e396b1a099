//! Quantities that a session records.

use simhost_engine::{Patterns, Quantities, QuantityInfo, Simulation};
use simhost_world::{Sources, World};

use crate::error::Error;

/// Returns the quantities that the world, and then `patterns`, select.
///
/// # Errors
/// [`Error::Quantity`] if a pattern selects no quantity.
pub(crate) fn select(
    patterns: &[String],
    world: &World,
    sources: &Sources,
    simulation: &Simulation,
) -> Result<Quantities, Error> {
    let patterns = all(patterns, world);
    if patterns.list().is_empty() {
        return Ok(Quantities::default());
    }
    Quantities::select(world, simulation, &patterns).map_err(|error| Error::Quantity {
        span: world.recorded.get(error.index).map(|recorded| recorded.span),
        error: Box::new(error),
        sources: Box::new(sources.clone()),
    })
}

/// Returns the quantities of [`select`] that the world has.
pub(super) fn present(patterns: &[String], world: &World, simulation: &Simulation) -> Quantities {
    let patterns = all(patterns, world);
    match patterns.list() {
        [] => Quantities::default(),
        _ => Quantities::new(world, simulation, |name| patterns.select(name)),
    }
}

fn all(patterns: &[String], world: &World) -> Patterns {
    let of_world = world.recorded.iter().map(|recorded| recorded.pattern.as_str());
    Patterns::new(of_world.chain(patterns.iter().map(String::as_str)))
}

/// Returns the columns of `quantities.csv`: `name [unit]`, and `name[i] [unit]` for an array.
pub(super) fn columns(quantities: &Quantities) -> Vec<String> {
    let of = |info: &QuantityInfo| {
        let QuantityInfo { name, units, len, .. } = info.clone();
        (0..info.count()).map(move |index| match len {
            Some(_) => format!("{name}[{index}] [{}]", units.of(index)),
            None => format!("{name} [{}]", units.of(index)),
        })
    };
    quantities.infos().iter().flat_map(of).collect()
}
