//! What is compared, and how well it has to fit.

/// A number beside what it is expected to be.
#[derive(Clone, Debug)]
pub struct Check {
    /// What, with its unit.
    pub what: String,
    /// From a closed form, a standard or a reference.
    pub expected: f64,
    /// From the simulation.
    pub found: f64,
    /// Largest difference that holds.
    pub tolerance: f64,
}

impl Check {
    /// Holds within a part of what is expected.
    pub fn part(what: &str, expected: f64, found: f64, part: f64) -> Self {
        let tolerance = part * expected.abs();
        Self { what: what.to_owned(), expected, found, tolerance }
    }

    /// Holds within `tolerance` in its own unit.
    pub fn within(what: &str, expected: f64, found: f64, tolerance: f64) -> Self {
        Self { what: what.to_owned(), expected, found, tolerance }
    }

    /// Whether it holds.
    pub fn holds(&self) -> bool {
        // not-a-number does not
        (self.found - self.expected).abs() <= self.tolerance
    }
}

/// A comparison with its picture.
pub struct Case {
    /// Heading, and name of the picture.
    pub title: &'static str,
    /// What is done and what it is compared with, with the source.
    pub text: String,
    /// The numbers.
    pub checks: Vec<Check>,
    /// SVG.
    pub picture: String,
}
