//! Arguments of `simhost report`.

use std::path::PathBuf;

use clap::Args;

use super::Models;

/// Arguments of `simhost report`.
#[derive(Args, Clone, Debug)]
pub struct Report {
    /// Output folder of a run.
    pub run: PathBuf,

    /// File to write [default: report.html in the folder of the run].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}
