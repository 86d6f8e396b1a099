//! Files that a world points to.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_assets::image;
use simhost_fetch::{FetchOptions, Fetcher};

use crate::reader::Reader;
use crate::sources::Span;
use crate::xml::Text;

/// What happens to a mesh or an image that cannot be had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingAssets {
    /// The world cannot be used.
    #[default]
    Error,
    /// A warning; bodies get a bounding shape as far as one is known.
    Placeholder,
}

/// Finds files by their addresses, and may be shared.
#[derive(Clone)]
pub struct SharedFetcher(pub Arc<Fetcher>);

impl Default for SharedFetcher {
    /// Files of this machine alone.
    fn default() -> Self {
        Self(Arc::new(Fetcher::new(FetchOptions::default())))
    }
}

impl fmt::Debug for SharedFetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedFetcher")
    }
}

/// Memory that the maps and meshes of a world may take, in bytes: the largest terrain fits.
const MAX_MEMORY: u64 = 400 << 20;
/// All files that a world points to may have so many times the bytes of one.
const TOTAL_FACTOR: u64 = 4;
/// What reading a file costs at least, in bytes.
const LEAST_BYTES: u64 = 4096;

/// What the files that a world points to have cost so far.
#[derive(Debug, Default)]
pub(crate) struct AssetCosts {
    bytes: u64,
    memory: u64,
    /// Where resources lie, or why not, by name and the source that names them.
    found: HashMap<(String, u32), Result<PathBuf, String>>,
    /// Those whose size is known to be fine.
    pictures: HashSet<PathBuf>,
    /// All that were looked for, in the order of the world.
    pub files: Vec<PathBuf>,
    noted: HashSet<PathBuf>,
}

impl AssetCosts {
    fn note(&mut self, path: &Path) {
        if self.noted.insert(path.to_owned()) {
            self.files.push(path.to_owned());
        }
    }
}

impl Reader<'_> {
    /// The path of a file that lies on this machine, relative to the file that names it.
    pub(crate) fn local_path(&mut self, text: &Text) -> Option<PathBuf> {
        let name = self.value(text)?;
        if name.is_empty() {
            self.error(text.span, "the name of a file is empty", "expected a path", Vec::new());
            return None;
        }
        let path = self.resolve(text.span.file, name.strip_prefix("file://").unwrap_or(&name));
        self.asset_costs.note(&path);
        Some(path)
    }

    /// Where a resource lies; none with an error or warning when it cannot be had.
    pub(crate) fn resource(&mut self, text: &Text) -> Option<PathBuf> {
        let name = self.value(text)?;
        let key = (name, text.span.file);
        let found = match self.asset_costs.found.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = self.located(&key.0, key.1);
                self.asset_costs.found.insert(key, found.clone());
                found
            }
        };
        match found {
            Ok(path) => {
                self.asset_costs.note(&path);
                Some(path)
            }
            Err(message) => {
                let help = "help: `--missing-assets placeholder` goes on without it".to_owned();
                self.missing_asset(text.span, message, vec![help]);
                None
            }
        }
    }

    /// Where a picture lies that is not too large, by its head.
    pub(crate) fn picture(&mut self, text: &Text) -> Option<PathBuf> {
        let path = self.resource(text)?;
        if self.asset_costs.pictures.contains(&path) {
            return Some(path);
        }
        let limits = self.asset_limits;
        let size = self.pay(&path);
        let size = size.and_then(|()| image::read_size(&path, &limits).map_err(|e| e.to_string()));
        match size {
            Ok(_) => {
                self.asset_costs.pictures.insert(path.clone());
                Some(path)
            }
            Err(message) => {
                self.missing_asset(text.span, message, Vec::new());
                None
            }
        }
    }

    /// Files that exist are written for the directory of the source or for that of the world.
    fn located(&self, name: &str, file: u32) -> Result<PathBuf, String> {
        let [own, of_world] = [file, 0].map(|file| self.directory(file));
        let fetcher = &self.fetcher.0;
        let found = fetcher.resolve(name, &own);
        found
            .or_else(|error| fetcher.resolve(name, &of_world).map_err(|_| error))
            .map_err(|error| error.to_string())
    }

    fn missing_asset(&mut self, span: Span, message: String, notes: Vec<String>) {
        match self.missing_assets {
            MissingAssets::Error => self.error(span, message, "cannot be had", notes),
            MissingAssets::Placeholder => self.warning(span, message, "left out"),
        }
    }

    /// What a reader made of a file, or an error at the place that names it.
    pub(crate) fn read_asset<T>(
        &mut self,
        place: Span,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<T, simhost_assets::AssetError>,
    ) -> Option<T> {
        let read = self.pay(path).and_then(|()| read(path).map_err(|error| error.to_string()));
        read.map_err(|message| self.error(place, message, "cannot be used", Vec::new())).ok()
    }

    /// Counts the bytes of a file; reading one again and again costs as often.
    pub(crate) fn pay(&mut self, path: &Path) -> Result<(), String> {
        self.asset_costs.note(path);
        if self.asset_costs.memory > MAX_MEMORY {
            return Err(too_much_memory());
        }
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let (one, bytes) = (self.asset_limits.max_file_bytes, &mut self.asset_costs.bytes);
        // a file that is too long is told by its reader, which does not read it
        if length <= one {
            *bytes += length.max(LEAST_BYTES);
        }
        let limit = one.saturating_mul(TOTAL_FACTOR);
        if *bytes <= limit {
            return Ok(());
        }
        let limit = limit >> 20;
        Err(format!(
            "the files that this world points to are longer than {limit} MiB; raise --max-file-size"
        ))
    }

    /// Whether there is room for something that takes so many bytes; else an error.
    pub(crate) fn keep(&mut self, bytes: usize, place: Span) -> bool {
        self.asset_costs.memory += bytes as u64;
        let fits = self.asset_costs.memory <= MAX_MEMORY;
        if !fits {
            let help = "help: use fewer or coarser ones".to_owned();
            self.error(place, too_much_memory(), "", vec![help]);
        }
        fits
    }
}

fn too_much_memory() -> String {
    format!("the maps and meshes of this world take more than {} MiB", MAX_MEMORY >> 20)
}
