//! Numbers with a unit and a range.

/// Unit and valid range of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity<'a> {
    /// Name of the parameter, for messages.
    pub name: &'a str,
    /// Unit, empty or `1` for a plain number.
    pub unit: &'a str,
    pub min: f64,
    pub max: f64,
    /// Whether `min` itself is excluded.
    pub above_min: bool,
    /// Whether `max` itself is excluded.
    pub below_max: bool,
}

impl<'a> Quantity<'a> {
    /// Creates a quantity without bounds.
    pub(crate) const fn any(name: &'a str, unit: &'a str) -> Self {
        let (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { name, unit, min, max, above_min: false, below_max: false }
    }

    /// Creates a quantity that has to be greater than 0.
    pub(crate) const fn positive(name: &'a str, unit: &'a str) -> Self {
        Self { min: 0.0, above_min: true, ..Self::any(name, unit) }
    }

    /// Returns the quantity with new bounds. NaN keeps a bound.
    pub(super) const fn bounded(mut self, min: f64, max: f64, above_min: bool) -> Self {
        if !min.is_nan() {
            (self.min, self.above_min) = (min, above_min);
        }
        if !max.is_nan() {
            self.max = max;
        }
        self
    }

    /// Returns whether a value is in range.
    pub(crate) fn contains(&self, value: f64) -> bool {
        let low = if self.above_min { value > self.min } else { value >= self.min };
        let high = if self.below_max { value < self.max } else { value <= self.max };
        low && high
    }

    /// Describes what is expected, such as `expected a number in kg, greater than 0`.
    pub(crate) fn expected(&self, noun: &str) -> String {
        let mut text = format!("expected {noun}");
        if !matches!(self.unit, "" | "1") {
            text += &format!(" in {}", self.unit);
        }
        if self.min.is_finite() {
            let word = if self.above_min { "greater than" } else { "at least" };
            text += &format!(", {word} {}", self.min);
        }
        if self.max.is_finite() {
            let word = if self.below_max { "less than" } else { "at most" };
            text += &format!(", {word} {}", self.max);
        }
        text
    }
}
