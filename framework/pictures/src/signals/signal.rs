//! Runs with their names, and numbers of them over time.

use std::sync::Arc;

use simhost_runs::{Run, Series};
use simhost_world::World;

use crate::error::PictureError;
use crate::scene::Scene;

/// A run with its name in pictures.
#[derive(Clone, Debug)]
pub struct NamedRun {
    /// Name, distinct from the names of the other runs.
    pub name: String,
    /// The run.
    pub run: Run,
    /// World of the run, if its file is known.
    pub world: Option<World>,
    /// The parts of the world that pictures show, if it is known.
    pub scene: Option<Scene>,
}

impl NamedRun {
    /// Returns the value of a parameter of a model, as in a world file: that at the start of the run.
    ///
    /// # Errors
    /// [`PictureError::Parameter`] if the world is not known, or has no such parameter.
    pub fn parameter(&self, name: &str) -> Result<String, PictureError> {
        if let Some(value) = self.run.first_parameter(name) {
            return Ok(value);
        }
        let parameters = self.world.as_ref().map(World::parameters).unwrap_or_default();
        if let Some((_, value)) = parameters.iter().find(|(known, _)| known == name) {
            return Ok(value.clone());
        }
        let names = parameters.iter().map(|(known, _)| known.as_str());
        let nearest = simhost_model::nearest(name, names).map(str::to_owned);
        let (run, is_known) = (self.run.path.clone(), self.world.is_some());
        Err(PictureError::Parameter { run, name: name.to_owned(), is_known, nearest })
    }
}

/// A number of a run over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Index of the run.
    pub run: usize,
    /// Vehicle or other entity.
    pub entity: String,
    /// Wheel, or another part that distinguishes signals of an entity; can be empty.
    pub part: String,
    /// Quantity, such as `speed`.
    pub quantity: String,
    /// Whether it is drawn with signals of other quantities, from which its name distinguishes it.
    pub is_joined: bool,
    /// Unit of the values.
    pub unit: String,
    /// Times, s.
    pub times: Arc<Vec<f64>>,
    /// Values.
    pub values: Vec<f64>,
}

impl Signal {
    /// Returns the name within the entity: the part, and the quantity if it is drawn with other ones.
    pub fn local_name(&self) -> String {
        if self.is_joined { joined(&self.part, &self.quantity) } else { self.part.clone() }
    }

    /// Returns the value at a time, between samples by linear interpolation.
    pub fn at(&self, time: f64) -> Option<f64> {
        let before = self.times.partition_point(|sample| *sample <= time + 1e-9).checked_sub(1)?;
        let (start, from) = (self.times[before], self.values[before]);
        match (self.times.get(before + 1), self.values.get(before + 1)) {
            (Some(&end), Some(&to)) if end > start => {
                Some(from + ((time - start) / (end - start)).clamp(0.0, 1.0) * (to - from))
            }
            _ => (time <= start + 1e-9).then_some(from),
        }
    }
}

/// Returns the name of an item of something, such as a wheel of a vehicle. Either can be empty.
pub fn joined(owner: &str, item: &str) -> String {
    let space = if owner.is_empty() || item.is_empty() { "" } else { " " };
    format!("{owner}{space}{item}")
}

/// Returns entity, part and quantity of a series: `car`, `fl` and `spin` of `car/wheel/fl/spin`.
pub fn parts(series: &Series) -> (String, String, String) {
    let (entity, rest) = series.name.split_once('/').unwrap_or(("", &series.name));
    let (role, quantity) = rest.rsplit_once('/').unwrap_or(("", rest));
    let part = role.strip_prefix("wheel/").unwrap_or(role);
    (entity.to_owned(), part.to_owned(), quantity.to_owned())
}
