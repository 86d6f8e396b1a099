//! Classes by kind and name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use simhost_abi::{Kind, Model, Plugin};
use simhost_model::{ClassError, Classes, ModelRef, View};
use simhost_sdk::Linked;

use crate::folders::{Folder, ScanError, Source};
use crate::refusal::{Refusal, State};
use crate::scan::{Library, scan, single};
use crate::trial::Trial;
use crate::versions::{self, identity};

/// Where models come from.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Kinds of linked-in models that are left out.
    pub without: BTreeSet<Kind>,
    /// Plugin directories, in the order of the search.
    pub folders: Vec<Folder>,
    /// How files that nobody knows are tried first; none: they are not.
    pub trial: Option<Trial>,
}

/// All variants of one class of one vendor.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Kind of the model.
    pub kind: Kind,
    /// Name after the slash.
    pub class: String,
    /// Name before the slash.
    pub vendor: String,
    /// Place of its library in [`Catalogue::libraries`].
    pub library: usize,
    /// Models of this name, in order of preference.
    pub variants: Vec<ModelRef>,
}

impl Entry {
    /// `vendor/class`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.vendor, self.class)
    }
}

/// Every model that can be named in a world file.
#[derive(Clone, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
    libraries: Vec<Library>,
    folders: Vec<Folder>,
    without: BTreeSet<Kind>,
}

impl Catalogue {
    /// Looks through the plugin directories and collects linked-in models.
    ///
    /// # Errors
    /// [`ScanError`] when a directory cannot be read. A file that cannot be used is skipped and
    /// stands in [`Self::libraries`] with the reason.
    pub fn collect(options: Options) -> Result<Self, ScanError> {
        let libraries = scan(&options.folders, options.trial.as_ref())?;
        Ok(Self::of(libraries, options.folders, options.without))
    }

    /// The catalogue of a single file and of what is linked in.
    pub fn of_file(file: &Path, trial: Option<&Trial>) -> Self {
        Self::of(vec![single(file, trial)], Vec::new(), BTreeSet::new())
    }

    fn of(mut libraries: Vec<Library>, folders: Vec<Folder>, without: BTreeSet<Kind>) -> Self {
        libraries.extend(linked(folders.len()));
        // a family that was found as a file stands for the one that is linked in
        versions::choose(&mut libraries);
        let mut catalogue = Self { entries: Vec::new(), libraries, folders, without };
        let (built_in, found): (Vec<usize>, Vec<usize>) = (0..catalogue.libraries.len())
            .partition(|place| catalogue.libraries[*place].source == Source::BuiltIn);
        // nobody takes the full name of what is linked in
        for place in built_in.into_iter().chain(found) {
            catalogue.libraries[place].refusal =
                catalogue.libraries[place].refusal.take().or_else(|| catalogue.enter(place));
        }
        catalogue.entries.sort_by_key(|entry| entry.library);
        catalogue
    }

    /// Enters the models of a library, all or none: none when one of its full names is taken.
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

    /// The models of a plugin by kind and class, without families that are left out.
    fn classes(
        &self,
        plugin: &'static View<Plugin>,
        library: &Library,
    ) -> BTreeMap<(Kind, &'static str), Vec<ModelRef>> {
        let source: Arc<str> = match &library.file {
            Some(file) => file.display().to_string().into(),
            None => "linked in".into(),
        };
        let mut grouped: BTreeMap<_, Vec<ModelRef>> = BTreeMap::new();
        for (kind, class, model) in models(plugin) {
            if library.source == Source::BuiltIn && self.without.contains(&kind) {
                continue;
            }
            let full_name = format!("{}/{class}", identity(plugin).0).into();
            let model = ModelRef { model, full_name, source: source.clone() };
            grouped.entry((kind, class)).or_default().push(model);
        }
        grouped
    }

    /// Every class in the order of the search.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Every file and every linked-in family in the order of the search.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// Directories in the order of the search.
    pub fn folders(&self) -> &[Folder] {
        &self.folders
    }

    /// Whether a class is reached by its short name.
    pub fn state(&self, entry: &Entry) -> State {
        match self.named(entry.kind, &entry.class).len() {
            0 | 1 => State::Loaded,
            _ => State::Ambiguous,
        }
    }

    /// The classes that a name may mean, short or full.
    pub fn named(&self, kind: Kind, class: &str) -> Vec<&Entry> {
        let of_kind = self.entries.iter().filter(|entry| entry.kind == kind);
        match class.split_once('/') {
            Some((vendor, class)) => {
                of_kind.filter(|entry| entry.vendor == vendor && entry.class == class).collect()
            }
            None => of_kind.filter(|entry| entry.class == class).collect(),
        }
    }

    /// What may help a user whose class was not found.
    fn note(&self, kind: Kind) -> Option<String> {
        let mut parts = Vec::new();
        if self.without.contains(&kind) {
            parts.push(format!("the linked-in {} classes are off (--builtin off)", kind.tag()));
        }
        for library in &self.libraries {
            let Some(refusal) = &library.refusal else { continue };
            let Some(name) = library.file.as_ref().and_then(|file| file.file_name()) else {
                continue;
            };
            let state = refusal.state();
            if *refusal != Refusal::NotALibraryName && state != State::Shadowed {
                parts.push(format!("{} was skipped: it {refusal}", name.to_string_lossy()));
            }
        }
        if self.folders.iter().all(|folder| folder.source == Source::UserFolder) {
            parts.push("no plugin directory was given (--plugin-dir DIR)".to_string());
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// The linked-in families by name, searched after all folders.
fn linked(folder: usize) -> impl Iterator<Item = Library> {
    let plugins = simhost_sdk::inventory::iter::<Linked>.into_iter();
    // SAFETY: `export_plugin!` builds the descriptors of linked-in families from constants.
    let plugins = plugins.map(|linked| unsafe { View::new(linked.0) });
    let mut plugins: Vec<&'static View<Plugin>> = plugins.collect();
    plugins.sort_by_key(|plugin| identity(plugin));
    plugins.into_iter().map(move |plugin| Library {
        file: None,
        source: Source::BuiltIn,
        plugin: Some(plugin),
        refusal: None,
        remarks: Vec::new(),
        folder,
    })
}

/// The models of a plugin with their kinds and class names. Models of unknown kinds are left out.
pub(crate) fn models(
    plugin: &'static View<Plugin>,
) -> impl Iterator<Item = (Kind, &'static str, &'static View<Model>)> {
    plugin.models().filter_map(|model| Some((model.kind()?, model.id(), model)))
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
        let of_kind = self.entries.iter().filter(|entry| entry.kind == kind);
        // a short name that does not lead there is no help
        let names: BTreeSet<String> = of_kind
            .map(|entry| match self.state(entry) {
                State::Ambiguous => entry.full_name(),
                _ => entry.class.clone(),
            })
            .collect();
        names.into_iter().collect()
    }
}
