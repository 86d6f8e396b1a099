//! Kinds of values of a variation.

use std::fmt;

/// Values of a variation, member by member. Numbers are in the unit of what varies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Distribution {
    /// The same value for all members.
    Constant(VariedValue),
    /// Member k has value k mod the number of values. There are at most as many values as members.
    List(Vec<VariedValue>),
    /// Values of a program: one for each member.
    Column(Vec<VariedValue>),
    /// `count` equally spaced values, used as a list.
    Range {
        /// Value of member 0.
        first: f64,
        /// Value of member `count` − 1.
        last: f64,
        /// Number of values, at least 1.
        count: u64,
    },
    /// Uniformly distributed from `low` to `high`.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end, greater than `low`.
        high: f64,
    },
    /// From `low` to `high`, with a uniformly distributed logarithm.
    LogUniform {
        /// Lower end, positive.
        low: f64,
        /// Upper end, greater than `low`.
        high: f64,
    },
    /// Normally distributed.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, positive.
        deviation: f64,
    },
    /// Normally distributed under the condition that the value is from `low` to `high`.
    Truncated {
        /// Mean of the normal distribution.
        mean: f64,
        /// Standard deviation of the normal distribution, positive.
        deviation: f64,
        /// Lower end.
        low: f64,
        /// Upper end, greater than `low`.
        high: f64,
    },
    /// One of the values, with equal probabilities.
    Choice(Vec<VariedValue>),
    /// From `low` to `high` as one coordinate of a Latin hypercube: one value in each of as many equal intervals as
    /// there are members.
    LatinHypercube {
        /// Lower end.
        low: f64,
        /// Upper end, greater than `low`.
        high: f64,
    },
    /// From `low` to `high` as one coordinate of the points of a Sobol sequence.
    Sobol {
        /// Lower end.
        low: f64,
        /// Upper end, greater than `low`.
        high: f64,
    },
}

impl Distribution {
    /// Returns whether members draw another value after a reset.
    pub fn is_random(&self) -> bool {
        matches!(
            self,
            Self::Uniform { .. }
                | Self::LogUniform { .. }
                | Self::Normal { .. }
                | Self::Truncated { .. }
                | Self::Choice(_)
        )
    }

    /// Returns the values from which a member has one; none of a distribution of numbers.
    pub fn items(&self) -> &[VariedValue] {
        match self {
            Self::Constant(value) => std::slice::from_ref(value),
            Self::List(values) | Self::Column(values) | Self::Choice(values) => values,
            _ => &[],
        }
    }

    /// Returns the least and the greatest value of a distribution of numbers, if it has both.
    pub(super) fn ends(&self) -> Option<[f64; 2]> {
        match *self {
            Self::Range { first, last, .. } => Some([first.min(last), first.max(last)]),
            Self::Uniform { low, high }
            | Self::LogUniform { low, high }
            | Self::Truncated { low, high, .. }
            | Self::LatinHypercube { low, high }
            | Self::Sobol { low, high } => Some([low, high]),
            _ => None,
        }
    }

    /// Returns the arguments that the text of the distribution has after its kind.
    fn arguments(&self) -> Vec<f64> {
        match *self {
            Self::Range { first, last, .. } => vec![first, last],
            Self::Uniform { low, high }
            | Self::LogUniform { low, high }
            | Self::LatinHypercube { low, high }
            | Self::Sobol { low, high } => vec![low, high],
            Self::Normal { mean, deviation } => vec![mean, deviation],
            Self::Truncated { mean, deviation, low, high } => vec![mean, deviation, low, high],
            _ => Vec::new(),
        }
    }

    /// Returns the name of the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Constant(_) => "constant",
            Self::List(_) | Self::Column(_) => "list",
            Self::Range { .. } => "range",
            Self::Uniform { .. } => "uniform",
            Self::LogUniform { .. } => "loguniform",
            Self::Normal { .. } => "normal",
            Self::Truncated { .. } => "truncated",
            Self::Choice(_) => "choice",
            Self::LatinHypercube { .. } => "lhs",
            Self::Sobol { .. } => "sobol",
        }
    }

    /// Checks what every distribution must satisfy.
    ///
    /// # Errors
    /// The number of the argument, counted from 0, and what is wrong with it.
    pub(super) fn check(&self) -> Result<(), (usize, String)> {
        if let Some(at) = self
            .items()
            .iter()
            .position(|item| matches!(item, VariedValue::Number(number) if !number.is_finite()))
        {
            return Err((at, format!("found {}; expected a finite number", self.items()[at])));
        }
        let arguments = self.arguments();
        if let Some(at) = arguments.iter().position(|number| !number.is_finite()) {
            return Err((at, format!("found {}; expected a finite number", arguments[at])));
        }
        match *self {
            Self::List(ref values) | Self::Column(ref values) | Self::Choice(ref values)
                if values.is_empty() =>
            {
                return Err((0, "found no value; expected at least one".to_owned()));
            }
            Self::Range { first, last, count } => {
                if count == 0 {
                    return Err((2, "COUNT is 0; expected at least 1".to_owned()));
                }
                return check_width(first, last);
            }
            Self::Normal { deviation, .. } | Self::Truncated { deviation, .. }
                if deviation <= 0.0 =>
            {
                return Err((1, format!("SD is {deviation}; expected a positive number")));
            }
            Self::LogUniform { low, .. } if low <= 0.0 => {
                return Err((0, format!("LOW is {low}; expected a positive number")));
            }
            _ => {}
        }
        if let Some([low, high]) = self.ends() {
            let first = arguments.len() - 2;
            if low >= high {
                let problem = format!("HIGH is {high}; expected more than LOW, {low}");
                return Err((first + 1, problem));
            }
            check_width(low, high).map_err(|(at, problem)| (first + at, problem))?;
        }
        if let Self::Truncated { mean, deviation, low, high } = *self
            && !super::normal::can_draw([(low - mean) / deviation, (high - mean) / deviation])
        {
            let problem = format!(
                "the values from {low} to {high} have almost no probability; expected a range within 37 SD of the mean"
            );
            return Err((2, problem));
        }
        Ok(())
    }
}

/// Checks that the distance of two numbers is finite.
fn check_width(first: f64, last: f64) -> Result<(), (usize, String)> {
    match (last - first).is_finite() {
        true => Ok(()),
        false => {
            Err((1, format!("the distance from {first} to {last} is not finite; expected less")))
        }
    }
}

impl fmt::Display for Distribution {
    /// Writes the text that [`FromStr`](std::str::FromStr) reads, `KIND:ARGUMENTS`. A value with a comma of a list
    /// that a program has given does not read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        for argument in self.arguments() {
            write!(f, ":{argument}")?;
        }
        if let Self::Range { count, .. } = self {
            write!(f, ":{count}")?;
        }
        for (number, item) in self.items().iter().enumerate() {
            write!(f, "{}{item}", if number == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

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
