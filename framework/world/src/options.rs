//! Options of a load: what a world file may do, how much it may cost, where its assets come from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use simhost_fetch::{FetchOptions, Fetcher};
use simhost_model::CodePlace;

use crate::stream_request::StreamRequest;
use crate::tree::Weight;

/// Options for loading a world file.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Reports unknown names as warnings instead of errors.
    pub lenient: bool,
    /// Name of the profile from the command line.
    pub compat: Option<String>,
    /// Seed from the command line. It takes precedence over the seed of the file.
    pub seed: Option<u64>,
    /// Actions that the world file is allowed to perform.
    pub allow: Allow,
    /// Bounds on the size of the world.
    pub limits: Limits,
    /// Handling of meshes and images that cannot be loaded.
    pub missing_assets: MissingAssets,
    /// Resolves the addresses of meshes and images to local files.
    pub fetcher: SharedFetcher,
    /// Bounds on the files that a world refers to.
    pub asset_limits: simhost_assets::Limits,
    /// Returns the world as one flat file, too.
    pub flatten: bool,
    /// Returns the elements of the world, too, so that others can be added to it.
    pub keep_tree: bool,
    /// Values of variables of the world in place of those that its `<variable>` elements give them.
    pub variables: BTreeMap<String, String>,
    /// Streams of quantities in addition to the streams of the world. They do not affect its
    /// results.
    pub streams: Vec<StreamRequest>,
    /// Set by another thread to end the load early. The outcome is then not complete.
    pub stop: Arc<AtomicBool>,
    /// Confines what is read to some files, if it comes from a client and not from a user.
    pub confinement: Option<Arc<Confinement>>,
    /// Folders with files that changes by clients can name, in addition to the folder of the world.
    pub client_folders: Vec<PathBuf>,
}

/// The files that a text of a client can name. It cannot read the environment either, and messages about it have no
/// text of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    /// Folders with files that it can name, with all folders below.
    pub folders: Vec<PathBuf>,
    /// Further files: the files of the world to which the text belongs.
    pub files: Vec<PathBuf>,
}

impl Confinement {
    /// Checks a file that a text names.
    ///
    /// # Errors
    /// The reason why the text cannot name the file, to be appended to a message.
    pub(crate) fn check(&self, path: &Path) -> Result<(), String> {
        if self.files.iter().any(|known| known == path)
            || simhost_files::is_below(path, &self.folders)
        {
            return Ok(());
        }
        Err("clients can name files in the folder of the world only; see --client-files".to_owned())
    }
}

/// Bounds on the size of a world. Exceeding one is an error that names the command-line flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of one file in bytes (`--max-file-size`). All files together may have four
    /// times this size.
    pub file_size: u64,
    /// Maximum nesting of elements after includes (`--max-depth`). Values above 500 count as 500.
    pub depth: usize,
    /// Maximum number of elements, counted once in the files and once more after includes and loops
    /// (`--max-elements`).
    pub elements: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_size: 64 << 20, depth: 256, elements: 1_000_000 }
    }
}

/// Actions that a world file is allowed to perform beyond reading files. None by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// Allows `$(command)` to run shell commands (`--allow shell`).
    pub shell: bool,
    /// Allows models from files with code, such as FMUs, and says where the code runs (`--allow fmu`, `--allow fmu-in-process`).
    /// A separate process needs a program that runs the code, which the command line is.
    pub file_models: Option<CodePlace>,
}

/// Handling of meshes and images that cannot be loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingAssets {
    /// Reports an error.
    #[default]
    Error,
    /// Reports a warning and replaces the mesh by a bounding shape where one is known.
    Placeholder,
}

/// A fetcher that several loads can share.
#[derive(Clone)]
pub struct SharedFetcher(pub Arc<Fetcher>);

impl Default for SharedFetcher {
    /// Returns a fetcher that resolves local files only.
    fn default() -> Self {
        Self(Arc::new(Fetcher::new(FetchOptions::default())))
    }
}

impl fmt::Debug for SharedFetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedFetcher")
    }
}

/// Maximum bytes of attributes and long texts of a world, in its files and expanded.
const MAX_BYTES: u64 = 384 << 20;
/// Maximum bytes that replacements may read and write.
const MAX_WORK: u64 = 128 << 20;
/// Upper bound of the nesting limit: trees are walked recursively.
const MAX_DEPTH: usize = 500;

/// The part of the limits that is left. Every method returns an error message that names the flag
/// once its limit is exceeded.
#[derive(Debug)]
pub(super) struct Budget {
    max_depth: usize,
    max_elements: usize,
    parsed: usize,
    expanded: usize,
    bytes: u64,
    work: u64,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        let (max_depth, max_elements) = (limits.depth.min(MAX_DEPTH), limits.elements);
        Self { max_depth, max_elements, parsed: 0, expanded: 0, bytes: 0, work: 0 }
    }

    /// Checks a nesting depth.
    ///
    /// # Errors
    /// The depth exceeds the limit.
    pub(crate) fn depth(&self, depth: usize) -> Result<(), String> {
        if depth <= self.max_depth {
            return Ok(());
        }
        let max = self.max_depth;
        let advice =
            if max < MAX_DEPTH { "raise --max-depth" } else { "the limit cannot be raised" };
        Err(format!("elements are nested more than {max} deep; {advice}"))
    }

    /// Counts an element of a file.
    ///
    /// # Errors
    /// There are too many elements, or their texts are too long.
    pub(crate) fn parse(&mut self, bytes: u32) -> Result<(), String> {
        self.parsed += 1;
        self.bytes += u64::from(bytes);
        if self.parsed > self.max_elements {
            return Err(self.too_many_elements());
        }
        self.check_bytes()
    }

    /// Counts an expanded tree.
    ///
    /// # Errors
    /// There are too many elements, or their texts are too long.
    pub(crate) fn expand(&mut self, weight: Weight) -> Result<(), String> {
        self.count(weight.elements as usize)?;
        self.bytes += u64::from(weight.bytes);
        self.check_bytes()
    }

    /// Counts expanded elements or iterations of a loop.
    ///
    /// # Errors
    /// There are too many of them.
    pub(crate) fn count(&mut self, count: usize) -> Result<(), String> {
        self.expanded = self.expanded.saturating_add(count);
        if self.expanded > self.max_elements { Err(self.too_many_elements()) } else { Ok(()) }
    }

    /// Checks that a loop fits before it starts.
    ///
    /// # Errors
    /// The iterations would exceed the limit.
    pub(crate) fn iterations(&self, count: usize) -> Result<(), String> {
        if count <= self.max_elements - self.expanded.min(self.max_elements) {
            return Ok(());
        }
        Err(format!("a loop of {count} iterations makes {}", self.too_many_elements()))
    }

    /// Counts bytes that a replacement reads or writes.
    ///
    /// # Errors
    /// Replacements have read and written too much.
    pub(crate) fn work(&mut self, bytes: usize) -> Result<(), String> {
        self.work += bytes as u64;
        if self.work <= MAX_WORK {
            return Ok(());
        }
        Err(format!("the values of this world exceed {} MiB", MAX_WORK >> 20))
    }

    fn too_many_elements(&self) -> String {
        format!("more than {} elements; raise --max-elements", self.max_elements)
    }

    fn check_bytes(&self) -> Result<(), String> {
        if self.bytes <= MAX_BYTES {
            return Ok(());
        }
        Err(format!("the texts of this world exceed {} MiB", MAX_BYTES >> 20))
    }
}
