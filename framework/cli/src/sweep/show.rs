//! `simhost sweep show`: repeats a run of a study with all its files.

use std::ffi::OsString;

use simhost_sweep::{RunRow, StudyError, StudyFolder, StudyPlan};

use super::verify::{failure, open_opening};
use crate::arguments::{Models, Run};
use crate::process::{Code, Failure};
use crate::run::{self, Performed};
use crate::sweep::Show;
use crate::terminal;

/// Repeats a run, and compares its result hash.
pub fn show(arguments: &Show) -> Result<Code, Failure> {
    let none =
        Models { plugin_dir: Vec::new(), python: Vec::new(), builtin: Vec::new(), verbose: false };
    let plan = open_opening(&arguments.folder, &none)?;
    let folder = StudyFolder::at(&arguments.folder).map_err(failure)?;
    let row = find(&folder, &arguments.id)?;
    let found = repeat(&plan, row.run, &arguments.options, false)?;
    if found == row.hash || row.hash.is_empty() {
        terminal::remark(&format!("run {} ({}) has the result hash of its row", row.run, row.id));
        return Ok(Code::Done);
    }
    let RunRow { run, id, hash, .. } = row;
    let text =
        format!("run {run} ({id}) has the result hash {found}; expected {hash} as in its row");
    Err(Failure::new(Code::Negative, text))
}

/// Returns the row with an identifier, its first digits, or `#` and the number of the run.
fn find(folder: &StudyFolder, wanted: &str) -> Result<RunRow, Failure> {
    let unknown = |help: String| failure(StudyError::Run { found: wanted.to_owned(), help });
    if let Some(number) = wanted.strip_prefix('#') {
        let number = number.parse::<u64>();
        let number = number.map_err(|_| unknown("expected a number after '#'".to_owned()))?;
        let row = folder.row(number).map_err(failure)?;
        return row.ok_or_else(|| unknown("it has no row in runs.csv".to_owned()));
    }
    let mut rows = Vec::new();
    folder
        .for_each_row(&mut |row| rows.extend(row.id.starts_with(wanted).then_some(row)))
        .map_err(failure)?;
    match &rows[..] {
        [row] => Ok(row.clone()),
        [] => Err(unknown("expected an identifier of runs.csv, or #NUMBER".to_owned())),
        [first, ..] if rows.iter().all(|row| row.id == first.id) => Ok(first.clone()),
        [first, second, ..] => {
            Err(unknown(format!("several begin with it, such as {} and {}", first.id, second.id)))
        }
    }
}

/// Repeats a run with options of `simhost run`. Returns its result hash.
pub fn repeat(
    plan: &StudyPlan,
    run: u64,
    options: &[String],
    is_silent: bool,
) -> Result<String, Failure> {
    let words = ["simhost", "run"].map(str::to_owned).into_iter();
    let words = words.chain(plan.arguments(run)).chain(options.iter().cloned());
    let words: Vec<OsString> = words.map(Into::into).collect();
    let arguments = Run::parse(words).map_err(|error| Failure::new(Code::Usage, error))?;
    let was_quiet = terminal::is_quiet();
    terminal::show(true, None);
    let performed = run::perform(&arguments, None);
    terminal::show(was_quiet, None);
    let Performed { session, files, .. } = performed?;
    if !is_silent && let Some(out) = &arguments.out {
        terminal::result(&format!("{} files in {}", files.len(), out.display()))?;
    }
    Ok(format!("{:032x}", session.simulation().result_hash()))
}
