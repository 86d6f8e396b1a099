//! Arguments of `simhost rerun`.

use std::path::PathBuf;

use clap::Args;

use super::{Models, threads};

/// Arguments of `simhost rerun`.
#[derive(Args, Clone, Debug)]
pub struct Rerun {
    /// Output directory of the run to repeat.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Write the files of the repeated run to this directory.
    #[arg(short, long, value_name = "DIR2")]
    pub out: Option<PathBuf>,

    /// Write to that directory even if it has files that no run of simhost has written.
    #[arg(long, requires = "out")]
    pub force: bool,

    /// Number of threads. Results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Allow the world to download files.
    #[arg(long, value_name = "WHAT", value_parser = ["net"])]
    pub allow: Option<String>,

    /// Read addresses that start with URL_PREFIX from a local folder instead (repeatable).
    #[arg(long, value_name = "URL_PREFIX=DIR")]
    pub mirror: Vec<String>,

    #[command(flatten)]
    pub models: Models,
}
