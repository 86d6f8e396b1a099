//! Arguments of `simhost film`.

use std::path::PathBuf;

use clap::Args;

use super::{Models, positive};

/// Arguments of `simhost film`.
#[derive(Args, Clone, Debug)]
pub struct Film {
    /// Output folders of runs, which are shown together, aligned by time.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,

    /// Film to write: .gif, .mp4 (needs ffmpeg), a folder for one PNG file per frame with a final `/`,
    /// or .png for one picture of the moment at which the runs differ most.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,

    /// Vehicles to show, separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub vehicle: Vec<String>,

    /// Frames per second of the film.
    #[arg(long, value_name = "HZ", default_value_t = 25.0, value_parser = positive)]
    pub rate: f64,

    /// Simulated time per time of the film.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive)]
    pub speed: f64,

    /// Width of the film, pixels.
    #[arg(long, value_name = "PX", default_value_t = 800, value_parser = clap::value_parser!(u32).range(160..=3840))]
    pub width: u32,

    /// Show what planar lasers see.
    #[arg(long)]
    pub lasers: bool,

    /// Show the names of vehicles next to them.
    #[arg(long)]
    pub labels: bool,

    /// Show the images of a camera in a corner, such as `car.eye`, the name of their folder.
    #[arg(long, value_name = "VEHICLE.SENSOR")]
    pub camera: Option<String>,

    /// Replace an existing file or folder.
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}
