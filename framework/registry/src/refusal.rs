//! Reasons why a library is not used.

use serde::{Deserialize, Serialize};
use simhost_abi::{EPOCH, SYMBOL};

/// The state of a library or of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FileState {
    /// Usable.
    Loaded,
    /// Usable by its full name only, because another class has the same short name.
    Ambiguous,
    /// Replaced by another version or copy.
    Shadowed,
    /// Crashed or hung in its trial; not loaded until the file changes.
    Quarantined,
    /// Not a plugin, or not one for this host.
    Skipped,
}

impl FileState {
    /// Returns the name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Ambiguous => "ambiguous",
            Self::Shadowed => "shadowed",
            Self::Quarantined => "quarantined",
            Self::Skipped => "skipped",
        }
    }
}

/// How a library ended the process that tried it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Crash {
    /// By a signal, such as `SIGSEGV`.
    #[error("it crashed ({0}) while it was loaded")]
    Signal(String),
    /// By calling exit.
    #[error("it ended the process (exit code {0}) while it was loaded")]
    Exit(i32),
    /// By exceeding the time limit.
    #[error("it did not respond within {0} s")]
    Silent(u64),
}

/// Why a file is not a plugin that this host can use. Each message includes a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The name lacks the extension of a shared library.
    #[error("has a name that does not end in {}", crate::modules::plugin_suffixes())]
    NotALibraryName,
    /// It is not a regular file.
    #[error("is {0}, expected a regular file")]
    NotAFile(String),
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The file is not a shared library despite its name.
    #[error("is not a shared library of this platform: {0}")]
    NotALibrary(String),
    /// The file was built for another machine or system.
    #[error("is {theirs}, expected {ours}; build it for this machine")]
    OtherPlatform {
        /// Format of the file.
        theirs: String,
        /// Format that the host needs.
        ours: String,
    },
    /// The loader of the operating system rejects the file.
    #[error("is rejected by the loader: {0}")]
    Loader(String),
    /// The file is a WebAssembly module, and this program does not run modules.
    #[error(
        "is a WebAssembly module, which this program cannot run; build it with `--features sandbox`, or use a program of a \
         release"
    )]
    NoSandbox,
    /// The WebAssembly module does not have the form of a plugin.
    #[error("is not a WebAssembly module with models: {0}")]
    Module(String),
    /// The library does not export the symbol of a plugin.
    #[error(
        "is not a simhost plugin: missing symbol `{SYMBOL}`; use `export_plugin!` (Rust) or define \
         that symbol (C)"
    )]
    NoSymbol,
    /// The symbol does not start with the magic number.
    #[error(
        "has a symbol `{SYMBOL}` without the magic number of simhost; define it as a simhost_plugin \
         that starts with SIMHOST_HEAD"
    )]
    Magic,
    /// The plugin was built for another epoch.
    #[error(
        "was built for ABI epoch {theirs}, expected {EPOCH}; rebuild it with the SDK of \
         this host, or use a host of epoch {theirs}"
    )]
    Epoch {
        /// The epoch of the plugin.
        theirs: u32,
    },
    /// The struct layouts of its SDK differ from the host.
    #[error(
        "was built {}with layout {theirs:016x}, expected {ours:016x} (both epoch {EPOCH}); \
         rebuild it with the SDK of this host{}",
        simhost_abi::release_of(*theirs).map_or_else(String::new, |release| format!("for simhost {release} ")),
        if difference.is_empty() { String::new() } else { format!("\n  {difference}") }
    )]
    Layout {
        /// The fingerprint of the plugin.
        theirs: u64,
        /// The fingerprint that the plugin must have.
        ours: u64,
        /// The difference, if known.
        difference: String,
    },
    /// The descriptor breaks a rule of the boundary.
    #[error("has an invalid descriptor: {0}; correct the declaration and rebuild it")]
    Descriptor(String),
    /// The library crashed or hung in its trial.
    #[error(
        "is quarantined: {crash}{}; it is tried again when it changes, or with `simhost plugin list \
         --rescan`",
        if last_words.is_empty() { String::new() } else { format!(" (last output: {last_words})") }
    )]
    Quarantined {
        /// How the process ended.
        crash: Crash,
        /// Last line of its output, or empty.
        last_words: String,
    },
    /// The same file was found earlier in the search.
    #[error("is the same file as {0}, which was found first")]
    SameFile(String),
    /// Another version or copy of the plugin is used.
    #[error("is {plugin} {version}; {by} is used, {why}")]
    Shadowed {
        /// `vendor/name`.
        plugin: String,
        /// Version of this file.
        version: String,
        /// Version and path of the library that is used.
        by: String,
        /// Reason for the choice.
        why: String,
    },
    /// Another plugin already has one of its full class names.
    #[error("has the {class}, which {by} also has; rename the class or the vendor of one of them")]
    Taken {
        /// Kind and full name of the class.
        class: String,
        /// Path of the other plugin.
        by: String,
    },
}

impl Refusal {
    /// Returns the continuation of a sentence about several files with this refusal: "3 files …".
    pub const fn plural(&self) -> &'static str {
        match self {
            Self::NotALibraryName => "whose names do not have the extension of a library",
            Self::Unreadable(_) => "that cannot be read",
            Self::NotAFile(_) => "that are not regular files",
            Self::NotALibrary(_) => "that are not shared libraries of this platform",
            Self::OtherPlatform { .. } => "that were built for another platform",
            Self::Loader(_) => "that the loader rejects",
            Self::NoSandbox => "that are WebAssembly modules, which this program cannot run",
            Self::Module(_) => "that are not WebAssembly modules with models",
            Self::NoSymbol | Self::Magic => "that are not simhost plugins",
            Self::Epoch { .. } | Self::Layout { .. } => "that were built with another SDK",
            Self::Descriptor(_) => "with an invalid descriptor",
            Self::Quarantined { .. } => "that are quarantined",
            Self::SameFile(_) | Self::Shadowed { .. } => {
                "that are other versions or copies of plugins"
            }
            Self::Taken { .. } => "with a class that another plugin has",
        }
    }

    /// Returns the state that this refusal implies.
    pub const fn state(&self) -> FileState {
        match self {
            Self::SameFile(_) | Self::Shadowed { .. } => FileState::Shadowed,
            Self::Quarantined { .. } => FileState::Quarantined,
            _ => FileState::Skipped,
        }
    }
}
