//! Comparisons and their tolerances.

/// A computed number and its expected value.
#[derive(Clone, Debug)]
pub struct Check {
    /// Name of the quantity, with its unit.
    pub what: String,
    /// Value of a closed form, a standard or a reference.
    pub expected: f64,
    /// Value of the simulation.
    pub found: f64,
    /// Largest accepted difference.
    pub tolerance: f64,
}

impl Check {
    /// Creates a comparison whose tolerance is a fraction of the expected value.
    pub fn relative(what: &str, expected: f64, found: f64, fraction: f64) -> Self {
        let tolerance = fraction * expected.abs();
        Self { what: what.to_owned(), expected, found, tolerance }
    }

    /// Creates a comparison whose tolerance is given in the unit of the quantity.
    pub fn within(what: &str, expected: f64, found: f64, tolerance: f64) -> Self {
        Self { what: what.to_owned(), expected, found, tolerance }
    }

    /// Returns whether the difference is within the tolerance.
    pub fn holds(&self) -> bool {
        // false for NaN
        (self.found - self.expected).abs() <= self.tolerance
    }
}

/// A set of comparisons with a text and a picture.
pub struct Case {
    /// Heading.
    pub title: &'static str,
    /// Name of the picture file without extension.
    pub file: &'static str,
    /// Description of the case and the source of the expected values.
    pub text: String,
    /// The comparisons.
    pub checks: Vec<Check>,
    /// Picture as SVG.
    pub picture: String,
}
