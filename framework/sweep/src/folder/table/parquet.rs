//! `runs.parquet`: the rows of a study as a file, or as a folder of files with the rows of 100,000 runs each.

use std::path::{Path, PathBuf};

use simhost_record::{Cell, CellKind, RecordError, RowFile};

use crate::error::StudyError;
use crate::plan::StudyPlan;
use crate::row::RunRow;

/// Name of the file or the folder.
const NAME: &str = "runs.parquet";
/// Number of runs of a file, if there are several.
const PART: u64 = 100_000;

/// The table while it is written. A study with more runs than a part has is a folder, so that more rows change few files.
pub struct ParquetTable {
    path: PathBuf,
    /// Path at which it is written.
    new: PathBuf,
    has_parts: bool,
    columns: Vec<(String, String, CellKind)>,
    /// For each value that varies, its column, and none of the seed.
    varied: Vec<Option<CellKind>>,
    /// The file that is open, and the number of its part.
    open: Option<(u64, RowFile)>,
}

impl ParquetTable {
    pub fn create(folder: &Path, plan: &StudyPlan) -> Result<Self, StudyError> {
        let (path, new) = (folder.join(NAME), folder.join(".runs.parquet.new"));
        remove(&new)?;
        let has_parts = plan.runs() > PART;
        if has_parts {
            std::fs::create_dir(&new).map_err(StudyError::write(&new))?;
        }
        let kinds: Vec<CellKind> = plan
            .has_numbers()
            .map(|is_number| if is_number { CellKind::Number } else { CellKind::Text })
            .collect();
        let is_shown = |(name, kind): (&str, &CellKind)| (name != "seed").then_some(*kind);
        let varied: Vec<Option<CellKind>> = plan.varied().zip(&kinds).map(is_shown).collect();
        let columns = columns(plan, &varied);
        Ok(Self { path, new, has_parts, columns, varied, open: None })
    }

    /// Adds the next row.
    pub fn add(&mut self, row: &RunRow) -> Result<(), StudyError> {
        let part = if self.has_parts { row.run / PART } else { 0 };
        if self.open.as_ref().is_none_or(|(open, _)| *open != part) {
            self.open(part)?;
        }
        let Some((_, file)) = &mut self.open else { return Ok(()) };
        let values = row.values.iter().zip(&self.varied).filter_map(|(value, kind)| {
            Some(match (*kind)? {
                CellKind::Number => Cell::Number(value.parse().ok()),
                _ => Cell::Text(value),
            })
        });
        let first = [Cell::Whole(row.run), Cell::Text(&row.id), Cell::Whole(row.seed)].into_iter();
        let metrics = row.metrics.iter().map(|value| Cell::Number(*value));
        let last = [
            Cell::Text(row.status.name()),
            Cell::Number(Some(row.time_s)),
            Cell::Whole(row.steps),
            Cell::Text(&row.hash),
            Cell::Text(&row.reason),
        ];
        file.push(first.chain(values).chain(metrics).chain(last));
        Ok(())
    }

    fn open(&mut self, part: u64) -> Result<(), StudyError> {
        self.close()?;
        let path = match self.has_parts {
            true => self.new.join(format!("part-{part:05}.parquet")),
            false => self.new.clone(),
        };
        self.open = Some((part, RowFile::create(&path, &self.columns).map_err(failed)?));
        Ok(())
    }

    fn close(&mut self) -> Result<(), StudyError> {
        self.open.take().map_or(Ok(()), |(_, file)| file.finish().map_err(failed))
    }

    /// Completes the table.
    pub fn finish(mut self) -> Result<(), StudyError> {
        if self.open.is_none() {
            // a table without rows has its columns
            self.open(0)?;
        }
        self.close()?;
        remove(&self.path)?;
        std::fs::rename(&self.new, &self.path).map_err(StudyError::write(&self.path))
    }
}

/// Returns the columns of the table of a plan, with the kinds of what varies.
fn columns(plan: &StudyPlan, varied: &[Option<CellKind>]) -> Vec<(String, String, CellKind)> {
    let named = |name: &str, kind| (name.to_owned(), String::new(), kind);
    let first = [
        named("run", CellKind::Whole),
        named("id", CellKind::Text),
        named("seed", CellKind::Whole),
    ];
    let varied = plan.varied().zip(varied).filter_map(|(name, kind)| Some(named(name, (*kind)?)));
    let metrics = plan.metric_names().iter().zip(plan.metric_units());
    let metrics = metrics.map(|(name, unit)| (name.clone(), unit.clone(), CellKind::Number));
    let last = [
        named("status", CellKind::Text),
        ("time_s".to_owned(), "s".to_owned(), CellKind::Number),
        named("steps", CellKind::Whole),
        named("result_hash", CellKind::Text),
        named("reason", CellKind::Text),
    ];
    first.into_iter().chain(varied).chain(metrics).chain(last).collect()
}

/// Removes the table of a folder.
pub fn remove_from(folder: &Path) -> Result<(), StudyError> {
    remove(&folder.join(NAME))
}

/// Removes a table, which is a file or a folder.
fn remove(path: &Path) -> Result<(), StudyError> {
    let removed = match path.is_dir() {
        true => std::fs::remove_dir_all(path),
        false if path.exists() => std::fs::remove_file(path),
        false => Ok(()),
    };
    removed.map_err(StudyError::write(path))
}

fn failed(error: RecordError) -> StudyError {
    match error {
        RecordError::Create { path, source } | RecordError::Write { path, source } => {
            StudyError::Write { path, source }
        }
        other => StudyError::plan(other.to_string()),
    }
}
