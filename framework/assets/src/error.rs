//! What can be wrong with a file.

use std::path::{Path, PathBuf};

use simhost_scene::{GridError, HeightFieldError, KernelError, MeshError};

/// Longer descriptions are cut, in characters.
const MAX_DETAIL: usize = 500;

/// A file that could not be read, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", file.display())]
#[non_exhaustive]
pub struct AssetError {
    /// Which file.
    pub file: PathBuf,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}

/// What is wrong with the content of a file, what was expected, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It cannot be opened or read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is a folder, a pipe or a device.
    #[error("is not a regular file: name a file")]
    NotAFile,
    /// It has more of something than will be read.
    #[error("{what}: {count}, but at most {limit} are read; make it smaller{}", or_raise(*flag))]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How much there is, or at least.
        count: u64,
        /// How much is read.
        limit: u64,
        /// The flag of the command that raises the limit, where it can be raised.
        flag: Option<&'static str>,
    },
    /// It does not follow its format.
    #[error(
        "is not a valid {format} file: {detail}; check that it is complete, or export it again"
    )]
    Syntax {
        /// Which format.
        format: &'static str,
        /// What was found and what was expected.
        detail: String,
    },
    /// It follows a format, or a part of one, that is not read here.
    #[error("{detail}; {remedy}")]
    Unsupported {
        /// What is not read.
        detail: String,
        /// What to do instead.
        remedy: &'static str,
    },
    /// The format is supported, but by a feature that this program was built without.
    #[error(
        "is a {format} file, which this build cannot read; rebuild simhost with \
         `cargo build --release --features {feature}`"
    )]
    NotBuiltIn {
        /// Name of the format.
        format: &'static str,
        /// The cargo feature that reads it.
        feature: &'static str,
    },
    /// An option that goes with the file.
    #[error("{name} is {value}: expected {expected}")]
    Option {
        /// Which option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What was expected.
        expected: &'static str,
    },
    /// Its numbers make no mesh.
    #[error("has a defective mesh: {0}; repair or export it again")]
    Mesh(#[from] MeshError),
    /// Its numbers make no map.
    #[error("has a defective map: {0}")]
    Grid(#[from] GridError),
    /// Its numbers make no terrain.
    #[error("has a defective terrain: {0}")]
    HeightField(#[from] HeightFieldError),
    /// Its numbers make no kernel.
    #[error("has a defective kernel: {0}")]
    Kernel(#[from] KernelError),
}

impl Problem {
    pub(crate) fn syntax(format: &'static str, detail: impl ToString) -> Self {
        let mut detail = detail.to_string();
        // libraries may tell every mistake of a file that consists of mistakes
        if let Some((end, _)) = detail.char_indices().nth(MAX_DETAIL) {
            detail.truncate(end);
            detail.push('…');
        }
        Self::Syntax { format, detail }
    }

    /// A file of a format that needs a cargo feature which this build lacks.
    #[cfg_attr(all(feature = "gltf", feature = "images"), expect(dead_code))]
    pub(crate) fn not_built_in(format: &'static str, feature: &'static str) -> Self {
        Self::NotBuiltIn { format, feature }
    }

    pub(crate) fn at(self, file: &Path) -> AssetError {
        AssetError { file: file.to_owned(), problem: self }
    }

    /// Nothing, as long as there is not too much of something.
    pub(crate) fn bounded(what: &'static str, count: u64, limit: u64) -> Result<(), Self> {
        if count <= limit { Ok(()) } else { Err(Self::TooMuch { what, count, limit, flag: None }) }
    }
}

fn or_raise(flag: Option<&str>) -> String {
    flag.map_or(String::new(), |flag| format!(" or raise {flag}"))
}
