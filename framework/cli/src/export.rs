//! `simhost export`: the readings of a run in the layout of a data set.

mod euroc;
mod kitti;
mod readings;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use readings::Readings;

use crate::exit::{Code, Failure};
use crate::terminal;

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

/// Writes a data set.
pub fn export(arguments: &ExportData) -> Result<Code, Failure> {
    let out = &arguments.out;
    if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
        let text = format!("{} is not empty\nhelp: choose another folder", out.display());
        return Err(Failure::new(Code::Output, text));
    }
    let readings = Readings::open(&arguments.run, arguments.vehicle.as_deref())?;
    let summary = match arguments.layout {
        DataLayout::Kitti => kitti::write(&readings, out)?,
        DataLayout::Euroc => euroc::write(&readings, out)?,
    };
    terminal::result(&format!("wrote {}: {summary}", out.display()))?;
    Ok(Code::Done)
}

/// Writes a file, with the folders above it.
fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, content));
    written.map_err(|error| cannot_write(path, &error))
}

/// Copies a file, with the folders above it.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let folder = to.parent().unwrap_or(Path::new("."));
    let copied = std::fs::create_dir_all(folder).and_then(|()| std::fs::copy(from, to));
    copied.map(drop).map_err(|error| cannot_write(to, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
}
