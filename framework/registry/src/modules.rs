//! Plugins that are not libraries: WebAssembly modules, which a program can run with the feature `sandbox`, and other forms of
//! models that a program can load.

use std::path::Path;

use simhost_abi::Plugin;

use crate::refusal::Refusal;

/// Largest module, bytes.
const MAX_MODULE: u64 = 1 << 26;
/// The first bytes of every module.
const MAGIC: &[u8] = b"\0asm";
/// The end of the names of modules.
const SUFFIX: &str = ".wasm";

/// Turns files of one form into plugins. By default, these are WebAssembly modules.
pub trait ModuleLoader: Sync {
    /// Returns the plugin of a file. Its texts, lists and functions are valid until the program ends.
    ///
    /// # Errors
    /// The reason why the file is not a plugin that this host can use.
    fn load(&self, bytes: &[u8]) -> Result<&'static Plugin, Refusal>;

    /// The end of the names of the files.
    fn suffix(&self) -> &'static str {
        SUFFIX
    }

    /// The first bytes of each file, at most 10.
    fn magic(&self) -> &'static [u8] {
        MAGIC
    }
}

/// Number of bytes by which a form is known.
pub(crate) const HEAD: u64 = 10;

/// A loader of modules that is linked into the program.
pub struct LinkedModuleLoader(pub &'static dyn ModuleLoader);

simhost_sdk::inventory::collect!(LinkedModuleLoader);

/// Returns whether a path has a name that a plugin can have: a shared library of this platform, a module, or a file that the
/// program has a loader for.
pub fn is_plugin_name(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let has = |suffix: &str| name.ends_with(suffix);
    has(std::env::consts::DLL_SUFFIX) || has(SUFFIX) || loaders().any(|one| has(one.suffix()))
}

/// The ends of the names that plugins can have, as in "does not end in".
pub fn plugin_suffixes() -> String {
    match std::env::consts::DLL_SUFFIX {
        SUFFIX => SUFFIX.to_owned(),
        native => format!("{native} or {SUFFIX}"),
    }
}

/// Returns whether the first bytes of a file are those that begin a WebAssembly module.
pub fn is_module(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Returns whether this program runs WebAssembly modules.
pub fn runs_modules() -> bool {
    loader(MAGIC).is_some_and(|loader| loader.is_ok())
}

/// Loads a file that is a module, and returns `None` for other files.
pub(crate) fn open(path: &Path) -> Option<Result<&'static Plugin, Refusal>> {
    let head = simhost_files::open(path).ok().and_then(|file| {
        let mut head = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(file, HEAD), &mut head).ok()?;
        Some(head)
    })?;
    let loader = loader(&head)?;
    Some(loader.and_then(|loader| {
        let bytes = simhost_files::read(path, MAX_MODULE);
        loader.load(&bytes.map_err(|error| Refusal::Unreadable(error.to_string()))?)
    }))
}

/// Returns the loader of a module with these first bytes, and `None` for other files.
///
/// # Errors
/// If it is a WebAssembly module, and the program runs none.
pub(crate) fn loader(head: &[u8]) -> Option<Result<&'static dyn ModuleLoader, Refusal>> {
    match loaders().find(|loader| head.starts_with(loader.magic())) {
        Some(loader) => Some(Ok(loader)),
        None => is_module(head).then_some(Err(Refusal::NoSandbox)),
    }
}

/// The loaders of the program.
fn loaders() -> impl Iterator<Item = &'static dyn ModuleLoader> {
    simhost_sdk::inventory::iter::<LinkedModuleLoader>.into_iter().map(|linked| linked.0)
}
