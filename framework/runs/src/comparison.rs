//! Comparing two runs.

use crate::run::Run;
use crate::series::Series;

/// Times that differ by less are equal, s. Rows of CSV files hold times with the rounding of a sum.
const SAME_TIME: f64 = 1e-9;

/// Differences between two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Number of series that both runs have.
    pub quantities: usize,
    /// Number of pairs of values that were compared.
    pub values: u64,
    /// Number of these pairs that differ.
    pub differing: u64,
    /// The first difference: that with the earliest time, in the order of the quantities.
    pub first: Option<RunDifference>,
    /// The largest difference of each value of each quantity that differs.
    pub largest: Vec<RunDifference>,
    /// Series with samples that only one of the runs has.
    pub samples: Vec<Unpaired>,
    /// Names of series that only the first run has.
    pub only_first: Vec<String>,
    /// Names of series that only the second run has.
    pub only_second: Vec<String>,
}

/// A value that differs between two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct RunDifference {
    /// Name of the quantity, with the index of the value if it is an array.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// Time, s.
    pub time: f64,
    /// The values of the first and the second run.
    pub values: [f64; 2],
    /// Amount of the difference; infinite if one of the values is not a number.
    pub amount: f64,
}

/// Samples of a series that only one of two runs has.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpaired {
    /// Name of the series.
    pub name: String,
    /// Number of samples that only the first and only the second run has.
    pub counts: [usize; 2],
    /// Time of the first such sample, s.
    pub time: f64,
}

impl Comparison {
    /// Compares two runs. Two values are equal if they differ by at most `tolerance` of the name of their
    /// series, in their unit; two that are not a number are equal.
    pub fn new(first: &Run, second: &Run, tolerance: &dyn Fn(&str) -> f64) -> Self {
        let mut comparison = Self::default();
        for series in &first.series {
            match second.get(&series.name) {
                Some(other) => comparison.compare(series, other, tolerance(&series.name)),
                None => comparison.only_first.push(series.name.clone()),
            }
        }
        let missing = second.series.iter().filter(|series| first.get(&series.name).is_none());
        comparison.only_second = missing.map(|series| series.name.clone()).collect();
        comparison
    }

    /// Returns whether all common samples are equal, and no sample of a common quantity is missing.
    pub fn is_equal(&self) -> bool {
        self.largest.is_empty() && self.samples.is_empty()
    }

    fn compare(&mut self, first: &Series, second: &Series, tolerance: f64) {
        self.quantities += 1;
        let (pairs, unpaired) = pairs(&first.times, &second.times);
        if let Some((time, counts)) = unpaired {
            self.samples.push(Unpaired { name: first.name.clone(), counts, time });
        }
        let columns = first.columns.len().max(second.columns.len());
        for column in 0..columns {
            self.compare_column([first, second], column, &pairs, tolerance);
        }
    }

    fn compare_column(
        &mut self,
        series: [&Series; 2],
        column: usize,
        pairs: &[[usize; 2]],
        tolerance: f64,
    ) {
        let mut largest: Option<RunDifference> = None;
        self.values += pairs.len() as u64;
        for pair in pairs {
            // an array that is shorter in one of the runs has no value there
            let value = |run: usize| {
                series[run].columns.get(column).map_or(f64::NAN, |values| values[pair[run]])
            };
            let values = [value(0), value(1)];
            let amount = amount(values);
            self.differing += u64::from(amount > tolerance);
            if amount <= tolerance || largest.as_ref().is_some_and(|found| amount <= found.amount) {
                continue;
            }
            let longer = if series[0].units.len() > column { series[0] } else { series[1] };
            let (name, unit) = (longer.name_of(column), longer.units[column].clone());
            let found =
                RunDifference { name, unit, time: series[0].times[pair[0]], values, amount };
            if largest.is_none() && self.first.as_ref().is_none_or(|known| found.time < known.time)
            {
                self.first = Some(found.clone());
            }
            largest = Some(found);
        }
        self.largest.extend(largest);
    }
}

/// Returns the amount of the difference between two values.
fn amount([first, second]: [f64; 2]) -> f64 {
    if first == second || (first.is_nan() && second.is_nan()) {
        return 0.0;
    }
    let amount = (first - second).abs();
    if amount.is_nan() { f64::INFINITY } else { amount }
}

