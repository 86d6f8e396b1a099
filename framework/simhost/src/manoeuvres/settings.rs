//! Settings of manoeuvres: named numbers with a unit, a default and a range.

use super::Manoeuvre;
use crate::Error;

/// Usual angle of the steering wheel for one of the equivalent road wheel in the middle.
pub const USUAL_STEERING_RATIO: f64 = 16.0;

/// A setting of a manoeuvre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManoeuvreSetting {
    /// Name.
    pub name: &'static str,
    /// Unit; `1` for a pure number.
    pub unit: &'static str,
    /// Value of the standard.
    pub default: f64,
    /// Least and greatest value.
    pub range: [f64; 2],
    /// Meaning.
    pub meaning: &'static str,
}

/// Conditions under which a vehicle is driven through a manoeuvre.
#[derive(Clone, Debug, PartialEq)]
pub struct ManoeuvreSettings {
    /// Angle of the steering wheel divided by the angle of the equivalent road wheel in the middle.
    pub steering_ratio: f64,
    /// Names and values of settings that are not to have their defaults.
    pub values: Vec<(String, f64)>,
    /// Seed of all random numbers of the world, such as gusts and the noise of sensors. Random steering adds it to its seed.
    pub seed: u64,
}

impl Default for ManoeuvreSettings {
    fn default() -> Self {
        Self { steering_ratio: USUAL_STEERING_RATIO, values: Vec::new(), seed: 0 }
    }
}

impl ManoeuvreSettings {
    /// Returns the value of a setting.
    pub(super) fn value(&self, setting: &ManoeuvreSetting) -> f64 {
        let given = self.values.iter().rfind(|(name, _)| name == setting.name);
        given.map_or(setting.default, |(_, value)| *value)
    }

    /// Checks that a manoeuvre has all settings, and that their values are within their ranges.
    pub(super) fn check(&self, manoeuvre: Manoeuvre) -> Result<(), Error> {
        let wrong = |reason| Err(Error::ManoeuvreSetting { manoeuvre: manoeuvre.name(), reason });
        let known = manoeuvre.settings();
        for (name, value) in &self.values {
            let Some(setting) = known.iter().find(|one| one.name == name) else {
                let names: Vec<&str> = known.iter().map(|one| one.name).collect();
                return wrong(match names[..] {
                    [] => format!("unknown setting `{name}`; expected none"),
                    _ => format!("unknown setting `{name}`; expected one of: {}", names.join(", ")),
                });
            };
            let ([low, high], unit) = (setting.range, setting.unit);
            if !(low..=high).contains(value) {
                return wrong(format!(
                    "`{name}` is out of range: {value}; expected {low} to {high} {unit}"
                ));
            }
        }
        Ok(())
    }
}
