//! Runs.

use std::path::PathBuf;

use simhost_model::Patterns;
use simhost_record::{InputRecord, InputRecords};
use simhost_streams::Input;

use crate::error::RunError;
use crate::files::RunFiles;
use crate::manifest::Manifest;
use crate::series::Series;

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Folder or file that was read.
    pub path: PathBuf,
    /// Manifest, if there is one.
    pub manifest: Option<Manifest>,
    /// Names of the vehicles in the order of the world.
    pub vehicles: Vec<String>,
    /// Series that were read.
    pub series: Vec<Series>,
    /// Names of all series, also of those that were not read.
    pub names: Vec<String>,
    /// Parts of the run that could not be read, for people.
    pub notes: Vec<String>,
}

impl Run {
    /// Removes quantities of wheels that the vehicle does not have: the tables of all vehicles have the same
    /// columns.
    pub(crate) fn remove_absent(&mut self) {
        let is_absent = |series: &Series| {
            let mut values = series.columns.iter().flatten().peekable();
            series.name.contains("/wheel/") && values.peek().is_some() && values.all(|v| v.is_nan())
        };
        let absent = self.series.extract_if(.., |series| is_absent(series));
        let absent: Vec<String> = absent.map(|series| series.name).collect();
        self.names.retain(|name| !absent.contains(name));
    }

    /// Returns whether there is no sample of any series.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(Series::is_empty)
    }

    /// Returns the time of the last sample, s.
    pub fn end(&self) -> Option<f64> {
        let ends = self.series.iter().filter_map(|series| series.times.last());
        ends.copied().max_by(f64::total_cmp)
    }

    /// Returns a series by its name, if it was read.
    pub fn get(&self, name: &str) -> Option<&Series> {
        self.series.iter().find(|series| series.name == name)
    }

    /// Returns a series by its name.
    ///
    /// # Errors
    /// [`RunError::UnknownSeries`] with the nearest name.
    pub fn find(&self, name: &str) -> Result<&Series, RunError> {
        self.get(name).ok_or_else(|| self.unknown(name))
    }

    /// Returns the series that a pattern stands for, each with the index of one of its values if the
    /// pattern ends in one: `robot/pose`, `robot/pose[0]`, `*/wheel/*/spin`.
    ///
    /// # Errors
    /// [`RunError::UnknownSeries`] or [`RunError::Index`] if there is none.
    pub fn select(&self, pattern: &str) -> Result<Vec<(&Series, Option<usize>)>, RunError> {
        let (name, index) = split_index(pattern);
        let patterns = Patterns::new([name]);
        let found: Vec<&Series> =
            self.series.iter().filter(|series| patterns.select(&series.name)).collect();
        let Some(index) = index else {
            return match found.is_empty() {
                true => Err(self.unknown(pattern)),
                false => Ok(found.into_iter().map(|series| (series, None)).collect()),
            };
        };
        let fitting: Vec<(&Series, Option<usize>)> = found
            .iter()
            .filter(|series| series.is_array && index < series.columns.len())
            .map(|series| (*series, Some(index)))
            .collect();
        match (fitting.is_empty(), found.iter().map(|series| series.columns.len()).max()) {
            (false, _) => Ok(fitting),
            (true, Some(len)) => {
                Err(RunError::Index { path: self.path.clone(), name: pattern.to_owned(), len })
            }
            (true, None) => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> RunError {
        let is_known = self.names.iter().any(|known| known == name);
        let names = self.names.iter().map(String::as_str);
        let nearest = simhost_model::nearest_pattern(name, names.clone());
        let nearest = nearest.or_else(|| simhost_model::nearest(name, names).map(str::to_owned));
        let nearest = nearest.filter(|_| !is_known);
        RunError::UnknownSeries {
            path: self.path.clone(),
            name: name.to_owned(),
            nearest,
            is_known,
        }
    }

    /// Returns the value that inputs before the first step have given a parameter of a model, as in a world
    /// file.
    pub fn first_parameter(&self, name: &str) -> Option<String> {
        let inputs = self.inputs().into_iter();
        let first = inputs.take_while(|record| record.step == 0);
        let own = first.filter_map(|record| match record.input {
            Input::Parameter { name: own, value } if own == name => Some(value),
            _ => None,
        });
        own.last()
    }

    /// Returns the files of the run.
    pub fn files(&self) -> RunFiles<'_> {
        RunFiles::at(&self.path)
    }

    /// Returns the inputs in `inputs.jsonl` of an output folder, without a truncated line.
    pub fn inputs(&self) -> Vec<InputRecord> {
        InputRecords::read_known(self.files().folder())
    }

    /// Returns the names of the wheels of a vehicle, in the order of the world.
    pub fn wheels(&self, vehicle: &str) -> Vec<&str> {
        let of_wheel = |name: &'_ str| -> Option<usize> {
            let rest = name.strip_prefix(vehicle)?.strip_prefix("/wheel/")?;
            rest.strip_suffix("/spin").filter(|wheel| !wheel.contains('/')).map(str::len)
        };
        let start = vehicle.len() + "/wheel/".len();
        let wheels = self.names.iter().filter_map(|name| {
            let len = of_wheel(name)?;
            Some(&name[start..start + len])
        });
        wheels.collect()
    }
}

/// Splits `name[index]`.
fn split_index(text: &str) -> (&str, Option<usize>) {
    let parts = text.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    let parts = parts.and_then(|(name, index)| Some((name, index.parse().ok()?)));
    parts.map_or((text, None), |(name, index)| (name, Some(index)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn series(name: &str, len: usize) -> Series {
        Series {
            name: name.to_owned(),
            units: vec!["m".to_owned(); len],
            is_array: len > 1,
            times: Arc::new(vec![0.0]),
            columns: vec![vec![1.0]; len],
        }
    }

    fn run() -> Run {
        let series =
            vec![series("car/pose", 6), series("car/wheel/fl/spin", 1), series("van/pose", 6)];
        Run {
            path: "out".into(),
            manifest: None,
            vehicles: vec!["car".to_owned(), "van".to_owned()],
            names: series.iter().map(|series| series.name.clone()).collect(),
            series,
            notes: Vec::new(),
        }
    }

    #[test]
    fn patterns_and_indices_select_series() {
        let run = run();
        let names = |pattern: &str| -> Vec<String> {
            let found = run.select(pattern).unwrap().into_iter();
            found.map(|(series, index)| series.name_of(index.unwrap_or(9))).collect()
        };
        assert_eq!(names("*/pose[5]"), ["car/pose[5]", "van/pose[5]"]);
        assert_eq!(names("car/pose"), ["car/pose[9]"]);
        assert_eq!(names("**/spin"), ["car/wheel/fl/spin"]);
        assert_eq!(run.wheels("car"), ["fl"]);
        assert!(run.wheels("van").is_empty());
    }

    #[test]
    fn errors_name_the_nearest_series() {
        let run = run();
        let text = |pattern: &str| run.select(pattern).unwrap_err().to_string();
        assert!(text("car/pos").contains("did you mean `car/pose`?"), "{}", text("car/pos"));
        assert!(text("*/wheel/*/spinn").contains("did you mean `*/wheel/*/spin`?"));
        assert!(text("car/pose[6]").contains("has 6 values; expected an index from 0 to 5"));
    }
}
