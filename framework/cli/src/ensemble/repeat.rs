//! `simhost rerun` of an ensemble.

use std::path::Path;

use simhost::output::Recorded;

use super::{TABLE, open};
use crate::arguments::Run;
use crate::interrupt::Phase;
use crate::process::{Code, Failure};
use crate::{interrupt, terminal, working_folder};

/// Largest number of members that are listed.
const MAX_LISTED: usize = 3;

/// Repeats an ensemble with the arguments that do the same as the recorded one, and compares the rows of its members.
/// The exit code is [`Code::Negative`] if one differs.
///
/// # Errors
/// Fails if the recorded table cannot be read or belongs to an ensemble that was interrupted, or if the ensemble cannot
/// be opened.
pub fn repeat(arguments: &Run, count: usize, recorded: &Recorded) -> Result<Code, Failure> {
    let expected = rows(&recorded.folder().join(TABLE))?;
    let mut study = open(arguments, count, Some(recorded))?;
    study.simulate()?;
    interrupt::enter(Phase::Completion);
    working_folder::restore();
    if study.is_interrupted {
        terminal::remark("interrupted before the end of the ensemble");
        return Ok(Code::Interrupted);
    }
    let found = study.rows()?;
    terminal::result(&format!("repeated {count} members"))?;
    if let Some(table) = study.table.clone() {
        study.write(&table)?;
        terminal::result(&format!("metrics of each member in {}", table.display()))?;
    }
    if expected == found {
        terminal::result(&format!("the rows of {count} members agree"))?;
        return Ok(Code::Done);
    }
    if expected[0] != found[0] || expected.len() != found.len() {
        terminal::result("the tables have other columns or rows")?;
    }
    let differ = expected.iter().zip(&found).skip(1).filter(|(expected, found)| expected != found);
    let differ: Vec<_> = differ.collect();
    for (expected, found) in differ.iter().take(MAX_LISTED) {
        let member = found.split(',').next().unwrap_or_default();
        let hash = |row: &str| row.rsplit(',').next().unwrap_or_default().to_owned();
        let (expected, found) = (hash(expected), hash(found));
        terminal::result(&format!(
            "member {member} differs: recorded result hash {expected}, found {found}"
        ))?;
    }
    if differ.len() > MAX_LISTED {
        terminal::result(&format!("and {} more members", differ.len() - MAX_LISTED))?;
    }
    terminal::remark(
        "help: add --verify N to the ensemble, which names the models that can cause this",
    );
    Ok(Code::Negative)
}

/// Returns the lines of a recorded table.
fn rows(path: &Path) -> Result<Vec<String>, Failure> {
    let bad = |text: String| Failure::new(Code::BadInput, text);
    let text = simhost_files::read_text(path, simhost_files::MAX_DATA_BYTES)
        .map_err(|error| bad(format!("cannot read {}: {error}", path.display())))?;
    if text.contains(",running,") {
        let text =
            "the ensemble was interrupted, so its members have no last step\nhelp: run it again";
        return Err(bad(format!("{}: {text}", path.display())));
    }
    let rows: Vec<String> = text.lines().map(str::to_owned).collect();
    match rows.is_empty() {
        true => Err(bad(format!("{} is empty", path.display()))),
        false => Ok(rows),
    }
}
