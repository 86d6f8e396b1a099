//! Exports a world.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use quick_xml::escape::{escape, partial_escape};
use sha2::{Digest, Sha256};
use simhost::{Catalogue, Options, Session, output};
use simhost_world::{LoadOptions, Loaded};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::error::FmuError;
use crate::selection;
use crate::selection::{INTERFACE_FILE, Interface, Role, WORLD_FILE};
use crate::version::FmiVersion;
use crate::xml::{MODEL_IDENTIFIER, description};

/// What an FMU contains.
#[derive(Clone, Debug)]
pub struct FmuExport {
    /// Patterns of the input streams of commands whose values are inputs.
    pub inputs: Vec<String>,
    /// Patterns of the quantities that are outputs.
    pub outputs: Vec<String>,
    /// Patterns of the parameters.
    pub parameters: Vec<String>,
    /// The library that every FMU contains.
    pub library: PathBuf,
}

/// What has been exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FmuSummary {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Number of parameters.
    pub parameters: usize,
}

/// Writes a world as an FMU per version and path. The world is as it was loaded with [`LoadOptions::flatten`] and
/// [`LoadOptions::keep_tree`].
///
/// # Errors
/// [`FmuError`] if the world cannot be simulated, a pattern selects nothing, a model comes from a plugin, or a file cannot be
/// read or written.
pub fn export(
    name: &str,
    loaded: Loaded,
    catalogue: Catalogue,
    request: &FmuExport,
    to: &[(FmiVersion, PathBuf)],
) -> Result<FmuSummary, FmuError> {
    let library = library(&request.library)?;
    let models = output::foreign_models(&loaded.world).join(", ");
    if !models.is_empty() {
        return Err(FmuError::Plugin { models });
    }
    let mut resources = resources(loaded.flat.as_deref().unwrap_or_default(), &loaded.files)?;
    let options = Options { load: LoadOptions::default(), ..Options::default() };
    let session = Session::from_loaded(loaded, catalogue, options)?;
    let (mut interface, summary) = interface(name, &session, request)?;
    interface.token = token(&interface, &resources);
    let text = serde_json::to_vec_pretty(&interface).unwrap_or_default();
    resources.insert(INTERFACE_FILE.to_owned(), text);
    for (version, path) in to {
        let mut files: BTreeMap<String, Vec<u8>> = resources
            .iter()
            .map(|(name, bytes)| (format!("resources/{name}"), bytes.clone()))
            .collect();
        files.insert("modelDescription.xml".to_owned(), description(&interface, *version).into());
        if *version == FmiVersion::Three {
            let text = terminals(&interface).into();
            files.insert("terminalsAndIcons/terminalsAndIcons.xml".to_owned(), text);
        }
        let ending = std::env::consts::DLL_EXTENSION;
        let place = format!("binaries/{}/{MODEL_IDENTIFIER}.{ending}", version.platform());
        files.insert(place, library.clone());
        write_archive(path, &files)?;
    }
    Ok(summary)
}

