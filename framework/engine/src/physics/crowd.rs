//! The error for more overlapping bodies than rapier can solve.

/// More pairs than rapier can solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Crowd {
    /// Number of the body with the most pairs among those counted.
    pub body: usize,
    /// Its name as messages show it.
    pub name: String,
    /// Number of its pairs that were counted.
    pub pairs: usize,
    /// Greatest number of pairs of all bodies together.
    pub most: usize,
}

impl std::fmt::Display for Crowd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, pairs, most, .. } = self;
        write!(
            f,
            "too many bodies overlap: {name} is in at least {pairs} overlapping pairs; expected at most {most} pairs of \
             bounding boxes in this world"
        )
    }
}

/// Advice to a user whose bodies are crowded.
pub(crate) const CROWD_ADVICE: &str = "place the bodies apart, or use fewer of them";
