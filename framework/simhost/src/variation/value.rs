//! Single values of variations.

use std::fmt;

/// A value of a variation.
#[derive(Clone, Debug, PartialEq)]
pub enum VariedValue {
    /// A number. Its text is the shortest that reads back as the same number.
    Number(f64),
    /// A text as in a world file, such as `0.8` or `1 2 0.5`.
    Text(String),
}

impl VariedValue {
    /// Returns the numbers of the value; `None` if it is not a list of finite numbers separated by spaces.
    pub(super) fn numbers(&self) -> Option<Vec<f64>> {
        let finite = |number: f64| number.is_finite().then_some(number);
        match self {
            Self::Number(number) => finite(*number).map(|number| vec![number]),
            Self::Text(text) => {
                text.split_whitespace().map(|word| word.parse().ok().and_then(finite)).collect()
            }
        }
    }
}

impl fmt::Display for VariedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl From<f64> for VariedValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for VariedValue {
    fn from(text: &str) -> Self {
        Self::Text(text.trim().to_owned())
    }
}
