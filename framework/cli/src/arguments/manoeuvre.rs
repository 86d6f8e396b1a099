//! Arguments of `simhost manoeuvre`.

use std::path::PathBuf;

use clap::Args;
use simhost::manoeuvres::USUAL_STEERING_RATIO;

use super::models::Models;

/// Arguments of `simhost manoeuvre`.
#[derive(Args, Clone, Debug)]
pub struct DriveManoeuvre {
    /// Standard: ISO-4138, ISO-7401, ISO-3888-1, ISO-3888-2, ISO-14512 or sine-with-dwell.
    pub name: String,

    /// File with a `<vehicle:class>` of a car.
    #[arg(long, value_name = "FILE")]
    pub vehicle: PathBuf,

    /// Name of the class, if the file declares several.
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,

    /// Argument of the file, which it reads as `${NAME}` (repeatable).
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = super::argument)]
    pub arguments: Vec<(String, String)>,

    /// Initial speed, km/h.
    #[arg(long, value_name = "KMH", value_parser = super::positive)]
    pub speed: Option<f64>,

    /// Angle of the steering wheel for one of the road wheels, which limits the amplitudes of sine-with-dwell.
    #[arg(long, value_name = "RATIO", default_value_t = USUAL_STEERING_RATIO, value_parser = super::positive)]
    pub steering_ratio: f64,

    /// Output directory for the run of the result, with the files of `simhost run`, and the report.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write to the output directory even if it has files that no run of simhost has written.
    #[arg(long, requires = "out")]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}
