//! `simhost report`: one HTML file about runs.

use simhost_pictures::ReportOptions;

use crate::arguments::Report;
use crate::exit::{Code, Failure};
use crate::{plot, run_reader, sweep};

/// Writes a report.
pub fn report(arguments: &Report) -> Result<Code, Failure> {
    let out = arguments.out.as_deref();
    if let Some(out) = out {
        run_reader::extension(out, &["html", "htm"])?;
    }
    let first = &arguments.runs[0];
    if let [folder] = &arguments.runs[..]
        && sweep::is_study(folder)
    {
        let path = run_reader::output(out, first, "report.html", arguments.force)?;
        let page = sweep::page(folder, arguments)?;
        run_reader::write(&path, page.as_bytes())?;
        return Ok(Code::Done);
    }
    let keep = simhost_pictures::keeps_for_report(first);
    let runs = run_reader::open(&arguments.runs, &arguments.models, &keep)?;
    let path = run_reader::output(out, first, "report.html", arguments.force)?;
    let options = ReportOptions {
        title: arguments.title.clone(),
        notes: arguments.note.clone(),
        of: arguments.of.clone(),
    };
    let page = simhost_pictures::report(&runs, &options).map_err(|error| plot::failure(&error))?;
    run_reader::write(&path, page.as_bytes())?;
    Ok(Code::Done)
}
