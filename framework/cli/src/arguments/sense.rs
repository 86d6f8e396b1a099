//! Arguments of `simhost sense`.

use std::path::PathBuf;

use clap::Args;

use super::loading::Loading;
use super::models::Models;

/// Arguments of `simhost sense`.
#[derive(Args, Clone, Debug)]
pub struct Sense {
    /// World file.
    pub world: PathBuf,

    /// Sensor: `VEHICLE/SENSOR`, or `world/SENSOR` for one without a vehicle.
    #[arg(long, value_name = "SENSOR")]
    pub sensor: String,

    /// Simulated time from which the next sample is taken, s.
    #[arg(long, value_name = "S", default_value = "0", value_parser = super::not_negative)]
    #[arg(allow_hyphen_values = true)]
    pub at: f64,

    /// Folder for the reading and its pictures, which is created.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,

    /// Command file: CSV rows `time_s,vehicle,kind,v1[,v2...]`.
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}
