//! FMUs of worlds and models.

use std::path::PathBuf;

use pyo3::prelude::*;
use simhost_cli::class_page;
use simhost_fmi::{
    FmiVersion, FmuError, FmuExport, ModelExport, export, export_model, fmu_files, motions,
};
use simhost_registry::{Catalogue, Entry, FolderSource, Options, PluginFolder};
use simhost_world::LoadOptions;

use crate::errors::{Failure, raise};
use crate::world_options::WorldOptions;

/// Path of an FMU, versions of FMI, and path of the library that it contains.
type Target = (PathBuf, Vec<u32>, PathBuf);

/// Patterns of inputs, outputs and parameters. Without outputs, pose and twist of all vehicles are.
type Patterns = (Vec<String>, Option<Vec<String>>, Vec<String>);

/// A model of a class.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ModelChoice {
    name: String,
    /// Kind, if several have a class with this name.
    kind: Option<String>,
    /// Index of the variant.
    variant: usize,
    /// Number of wheels.
    wheels: usize,
    /// Communication step, s.
    step: f64,
    parameters: Vec<(String, String)>,
}

/// Returns the files to write with their versions.
fn files((path, versions, _): &Target) -> Vec<(FmiVersion, PathBuf)> {
    let version = |number: &u32| if *number == 2 { FmiVersion::Two } else { FmiVersion::Three };
    fmu_files(path, &versions.iter().map(version).collect::<Vec<_>>())
}

/// Returns the name of the model in the description.
fn model_name((path, ..): &Target) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes a world as FMUs, and returns their paths.
#[pyfunction]
pub fn export_fmu(
    py: Python<'_>,
    world: PathBuf,
    patterns: Patterns,
    with_plugins: bool,
    target: Target,
    options: WorldOptions,
) -> PyResult<Vec<PathBuf>> {
    let options = options.session()?;
    py.detach(|| {
        let catalogue = collected(&options.plugin_folders)?;
        let load = LoadOptions { flatten: true, keep_tree: true, ..options.load };
        let loaded = simhost_world::load(&world, &load, &catalogue);
        let loaded = loaded.map_err(|error| Failure::from(simhost::Error::from(error)))?;
        let (inputs, outputs, parameters) = patterns;
        let outputs = outputs.unwrap_or_else(|| motions(&loaded.world));
        let (library, files) = (target.2.clone(), files(&target));
        let request = FmuExport { inputs, outputs, parameters, with_plugins, library };
        export(&model_name(&target), loaded, catalogue, &request, &files).map_err(exception)?;
        Ok(files.into_iter().map(|(_, path)| path).collect())
    })
}

/// Writes a model as FMUs, and returns their paths.
#[pyfunction]
pub fn export_model_fmu(
    py: Python<'_>,
    choice: ModelChoice,
    target: Target,
    folders: Vec<PathBuf>,
) -> PyResult<Vec<PathBuf>> {
    py.detach(|| {
        let catalogue = collected(&folders)?;
        let ModelChoice { name, kind, variant, wheels, step, parameters } = choice;
        let entry = entry(&catalogue, &name, kind.as_deref())?;
        let Some(model) = entry.variants.get(variant) else {
            let (found, most) = (variant + 1, entry.variants.len());
            let text = format!("'{name}' has no variant {found}; expected 1 to {most}");
            return Err(raise("InputError", text));
        };
        let (library, files) = (target.2.clone(), files(&target));
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let documentation = class_page(&catalogue, entry);
        let request =
            ModelExport { variant, parameters, folder, wheels, step, documentation, library };
        export_model(&model_name(&target), model, &catalogue, &request, &files)
            .map_err(exception)?;
        Ok(files.into_iter().map(|(_, path)| path).collect())
    })
}

/// Collects the models of the program and of plugin folders.
fn collected(folders: &[PathBuf]) -> PyResult<Catalogue> {
    let folder =
        |path: &PathBuf| PluginFolder { path: path.clone(), source: FolderSource::PluginDir };
    let folders = folders.iter().map(folder).collect();
    let catalogue = Catalogue::collect(Options { folders, ..Options::default() });
    catalogue.map_err(|error| raise("PluginError", error))
}

/// Returns the class with a name, and of a kind if one is given.
fn entry<'c>(catalogue: &'c Catalogue, class: &str, kind: Option<&str>) -> PyResult<&'c Entry> {
    let kinds = simhost_abi::Kind::ALL.into_iter();
    let kinds = kinds.filter(|one| kind.is_none_or(|kind| kind == one.tag()));
    let found: Vec<&Entry> = kinds.flat_map(|kind| catalogue.named(kind, class)).collect();
    match *found {
        [entry] => Ok(entry),
        [] => {
            let known = catalogue.entries().iter().map(|entry| &*entry.class);
            let help = match simhost_model::nearest(class, known) {
                Some(nearest) => format!("did you mean '{nearest}'?"),
                None => "`simhost plugin list` lists the classes".to_owned(),
            };
            Err(raise("UnknownNameError", format!("unknown class '{class}'; {help}")))
        }
        _ => {
            let names: Vec<String> = found
                .iter()
                .map(|entry| format!("{} {}", entry.kind.tag(), entry.full_name()))
                .collect();
            let names = names.join(", ");
            Err(raise("InputError", format!("'{class}' is ambiguous: {names}; help: set kind")))
        }
    }
}

/// Returns the exception of a failed export.
fn exception(error: FmuError) -> PyErr {
    let class = match &error {
        FmuError::World(_) => "",
        FmuError::Unknown { .. } => "UnknownNameError",
        FmuError::Model { .. } | FmuError::Value(_) => "ModelError",
        FmuError::Plugin { .. } | FmuError::FileModel { .. } => "WorldError",
        FmuError::File { act: "write", .. } => "OutputError",
        _ => "InputError",
    };
    match error {
        FmuError::World(error) => Failure::Library(error).into(),
        error => raise(class, error),
    }
}
