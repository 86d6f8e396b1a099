//! `simhost report`: one HTML file about a run.

use crate::arguments::Report;
use crate::exit::{Code, Failure};
use crate::{plot, run_reader};

/// Writes a report.
pub fn report(arguments: &Report) -> Result<Code, Failure> {
    let out = arguments.out.as_deref();
    if let Some(out) = out {
        run_reader::extension(out, &["html", "htm"])?;
    }
    let keep = simhost_pictures::keeps_for_report(&arguments.run);
    let runs = run_reader::open(std::slice::from_ref(&arguments.run), &arguments.models, &keep)?;
    let path = run_reader::output(out, &arguments.run, "report.html", arguments.force)?;
    let page = simhost_pictures::report(&runs[0]).map_err(|error| plot::failure(&error))?;
    run_reader::write(&path, page.as_bytes())?;
    Ok(Code::Done)
}
