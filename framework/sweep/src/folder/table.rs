//! `runs.csv`: the rows of a study in the order of the plan.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use simhost_record::{csv_number, csv_text};

use super::index::Index;
use crate::error::StudyError;
use crate::plan::StudyPlan;
use crate::row::RunRow;

/// Writes the table.
pub fn write(path: &Path, plan: &StudyPlan, index: &Index) -> Result<(), StudyError> {
    let mut file = BufWriter::new(File::create(path).map_err(StudyError::write(path))?);
    let varied: Vec<bool> = plan.varied().map(|name| name != "seed").collect();
    let mut outcome = writeln!(file, "{}", head(plan));
    index.for_each(&mut |row| {
        if outcome.is_ok() {
            outcome = writeln!(file, "{}", line(&row, &varied));
        }
    })?;
    outcome.and_then(|()| file.flush()).map_err(StudyError::write(path))
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

fn line(row: &RunRow, varied: &[bool]) -> String {
    let RunRow { run, id, seed, values, status, reason, metrics, steps, time_s, hash, .. } = row;
    let mut cells = vec![run.to_string(), id.clone(), seed.to_string()];
    let shown = values.iter().zip(varied).filter(|(_, is_shown)| **is_shown);
    cells.extend(shown.map(|(value, _)| csv_text(value)));
    cells.extend(metrics.iter().map(|value| csv_number(value.unwrap_or(f64::NAN))));
    cells.extend([status.name().to_owned(), csv_number(*time_s), steps.to_string()]);
    cells.extend([hash.clone(), csv_text(reason)]);
    cells.join(",")
}
