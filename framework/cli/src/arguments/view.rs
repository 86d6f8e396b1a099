//! Arguments of `simhost view` and `simhost export-page`.

use std::path::PathBuf;

use clap::Args;

use super::{Models, Run};

/// Arguments of `simhost view`.
#[derive(Args, Clone, Debug)]
pub struct View {
    /// Print the address of the page, and open no browser.
    #[arg(long)]
    pub no_open: bool,

    /// A world with the options of `run`; or an output directory, or an MCAP file.
    #[command(flatten)]
    pub run: Run,
}

/// Arguments of `simhost export-page`.
#[derive(Args, Clone, Debug)]
pub struct ExportPage {
    /// Output directory of a run, or an MCAP file.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// HTML file to write [default: the name of the run with `.html`].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,
}
