//! Arguments of `simhost report`.

use std::path::PathBuf;

use clap::Args;

use super::Models;

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
