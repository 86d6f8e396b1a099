//! The shared state of a load. Readers get it as an argument.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use simhost_abi::{Kind, Model, PortDesc};
use simhost_assets::AssetError;
use simhost_fetch::FetchError;
use simhost_model::{
    ClassError, Classes, CodePlace, FileClassError, FileRequest, ModelRef, PluginName, View,
    fitting,
};
use simhost_scene::Mesh;

use crate::diagnostics::{Report, Severity};
use crate::options::{Confinement, LoadOptions, MissingAssets, SharedFetcher};
use crate::profile::Profile;
use crate::sources::{Sources, Span};

/// Shared state of all readers: diagnostics, sources, the profile, the catalogue and assets.
pub(crate) struct Context<'c> {
    pub report: Report,
    pub sources: Sources,
    pub profile: Profile,
    /// Whether unknown names are warnings.
    pub lenient: bool,
    pub catalogue: Catalogue<'c>,
    pub assets: Assets,
    pub references: References,
    /// The vehicle, block, actor or class that is being read, as messages name it.
    pub owner: String,
}

impl Context<'_> {
    /// Sets the object or class that is being read, in the memory of the one before.
    pub(crate) fn set_owner(&mut self, kind: &str, name: &str) {
        self.owner.clear();
        for part in [kind, " `", name, "`"] {
            self.owner.push_str(part);
        }
    }

    /// Returns the severity of an unknown name.
    pub(crate) fn unknown_severity(&self) -> Severity {
        if self.lenient { Severity::Warning } else { Severity::Error }
    }
}

/// Maximum memory in bytes for the maps and meshes of a world. The largest terrain fits.
const MAX_MEMORY: u64 = 400 << 20;
/// Maximum number of samples of all rough terrains of a world, each the sum of some hundred waves.
const MAX_ROUGH_SAMPLES: f64 = 2e6;
/// Number of samples as which a shorter row of such a terrain counts.
const LEAST_COLUMNS: f64 = 16.0;
/// Ratio of the maximum size of all files together to the maximum size of one file.
const TOTAL_FACTOR: u64 = 4;
/// Minimum cost of reading a file, in bytes.
const MIN_COST: u64 = 4096;

/// The files that a world refers to.
#[derive(Debug)]
pub(crate) struct Assets {
    pub missing: MissingAssets,
    /// Where the code of files with models may run, if it may.
    file_models: Option<CodePlace>,
    pub limits: simhost_assets::Limits,
    fetcher: SharedFetcher,
    bytes: u64,
    memory: u64,
    rough_samples: f64,
    confinement: Option<Arc<Confinement>>,
    /// Outcome of locating a resource, by its name and the source that names it.
    located: HashMap<(String, u32), Result<PathBuf, String>>,
    /// Outcomes of checking images.
    checked_images: HashMap<PathBuf, Result<(), String>>,
    /// Meshes that have been read, `None` for those that cannot be used.
    meshes: HashMap<PathBuf, Option<Rc<Mesh>>>,
    files: Vec<PathBuf>,
    recorded: HashSet<PathBuf>,
}

impl Assets {
    pub(crate) fn new(options: &LoadOptions) -> Self {
        Self {
            missing: options.missing_assets,
            file_models: options.allow.file_models,
            limits: options.asset_limits,
            fetcher: options.fetcher.clone(),
            bytes: 0,
            memory: 0,
            rough_samples: 0.0,
            confinement: options.confinement.clone(),
            located: HashMap::new(),
            checked_images: HashMap::new(),
            meshes: HashMap::new(),
            files: Vec::new(),
            recorded: HashSet::new(),
        }
    }

    /// Returns where the code of a local file may run: if the user allows it for the world, or for a change of a world that
    /// already has the file.
    pub(crate) fn code_place(&self, path: &Path) -> Option<CodePlace> {
        let known = self.confinement.as_ref().map(|confinement| &confinement.files);
        let is_known = known.is_none_or(|files| files.iter().any(|known| known == path));
        self.file_models.filter(|_| is_known)
    }

    /// Checks a local file that a text names.
    ///
    /// # Errors
    /// A message with the reason why it cannot be named.
    pub(crate) fn check_name(&self, path: &Path) -> Result<(), String> {
        let checked = self.confinement.as_ref().map(|confinement| confinement.check(path));
        let message = |reason| format!("cannot read `{}`: {reason}", path.display());
        checked.unwrap_or(Ok(())).map_err(message)
    }

    /// Returns whether only files of certain folders can be named.
    pub(crate) fn is_confined(&self) -> bool {
        self.confinement.is_some()
    }

    /// Records a file that the world depends on.
    pub(crate) fn record(&mut self, path: &Path) {
        if self.recorded.insert(path.to_owned()) {
            self.files.push(path.to_owned());
        }
    }

    /// Drops all files but the first `count`, which belong to elements that do not affect the
    /// world.
    pub(crate) fn forget_after(&mut self, count: usize) {
        for path in self.files.drain(count..) {
            self.recorded.remove(&path);
        }
    }

