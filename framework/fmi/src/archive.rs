//! The archive of an FMU.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::error::FmuError;

/// Writes an archive with some files by their paths. The same files give the same bytes.
///
/// # Errors
/// [`FmuError::File`] if it cannot be written.
pub fn write(path: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), FmuError> {
    let bytes = packed(files).map_err(|error| FmuError::file("write", path)(error.into()))?;
    simhost_files::write(path, bytes).map_err(FmuError::file("write", path))
}

fn packed(files: &BTreeMap<String, Vec<u8>>) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let mode = if name.starts_with("binaries/") { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(mode);
        archive.start_file(name, options)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
