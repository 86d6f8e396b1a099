//! The catalogue: models by kind and class name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use simhost_abi::{Kind, Plugin};
use simhost_model::{
    ClassError, Classes, FileClassError, FileRequest, LINKED_IN, ModelRef, PluginName, View,
};
use simhost_sdk::Linked;

use crate::descriptor;
use crate::folders::{FolderError, FolderSource, PluginFolder};
use crate::importers;
use crate::refusal::{FileState, Refusal};
use crate::scan::{Library, Substitutes, scan, single};
use crate::trial::Trial;
use crate::versions::{self, identity, models};

/// Number of skipped files that the error about an unknown class names.
const MAX_NAMED: usize = 3;

/// Sources of models.
#[derive(Clone, Default)]
pub struct Options {
    /// Kinds whose linked-in models are left out.
    pub without: BTreeSet<Kind>,
    /// Plugin directories in search order.
    pub folders: Vec<PluginFolder>,
    /// Copies to read instead of the files in the directories, and files that are loaded already;
    /// `None` reads the files themselves.
    pub substitutes: Option<Substitutes>,
    /// How unknown files are tried in a child process; `None` loads them without a trial.
    pub trial: Option<Trial>,
}

/// All variants of a class of one vendor.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Kind of the model.
    pub kind: Kind,
    /// Class name, the part after the slash of the full name.
    pub class: String,
    /// Vendor, the part before the slash of the full name.
    pub vendor: String,
    /// Index of its library in [`Catalogue::libraries`].
    pub library: usize,
    /// Models of this class in order of preference.
    pub variants: Vec<ModelRef>,
}

impl Entry {
    /// `vendor/class`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.vendor, self.class)
    }

    /// Returns whether a model of the class has this further name.
    fn has_alias(&self, name: &str) -> bool {
        self.variants.iter().any(|model| simhost_model::aliases(model).contains(&name))
    }
}

/// All models that a world file can name. Copies share the list.
#[derive(Clone, Default)]
pub struct Catalogue(Arc<Contents>);

/// The contents of a catalogue.
#[derive(Default)]
struct Contents {
    entries: Vec<Entry>,
    libraries: Vec<Library>,
    folders: Vec<PluginFolder>,
    without: BTreeSet<Kind>,
}

impl Catalogue {
    /// Scans the plugin directories and collects linked-in models.
    ///
    /// # Errors
    ///
    /// [`FolderError`] when a directory cannot be read. Unusable files are skipped and listed in
    /// [`Self::libraries`] with the reason.
    pub fn collect(options: Options) -> Result<Self, FolderError> {
        let libraries =
            scan(&options.folders, options.substitutes.as_ref(), options.trial.as_ref())?;
        Ok(Self::of(libraries, options.folders, options.without))
    }

    /// Returns the catalogue of a single file and of the linked-in models.
    pub fn of_file(file: &Path, trial: Option<&Trial>) -> Self {
        Self::of(vec![single(file, trial)], Vec::new(), BTreeSet::new())
    }

    fn of(
        mut libraries: Vec<Library>,
        folders: Vec<PluginFolder>,
        without: BTreeSet<Kind>,
    ) -> Self {
        libraries.extend(linked(folders.len()));
        // a family found as a file replaces the linked-in one
        versions::choose(&mut libraries);
        let mut catalogue = Contents { entries: Vec::new(), libraries, folders, without };
        let (built_in, found): (Vec<usize>, Vec<usize>) = (0..catalogue.libraries.len())
            .partition(|place| catalogue.libraries[*place].source == FolderSource::BuiltIn);
        // no plugin can take the full name of a linked-in class
        for place in built_in.into_iter().chain(found) {
            catalogue.libraries[place].refusal =
                catalogue.libraries[place].refusal.take().or_else(|| catalogue.enter(place));
        }
        catalogue.entries.sort_by_key(|entry| entry.library);
        Self(Arc::new(catalogue))
    }
}

impl Contents {
    /// Adds the models of a library, or none of them if one of their full names is taken.
    fn enter(&mut self, place: usize) -> Option<Refusal> {
        let library = &self.libraries[place];
        let plugin = library.plugin?;
        let (vendor, ..) = identity(plugin);
        let mut grouped = self.classes(plugin, library);
        let is_taken = |entry: &&Entry| {
            entry.vendor == vendor && grouped.contains_key(&(entry.kind, &*entry.class))
        };
        if let Some(taken) = self.entries.iter().find(is_taken) {
            let class = format!("{} class {}", taken.kind.tag(), taken.full_name());
            return Some(Refusal::Taken { class, by: self.libraries[taken.library].place() });
        }
        while let Some(((kind, class), variants)) = grouped.pop_first() {
            let (class, vendor) = (class.to_owned(), vendor.to_owned());
            self.entries.push(Entry { kind, class, vendor, library: place, variants });
        }
        None
    }

    /// Returns the models of a plugin by kind and class, without kinds that are left out.
    fn classes(
        &self,
        plugin: &'static View<Plugin>,
        library: &Library,
    ) -> BTreeMap<(Kind, &'static str), Vec<ModelRef>> {
        let source: Arc<str> = match &library.file {
            Some(file) => file.display().to_string().into(),
            None => LINKED_IN.into(),
        };
        let mut grouped: BTreeMap<_, Vec<ModelRef>> = BTreeMap::new();
        for (kind, class, model) in models(plugin) {
            if library.source == FolderSource::BuiltIn && self.without.contains(&kind) {
                continue;
            }
            let full_name = format!("{}/{class}", identity(plugin).0).into();
            let model = ModelRef { model, full_name, source: source.clone() };
            grouped.entry((kind, class)).or_default().push(model);
        }
        grouped
    }
}

