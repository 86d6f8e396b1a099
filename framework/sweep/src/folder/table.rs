//! `runs.csv` and `runs.parquet`: the rows of a study in the order of the plan.

#[cfg(feature = "parquet")]
mod parquet;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use simhost_record::{csv_number, csv_text};

use crate::error::StudyError;
use crate::plan::StudyPlan;
use crate::row::RunRow;

#[cfg(feature = "parquet")]
use parquet::ParquetTable;
#[cfg(feature = "parquet")]
pub use parquet::remove_from as remove_parquet;

/// Name of the table.
pub const CSV: &str = "runs.csv";

/// The tables of a folder while they are written. They replace the earlier ones when they are complete.
pub struct StudyTables {
    path: PathBuf,
    new: PathBuf,
    csv: BufWriter<File>,
    /// For each value that varies, whether it is a column; the seed has one anyway.
    varied: Vec<bool>,
    line: String,
    #[cfg(feature = "parquet")]
    parquet: ParquetTable,
}

impl StudyTables {
    /// Begins the tables.
    pub fn create(folder: &Path, plan: &StudyPlan) -> Result<Self, StudyError> {
        let (path, new) = (folder.join(CSV), folder.join(".runs.csv.new"));
        let mut csv = BufWriter::new(simhost_files::create(&new).map_err(StudyError::write(&new))?);
        writeln!(csv, "{}", head(plan)).map_err(StudyError::write(&new))?;
        Ok(Self {
            path,
            new,
            csv,
            varied: plan.varied().map(|name| name != "seed").collect(),
            line: String::new(),
            #[cfg(feature = "parquet")]
            parquet: ParquetTable::create(folder, plan)?,
        })
    }

    /// Adds the next row.
    pub fn add(&mut self, row: &RunRow) -> Result<(), StudyError> {
        self.line.clear();
        push_line(&mut self.line, row, &self.varied);
        self.csv.write_all(self.line.as_bytes()).map_err(StudyError::write(&self.new))?;
        #[cfg(feature = "parquet")]
        self.parquet.add(row)?;
        Ok(())
    }

    /// Completes the tables. Returns the path of `runs.csv`.
    pub fn finish(self) -> Result<PathBuf, StudyError> {
        let Self { path, new, mut csv, .. } = self;
        csv.flush().map_err(StudyError::write(&new))?;
        #[cfg(feature = "parquet")]
        self.parquet.finish()?;
        std::fs::rename(&new, &path).map_err(StudyError::write(&path))?;
        Ok(path)
    }
}

/// Returns the names of the columns.
fn head(plan: &StudyPlan) -> String {
    let names = plan.metric_names().iter().zip(plan.metric_units());
    let metrics = names.map(|(name, unit)| match unit.is_empty() {
        true => name.clone(),
        false => csv_text(&format!("{name} [{unit}]")),
    });
    let varied = plan.varied().filter(|name| *name != "seed").map(csv_text);
    let first = ["run", "id", "seed"].map(str::to_owned).into_iter();
    let last = ["status", "time_s", "steps", "result_hash", "reason"].map(str::to_owned);
    first.chain(varied).chain(metrics).chain(last).collect::<Vec<_>>().join(",")
}

/// Adds a row to a text, with the end of its line.
fn push_line(line: &mut String, row: &RunRow, varied: &[bool]) {
    let RunRow { run, id, seed, values, status, reason, metrics, steps, time_s, hash, .. } = row;
    let mut cell = |text: &str| {
        line.push_str(text);
        line.push(',');
    };
    cell(&run.to_string());
    cell(id);
    cell(&seed.to_string());
    let shown = values.iter().zip(varied).filter(|(_, is_shown)| **is_shown);
    shown.for_each(|(value, _)| cell(&csv_text(value)));
    metrics.iter().for_each(|value| cell(&csv_number(value.unwrap_or(f64::NAN))));
    cell(status.name());
    cell(&csv_number(*time_s));
    cell(&steps.to_string());
    cell(hash);
    line.push_str(&csv_text(reason));
    line.push('\n');
}
