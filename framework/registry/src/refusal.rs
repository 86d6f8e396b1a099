//! Why a library is not used.

use serde::{Deserialize, Serialize};
use simhost_abi::{EPOCH, FINGERPRINT, SYMBOL};

/// What became of a library or of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum State {
    /// It can be used.
    Loaded,
    /// It can be used by its full name; its short name is that of another one too.
    Ambiguous,
    /// Another version or copy is used in its place.
    Shadowed,
    /// It crashed or hung when it was tried, and is left alone until it changes.
    Quarantined,
    /// It is no plugin, or none for this host.
    Skipped,
}

impl State {
    /// As it is printed.
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

/// How a process ended that tried a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Crash {
    /// A signal ended it, such as `SIGSEGV`.
    #[error("it crashed ({0}) while it was loaded")]
    Signal(String),
    /// The library ended it.
    #[error("it ended the process (exit code {0}) while it was loaded")]
    Exit(i32),
    /// Time was up.
    #[error("it did not answer within {0} s")]
    Silent(u64),
}

/// Why a file is not a plugin that this host can use. Every text says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The name does not end like that of a shared library.
    #[error("has a name that does not end in {}", std::env::consts::DLL_SUFFIX)]
    NotALibraryName,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// It is something else under the name of a shared library.
    #[error("is not a shared library of this platform: {0}")]
    NotALibrary(String),
    /// It was built for another machine or system.
    #[error("is {theirs}, this host needs {ours}: build it for this machine")]
    OtherPlatform {
        /// What it is.
        theirs: String,
        /// What the host needs.
        ours: String,
    },
    /// The loader refuses it.
    #[error("the loader refuses it: {0}")]
    Loader(String),
    /// It is a library, but not one of ours.
    #[error(
        "is a shared library but no simhost plugin: it has no symbol `{SYMBOL}`; a plugin says \
         `export_plugin!` (Rust) or defines that symbol (C)"
    )]
    NoSymbol,
    /// The symbol is something else.
    #[error(
        "`{SYMBOL}` does not begin with the magic number of simhost: make it a variable of type \
         simhost_plugin that begins with SIMHOST_HEAD"
    )]
    Magic,
    /// It was built for another epoch.
    #[error(
        "was built for ABI epoch {theirs}, this host has epoch {EPOCH}: rebuild it with the SDK of \
         this host, or use a host of epoch {theirs}"
    )]
    Epoch {
        /// The epoch of the plugin.
        theirs: u32,
    },
    /// The structs of its SDK differ.
    #[error(
        "was built with layout {theirs:016x}, this host has layout {FINGERPRINT:016x} (both epoch \
         {EPOCH}): rebuild it with the SDK of this host{}",
        if difference.is_empty() { String::new() } else { format!("\n  {difference}") }
    )]
    Layout {
        /// The fingerprint of the plugin.
        theirs: u64,
        /// What differs, as far as known.
        difference: String,
    },
    /// Its descriptor breaks the rules of the boundary.
    #[error("has a descriptor that is not valid: {0}; correct the declaration and build it again")]
    Descriptor(String),
    /// It crashed, or hung, when it was tried.
    #[error(
        "is quarantined: {crash}{}; it is tried again when it changes, or by `simhost plugin list \
         --rescan`",
        if last_words.is_empty() { String::new() } else { format!(" (it said: {last_words})") }
    )]
    Quarantined {
        /// What happened.
        crash: Crash,
        /// The last line that it printed, or empty.
        last_words: String,
    },
    /// The same file was found before.
    #[error("is the same as {0}, which was found first")]
    SameFile(String),
    /// Another version or copy of the plugin is used.
    #[error("is {plugin} {version}; {by} is used, {why}")]
    Shadowed {
        /// `vendor/name`.
        plugin: String,
        /// Its own version.
        version: String,
        /// Version and file of the one that is used.
        by: String,
        /// Why that one.
        why: String,
    },
    /// Another plugin has one of its full names.
    #[error("has the {class}, and so has {by}: rename the class or the vendor of one of them")]
    Taken {
        /// Kind and full name.
        class: String,
        /// Who has it.
        by: String,
    },
}

impl Refusal {
    /// What became of the file.
    pub const fn state(&self) -> State {
        match self {
            Self::SameFile(_) | Self::Shadowed { .. } => State::Shadowed,
            Self::Quarantined { .. } => State::Quarantined,
            _ => State::Skipped,
        }
    }
}