/// Reads the library.
fn library(path: &Path) -> Result<Vec<u8>, FmuError> {
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

/// Returns the interface, without its token, and the number of its variables.
fn interface(
    name: &str,
    session: &Session,
    request: &FmuExport,
) -> Result<(Interface, FmuSummary), FmuError> {
    let world = session.world().description();
    let (mut commands, mut variables) = (Vec::new(), vec![selection::time()]);
    selection::inputs(session, &request.inputs, &mut commands, &mut variables)?;
    let inputs = variables.len() - 1;
    selection::outputs(session, &request.outputs, &mut variables)?;
    let outputs = variables.len() - 1 - inputs;
    selection::parameters(session, &request.parameters, &mut variables)?;
    let parameters = variables.len() - 1 - inputs - outputs;
    let interface = Interface {
        name: name.to_owned(),
        token: String::new(),
        dt: session.simulation().clock().dt,
        duration: world.and_then(|world| world.settings.duration),
        commands,
        variables,
    };
    Ok((interface, FmuSummary { inputs, outputs, parameters }))
}

/// Returns a hash of the variables and the resources, in the form of a GUID.
fn token(interface: &Interface, resources: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    hash.update(serde_json::to_vec(interface).unwrap_or_default());
    for (name, bytes) in resources {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    let mut digits = String::new();
    for byte in &hash.finalize()[..16] {
        // writing to a text does not fail
        let _ = write!(digits, "{byte:02x}");
    }
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    format!("{{{}}}", parts.join("-"))
}

/// Writes an archive with some files by their paths. The same files give the same bytes.
///
/// # Errors
/// [`FmuError::File`] if it cannot be written.
fn write_archive(path: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), FmuError> {
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

/// Returns the terminals of an FMU.
fn terminals(interface: &Interface) -> String {
    let mut members: BTreeMap<&str, String> = BTreeMap::new();
    for variable in &interface.variables {
        let terminal = match &variable.role {
            Role::Input { command, .. } => &*interface.commands[*command].stream,
            Role::Output { quantity, .. } => quantity.split('/').next().unwrap_or_default(),
            Role::Time | Role::Parameter => continue,
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

/// Folder of the files that the world refers to.
const FILES: &str = "files";
/// Largest size of such a file, bytes.
const MOST: u64 = 1 << 30;

/// Returns the resources by their paths. `flat` has absolute paths of `files`, which become relative paths.
///
/// The files keep their places relative to each other, because meshes and maps refer to further files.
///
/// # Errors
/// [`FmuError::File`] if a file cannot be read.
fn resources(flat: &str, files: &[PathBuf]) -> Result<BTreeMap<String, Vec<u8>>, FmuError> {
    let mut resources = BTreeMap::new();
    let mut world = flat.to_owned();
    if let Some(home) = common_folder(files) {
        let from = format!("{}/", home.display());
        world = world.replace(&*partial_escape(&from), &format!("{FILES}/"));
        let mut waiting: Vec<PathBuf> = files.to_vec();
        while let Some(path) = waiting.pop() {
            let Ok(inside) = path.strip_prefix(&home) else { continue };
            let bytes = simhost_files::read(&path, MOST).map_err(FmuError::file("read", &path))?;
            let inside: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            let further = simhost_files::named_beside(&path, &bytes);
            if resources.insert(format!("{FILES}/{}", inside.join("/")), bytes).is_none() {
                waiting.extend(further);
            }
        }
    }
    resources.insert(WORLD_FILE.to_owned(), world.into_bytes());
    Ok(resources)
}

/// Returns the longest path of a folder in which all files are.
fn common_folder(files: &[PathBuf]) -> Option<PathBuf> {
    let mut folders = files.iter().map(|path| path.parent().unwrap_or(Path::new("/")));
    let first = folders.next()?.to_owned();
    Some(folders.fold(first, |common, folder| {
        let shared = common.iter().zip(folder.iter()).take_while(|(one, other)| one == other);
        shared.map(|(part, _)| part).collect()
    }))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{common_folder, resources};

    #[test]
    fn files_keep_their_places_relative_to_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("meshes/detail")).unwrap();
        std::fs::write(path("meshes/a.obj"), "mtllib a.mtl").unwrap();
        std::fs::write(path("meshes/a.mtl"), "").unwrap();
        std::fs::write(path("meshes/other.mtl"), "").unwrap();
        std::fs::write(path("meshes/detail/b.mtl"), "b").unwrap();
        let files = [path("meshes/a.obj"), path("meshes/detail/b.mtl")];
        let flat = format!("<uri>{}</uri>", files[0].display());
        let found = resources(&flat, &files).unwrap();
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        // with the material that the mesh names
        assert_eq!(names, ["files/a.mtl", "files/a.obj", "files/detail/b.mtl", "world.xml"]);
        assert_eq!(found["world.xml"], b"<uri>files/a.obj</uri>");
    }

    #[test]
    fn folders_are_compared_by_their_names() {
        let files = ["/a/bc/d.png", "/a/bd/e.png"].map(PathBuf::from);
        assert_eq!(common_folder(&files), Some(PathBuf::from("/a")));
        assert_eq!(common_folder(&[]), None);
    }
}
