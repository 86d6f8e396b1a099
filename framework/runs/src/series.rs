//! Series of samples.

use std::sync::Arc;

/// Samples of a quantity over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name as `simhost quantities` lists it, such as `robot/wheel/fl/spin`.
    pub name: String,
    /// Unit of each value; "1" for a pure number.
    pub units: Vec<String>,
    /// Whether the quantity is an array, whose values have an index, also if there is only one.
    pub is_array: bool,
    /// Times of the samples, s. Quantities of the same rows share their times.
    pub times: Arc<Vec<f64>>,
    /// The values: for each value of a sample its values over time.
    pub columns: Vec<Vec<f64>>,
}

impl Series {
    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Returns whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Returns the name of one of the values: `robot/pose[0]` for an array, and otherwise the name.
    pub fn name_of(&self, index: usize) -> String {
        match self.is_array {
            true => format!("{}[{index}]", self.name),
            false => self.name.clone(),
        }
    }

    /// Returns the index of the last sample at or before a time, which may lie one nanosecond after it.
    pub fn sample_at(&self, time: f64) -> Option<usize> {
        self.times.partition_point(|sample| *sample <= time + 1e-9).checked_sub(1)
    }

    /// Returns a value at a time, interpolated linearly between the samples before and after it; `None`
    /// before the first sample and after the last one.
    pub fn value_at(&self, index: usize, time: f64) -> Option<f64> {
        let column = self.columns.get(index)?;
        let before = self.sample_at(time)?;
        let (start, from) = (self.times[before], column[before]);
        match (self.times.get(before + 1), column.get(before + 1)) {
            (Some(&end), Some(&to)) if end > start => {
                let share = ((time - start) / (end - start)).clamp(0.0, 1.0);
                Some(from + share * (to - from))
            }
            _ => (time <= start + 1e-9).then_some(from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_samples_are_interpolated() {
        let series = Series {
            name: "a/b".to_owned(),
            units: vec!["m".to_owned()],
            is_array: false,
            times: Arc::new(vec![0.0, 1.0, 3.0]),
            columns: vec![vec![5.0, 7.0, 11.0]],
        };
        assert_eq!(series.sample_at(-0.1), None);
        assert_eq!(series.sample_at(0.0), Some(0));
        assert_eq!(series.sample_at(2.9), Some(1));
        assert_eq!(series.value_at(0, 0.5), Some(6.0));
        assert_eq!(series.value_at(0, 2.0), Some(9.0));
        assert_eq!(series.value_at(0, 3.0), Some(11.0));
        assert_eq!(series.value_at(0, 3.1), None);
        assert_eq!(series.value_at(1, 0.5), None);
    }
}
