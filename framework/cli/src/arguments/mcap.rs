//! Arguments of the recordings of streams.

use clap::{Args, ValueEnum};

use super::{pattern, positive};

/// Arguments of the recordings of streams.
#[derive(Args, Clone, Debug, Default)]
pub struct Mcap {
    /// Write run.mcap: streams as ROS 2 messages, for Foxglove, PlotJuggler, Rerun or `ros2 bag play`.
    #[arg(long = "mcap", requires = "out")]
    pub is_on: bool,

    /// Write streams that match PATTERN to run.mcap; can be repeated. `*` does not cross `/`, `**` does,
    /// `!` excludes [default: all].
    #[arg(long = "mcap-streams", value_name = "PATTERN", requires = "is_on", value_parser = pattern)]
    pub streams: Vec<String>,

    /// Time between samples in run.mcap for streams without their own rate, s [default:
    /// --log-period].
    #[arg(long = "mcap-period", value_name = "S", requires = "is_on", value_parser = positive)]
    #[arg(allow_hyphen_values = true)]
    pub period: Option<f64>,

    /// Also write streams to a directory of the output directory, in another format; can be repeated.
    #[arg(long, value_name = "FORMAT", requires = "out")]
    pub export: Vec<Export>,
}

/// Format of files that hold streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Export {
    /// csv: a table per stream.
    Csv,
    /// tum: the true poses of each vehicle, as time, position and quaternion.
    Tum,
    /// kitti: the true poses of each vehicle, as matrices, and the times.
    Kitti,
    /// mvsim: the logs of MVSim, a table per vehicle and wheel.
    Mvsim,
    /// parquet: a Parquet file per stream, in programs that are built with the feature `parquet`.
    Parquet,
}

impl Export {
    /// Returns the name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tum => "tum",
            Self::Kitti => "kitti",
            Self::Mvsim => "mvsim",
            Self::Parquet => "parquet",
        }
    }

    /// Returns the format with a name.
    pub fn find(name: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|format| format.name() == name)
    }
}
