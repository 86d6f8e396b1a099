//! Arguments of `simhost export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Layout of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataLayout {
    /// The odometry benchmark of KITTI: sequences with images, clouds, times and calibration, and poses.
    Kitti,
    /// The ASL layout of EuRoC: a folder per camera and IMU, and the true states.
    Euroc,
}

/// Arguments of `simhost export`.
#[derive(Args, Clone, Debug)]
pub struct ExportData {
    /// Output folder of a run.
    pub run: PathBuf,

    /// Layout to write.
    #[arg(long, value_name = "LAYOUT")]
    pub layout: DataLayout,

    /// Vehicle whose sensors are written [default: the first one with a camera or a lidar].
    #[arg(long, value_name = "NAME")]
    pub vehicle: Option<String>,

    /// Folder to write, which has to be new or empty.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
}
