//! Exports a world.

use std::path::{Path, PathBuf};

use simhost::{Catalogue, Options, Session, output};
use simhost_model::LINKED_IN;
use simhost_world::{LoadOptions, Loaded, World};

use crate::archive::{self, Files};
use crate::error::FmuError;
use crate::interface::{Interface, Simulated};
use crate::version::FmiVersion;
use crate::{resources, selection};

/// What an FMU contains.
#[derive(Clone, Debug)]
pub struct FmuExport {
    /// Patterns of the input streams of commands whose values are inputs.
    pub inputs: Vec<String>,
    /// Patterns of the quantities that are outputs.
    pub outputs: Vec<String>,
    /// Patterns of the parameters.
    pub parameters: Vec<String>,
    /// Whether plugins from which models come become resources. Otherwise, a world with such models
    /// is refused.
    pub with_plugins: bool,
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
/// [`FmuError`] if the world cannot be simulated, a pattern selects nothing, a model comes from a file that the FMU does not
/// contain, or a file cannot be read or written.
pub fn export(
    name: &str,
    loaded: Loaded,
    catalogue: Catalogue,
    request: &FmuExport,
    to: &[(FmiVersion, PathBuf)],
) -> Result<FmuSummary, FmuError> {
    check_models(&loaded.world, request.with_plugins)?;
    let flat = loaded.flat.as_deref().unwrap_or_default();
    let mut resources = resources::of_world(flat, &loaded.files)?;
    let mut sources = output::model_sources(&loaded.world);
    sources.remove(LINKED_IN);
    let plugins = resources::add_plugins(sources, &mut resources)?;
    let options = Options { load: LoadOptions::default(), ..Options::default() };
    let session = Session::from_loaded(loaded, catalogue, options)?;
    let (interface, summary) = interface(name, &session, request)?;
    let interface = Interface { plugins, ..interface };
    archive::write(interface, resources, &Files::new(), &request.library, to)?;
    Ok(summary)
}

/// Returns patterns for the poses and twists of all vehicles of a world.
pub fn motions(world: &World) -> Vec<String> {
    let names = world.vehicles.iter().map(|vehicle| &vehicle.name);
    names.flat_map(|name| [format!("{name}/pose"), format!("{name}/twist")]).collect()
}

/// Checks that all models are built in, or come from plugins if these are allowed.
fn check_models(world: &World, with_plugins: bool) -> Result<(), FmuError> {
    let is_plugin = |source: &&str| {
        let ending = Path::new(source).extension().unwrap_or_default();
        ending == std::env::consts::DLL_EXTENSION
    };
    let mut sources = output::model_sources(world);
    sources.remove(LINKED_IN);
    if let Some(file) = sources.iter().find(|source| !is_plugin(source)) {
        return Err(FmuError::FileModel { file: file.into() });
    }
    if !with_plugins && !sources.is_empty() {
        let models = output::foreign_models(world).join(", ");
        return Err(FmuError::Plugin { models });
    }
    Ok(())
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
        simulated: Simulated::World(commands),
        plugins: Vec::new(),
        variables,
    };
    Ok((interface, FmuSummary { inputs, outputs, parameters }))
}