impl Catalogue {
    /// Returns all classes in search order.
    pub fn entries(&self) -> &[Entry] {
        &self.0.entries
    }

    /// Returns all files and linked-in families in search order.
    pub fn libraries(&self) -> &[Library] {
        &self.0.libraries
    }

    /// Returns the directories in search order.
    pub fn folders(&self) -> &[PluginFolder] {
        &self.0.folders
    }

    /// Returns whether the short name of a class is unambiguous.
    pub fn state(&self, entry: &Entry) -> FileState {
        match self.named(entry.kind, &entry.class).len() {
            0 | 1 => FileState::Loaded,
            _ => FileState::Ambiguous,
        }
    }

    /// Returns the classes that a short or full name can refer to.
    pub fn named(&self, kind: Kind, class: &str) -> Vec<&Entry> {
        let of_kind = self.0.entries.iter().filter(|entry| entry.kind == kind);
        let (vendor, class) = match class.split_once('/') {
            Some((vendor, class)) => (Some(vendor), class),
            None => (None, class),
        };
        let of_vendor = of_kind.filter(|entry| vendor.is_none_or(|vendor| entry.vendor == vendor));
        let named: Vec<&Entry> = of_vendor.clone().filter(|entry| entry.class == class).collect();
        if !named.is_empty() {
            return named;
        }
        // models are asked for their aliases only if no class has this name
        of_vendor.filter(|entry| entry.has_alias(class)).collect()
    }

    /// Returns background for the error about an unknown class.
    fn note(&self, kind: Kind) -> Option<String> {
        let mut parts = Vec::new();
        if self.0.without.contains(&kind) {
            parts.push(format!("the linked-in {} classes are off (--builtin off)", kind.tag()));
        }
        let mut skipped = 0;
        for library in &self.0.libraries {
            let Some(refusal) = &library.refusal else { continue };
            let Some(name) = library.file.as_ref().and_then(|file| file.file_name()) else {
                continue;
            };
            let state = refusal.state();
            if *refusal != Refusal::NotALibraryName && state != FileState::Shadowed {
                skipped += 1;
                if skipped <= MAX_NAMED {
                    parts.push(format!("{} was skipped: it {refusal}", name.to_string_lossy()));
                }
            }
        }
        if skipped > MAX_NAMED {
            let more = skipped - MAX_NAMED;
            parts.push(format!("{more} more files were skipped (`simhost plugin list`)"));
        }
        if self.0.folders.iter().all(|folder| folder.source == FolderSource::UserFolder) {
            parts.push("no plugin directory was given (--plugin-dir DIR)".to_string());
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Plugins that the program has made itself.
static ADDED: Mutex<Vec<&'static Plugin>> = Mutex::new(Vec::new());

/// Adds a plugin that the program has made itself to the linked-in families of all catalogues that are collected from
/// now on. It replaces one of the same vendor and name that was added before.
///
/// # Errors
/// The first rule that the descriptor breaks.
///
/// # Safety
/// Texts, lists and functions of the descriptor are valid until the program ends.
pub unsafe fn add_linked(plugin: &'static Plugin) -> Result<(), String> {
    descriptor::check(plugin)?;
    // SAFETY: it has been checked.
    let identity_of = |plugin: &'static Plugin| identity(unsafe { View::new(plugin) });
    let mut added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    added.retain(|known| identity_of(known) != identity_of(plugin));
    added.push(plugin);
    Ok(())
}

/// Returns the linked-in families by name. They come after all folders.
fn linked(folder: usize) -> impl Iterator<Item = Library> {
    let plugins = simhost_sdk::inventory::iter::<Linked>.into_iter().map(|linked| linked.0);
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    let plugins = plugins.chain(added.iter().copied());
    // SAFETY: `export_plugin!` builds the descriptors of linked-in families from constants, and those that have been
    // added have been checked.
    let plugins = plugins.map(|plugin| unsafe { View::new(plugin) });
    let mut plugins: Vec<&'static View<Plugin>> = plugins.collect();
    plugins.sort_by_key(|plugin| identity(plugin));
    plugins.into_iter().map(move |plugin| Library {
        file: None,
        source: FolderSource::BuiltIn,
        plugin: Some(plugin),
        refusal: None,
        remarks: Vec::new(),
        folder,
    })
}

impl Classes for Catalogue {
    fn find(&self, kind: Kind, class: &str) -> Result<Vec<ModelRef>, ClassError> {
        match self.named(kind, class).as_slice() {
            [] => Err(ClassError::Unknown { note: self.note(kind) }),
            [entry] => Ok(entry.variants.clone()),
            several => Err(ClassError::Ambiguous {
                full_names: several.iter().map(|entry| entry.full_name()).collect(),
            }),
        }
    }

    fn names(&self, kind: Kind) -> Vec<String> {
        let of_kind = self.0.entries.iter().filter(|entry| entry.kind == kind);
        // an ambiguous short name would not help
        let names: BTreeSet<String> = of_kind
            .map(|entry| match self.state(entry) {
                FileState::Ambiguous => entry.full_name(),
                _ => entry.class.clone(),
            })
            .collect();
        names.into_iter().collect()
    }

    fn is_file_class(&self, class: &str) -> bool {
        importers::of_class(class).is_some()
    }

    fn find_in_file(&self, request: FileRequest<'_>) -> Result<ModelRef, FileClassError> {
        importers::import(request)
    }

    fn plugins(&self) -> Vec<PluginName> {
        let used = self.0.libraries.iter().filter(|library| library.refusal.is_none());
        let named = used.filter_map(|library| {
            let (vendor, name, version) = identity(library.plugin?);
            let (name, version) = (format!("{vendor}/{name}"), version.to_owned());
            Some(PluginName { name, version, source: library.place() })
        });
        named.collect()
    }
}