    /// Returns the recorded files in the order of the world.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Locates the resource `name` of source `file`, relative to one of two directories. A download
    /// happens at most once.
    ///
    /// # Errors
    /// A message with the reason why the resource is not available.
    pub(crate) fn locate(
        &mut self,
        name: &str,
        file: u32,
        directories: &[PathBuf; 2],
    ) -> Result<PathBuf, String> {
        let key = (name.to_owned(), file);
        let located = match self.located.get(&key) {
            Some(located) => located.clone(),
            None => {
                let [local, of_world] = directories;
                let fetcher = &self.fetcher.0;
                let elsewhere = |error| match error {
                    FetchError::NotFound { .. } => {
                        fetcher.resolve(name, of_world).map_err(|_| error)
                    }
                    // a download would fail twice
                    error => Err(error),
                };
                let located = fetcher.resolve(name, local).or_else(elsewhere);
                let located = located.map_err(|error| error.to_string());
                // other addresses lead to mirrors and the cache, which belong to the user
                let is_local = !name.contains("://") || name.starts_with("file://");
                let check = |path: PathBuf| self.check_name(&path).map(|()| path);
                let located = if is_local { located.and_then(check) } else { located };
                self.located.insert(key, located.clone());
                located
            }
        };
        if let Ok(path) = &located {
            self.record(path);
        }
        located
    }

    /// Checks the size of an image from its header, once for each file.
    ///
    /// # Errors
    /// A message with the reason why the image cannot be used.
    pub(crate) fn check_image(&mut self, path: &Path) -> Result<(), String> {
        if let Some(known) = self.checked_images.get(path) {
            return known.clone();
        }
        self.charge(path)?;
        let size = simhost_assets::image::read_size(path, &self.limits);
        let outcome = size.map(|_| ()).map_err(|error| self.explain(&error));
        self.checked_images.insert(path.to_owned(), outcome.clone());
        outcome
    }

    /// Returns the message of an error in a file. A download that is not what it should be is removed
    /// from the cache.
    pub(crate) fn explain(&self, error: &AssetError) -> String {
        if self.confinement.is_some() {
            return format!("cannot use `{}`", error.file.display());
        }
        if error.is_unusable() && self.fetcher.0.discard(&error.file) {
            return format!(
                "{error}; the download has been removed from the cache, and the next run fetches it \
                 again"
            );
        }
        error.to_string()
    }

    /// Counts the bytes of a file that is about to be read. Reading a file again counts again.
    ///
    /// # Errors
    /// A message that names the limit that the files exceed.
    pub(crate) fn charge(&mut self, path: &Path) -> Result<(), String> {
        self.record(path);
        if self.memory > MAX_MEMORY {
            return Err(too_much_memory());
        }
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let max_file = self.limits.max_file_bytes;
        // the reader reports a file that is too long, and does not read it
        if length <= max_file {
            self.bytes += length.max(MIN_COST);
        }
        let limit = max_file.saturating_mul(TOTAL_FACTOR);
        if self.bytes <= limit {
            return Ok(());
        }
        let limit = limit >> 20;
        Err(format!("the files of this world exceed {limit} MiB; raise --max-file-size"))
    }

    /// Counts memory that a map or a mesh occupies.
    ///
    /// # Errors
    /// A message that names the limit, if the maps and meshes of the world exceed it.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), String> {
        self.memory += bytes as u64;
        if self.memory <= MAX_MEMORY { Ok(()) } else { Err(too_much_memory()) }
    }

    /// Reserves time and memory for a rough terrain of rows and columns of samples.
    ///
    /// # Errors
    /// A message that names the limit, if the rough terrains of the world exceed it.
    pub(crate) fn reserve_rough(&mut self, [rows, columns]: [f64; 2]) -> Result<(), String> {
        // a short row takes as long as one of this length
        self.rough_samples += rows * columns.max(LEAST_COLUMNS);
        if self.rough_samples <= MAX_ROUGH_SAMPLES {
            return Ok(());
        }
        Err(format!(
            "a terrain of {rows} × {columns} samples; expected at most {MAX_ROUGH_SAMPLES} samples of all rough \
             terrains of a world"
        ))
    }

    /// Returns a mesh that has been read: `None` if it has not, `Some(None)` if it cannot be used.
    pub(crate) fn mesh(&self, path: &Path) -> Option<Option<Rc<Mesh>>> {
        self.meshes.get(path).cloned()
    }

    /// Keeps a mesh for further uses of its file.
    pub(crate) fn keep_mesh(&mut self, path: &Path, mesh: Option<Rc<Mesh>>) {
        self.meshes.insert(path.to_owned(), mesh);
    }
}

fn too_much_memory() -> String {
    format!("the maps and meshes of this world exceed {} MiB", MAX_MEMORY >> 20)
}

