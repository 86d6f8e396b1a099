//! Streams that the command line groups.

use clap::Args;
use simhost_world::{LoadOptions, StreamRequest};

/// Streams that the command line groups.
#[derive(Args, Clone, Debug, Default)]
pub struct StreamGroups {
    /// Group quantities into a stream, as `<stream>` does: names or patterns, and a rate in Hz [default:
    /// every step]; can be repeated. `simhost quantities WORLD` lists all.
    #[arg(long = "stream", value_name = "NAME=QUANTITY,…[@RATE]")]
    pub list: Vec<StreamRequest>,
}

impl StreamGroups {
    /// Adds the streams to the options of the world reader.
    pub fn add_to(&self, options: LoadOptions) -> LoadOptions {
        LoadOptions { streams: self.list.clone(), ..options }
    }
}
