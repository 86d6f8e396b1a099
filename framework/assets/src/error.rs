//! Errors of the readers.

use std::path::{Path, PathBuf};

use simhost_scene::{GridError, HeightFieldError, KernelError, MeshError};

/// Maximum length of a description in characters.
const MAX_DETAIL: usize = 500;

/// An error in a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", file.display())]
#[non_exhaustive]
pub struct AssetError {
    /// Path of the file.
    pub file: PathBuf,
    /// The problem.
    #[source]
    pub problem: Problem,
}

impl AssetError {
    /// Returns whether the content is not a usable file of its format, so that another copy of the
    /// file may be better.
    pub fn is_unusable(&self) -> bool {
        match self.problem {
            Problem::Syntax { .. } | Problem::Unsupported { .. } => true,
            Problem::Mesh(_) | Problem::Grid(_) | Problem::HeightField(_) => true,
            Problem::Io(_) | Problem::NotAFile | Problem::TooMuch { .. } => false,
            Problem::NotBuiltIn { .. } | Problem::Option { .. } | Problem::Kernel(_) => false,
        }
    }
}

/// A problem with the content of a file, with what was expected and advice.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The path is a directory, a pipe or a device.
    #[error("not a regular file; expected a file")]
    NotAFile,
    /// The file exceeds a limit.
    #[error(
        "too many {what}: found {count}, expected at most {limit}; make it smaller{}",
        or_raise(*flag)
    )]
    TooMuch {
        /// The counted quantity.
        what: &'static str,
        /// Number found, possibly a lower bound.
        count: u64,
        /// Maximum number.
        limit: u64,
        /// Command-line flag that raises the limit, if there is one.
        flag: Option<&'static str>,
    },
    /// The content does not follow its format.
    #[error("not a valid {format} file: {detail}; check that it is complete, or export it again")]
    Syntax {
        /// Name of the format.
        format: &'static str,
        /// Content that was found, and the expected one.
        detail: String,
    },
    /// The format, or a feature of the format, is not supported.
    #[error("{detail}; {remedy}")]
    Unsupported {
        /// The unsupported format or feature.
        detail: String,
        /// Advice.
        remedy: &'static str,
    },
    /// The format needs a cargo feature that is disabled in this build.
    #[error(
        "{format} files are not supported by this build; rebuild simhost with \
         `cargo build --release --features {feature}`"
    )]
    NotBuiltIn {
        /// Name of the format.
        format: &'static str,
        /// Name of the cargo feature.
        feature: &'static str,
    },
    /// An option is out of range.
    #[error("`{name}` is out of range: {value}; expected {expected}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Value of the option.
        value: f64,
        /// Description of valid values.
        expected: &'static str,
    },
    /// The numbers do not form a mesh.
    #[error("defective mesh: {0}; repair it or export it again")]
    Mesh(#[from] MeshError),
    /// The numbers do not form a map.
    #[error("defective map: {0}")]
    Grid(#[from] GridError),
    /// The numbers do not form a terrain.
    #[error("defective terrain: {0}")]
    HeightField(#[from] HeightFieldError),
    /// The numbers do not form a kernel.
    #[error("defective kernel: {0}")]
    Kernel(#[from] KernelError),
}

impl Problem {
    /// Creates an error about the syntax of a format.
    pub(crate) fn syntax(format: &'static str, detail: impl ToString) -> Self {
        let mut detail = detail.to_string();
        // some libraries list every error of a file
        if let Some((end, _)) = detail.char_indices().nth(MAX_DETAIL) {
            detail.truncate(end);
            detail.push('…');
        }
        Self::Syntax { format, detail }
    }

    /// Creates an error about a format that needs a disabled cargo feature.
    #[cfg_attr(all(feature = "gltf", feature = "images"), expect(dead_code))]
    pub(crate) fn not_built_in(format: &'static str, feature: &'static str) -> Self {
        Self::NotBuiltIn { format, feature }
    }

    /// Returns the description without advice on the file, for a text that is part of another file.
    pub fn detail(&self) -> String {
        match self {
            Self::Syntax { detail, .. } => detail.clone(),
            problem => problem.to_string(),
        }
    }

    /// Adds the path of the file.
    pub(crate) fn at(self, file: &Path) -> AssetError {
        AssetError { file: file.to_owned(), problem: self }
    }

    /// Checks a count against a limit that cannot be raised.
    pub(crate) fn bounded(what: &'static str, count: u64, limit: u64) -> Result<(), Self> {
        if count <= limit { Ok(()) } else { Err(Self::TooMuch { what, count, limit, flag: None }) }
    }
}

fn or_raise(flag: Option<&str>) -> String {
    flag.map_or(String::new(), |flag| format!(" or raise {flag}"))
}

/// Bounds on the size of files and of their content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum size of a file in bytes.
    pub max_file_bytes: u64,
    /// Maximum number of pixels of an image or cells of a map.
    pub max_pixels: u64,
    /// Maximum number of vertices and of triangles of a mesh, of points of a cloud and of samples
    /// of a terrain.
    pub max_vertices: usize,
}

impl Default for Limits {
    /// Returns limits of 64 MiB, 10⁸ pixels and 5·10⁶ vertices, which need less than 1 GiB of
    /// memory in every format.
    fn default() -> Self {
        Self { max_file_bytes: 64 << 20, max_pixels: 100_000_000, max_vertices: 5_000_000 }
    }
}

impl Limits {
    /// Checks a number of bytes.
    pub(crate) fn bound_bytes(&self, what: &'static str, count: u64) -> Result<(), Problem> {
        bound(what, count, self.max_file_bytes, "--max-file-size")
    }

    /// Checks a number of pixels or cells.
    pub(crate) fn bound_pixels(&self, what: &'static str, count: u64) -> Result<(), Problem> {
        bound(what, count, self.max_pixels, "--max-pixels")
    }
}

fn bound(what: &'static str, count: u64, limit: u64, flag: &'static str) -> Result<(), Problem> {
    if count <= limit {
        return Ok(());
    }
    Err(Problem::TooMuch { what, count, limit, flag: Some(flag) })
}
