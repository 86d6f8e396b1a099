//! Options of `run` for its clock and its log.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use simhost::{ClockMode, LogLevel};

/// Names of the levels, from the least to the most detailed.
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// Options for the clock and the log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Clock and log")]
pub struct Pacing {
    /// `fixed` runs as fast as possible, `realtime[:FACTOR]` makes each step when its time has come, at
    /// FACTOR times real time, and `max` makes frames of all steps whose time has come. Results do not
    /// depend on it [default: fixed].
    #[arg(long, value_name = "CLOCK")]
    pub clock: Option<ClockMode>,

    /// Write messages of LEVEL and more severe ones to simhost.log in the directory of --out, or to
    /// standard error without --out.
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    pub log: Option<LogLevel>,
}

fn levels() -> impl TypedValueParser<Value = LogLevel> {
    PossibleValuesParser::new(LEVELS).try_map(|name| name.parse::<LogLevel>())
}
