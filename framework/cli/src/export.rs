//! `simhost export`: the readings of a run in the layout of a data set.

mod euroc;
mod kitti;
mod readings;

use std::path::Path;

use crate::arguments::{DataLayout, ExportData};
use crate::exit::{Code, Failure};
use crate::terminal;
use readings::Readings;

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
