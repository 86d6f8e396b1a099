//! Exports a world.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use simhost::{Catalogue, Options, Session, output};
use simhost_world::{LoadOptions, Loaded};

use crate::error::FmuError;
use crate::interface::{INTERFACE_FILE, Interface};
use crate::resources::resources;
use crate::terminals::terminals;
use crate::version::FmiVersion;
use crate::xml::{MODEL_IDENTIFIER, description};
use crate::{archive, selection};

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
        archive::write(path, &files)?;
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
