//! Arguments of `simhost recover`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `simhost recover`.
#[derive(Args, Clone, Debug)]
pub struct Recover {
    /// Output directory of a run, or an MCAP file.
    #[arg(value_name = "DIR|FILE")]
    pub path: PathBuf,
}
