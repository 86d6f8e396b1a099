//! Packages: one file with the libraries of a plugin for several platforms, its worlds, documentation and licences.
//!
//! A package is a ZIP archive. `package.json` describes all other files, with the SHA-256 of each.

pub mod install;
pub mod pack;

use std::fmt::Write as _;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use simhost_abi::FINGERPRINT;
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, ZipArchive};

use crate::process::{Code, Failure};

/// Ending of the names of packages.
pub const ENDING: &str = "simplugin";
/// Format of packages that this program reads and writes.
const FORMAT: u32 = 1;
/// Name of the description in the archive.
const DESCRIPTION: &str = "package.json";
/// Largest size of a package, and of all its files, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Description of a package.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    pub format: u32,
    pub vendor: String,
    pub name: String,
    pub version: String,
    pub libraries: Vec<PackedLibrary>,
    pub files: Vec<PackedFile>,
}

/// Platform of a WebAssembly module, which runs on every platform.
const MODULE: &str = "WebAssembly";

/// A library for a platform and a layout of the boundary, or a module.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedLibrary {
    /// Format and processor, as `simhost plugin list` names them, or [`MODULE`].
    pub platform: String,
    /// Fingerprint of the boundary, in hexadecimal; none for a library that was packed on another platform, and for a module.
    pub fingerprint: Option<String>,
    pub file: PackedFile,
}

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedFile {
    /// Path in the archive.
    pub path: String,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

impl Description {
    /// Returns `vendor/name`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.vendor, self.name)
    }

    /// Returns the library for this platform and program, or else the module if this program runs modules.
    pub fn own_library(&self) -> Option<&PackedLibrary> {
        let own = format!("{FINGERPRINT:016x}");
        let fits = |library: &&PackedLibrary| {
            library.platform == simhost_registry::platform()
                && library.fingerprint.as_ref().is_none_or(|found| *found == own)
        };
        self.libraries.iter().find(fits).or_else(|| self.own_module())
    }

    /// Returns the module, if this program runs modules.
    pub fn own_module(&self) -> Option<&PackedLibrary> {
        let module = self.libraries.iter().find(|library| library.platform == MODULE);
        module.filter(|_| simhost_registry::runs_modules())
    }

    fn all_files(&self) -> impl Iterator<Item = &PackedFile> {
        self.libraries.iter().map(|library| &library.file).chain(&self.files)
    }
}

impl PackedLibrary {
    /// Returns the platform, and the release for which the library was built.
    pub fn host(&self) -> String {
        let fingerprint = self.fingerprint.as_deref();
        let number = fingerprint.and_then(|text| u64::from_str_radix(text, 16).ok());
        match number.map(simhost_abi::release_of) {
            Some(Some(release)) => format!("{}, for simhost {release}", self.platform),
            Some(None) => format!("{}, for an unknown release", self.platform),
            None => self.platform.clone(),
        }
    }
}

/// A description with the files that it describes.
pub struct Package {
    pub description: Description,
    /// Bytes of the files, in the order of the description.
    files: Vec<Vec<u8>>,
}

impl Package {
    /// Reads a package and checks its sums.
    ///
    /// # Errors
    /// [`Failure`] if the file cannot be read, is not a package, or differs from its description.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let refused = |why: &dyn std::fmt::Display| {
            Failure::new(Code::BadInput, format!("{}: {why}", path.display()))
        };
        let bytes = simhost_files::read(path, MOST_BYTES).map_err(|error| refused(&error))?;
        let no_archive = |error: zip::result::ZipError| {
            refused(&format!("it is not a package of a plugin, which is a ZIP archive: {error}"))
        };
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(no_archive)?;
        let mut left = MOST_BYTES;
        let mut member = |name: &str| -> Result<Vec<u8>, String> {
            let file =
                archive.by_name(name).map_err(|error| format!("missing `{name}` ({error})"))?;
            let mut content = Vec::new();
            let read = file.take(left + 1).read_to_end(&mut content);
            let count = read.map_err(|error| format!("cannot read `{name}`: {error}"))? as u64;
            left = left.checked_sub(count).ok_or("its files are larger than 1 GiB")?;
            Ok(content)
        };
        let text = member(DESCRIPTION).map_err(|error| refused(&error))?;
        let description: Description = serde_json::from_slice(&text)
            .map_err(|error| refused(&format!("its {DESCRIPTION} is invalid: {error}")))?;
        check(&description).map_err(|error| refused(&error))?;
        let mut files = Vec::new();
        for file in description.all_files() {
            let content = member(&file.path).map_err(|error| refused(&error))?;
            let found = sha256(&content);
            if found != file.sha256 {
                let text = format!(
                    "`{}` has SHA-256 {found}, expected {}; the package is damaged or was changed",
                    file.path, file.sha256
                );
                return Err(refused(&text));
            }
            files.push(content);
        }
        Ok(Self { description, files })
    }

    /// Returns the bytes of a file of the description.
    pub fn bytes(&self, file: &PackedFile) -> &[u8] {
        let place = self.description.all_files().position(|known| known == file);
        place.map_or(&[], |place| &self.files[place])
    }
}

