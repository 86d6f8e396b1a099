//! What a world file may do, and how much of it.

/// Bounds on what a world may cost. A world that passes one is an error that names the flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest file, in bytes (`--max-file-size`). All files together may have four times as much.
    pub file_size: u64,
    /// Deepest nesting of tags, after includes (`--max-depth`); at most 500.
    pub depth: usize,
    /// Most elements of a world after includes and loops, and most of its files before
    /// (`--max-elements`).
    pub elements: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_size: 64 << 20, depth: 256, elements: 1_000_000 }
    }
}

/// What a world file is allowed to do beyond reading files; nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// `$(command)` runs a shell command (`--allow shell`).
    pub shell: bool,
}
