//! Streams of quantities that the world groups.

use std::collections::HashSet;

use simhost_engine::{Pattern, Patterns, Quantities, Simulation};
use simhost_streams::{Stream, types};
use simhost_world::{Diagnostic, StreamUse, World};

use super::draft::Draft;
use super::message_names::message_name;

/// Adds the streams of `<stream>` elements. Quantities are in the order of `simhost quantities`.
pub(super) fn add(world: &World, simulation: &Simulation, drafts: &mut Vec<Draft>) {
    let groups: Vec<(&StreamUse, Patterns)> =
        world.streams.iter().map(|group| (group, patterns(group))).collect();
    if groups.is_empty() {
        return;
    }
    // in one pass, because there can be as many groups as vehicles
    let is_selected = |name: &str| groups.iter().any(|(_, patterns)| patterns.select(name));
    let quantities = Quantities::new(world, simulation, is_selected);
    for (group, patterns) in groups {
        let names = quantities.infos().iter().map(|info| &info.name);
        let names = names.filter(|name| patterns.select(name));
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

/// Checks names and patterns, and returns the first error. `names` are the names of all other
/// streams.
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
    let mut known = Vec::new();
    Quantities::new(world, simulation, |name| {
        known.push(name.to_owned());
        false
    });
    let is_used = |pattern: &Pattern| known.iter().any(|name| pattern.matches(name));
    world.streams.iter().find_map(|group| {
        let patterns = patterns(group);
        if patterns.list().iter().all(is_used) {
            return None;
        }
        let error = Quantities::select(world, simulation, &patterns).err()?;
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
