//! Arguments of `simhost plot`.

use std::path::PathBuf;

use clap::Args;

use super::Models;

/// Arguments of `simhost plot`.
#[derive(Args, Clone, Debug)]
pub struct Plot {
    /// Output folders of runs.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Quantities to plot, one panel each: `xy`, `speed`, `torque`, `slip` and other presets, or a
    /// pattern of quantities such as `car/wheel/*/spin` or `car/pose[2]`.
    #[arg(long, value_name = "QUANTITY", num_args = 1.., default_value = "xy")]
    pub of: Vec<String>,

    /// Vehicles to plot, separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub vehicle: Vec<String>,

    /// Preset or quantity of the horizontal axis [default: time].
    #[arg(long, value_name = "QUANTITY")]
    pub against: Option<String>,

    /// File to write: .svg or .png [default: plot.svg in the folder of the first run].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}