/// The variants of a controller class, a dynamics class, and the first variant that fits it.
type Fit = (Rc<[ModelRef]>, &'static View<Model>, ModelRef);

/// A cache in front of a catalogue.
pub(crate) struct Catalogue<'c> {
    classes: &'c dyn Classes,
    found: Vec<(Kind, String, Rc<[ModelRef]>)>,
    keys: Vec<(Kind, Rc<Vec<&'static str>>)>,
    actuators: Option<Rc<Vec<&'static str>>>,
    /// The controllers that fit dynamics classes, by the variants that were compared.
    fitting: Vec<Fit>,
}

impl<'c> Catalogue<'c> {
    pub(crate) fn new(classes: &'c dyn Classes) -> Self {
        Self { classes, found: Vec::new(), keys: Vec::new(), actuators: None, fitting: Vec::new() }
    }

    /// Returns the plugins from which the models come.
    pub(crate) fn plugins(&self) -> Vec<PluginName> {
        self.classes.plugins()
    }

    /// Returns whether a class has one model per file.
    pub(crate) fn is_file_class(&self, class: &str) -> bool {
        self.classes.is_file_class(class)
    }

    /// Returns the model that a file declares.
    ///
    /// # Errors
    /// The file is not such a model.
    pub(crate) fn find_in_file(
        &self,
        request: FileRequest<'_>,
    ) -> Result<ModelRef, FileClassError> {
        self.classes.find_in_file(request)
    }

    /// Returns the names of all classes of a kind, sorted.
    pub(crate) fn names(&self, kind: Kind) -> Vec<String> {
        self.classes.names(kind)
    }

    /// Returns the name of a built-in class: with the vendor `simhost` where the catalogue has it,
    /// so that a plugin with a class of the same name does not replace it.
    pub(crate) fn built_in(&self, kind: Kind, class: &str) -> String {
        let full_name = format!("simhost/{class}");
        if self.classes.find(kind, &full_name).is_ok() { full_name } else { class.to_owned() }
    }

    /// Returns all variants of a class, at least one.
    ///
    /// # Errors
    /// The class is unknown or ambiguous.
    pub(crate) fn find(&mut self, kind: Kind, class: &str) -> Result<Rc<[ModelRef]>, ClassError> {
        let known = self.found.iter().find(|(of, name, _)| *of == kind && name == class);
        if let Some((_, _, found)) = known {
            return Ok(Rc::clone(found));
        }
        let variants: Rc<[ModelRef]> = self.classes.find(kind, class)?.into();
        if variants.is_empty() {
            return Err(ClassError::Unknown { note: None });
        }
        self.found.push((kind, class.to_owned(), Rc::clone(&variants)));
        Ok(variants)
    }

    /// Returns the first variant of a controller class that fits a dynamics class.
    pub(crate) fn fitting(
        &mut self,
        candidates: &Rc<[ModelRef]>,
        dynamics: &'static View<Model>,
    ) -> Option<ModelRef> {
        let known = self.fitting.iter().find(|(variants, class, _)| {
            Rc::ptr_eq(variants, candidates) && std::ptr::eq(*class, dynamics)
        });
        if let Some((_, _, found)) = known {
            return Some(found.clone());
        }
        let found = fitting(candidates, dynamics).ok()?.clone();
        self.fitting.push((Rc::clone(candidates), dynamics, found.clone()));
        Some(found)
    }

    /// Returns the names of the outputs of all controllers.
    pub(crate) fn actuators(&mut self) -> Rc<Vec<&'static str>> {
        if let Some(known) = &self.actuators {
            return Rc::clone(known);
        }
        let names = self.classes.names(Kind::Controller);
        let found = |name: &String| self.classes.find(Kind::Controller, name).unwrap_or_default();
        let phases = names.iter().flat_map(found).flat_map(|class| class.model.phases());
        let control = phases.filter(|phase| phase.id() == "control");
        let outputs = control.flat_map(|phase| phase.outputs()).map(View::<PortDesc>::name);
        let outputs: Rc<Vec<_>> = Rc::new(outputs.collect());
        self.actuators = Some(Rc::clone(&outputs));
        outputs
    }

    /// Returns every name that some class of a kind reads.
    pub(crate) fn keys(&mut self, kind: Kind) -> Rc<Vec<&'static str>> {
        if let Some((_, keys)) = self.keys.iter().find(|(of, _)| *of == kind) {
            return Rc::clone(keys);
        }
        let names = self.classes.names(kind);
        let models =
            names.iter().flat_map(|name| self.classes.find(kind, name).unwrap_or_default());
        let keys: Rc<Vec<_>> = Rc::new(models.flat_map(|model| model.model.keys()).collect());
        self.keys.push((kind, Rc::clone(&keys)));
        keys
    }
}

/// Names that have to exist somewhere in the world.
///
/// They are looked up once the whole world has been read.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// Names of vehicles, for cameras.
    pub vehicles: Vec<(String, Span)>,
    /// Names of objects with a pose.
    pub objects: Vec<(String, Span)>,
    /// The first sensor that needs a georeference.
    pub georeference: Option<Span>,
}
