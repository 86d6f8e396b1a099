//! Order of points from better to worse.

use std::cmp::Ordering;

/// What a point has given, the most important first.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// Number of runs that have no result.
    pub failed: usize,
    /// By how much conditions are missed.
    pub violation: f64,
    /// Values of the goals to make small.
    pub values: Vec<f64>,
    /// Squared distance from the bounds.
    pub outside: f64,
}

impl Rank {
    /// Returns the rank of a point that meets all conditions.
    #[cfg(test)]
    pub fn of_values(values: Vec<f64>) -> Self {
        Self { failed: 0, violation: 0.0, values, outside: 0.0 }
    }

    /// Compares points by what they miss.
    fn compare_missed(&self, other: &Self) -> Ordering {
        // the penalty for leaving the bounds counts like a missed condition
        let missed = |rank: &Self| rank.violation + rank.outside;
        self.failed.cmp(&other.failed).then(missed(self).total_cmp(&missed(other)))
    }

    /// Compares points by what they miss, and then by the first goal.
    pub fn compare(&self, other: &Self) -> Ordering {
        let first = |rank: &Self| rank.values.first().copied().unwrap_or(f64::NAN);
        self.compare_missed(other).then(first(self).total_cmp(&first(other)))
    }

    /// Returns whether a point is better: it misses less, or as much, and is better in one goal and worse in none.
    pub fn dominates(&self, other: &Self) -> bool {
        let mut pairs = self.values.iter().zip(&other.values);
        match self.compare_missed(other) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => {
                pairs.all(|(own, other)| own <= other) && self.values != other.values
            }
        }
    }

    /// Returns whether another point makes this one superfluous: it is better, or the same.
    pub fn is_covered_by(&self, other: &Self) -> bool {
        other.dominates(self) || (self.compare_missed(other).is_eq() && self.values == other.values)
    }
}
