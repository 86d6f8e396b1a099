//! Numbers that standards ask for.

/// A number that a standard asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Meaning.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// Unit.
    pub unit: &'static str,
    /// Whether the value satisfies the standard, if that has a limit.
    pub holds: Option<bool>,
}

impl Metric {
    pub(super) fn new(name: &'static str, value: f64, unit: &'static str) -> Self {
        Self { name, value, unit, holds: None }
    }

    pub(super) fn limited(name: &'static str, value: f64, unit: &'static str, holds: bool) -> Self {
        Self { name, value, unit, holds: Some(holds) }
    }

    /// Returns the value with four decimals, without a negative zero.
    pub fn text(&self) -> String {
        format!("{:.4}", (1e4 * self.value).round() / 1e4 + 0.0)
    }

    /// Returns a word for a limit of the standard; empty without one.
    pub fn verdict(&self) -> &'static str {
        match self.holds {
            None => "",
            Some(true) => "met",
            Some(false) => "not met",
        }
    }
}
