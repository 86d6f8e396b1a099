//! Looking up a model by its kind and class name.

use std::fmt;
use std::sync::Arc;

use simhost_abi::{Kind, Model};

use crate::view::View;

/// A catalogue of models.
pub trait Classes {
    /// Returns all variants of a class in order of preference; never an empty list.
    ///
    /// # Errors
    /// [`ClassError`] when the name belongs to no model or to more than one plugin.
    fn find(&self, kind: Kind, class: &str) -> Result<Vec<ModelRef>, ClassError>;

    /// Returns every class name of a kind, sorted.
    fn names(&self, kind: Kind) -> Vec<String>;

    /// Returns the plugins from which the models come.
    fn plugins(&self) -> Vec<PluginName> {
        Vec::new()
    }
}

/// A plugin by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginName {
    /// `vendor/name`.
    pub name: String,
    /// Version.
    pub version: String,
    /// Path of the library, or [`LINKED_IN`].
    pub source: String,
}

/// Why a class name does not lead to a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// No model has this name.
    #[error("unknown class")]
    Unknown {
        /// Background from the catalogue, such as why a plugin was skipped.
        note: Option<String>,
    },
    /// More than one plugin has a class of this name.
    #[error("the name is ambiguous: {}", full_names.join(", "))]
    Ambiguous {
        /// `vendor/class` of each.
        full_names: Vec<String>,
    },
}

/// Source of models that are part of the program.
pub const LINKED_IN: &str = "linked in";

/// A model in the catalogue.
#[derive(Clone)]
pub struct ModelRef {
    /// Descriptor of the model. It stays valid because libraries are never unloaded.
    pub model: &'static View<Model>,
    /// `vendor/class`.
    pub full_name: Arc<str>,
    /// Path of the library, or [`LINKED_IN`].
    pub source: Arc<str>,
}

impl ModelRef {
    /// The class name without the vendor.
    pub fn id(&self) -> &'static str {
        self.model.id()
    }

    /// Returns whether the model is part of the program.
    pub fn is_linked_in(&self) -> bool {
        &*self.source == LINKED_IN
    }

    /// Returns whether the class belongs to the vendor of the built-in models.
    pub fn is_built_in(&self) -> bool {
        self.full_name.starts_with("simhost/")
    }
}

impl fmt::Debug for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.full_name, self.source)
    }
}
