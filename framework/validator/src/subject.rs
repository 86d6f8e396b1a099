//! The subjects of tests.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use simhost_abi::{Kind, Plugin};
use simhost_model::{LINKED_IN, ModelRef, View};
use simhost_registry::{Catalogue, Library, Options, Refusal};

/// A file, or a model in a file or in this program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Path of the file; `None` for linked-in models.
    pub file: Option<PathBuf>,
    /// `vendor/class`, empty for the file itself.
    pub class: String,
    /// Kind of the model, such as `friction`; empty for the file itself.
    pub kind: String,
    /// Index among the models of that name and kind.
    pub variant: usize,
}

impl Subject {
    /// Returns the subject of a plugin's descriptor.
    pub fn of_plugin(file: Option<PathBuf>, plugin: Option<&'static View<Plugin>>) -> Self {
        // linked-in plugins are identified by their names
        let class = match (&file, plugin) {
            (None, Some(plugin)) => format!("{}/{}", plugin.vendor(), plugin.name()),
            _ => String::new(),
        };
        Self { file, class, kind: String::new(), variant: 0 }
    }

    /// Returns all models of a plugin.
    pub fn models(file: Option<PathBuf>, plugin: &'static View<Plugin>) -> Vec<Self> {
        let mut subjects: Vec<Self> = Vec::new();
        for model in plugin.models() {
            let class = format!("{}/{}", plugin.vendor(), model.id());
            let kind = crate::instance::kind(model).tag().to_owned();
            let same = |other: &&Self| other.class == class && other.kind == kind;
            let variant = subjects.iter().filter(same).count();
            subjects.push(Self { file: file.clone(), class, kind, variant });
        }
        subjects
    }

    /// Returns whether the subject is a model.
    pub fn is_model(&self) -> bool {
        !self.kind.is_empty()
    }

    /// Returns the name that users see.
    pub fn name(&self) -> String {
        match (&self.file, self.is_model(), self.variant) {
            (_, true, 0) => format!("{} {}", self.kind, self.class),
            (_, true, more) => format!("{} {}, variant {}", self.kind, self.class, more + 1),
            (Some(file), false, _) => file.display().to_string(),
            (None, false, _) => format!("{} (built in)", self.class),
        }
    }

    /// Returns the kind of a model.
    pub fn kind(&self) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.tag() == self.kind)
    }

    /// Opens the plugin in this process.
    pub(crate) fn open(&self) -> Result<&'static View<Plugin>, Refusal> {
        let of_file = |library: Library| match (library.plugin, library.refusal) {
            (Some(plugin), _) => Ok(plugin),
            (None, refusal) => Err(refusal.unwrap_or(Refusal::NoSymbol)),
        };
        match &self.file {
            Some(file) => {
                let catalogue = Catalogue::of_file(file, None);
                let library = catalogue.libraries().iter().find(|one| one.file.is_some());
                of_file(library.cloned().expect("a catalogue of a file has that file"))
            }
            None => {
                let catalogue = Catalogue::collect(Options::default()).expect("no folder is read");
                let plugins = catalogue.libraries().iter().filter_map(|library| library.plugin);
                let mut own = plugins.filter(|plugin| self.is_of(plugin));
                own.next().ok_or(Refusal::NoSymbol)
            }
        }
    }

    fn is_of(&self, plugin: &'static View<Plugin>) -> bool {
        if self.is_model() {
            Self::models(None, plugin).contains(self)
        } else {
            Self::of_plugin(None, Some(plugin)) == *self
        }
    }

    /// Returns the class in its plugin.
    pub(crate) fn model(&self, plugin: &'static View<Plugin>) -> Option<ModelRef> {
        let place = Self::models(self.file.clone(), plugin).iter().position(|one| one == self)?;
        let file = self.file.as_ref().map(|file| file.display().to_string());
        Some(ModelRef {
            model: plugin.models().nth(place)?,
            full_name: self.class.as_str().into(),
            source: file.unwrap_or_else(|| LINKED_IN.to_owned()).into(),
        })
    }
}
