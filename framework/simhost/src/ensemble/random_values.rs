//! Random values of a world file, which all members of an ensemble share.

use std::collections::BTreeSet;

use simhost_world::{RandomValue, Sources, World};

use super::Ensemble;

/// Number of values that a message names.
const NAMED: usize = 8;

/// Returns which values of a world file `rand()` and `randn()` have drawn, which are the same for all members of an
/// ensemble and all runs of a study: variables by their names, others by their positions. `None` if there are none.
pub fn shared_random_values(world: &World, sources: &Sources) -> Option<String> {
    let place = |value: &RandomValue| {
        let (path, line, _) = sources.position(value.span);
        format!("{}:{line}", path.file_name().unwrap_or_default().to_string_lossy())
    };
    let mut known = BTreeSet::new();
    let named = world.random_values.iter().map(|value| match &value.variable {
        Some(name) => format!("variable '{name}' ({})", place(value)),
        None => format!("a value ({})", place(value)),
    });
    let named: Vec<String> = named.filter(|text| known.insert(text.clone())).collect();
    if named.is_empty() {
        return None;
    }
    let mut listed = named[..named.len().min(NAMED)].join(", ");
    if named.len() > NAMED {
        listed += &format!(" and {} more", named.len() - NAMED);
    }
    Some(format!("rand() and randn() are evaluated once, with the seed of the world: {listed}"))
}

impl Ensemble {
    /// Returns which random values of the world file the members share, see [`shared_random_values`]. `None` if there are
    /// none, or there is one member.
    pub fn shared_random_values(&self) -> Option<String> {
        let world = self.session.world();
        let (world, sources) = (world.description()?, world.sources()?);
        (self.members() > 1).then(|| shared_random_values(world, sources))?
    }
}
