//! Arguments of `simhost manoeuvre`.

use std::path::PathBuf;

use clap::Args;

use super::models::Models;

/// Arguments of `simhost manoeuvre`.
#[derive(Args, Clone, Debug)]
pub struct DriveManoeuvre {
    /// Standard: ISO-4138, ISO-7401, ISO-3888-1, ISO-3888-2, ISO-14512 or sine-with-dwell.
    pub name: String,

    /// File with a `<vehicle:class>`, whose controller takes the command `pedals`.
    #[arg(long, value_name = "FILE")]
    pub vehicle: PathBuf,

    /// Name of the class, if the file declares several.
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,

    /// Initial speed, km/h.
    #[arg(long, value_name = "KMH", value_parser = super::positive)]
    pub speed: Option<f64>,

    /// Folder for the report and the motion, which is created.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,
}
