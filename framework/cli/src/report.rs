//! `simhost report`: one HTML file about runs.

use std::path::PathBuf;

use clap::Args;
use simhost_pictures::ReportOptions;

use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{plot, run_reader, sweep};

/// Arguments of `simhost report`.
#[derive(Args, Clone, Debug)]
pub struct Report {
    /// Output folders of runs; several are aligned by time, and have one colour each. Or the folder
    /// of a study.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Title [default: the names of the runs].
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Paragraph below the title; can be given several times.
    #[arg(long, value_name = "TEXT")]
    pub note: Vec<String>,

    /// Quantities of the charts that are shown at first, one chart each: presets or patterns as for `plot`,
    /// several in one chart joined by `+` [default: the usual ones]. Of a study, expressions over quantities, such as
    /// `car/twist[0]` [default: the first four quantities of its metrics].
    #[arg(long, value_name = "QUANTITY", num_args = 1..)]
    pub of: Vec<String>,

    /// File to write [default: report.html in the folder of the first run].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}

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
        let page =
            sweep::page(folder, &arguments.models, arguments.title.as_deref(), &arguments.of)?;
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
