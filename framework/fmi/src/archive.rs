//! The archive of an FMU.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use quick_xml::escape::escape;
use sha2::{Digest, Sha256};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::error::FmuError;
use crate::interface::{INTERFACE_FILE, Interface, Role, Simulated};
use crate::version::FmiVersion;
use crate::xml::{MODEL_IDENTIFIER, description};

/// Files by their paths in an archive.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Writes an FMU per version and path, with an interface to which it adds the token, with resources,
/// and with further files such as the documentation.
///
/// # Errors
/// [`FmuError::Library`] and [`FmuError::File`] if a file cannot be read or written.
pub fn write(
    mut interface: Interface,
    mut resources: Files,
    further: &Files,
    library: &Path,
    to: &[(FmiVersion, PathBuf)],
) -> Result<(), FmuError> {
    let library = read_library(library)?;
    interface.token = token(&interface, &resources);
    let text = serde_json::to_vec_pretty(&interface).unwrap_or_default();
    resources.insert(INTERFACE_FILE.to_owned(), text);
    for (version, path) in to {
        let own = resources.iter().map(|(name, bytes)| (format!("resources/{name}"), bytes));
        let mut files: Files = own.map(|(name, bytes)| (name, bytes.clone())).collect();
        files.extend(further.clone());
        files.insert("modelDescription.xml".to_owned(), description(&interface, *version).into());
        let has_commands = matches!(interface.simulated, Simulated::World(_));
        if *version == FmiVersion::Three && has_commands {
            let text = terminals(&interface).into();
            files.insert("terminalsAndIcons/terminalsAndIcons.xml".to_owned(), text);
        }
        let ending = std::env::consts::DLL_EXTENSION;
        let place = format!("binaries/{}/{MODEL_IDENTIFIER}.{ending}", version.platform());
        files.insert(place, library.clone());
        write_archive(path, &files)?;
    }
    Ok(())
}

/// Reads the library.
fn read_library(path: &Path) -> Result<Vec<u8>, FmuError> {
    // a library of a debug build has some hundred MB
    const MOST: u64 = 1 << 30;
    match simhost_files::read(path, MOST) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(FmuError::Library { path: path.to_owned() })
        }
        Err(error) => Err(FmuError::file("read", path)(error)),
    }
}

/// Returns a hash of the variables and the resources, in the form of a GUID.
fn token(interface: &Interface, resources: &Files) -> String {
    let mut hash = Sha256::new();
    hash.update(serde_json::to_vec(interface).unwrap_or_default());
    for (name, bytes) in resources {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    let digits = hexadecimal(&hash.finalize()[..16]);
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    format!("{{{}}}", parts.join("-"))
}

/// Writes an archive with some files by their paths. The same files give the same bytes.
///
/// # Errors
/// [`FmuError::File`] if it cannot be written.
fn write_archive(path: &Path, files: &Files) -> Result<(), FmuError> {
    let bytes = packed(files).map_err(|error| FmuError::file("write", path)(error.into()))?;
    simhost_files::write(path, bytes).map_err(FmuError::file("write", path))
}

fn packed(files: &Files) -> zip::result::ZipResult<Vec<u8>> {
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

/// Returns the SHA-256 of bytes as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // writing to a text does not fail
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Returns the terminals of an FMU with a world.
fn terminals(interface: &Interface) -> String {
    let Simulated::World(commands) = &interface.simulated else { return String::new() };
    let mut members: BTreeMap<&str, String> = BTreeMap::new();
    for variable in &interface.variables {
        let terminal = match &variable.role {
            Role::Input { command, .. } => commands.get(*command).map_or("", |one| &one.stream),
            Role::Output { quantity, .. } => quantity.split('/').next().unwrap_or_default(),
            _ => continue,
        };
        let short = variable.name.strip_prefix(terminal).unwrap_or(&variable.name);
        *members.entry(terminal).or_default() += &format!(
            "      <TerminalMemberVariable variableName=\"{}\" memberName=\"{}\" variableKind=\"signal\"/>\n",
            escape(&variable.name),
            escape(short.trim_start_matches('/')),
        );
    }
    let terminal = |(name, members): (&&str, &String)| {
        format!(
            "    <Terminal name=\"{}\" matchingRule=\"bus\">\n{members}    </Terminal>\n",
            escape(*name)
        )
    };
    let all: String = members.iter().map(terminal).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n{all}  \
         </Terminals>\n</fmiTerminalsAndIcons>\n"
    )
}
