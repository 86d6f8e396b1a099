//! Writes minimum, maximum, mean and final value of quantities.

use std::fmt::Write;

use serde_json::json;
use simhost_sdk::prelude::*;

use crate::selection::{csv_number, patterns};

/// Columns of the table.
const COLUMNS: [&str; 8] =
    ["quantity", "unit", "min", "min_at_s", "max", "max_at_s", "mean", "final"];

/// Writes minimum, maximum, mean and final value of quantities to a file. Samples that are not a
/// number are ignored. The file has one row per value.
#[derive(Params)]
pub struct Metrics {
    /// Names of the quantities, or patterns, separated by commas.
    #[param(required)]
    quantities: String,
    /// Name of the file in the output folder, which ends in `.csv` or `.json`. By default it is the name
    /// of the observer with `.csv`.
    file: Option<String>,
}

/// The values of a run so far.
pub struct Values {
    name: String,
    columns: Vec<Column>,
    /// Number of steps at the last sample.
    last: u64,
}

struct Column {
    name: String,
    unit: String,
    count: u64,
    /// Least and greatest value, each with its time in s.
    min: (f64, f64),
    max: (f64, f64),
    sum: f64,
}

impl Column {
    fn add(&mut self, value: f64, time: f64) {
        if value.is_nan() {
            return;
        }
        self.count += 1;
        if self.count == 1 || value < self.min.0 {
            self.min = (value, time);
        }
        if self.count == 1 || value > self.max.0 {
            self.max = (value, time);
        }
        self.sum += value;
    }

    /// Returns the arithmetic mean of the samples, NaN without any.
    fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}

impl Values {
    fn add(&mut self, sample: &Sample) {
        self.last = sample.step;
        for (column, value) in self.columns.iter_mut().zip(sample.values) {
            column.add(*value, sample.time);
        }
    }

    fn csv(&self, last: &[f64]) -> String {
        let mut table = csv::Writer::from_writer(Vec::new());
        // writing to memory does not fail
        let _ = table.write_record(COLUMNS);
        for (column, last) in self.columns.iter().zip(last) {
            let Column { name, unit, min, max, .. } = column;
            let numbers = [min.0, min.1, max.0, max.1, column.mean(), *last].map(csv_number);
            let _ = table.write_record([name, unit].into_iter().chain(&numbers));
        }
        String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    fn json(&self, end: &RunEnd) -> String {
        let mut text = String::from("{\n");
        let (reason, why) = (json!(end.reason.name()), json!(end.text));
        let (time, steps) = (end.last.time, end.last.step);
        let _ = writeln!(
            text,
            "  \"end\": {{ \"reason\": {reason}, \"text\": {why}, \"time_s\": {time}, \"step\": {steps} }},"
        );
        text += "  \"quantities\": {";
        for (place, (column, last)) in self.columns.iter().zip(end.last.values).enumerate() {
            let Column { name, unit, min, max, .. } = column;
            let [min, min_at, max, max_at, mean, last] =
                [min.0, min.1, max.0, max.1, column.mean(), *last].map(json_number);
            let _ = write!(
                text,
                "{}\n    {}: {{ \"unit\": {}, \"min\": {min}, \"min_at_s\": {min_at}, \
                 \"max\": {max}, \"max_at_s\": {max_at}, \"mean\": {mean}, \"final\": {last} }}",
                if place == 0 { "" } else { "," },
                json!(name),
                json!(unit),
            );
        }
        text + "\n  }\n}\n"
    }
}

fn json_number(value: f64) -> String {
    if value.is_finite() { csv_number(value) } else { "null".to_owned() }
}

#[model]
impl Observer for Metrics {
    fn prepare(&mut self) -> Result<(), String> {
        if patterns(&self.quantities).is_empty() {
            return Err("`quantities` is empty".to_owned());
        }
        let is_known = |file: &String| file.ends_with(".csv") || file.ends_with(".json");
        match self.file.as_ref().filter(|file| !is_known(file)) {
            Some(file) => {
                Err(format!("`file` is {file}, expected a name that ends in .csv or .json"))
            }
            None => Ok(()),
        }
    }

    fn select(&self) -> Vec<String> {
        patterns(&self.quantities)
    }

    fn start(&self, run: &RunStart) -> Result<Values, String> {
        let column = |(name, unit): (String, String)| {
            let none = (f64::NAN, f64::NAN);
            Column { name, unit, count: 0, min: none, max: none, sum: 0.0 }
        };
        let columns = run.quantities.iter().flat_map(Quantity::values).map(column).collect();
        let name = self.file.clone().unwrap_or_else(|| format!("{}.csv", run.name));
        // an unusable name is an error now, not at the end of a long run
        run.folder.create(&name)?;
        Ok(Values { name, columns, last: u64::MAX })
    }

    fn step(&self, run: &mut Values, sample: &Sample) -> Flow {
        run.add(sample);
        Flow::Continue
    }

    fn end(&self, run: &mut Values, end: &RunEnd) -> Result<(), String> {
        if end.last.step != run.last {
            run.add(&end.last);
        }
        let text = match run.name.ends_with(".json") {
            true => run.json(end),
            false => run.csv(end.last.values),
        };
        end.folder.write(&run.name, &text)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use simhost_sdk::testing::{self, Watched};

    use super::*;

    fn written(file: &str) -> String {
        let name = format!("simhost-metrics-{}-{file}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let model: Metrics = testing::observer(&[("quantities", "a/*"), ("file", file)]);
        let quantities = [("a/x", "m", 1), ("a/scan", "m", 2)];
        let mut run = Watched::start(&model, &quantities, Some(&folder)).unwrap();
        for (time, values) in [
            (0.0, [1.0, f64::NAN, f64::INFINITY]),
            (0.1, [-2.0, f64::NAN, 3.0]),
            (0.2, [4.0, f64::NAN, 5.0]),
        ] {
            assert_eq!(run.sample(time, &values), Flow::Continue);
        }
        run.end(EndReason::Stop, "observer 'b': \"far\"").unwrap();
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        text
    }

    #[test]
    fn a_row_has_the_extremes_with_their_times_the_mean_and_the_final_value() {
        assert_eq!(
            written("m.csv"),
            "quantity,unit,min,min_at_s,max,max_at_s,mean,final\n\
             a/x,m,-2,0.1,4,0.2,1,4\n\
             a/scan[0],m,nan,nan,nan,nan,nan,nan\n\
             a/scan[1],m,3,0.1,inf,0,inf,5\n"
        );
    }

    #[test]
    fn the_json_file_has_the_end_of_the_run() {
        let text = written("m.json");
        let end = "\"end\": { \"reason\": \"stop\", \"text\": \"observer 'b': \\\"far\\\"\", \
                   \"time_s\": 0.2, \"step\": 2 }";
        assert!(text.contains(end), "{text}");
        let x = "\"a/x\": { \"unit\": \"m\", \"min\": -2, \"min_at_s\": 0.1, \"max\": 4, \
                 \"max_at_s\": 0.2, \"mean\": 1, \"final\": 4 }";
        assert!(text.contains(x) && text.contains("\"final\": null"), "{text}");
    }

    #[test]
    fn a_name_outside_of_the_folder_is_rejected() {
        let model: Metrics = testing::observer(&[("quantities", "a"), ("file", "../m.csv")]);
        let error = Watched::start(&model, &[("a", "m", 1)], None).err().unwrap();
        assert!(error.contains("is not a file in the output folder"), "{error}");
    }
}
