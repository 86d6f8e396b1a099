//! The folder in which the program was started, from which the paths of its arguments start.
//!
//! A plugin can change the working folder of the process while it is loaded, when it creates a model, or
//! in a call.

use std::path::PathBuf;
use std::sync::OnceLock;

static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Remembers the working folder. Called before any plugin is loaded.
pub fn remember() {
    FOLDER.get_or_init(|| std::env::current_dir().ok());
}

/// Returns to the working folder. Called after code of plugins has run and before a file is opened. A
/// folder that has been removed since cannot be returned to, and no file can be opened in it either.
pub fn restore() {
    if let Some(Some(folder)) = FOLDER.get() {
        let _ = std::env::set_current_dir(folder);
    }
}
