//! What the world file needs to know of the catalogue of models.

use std::fmt;
use std::sync::Arc;

use simhost_abi::{Kind, Model};

/// A catalogue of models.
pub trait Classes {
    /// All variants of a class, in order of preference; never an empty list.
    ///
    /// # Errors
    /// [`ClassError`] when no model or more than one plugin answers to the name.
    fn find(&self, kind: Kind, class: &str) -> Result<Vec<ModelRef>, ClassError>;

    /// Every class name of a kind, sorted.
    fn names(&self, kind: Kind) -> Vec<String>;
}

/// Why a class name does not lead to a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// Nothing has this name.
    #[error("unknown class")]
    Unknown {
        /// What the catalogue knows about it, for instance why a plugin was skipped.
        note: Option<String>,
    },
    /// Two plugins have this name.
    #[error("the name is ambiguous: {}", full_names.join(", "))]
    Ambiguous {
        /// `vendor/class` of each.
        full_names: Vec<String>,
    },
}

/// A model of the catalogue.
#[derive(Clone)]
pub struct ModelRef {
    /// Its descriptor; libraries are never unloaded.
    pub model: &'static Model,
    /// `vendor/class`.
    pub full_name: Arc<str>,
    /// `linked in`, or the file of the library.
    pub source: Arc<str>,
}

impl ModelRef {
    /// Its class name without the vendor.
    pub fn id(&self) -> &'static str {
        // SAFETY: descriptors are static data.
        unsafe { self.model.id.as_str() }
    }
}

impl fmt::Debug for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.full_name, self.source)
    }
}
