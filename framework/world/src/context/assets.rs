//! The files that a world refers to, and what reading them has cost.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use simhost_assets::AssetError;
use simhost_fetch::FetchError;
use simhost_scene::Mesh;

use crate::options::{Confinement, LoadOptions, MissingAssets, SharedFetcher};

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

    /// Checks a local file that a text names.
    ///
    /// # Errors
    /// A message with the reason why it cannot be named.
    pub(crate) fn check_name(&self, path: &Path) -> Result<(), String> {
        let checked = self.confinement.as_ref().map(|confinement| confinement.check(path));
        let message = |reason| format!("cannot read `{}`: {reason}", path.display());
        checked.unwrap_or(Ok(())).map_err(message)
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