/// Pairs samples of the same time. Returns the pairs of indices, and of samples without a partner the time
/// of the first one and their numbers.
#[expect(clippy::type_complexity, reason = "two results of one walk")]
fn pairs(first: &[f64], second: &[f64]) -> (Vec<[usize; 2]>, Option<(f64, [usize; 2])>) {
    let mut pairs = Vec::with_capacity(first.len().min(second.len()));
    let mut unpaired: Option<(f64, [usize; 2])> = None;
    let (mut i, mut k) = (0, 0);
    while i < first.len() || k < second.len() {
        let (a, b) = (first.get(i), second.get(k));
        let (one, other) =
            (a.copied().unwrap_or(f64::INFINITY), b.copied().unwrap_or(f64::INFINITY));
        if (one - other).abs() < SAME_TIME {
            pairs.push([i, k]);
            (i, k) = (i + 1, k + 1);
            continue;
        }
        let (_, counts) = unpaired.get_or_insert((one.min(other), [0; 2]));
        if one < other {
            counts[0] += 1;
            i += 1;
        } else {
            counts[1] += 1;
            k += 1;
        }
    }
    (pairs, unpaired)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[allow(clippy::type_complexity)]
    fn run(series: &[(&str, &[f64], &[&[f64]])]) -> Run {
        let series = series.iter().map(|(name, times, columns)| Series {
            name: (*name).to_owned(),
            units: vec!["m".to_owned(); columns.len()],
            is_array: columns.len() > 1,
            times: Arc::new(times.to_vec()),
            columns: columns.iter().map(|values| values.to_vec()).collect(),
        });
        Run {
            path: "out".into(),
            manifest: None,
            vehicles: Vec::new(),
            series: series.collect(),
            names: Vec::new(),
            notes: Vec::new(),
        }
    }

    const TIMES: &[f64] = &[0.0, 0.1, 0.2, 0.3];

    #[test]
    fn the_first_and_the_largest_differences_are_found() {
        let a = run(&[
            ("a/x", TIMES, &[&[1.0, 2.0, 3.0, 4.0], &[f64::NAN, 0.0, 0.0, f64::INFINITY]]),
            ("a/y", TIMES, &[&[0.0, 0.5, 0.0, 0.0]]),
        ]);
        let b = run(&[
            ("a/x", TIMES, &[&[1.0, 2.0, 3.5, 4.25], &[f64::NAN, 0.0, 0.0, f64::INFINITY]]),
            ("a/y", TIMES, &[&[0.0, 0.0, 0.0, f64::NAN]]),
        ]);
        let found = Comparison::new(&a, &b, &|_| 0.0);
        let first = found.first.as_ref().unwrap();
        assert_eq!((&*first.name, first.time, first.values), ("a/y", 0.1, [0.5, 0.0]));
        let largest: Vec<(&str, f64, f64)> =
            found.largest.iter().map(|one| (&*one.name, one.time, one.amount)).collect();
        assert_eq!(largest, [("a/x[0]", 0.2, 0.5), ("a/y", 0.3, f64::INFINITY)]);
        assert_eq!((found.quantities, found.values), (2, 12));
        assert!(!found.is_equal());
        let of_x = |name: &str| if name == "a/x" { 0.5 } else { f64::INFINITY };
        assert!(Comparison::new(&a, &b, &of_x).is_equal());
        assert!(Comparison::new(&a, &a, &|_| 0.0).is_equal());
    }

    #[test]
    fn missing_samples_and_quantities_are_found() {
        let a = run(&[("a/x", TIMES, &[&[1.0; 4]]), ("a/only", TIMES, &[&[1.0; 4]])]);
        let b = run(&[("a/x", &[0.1, 0.15, 0.3], &[&[1.0; 3]]), ("b/only", &[], &[&[]])]);
        let found = Comparison::new(&a, &b, &|_| 0.0);
        let unpaired = Unpaired { name: "a/x".to_owned(), counts: [2, 1], time: 0.0 };
        assert_eq!(found.samples, [unpaired]);
        assert_eq!(
            (&*found.only_first, &*found.only_second),
            (&["a/only".to_owned()][..], &["b/only".to_owned()][..])
        );
        assert!(!found.is_equal());
        assert_eq!(found.values, 2);
    }

    #[test]
    fn an_array_that_is_longer_in_one_run_differs() {
        let a = run(&[("a/x", &[0.0], &[&[1.0], &[2.0]])]);
        let b = run(&[("a/x", &[0.0], &[&[1.0]])]);
        for (one, other) in [(&a, &b), (&b, &a)] {
            let found = Comparison::new(one, other, &|_| 0.0);
            assert_eq!(found.first.unwrap().name, "a/x[1]");
        }
    }
}
