//! Looking up a model by its kind and class name.

use std::fmt;
use std::sync::Arc;

use simhost_abi::{Kind, Model, PortDesc, Scope};

use crate::file_classes::{FileClassError, FileRequest};
use crate::ports::{PortFault, controller_faults};
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

    /// Returns whether a class has one model per file, which [`Self::find_in_file`] finds.
    fn is_file_class(&self, _class: &str) -> bool {
        false
    }

    /// Returns the model that a file declares. This can run code of the file.
    ///
    /// # Errors
    /// [`FileClassError`] for a file that is not a model of this kind.
    fn find_in_file(&self, request: FileRequest<'_>) -> Result<ModelRef, FileClassError> {
        Err(FileClassError::new(format!("no models of class `{}` are available", request.class)))
    }

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

/// Returns the first candidate whose ports all have a counterpart.
///
/// # Errors
/// The faults of each candidate.
pub fn fitting<'m>(
    candidates: &'m [ModelRef],
    dynamics: &'static View<Model>,
) -> Result<&'m ModelRef, Vec<(&'m ModelRef, Vec<PortFault>)>> {
    let mut all = Vec::new();
    for candidate in candidates {
        let faults = controller_faults(candidate.model, dynamics);
        if faults.is_empty() {
            return Ok(candidate);
        }
        all.push((candidate, faults));
    }
    Err(all)
}

fn outputs(
    model: &'static View<Model>,
    phase: &str,
) -> impl Iterator<Item = &'static View<PortDesc>> {
    model.phase(phase).into_iter().flat_map(|phase| phase.outputs())
}

impl View<Model> {
    /// Whether a sensor has outputs.
    pub fn gives_readings(&'static self) -> bool {
        outputs(self, "read").next().is_some()
    }

    /// Whether instances of a sensor can cast rays in space, which takes an elevation per ray.
    pub fn can_be_spatial(&'static self) -> bool {
        self.phase("aim").is_some_and(|aim| aim.outputs().iter().any(|p| p.name() == "elevation"))
    }

    /// Every name that the model reads in its element of a world file: parameters with their
    /// aliases, and setpoints.
    pub fn keys(&'static self) -> Vec<&'static str> {
        let params = self.params().iter();
        let params = params.flat_map(|param| std::iter::once(param.key()).chain(param.aliases()));
        params.chain(self.setpoints().map(View::<PortDesc>::key)).collect()
    }

    /// Inputs that a world file can set, one value per vehicle.
    pub fn setpoints(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        self.keyed_inputs().filter(|port| port.scope != Scope::Wheel as u32)
    }

    /// Inputs of a dynamics class that a world file can set per wheel.
    pub fn wheel_setpoints(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        self.keyed_inputs().filter(|port| port.scope == Scope::Wheel as u32)
    }

    fn keyed_inputs(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        // `rates` reads the same inputs as another phase
        let phases = self.phases().iter().filter(|phase| phase.id() != "rates");
        phases.flat_map(|phase| phase.inputs()).filter(|port| !port.key().is_empty())
    }
}
