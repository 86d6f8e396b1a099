//! Selection of quantities by patterns.

use simhost_model::Patterns;
use simhost_world::World;

use super::Quantities;
use crate::simulation::Simulation;

/// A pattern that stands for no quantity of the world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no quantity matches `{pattern}`{}", did_you_mean(.nearest))]
pub struct UnknownQuantity {
    /// Index of the pattern.
    pub index: usize,
    /// The pattern.
    pub pattern: String,
    /// The most similar pattern that stands for a quantity.
    pub nearest: Option<String>,
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
}

impl Quantities {
    /// Returns the quantities that patterns select, in the order of [`Quantities::new`].
    ///
    /// # Errors
    /// [`UnknownQuantity`] if a pattern stands for none.
    pub fn select(
        world: &World,
        simulation: &Simulation,
        patterns: &Patterns,
    ) -> Result<Self, UnknownQuantity> {
        let mut selected = Self::select_each(&[(world, simulation)], patterns)?;
        Ok(selected.pop().unwrap_or_default())
    }

    /// Returns the quantities that patterns select in each of several worlds.
    ///
    /// # Errors
    /// [`UnknownQuantity`] if a pattern stands for none in all worlds.
    pub(crate) fn select_each(
        worlds: &[(&World, &Simulation)],
        patterns: &Patterns,
    ) -> Result<Vec<Self>, UnknownQuantity> {
        let mut unused: Vec<usize> = (0..patterns.list().len()).collect();
        let selected = worlds.iter().map(|(world, simulation)| {
            Self::new(world, simulation, |name| {
                unused.retain(|&index| !patterns.list()[index].matches(name));
                patterns.select(name)
            })
        });
        let selected = selected.collect();
        let Some(&index) = unused.first() else { return Ok(selected) };
        let pattern = patterns.list()[index].to_string();
        let mut names = Vec::new();
        for (world, simulation) in worlds {
            Self::new(world, simulation, |name| {
                names.push(name.to_owned());
                false
            });
        }
        let nearest = simhost_model::nearest_pattern(&pattern, names.iter().map(String::as_str));
        Err(UnknownQuantity { index, nearest, pattern })
    }
}
