//! Writes the values of quantities over time.

use std::fs::File;
use std::iter;

use simhost_sdk::prelude::*;

use crate::selection::{csv_number, patterns};

/// Writes the values of quantities over time to a CSV file: a column per value and a row per sample. The
/// attribute `every` of the observer sets the time between rows.
#[derive(Params)]
pub struct Recorder {
    /// Names of the quantities, or patterns, separated by commas.
    #[param(required)]
    quantities: String,
    /// Name of the file in the output folder. By default it is the name of the observer with `.csv`.
    file: Option<String>,
}

/// The file of a run.
pub struct Rows {
    file: Option<csv::Writer<File>>,
    /// The first error of writing.
    error: Option<csv::Error>,
}

impl Rows {
    fn write(&mut self, row: impl Iterator<Item = String>) {
        if let (Some(file), None) = (&mut self.file, &self.error) {
            self.error = file.write_record(row).err();
        }
    }
}

#[model]
impl Observer for Recorder {
    fn prepare(&mut self) -> Result<(), String> {
        match patterns(&self.quantities).is_empty() {
            true => Err("`quantities` is empty".to_owned()),
            false => Ok(()),
        }
    }

    fn select(&self) -> Vec<String> {
        patterns(&self.quantities)
    }

    fn start(&self, run: &RunStart) -> Result<Rows, String> {
        let name = self.file.clone().unwrap_or_else(|| format!("{}.csv", run.name));
        let file = run.folder.create(&name)?.map(csv::Writer::from_writer);
        let mut rows = Rows { file, error: None };
        let columns = run.quantities.iter().flat_map(Quantity::columns);
        rows.write(iter::once("time_s".to_owned()).chain(columns));
        Ok(rows)
    }

    fn step(&self, run: &mut Rows, sample: &Sample) -> Flow {
        run.write(iter::once(&sample.time).chain(sample.values).copied().map(csv_number));
        Flow::Continue
    }

    fn end(&self, run: &mut Rows, _: &RunEnd) -> Result<(), String> {
        let flushed = run.file.as_mut().map_or(Ok(()), csv::Writer::flush);
        let outcome = run.error.take().map_or(flushed.map_err(csv::Error::from), Err);
        outcome.map_err(|error| format!("cannot write its file: {error}"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use simhost_sdk::testing::{self, Watched};

    use super::*;

    #[test]
    fn each_sample_is_a_row() {
        let folder = std::env::temp_dir().join(format!("simhost-recorder-{}", std::process::id()));
        let model: Recorder = testing::observer(&[("quantities", "a/**")]);
        let quantities = [("a/x", "m", 1), ("a/y, z", "1", 2)];
        let mut run = Watched::start(&model, &quantities, Some(&folder)).unwrap();
        run.sample(0.0, &[1.0, f64::NAN, -0.0]);
        run.sample(0.1, &[0.1, 1e-7, 2.0]);
        run.end(EndReason::Duration, "").unwrap();
        let text = std::fs::read_to_string(folder.join("test.csv")).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        assert_eq!(
            text,
            "time_s,a/x [m],\"a/y, z[0] [1]\",\"a/y, z[1] [1]\"\n0,1,nan,0\n0.1,0.1,1e-7,2\n"
        );
    }
}
