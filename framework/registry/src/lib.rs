//! The catalogue of models: linked-in families and plugin directories.
//!
//! Directories are searched in the given order and their files in the order of their names;
//! linked-in families come last. An unknown file is tried in a child process before it is loaded.
//! Libraries are never unloaded.
//!
//! * [`Catalogue`] finds classes by name, and [`Listing`] lists files with the reason why one is
//!   not used.
//! * [`try_files`] opens unknown files in a separate process, which they can end, and reports the
//!   results.
//! * [`Refusal`] explains why a library is refused: another epoch, another layout, an invalid
//!   descriptor.
//! * [`Substitute`] replaces a file in a plugin folder.
//! * [`ModuleLoader`] turns WebAssembly modules into plugins, where the program has one.
//! * [`ModelDeclaration`] is a model as data, from which a plugin is made.
//! * [`page`] describes a plugin for users and programs.

mod catalogue;
mod declared;
pub mod descriptor;
mod folders;
mod format;
mod importers;
mod layout;
mod library;
mod listing;
#[cfg_attr(target_family = "wasm", path = "no_loader.rs")]
mod loader;
mod mapping;
mod memory;
mod modules;
pub mod page;
mod quiet;
mod refusal;
mod scan;
mod surroundings;
mod trial;
mod versions;
mod walk;

pub use catalogue::{Catalogue, Entry, Options, add_linked};
pub use declared::{
    DeclaredFunctions, DeclaredPorts, LaneRole, ModelDeclaration, PhaseShape, PortRow,
};
pub use folders::{FolderError, FolderSource, PluginFolder, memory_file, user_folder};
pub use format::ours as platform;
pub use importers::{Importer, LinkedImporter};
pub use listing::{ListedClass, ListedFile, Listing, Searched};
pub use loader::load as load_library;
pub use modules::{
    LinkedModuleLoader, ModuleLoader, is_module, is_plugin_name, plugin_suffixes, runs_modules,
};
pub use refusal::{Crash, FileState, Refusal};
pub use scan::{Library, Substitute, Substitutes};
#[cfg(unix)]
pub use trial::signal_name;
pub use trial::{Trial, kill, reserve_output, try_files, wait};
pub use walk::{LayoutWalk, walk_layout};
