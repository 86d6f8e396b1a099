//! FMUs as archives: bounded reading, and unpacking of the parts that an instance needs.

use std::fs::{self, File};
use std::io::{Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

/// Largest FMU, bytes.
const MAX_ARCHIVE: u64 = 1 << 28;
/// Largest number of members.
const MAX_MEMBERS: usize = 10_000;
/// Largest description, bytes.
pub(crate) const MAX_DESCRIPTION: u64 = 1 << 24;
/// Largest size of all unpacked members together, bytes.
const MAX_UNPACKED: u64 = 1 << 30;

/// The archive of an FMU, whose members are checked: none leads out of it or is a link, and their listed sizes are bounded.
pub struct FmuArchive(ZipArchive<Cursor<Vec<u8>>>);

impl FmuArchive {
    /// Reads a file.
    ///
    /// # Errors
    /// The reason, with the expected value.
    pub fn open(file: &Path) -> Result<Self, String> {
        let bytes = simhost_files::read(file, MAX_ARCHIVE).map_err(|error| match error.kind() {
            ErrorKind::NotFound => "file not found".to_owned(),
            _ => error.to_string(),
        });
        bytes.and_then(Self::read)
    }

    /// Reads an archive from its bytes.
    ///
    /// # Errors
    /// The reason, with the expected value.
    pub fn read(bytes: Vec<u8>) -> Result<Self, String> {
        let archive = ZipArchive::new(Cursor::new(bytes));
        let mut archive =
            archive.map_err(|error| format!("expected an FMU, which is a ZIP archive: {error}"))?;
        if archive.len() > MAX_MEMBERS {
            let found = archive.len();
            return Err(format!("found {found} members; expected at most {MAX_MEMBERS}"));
        }
        let mut total = 0u64;
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(|error| error.to_string())?;
            let name = entry.name().map_err(|error| error.to_string())?.into_owned();
            if inside(&name).is_none() || entry.is_symlink() {
                return Err(format!(
                    "member {name:?} leads out of the archive; expected a path in it"
                ));
            }
            total = total.saturating_add(entry.size());
            if total > MAX_UNPACKED {
                return Err(format!(
                    "its members have more than {} MiB unpacked at {name:?}; expected at most that",
                    MAX_UNPACKED >> 20
                ));
            }
        }
        Ok(Self(archive))
    }

    /// Returns the text of `modelDescription.xml`.
    ///
    /// # Errors
    /// The reason, with the expected value.
    pub fn description(&mut self) -> Result<String, String> {
        const NAME: &str = "modelDescription.xml";
        let entry =
            self.0.by_name(NAME).map_err(|_| format!("{NAME} is missing in the archive"))?;
        let mut text = String::new();
        let size = entry.take(MAX_DESCRIPTION + 1).read_to_string(&mut text);
        let size = size.map_err(|error| format!("failed to read {NAME}: {error}"))?;
        if size as u64 > MAX_DESCRIPTION {
            let limit = MAX_DESCRIPTION >> 20;
            return Err(format!("{NAME} is larger than {limit} MiB; expected at most that"));
        }
        Ok(text)
    }

    /// Returns whether there is a member with a path.
    pub fn contains(&self, name: &str) -> bool {
        self.0.index_for_name(name).is_some()
    }

    /// Returns the names of the folders in `binaries`.
    pub fn platforms(&self) -> Vec<String> {
        let folders = self.0.file_names().filter_map(|name| {
            let name = name.ok()?;
            Some(name.strip_prefix("binaries/")?.split_once('/')?.0.to_owned())
        });
        let folders: std::collections::BTreeSet<String> = folders.collect();
        folders.into_iter().collect()
    }

    /// Unpacks the libraries of a platform and the resources into a folder.
    ///
    /// # Errors
    /// The member that cannot be unpacked, and the reason.
    pub(crate) fn unpack(&mut self, platform: &str, folder: &Path) -> Result<(), String> {
        let libraries = format!("binaries/{platform}/");
        for index in 0..self.0.len() {
            let entry = self.0.by_index(index).map_err(|error| error.to_string())?;
            let name = entry.name().map_err(|error| error.to_string())?.into_owned();
            let is_needed = name.starts_with(&libraries) || name.starts_with("resources/");
            if let Some(path) = inside(&name).filter(|_| is_needed && !entry.is_dir()) {
                let size = entry.size();
                write(entry, size, &folder.join(path))
                    .map_err(|why| format!("member {name:?}: {why}"))?;
            }
        }
        fs::create_dir_all(folder.join("resources")).map_err(|error| error.to_string())
    }
}

/// Writes a member, whose listed size may be wrong.
fn write(entry: impl Read, size: u64, path: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
    let mut file = File::create(path).map_err(failed)?;
    match std::io::copy(&mut entry.take(size.saturating_add(1)), &mut file).map_err(failed)? {
        written if written == size => Ok(()),
        _ => Err(format!("expected its listed size of {size} bytes")),
    }
}

/// Returns the relative path of a member; `None` for one that leads out of the archive.
fn inside(name: &str) -> Option<PathBuf> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains([':', '\0']);
    let parts: Vec<&str> = name.strip_suffix('/').unwrap_or(name).split(['/', '\\']).collect();
    parts.iter().all(|part| is_plain(part)).then(|| parts.iter().collect())
}
