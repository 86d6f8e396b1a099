//! Selection of quantities by patterns.

use simhost_world::World;

use super::Quantities;
use super::pattern::Patterns;
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
        let mut unused: Vec<usize> = (0..patterns.list().len()).collect();
        let selected = Self::new(world, simulation, |name| {
            unused.retain(|&index| !patterns.list()[index].matches(name));
            patterns.select(name)
        });
        let Some(&index) = unused.first() else { return Ok(selected) };
        let pattern = patterns.list()[index].to_string();
        let mut similar = Vec::new();
        Self::new(world, simulation, |name| {
            similar.extend(in_form_of(&pattern, name));
            false
        });
        similar.sort_unstable();
        similar.dedup();
        let nearest = simhost_model::nearest(&pattern, similar.iter().map(String::as_str));
        Err(UnknownQuantity { index, nearest: nearest.map(str::to_owned), pattern })
    }
}

/// Returns a name with the wildcards of a pattern: parts for which the pattern has one are replaced.
fn in_form_of(pattern: &str, name: &str) -> Option<String> {
    let (pattern, mark) = match pattern.strip_prefix('!') {
        Some(rest) => (rest, "!"),
        None => (pattern, ""),
    };
    let (parts, own): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), name.split('/').collect());
    // `**` stands for as many parts as are missing
    let wide = parts.iter().position(|part| *part == "**");
    let (before, after) = match wide {
        Some(at) => (at, parts.len() - at - 1),
        None => (parts.len(), 0),
    };
    let fits = if wide.is_some() { own.len() >= before + after } else { own.len() == before };
    if !fits {
        return None;
    }
    let form = |part: &&str, own: &&str| match part.contains('*') {
        true => (*part).to_owned(),
        false => (*own).to_owned(),
    };
    let mut formed: Vec<String> =
        parts[..before].iter().zip(&own[..before]).map(|(part, own)| form(part, own)).collect();
    if wide.is_some() {
        formed.push("**".to_owned());
        let (parts, own) = (&parts[before + 1..], &own[own.len() - after..]);
        formed.extend(parts.iter().zip(own).map(|(part, own)| form(part, own)));
    }
    Some(format!("{mark}{}", formed.join("/")))
}

#[cfg(test)]
mod tests {
    use super::in_form_of;

    #[test]
    fn a_name_takes_the_wildcards_of_a_pattern() {
        let form = |pattern| in_form_of(pattern, "car/wheel/fl/temperature");
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(form("car/wheel/*/temprature"), some("car/wheel/*/temperature"));
        assert_eq!(form("**/temprature"), some("**/temperature"));
        assert_eq!(form("!kar/**/temprature"), some("!car/**/temperature"));
        assert_eq!(form("car/wheell/**"), some("car/wheel/**"));
        assert_eq!(form("car/temperature"), None);
    }
}
