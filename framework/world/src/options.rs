//! Options of a load: what a world file may do, how much it may cost, where its assets come from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use simhost_fetch::{FetchOptions, Fetcher};

use crate::stream_request::StreamRequest;

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
