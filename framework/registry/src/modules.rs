//! Plugins that are WebAssembly modules, which a program can run with the feature `sandbox`.

use std::path::Path;

use simhost_abi::Plugin;

use crate::refusal::Refusal;

/// Largest module, bytes.
const MAX_MODULE: u64 = 1 << 26;
/// The first bytes of every module.
const MAGIC: &[u8] = b"\0asm";
/// The end of the names of modules.
const SUFFIX: &str = ".wasm";

/// Turns modules into plugins.
pub trait ModuleLoader: Sync {
    /// Returns the plugin of a module. Its texts, lists and functions are valid until the program ends.
    ///
    /// # Errors
    /// The reason why the module is not a plugin that this host can use.
    fn load(&self, bytes: &[u8]) -> Result<&'static Plugin, Refusal>;
}

/// A loader of modules that is linked into the program.
pub struct LinkedModuleLoader(pub &'static dyn ModuleLoader);

simhost_sdk::inventory::collect!(LinkedModuleLoader);

/// Returns whether a path has a name that a plugin can have: a shared library of this platform, or a module.
pub fn is_plugin_name(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(std::env::consts::DLL_SUFFIX) || name.ends_with(SUFFIX)
}

/// The ends of the names that plugins can have, as in "does not end in".
pub fn plugin_suffixes() -> String {
    match std::env::consts::DLL_SUFFIX {
        SUFFIX => SUFFIX.to_owned(),
        native => format!("{native} or {SUFFIX}"),
    }
}

/// Returns whether the first bytes of a file are those that begin a module.
pub fn is_module(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Returns whether this program runs modules.
pub fn runs_modules() -> bool {
    loader().is_some()
}

/// Loads a file that is a module, and returns `None` for other files.
pub(crate) fn open(path: &Path) -> Option<Result<&'static Plugin, Refusal>> {
    let head = simhost_files::open(path).ok().and_then(|file| {
        let mut head = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(file, MAGIC.len() as u64), &mut head)
            .ok()?;
        Some(head)
    })?;
    is_module(&head).then(|| {
        let loader = loader().ok_or(Refusal::NoSandbox)?;
        let bytes = simhost_files::read(path, MAX_MODULE);
        loader.load(&bytes.map_err(|error| Refusal::Unreadable(error.to_string()))?)
    })
}

/// Returns the loader of the program.
pub(crate) fn loader() -> Option<&'static dyn ModuleLoader> {
    let mut linked = simhost_sdk::inventory::iter::<LinkedModuleLoader>.into_iter();
    linked.next().map(|linked| linked.0)
}
