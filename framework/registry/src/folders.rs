//! The folders of plugins.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use directories::BaseDirs;
use serde::Serialize;

use crate::modules::is_plugin_name;

/// The origin of a folder or library, in search order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FolderSource {
    /// The option `--plugin-dir`.
    PluginDir,
    /// The variable `SIMHOST_PLUGIN_PATH`.
    PluginPath,
    /// The user folder.
    UserFolder,
    /// Linked into the program.
    BuiltIn,
}

impl FolderSource {
    /// Returns the name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PluginDir => "--plugin-dir",
            Self::PluginPath => "SIMHOST_PLUGIN_PATH",
            Self::UserFolder => "user folder",
            Self::BuiltIn => "built-in",
        }
    }
}

/// A folder of plugins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginFolder {
    /// Path of the folder.
    pub path: PathBuf,
    /// Origin of the folder.
    pub source: FolderSource,
}

/// A plugin directory cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the plugin directory {} ({}): {}; {}", path.display(), source_name(*.from), reason(source), remedy(source, *.from))]
pub struct FolderError {
    path: PathBuf,
    from: FolderSource,
    source: std::io::Error,
}

fn source_name(source: FolderSource) -> &'static str {
    match source {
        FolderSource::PluginDir => "given with --plugin-dir",
        FolderSource::PluginPath => "given with SIMHOST_PLUGIN_PATH",
        _ => "the folder of the user",
    }
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "it does not exist".into(),
        ErrorKind::NotADirectory => "it is a file, expected a directory".into(),
        ErrorKind::PermissionDenied => "you may not list it".into(),
        _ => error.to_string(),
    }
}

fn remedy(error: &std::io::Error, source: FolderSource) -> String {
    let (give, take) = match source {
        FolderSource::PluginPath => ("name", "take it out of SIMHOST_PLUGIN_PATH"),
        FolderSource::UserFolder => ("name", "move it away"),
        _ => ("give", "leave the option out"),
    };
    match error.kind() {
        ErrorKind::NotADirectory => format!("{give} the directory that holds the file"),
        ErrorKind::PermissionDenied => format!("make it readable (chmod u+rx), or {take}"),
        _ => format!("{give} a directory that exists, or {take}"),
    }
}

impl PluginFolder {
    /// Returns the files of the folder in the order of their names, and subfolders with the name
    /// of a library. A missing
    /// user folder has no files.
    ///
    /// # Errors
    ///
    /// [`FolderError`] when the folder cannot be read.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, FolderError> {
        match files(&self.path) {
            Ok(files) => Ok(files),
            Err(error)
                if self.source == FolderSource::UserFolder
                    && error.kind() == ErrorKind::NotFound =>
            {
                Ok(Vec::new())
            }
            Err(source) => Err(FolderError { path: self.path.clone(), from: self.source, source }),
        }
    }
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let (entry, path) = entry.map(|entry| (entry.file_type(), entry.path()))?;
        // most file systems return the type with the name; links have to be followed
        let is_folder = entry.map_or_else(
            |_| path.is_dir(),
            |kind| kind.is_dir() || kind.is_symlink() && path.is_dir(),
        );
        // a folder with the name of a library is listed as one that is not used
        if !is_folder || is_plugin_name(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the user folder: `simhost/plugins` in `$XDG_DATA_HOME`, or in the data folder of the
/// platform, which is `$HOME/.local/share` on Linux.
pub fn user_folder() -> Option<PathBuf> {
    Some(base("XDG_DATA_HOME", BaseDirs::data_dir)?.join("simhost/plugins"))
}

/// Returns the file that remembers which libraries can be loaded: `simhost/plugins.json` in
/// `$XDG_CACHE_HOME`, or in the cache folder of the platform, which is `$HOME/.cache` on Linux.
pub fn memory_file() -> Option<PathBuf> {
    Some(base("XDG_CACHE_HOME", BaseDirs::cache_dir)?.join("simhost/plugins.json"))
}

/// A base folder of the user. The variable counts on every platform, unless its path is relative,
/// which the XDG specification declares invalid.
fn base(variable: &str, of_platform: fn(&BaseDirs) -> &Path) -> Option<PathBuf> {
    let given = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    given.or_else(|| BaseDirs::new().map(|folders| of_platform(&folders).to_owned()))
}
