//! Arguments of `simhost streams`.

use std::path::PathBuf;

use clap::Args;

use super::loading::Loading;
use super::models::Models;
use super::pattern;
use super::stream_groups::StreamGroups;

/// Arguments of `simhost streams`.
#[derive(Args, Clone, Debug)]
pub struct ListStreams {
    /// World file.
    pub world: PathBuf,

    /// List streams that match: `*` does not cross `/`, `**` does, `!` excludes [default: all].
    #[arg(value_name = "PATTERN", value_parser = pattern)]
    pub patterns: Vec<String>,

    #[command(flatten)]
    pub groups: StreamGroups,

    /// Print a JSON array, with the definitions of the messages.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}
