//! Streams of quantities that the world groups.

use std::collections::HashSet;

use simhost_engine::{Patterns, Quantities, Simulation};
use simhost_streams::{Stream, types};
use simhost_world::{Diagnostic, StreamUse, World};

use super::draft::Draft;
use super::message_names::message_name;

/// Adds the streams of `<stream>` elements. Quantities are in the order of `simhost quantities`.
pub(super) fn add(world: &World, simulation: &Simulation, drafts: &mut Vec<Draft>) {
    for group in &world.streams {
        let patterns = patterns(group);
        let quantities = Quantities::new(world, simulation, |name| patterns.select(name));
        let names = quantities.infos().iter().map(|info| &info.name);
        let values = names.map(|name| (Some(name.clone()), name.clone()));
        // the type follows from the quantities
        let stream = Stream {
            period: group.period,
            ..Stream::new(group.name.clone(), types::Clock::TYPE.into())
        };
        let message = message_name(&group.name.replace('/', "_"));
        drafts.push(Draft { is_grouped: true, ..Draft::typed(stream, message, values) });
    }
}

/// Checks names and patterns, and returns the first error. `names` are those of all other streams.
pub(super) fn check(
    world: &World,
    simulation: &Simulation,
    names: &HashSet<&str>,
) -> Option<Diagnostic> {
    let taken = world.streams.iter().find(|group| names.contains(group.name.as_str()));
    if let Some(group) = taken {
        let message = format!("the world already has a stream `{}`", group.name);
        let help = "choose another name; `simhost streams WORLD` lists all streams";
        return Some(Diagnostic::error(message).at(group.span).label("already in use").help(help));
    }
    world.streams.iter().find_map(|group| {
        let error = Quantities::select(world, simulation, &patterns(group)).err()?;
        let label = match &error.nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => String::new(),
        };
        let span = group.quantities.get(error.index).map_or(group.span, |one| one.span);
        let error = Diagnostic::error(format!("no quantity matches `{}`", error.pattern));
        let help = "`simhost quantities WORLD` lists all quantities";
        Some(error.at(span).label(label).help(help))
    })
}

fn patterns(group: &StreamUse) -> Patterns {
    Patterns::new(group.quantities.iter().map(|one| one.pattern.as_str()))
}