/// Checks names and paths of a description, which become names of files.
fn check(description: &Description) -> Result<(), String> {
    if description.format != FORMAT {
        return Err(format!(
            "it has format {}, expected {FORMAT}; use a simhost that knows this format",
            description.format
        ));
    }
    let is_name = |text: &str| {
        let is_known = |c: char| c.is_ascii_alphanumeric() || "_-.+".contains(c);
        !text.is_empty() && !text.starts_with('.') && text.chars().all(is_known)
    };
    for name in [&description.vendor, &description.name, &description.version] {
        if !is_name(name) {
            return Err(format!("`{name}` is not a name of letters, digits and `_-.+`"));
        }
    }
    for file in description.all_files() {
        let mut parts = file.path.split('/');
        if !parts.all(is_name) {
            return Err(format!("`{}` is not a path inside of the package", file.path));
        }
    }
    Ok(())
}

/// Writes a package. The same content gives the same bytes.
fn write(
    to: &Path,
    description: &Description,
    files: &[(&PackedFile, &[u8])],
) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", to.display()))
    };
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &[u8]| -> Result<(), Failure> {
        archive.start_file(name, options).map_err(|error| failed(&error))?;
        archive.write_all(content).map_err(|error| failed(&error))
    };
    let text = serde_json::to_string_pretty(description).map_err(|error| failed(&error))?;
    add(DESCRIPTION, (text + "\n").as_bytes())?;
    for (file, content) in files {
        add(&file.path, content)?;
    }
    let bytes = archive.finish().map_err(|error| failed(&error))?.into_inner();
    simhost_files::write(to, bytes).map_err(|error| failed(&error))
}

/// Returns the SHA-256 of bytes in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Returns the folder of a package of the user, with its description, worlds and documentation.
fn folder_of(full_name: &str) -> Option<PathBuf> {
    let plugins = simhost_registry::user_folder()?;
    Some(plugins.with_file_name("packages").join(full_name.replace('/', ".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description(path: &str) -> Description {
        let file = PackedFile { path: path.into(), sha256: sha256(b"text") };
        let [vendor, name, version] = ["acme", "magic", "1.0.0"].map(str::to_owned);
        Description { format: FORMAT, vendor, name, version, libraries: vec![], files: vec![file] }
    }

    #[test]
    fn a_package_is_read_as_it_was_written_and_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.simplugin");
        let made = description("docs/a.md");
        write(&path, &made, &[(&made.files[0], b"text")]).unwrap();
        let read = Package::read(&path).unwrap();
        assert_eq!(read.bytes(&read.description.files[0]), b"text");
        write(&path, &made, &[(&made.files[0], b"test")]).unwrap();
        let failure = Package::read(&path).err().unwrap();
        assert!(failure.text.contains("damaged or was changed"), "{}", failure.text);
        std::fs::write(&path, b"PK nothing").unwrap();
        assert!(Package::read(&path).err().unwrap().text.contains("not a package of a plugin"));
    }

    #[test]
    fn paths_do_not_lead_out_of_a_package() {
        for path in ["../a", "/a", "a//b", "docs/..", "a\\b", "a:b", ""] {
            assert!(check(&description(path)).is_err(), "{path}");
        }
        assert!(check(&description("lib/0/libmagic.so")).is_ok());
    }
}
