//! Classes by kind and name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use simhost_abi::{Kind, Model, Plugin};
use simhost_sdk::Linked;
use simhost_world::{ClassError, Classes, ModelRef};

use crate::library::Refusal;
use crate::scan::{Found, ScanError, Skipped, scan};

/// Where models come from.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Kinds of linked-in models that are left out.
    pub without: BTreeSet<Kind>,
    /// Plugin directories, in order.
    pub directories: Vec<PathBuf>,
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
    /// Whether it is linked in.
    pub linked: bool,
    /// Models of this name, in order of preference.
    pub variants: Vec<ModelRef>,
}

/// Every model that can be named in a world file.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
    skipped: Vec<Skipped>,
    plugins: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    without: BTreeSet<Kind>,
}

impl Catalogue {
    /// Collects linked-in models and looks through the plugin directories.
    ///
    /// # Errors
    /// [`ScanError`] when a directory cannot be read. A file that cannot be used is skipped and
    /// stands in [`Self::skipped`].
    pub fn collect(options: Options) -> Result<Self, ScanError> {
        let mut catalogue =
            Self { without: options.without, directories: options.directories, ..Self::default() };
        let mut linked: Vec<&'static Plugin> =
            inventory_of_linked().filter(|plugin| !plugin.models.data.is_null()).collect();
        // SAFETY: descriptors are static data.
        linked.sort_by_key(|plugin| unsafe { plugin.name.as_str() });
        for plugin in linked {
            catalogue.enter(plugin, "linked in", true);
        }
        let (mut found, mut seen) = (Vec::new(), Vec::new());
        for directory in &catalogue.directories {
            scan(directory, &mut found, &mut catalogue.skipped, &mut seen)?;
        }
        for Found { path, plugin } in found {
            let source = path.display().to_string();
            match catalogue.enter(plugin, &source, false) {
                None => catalogue.plugins.push(path),
                Some(first) => {
                    let refusal = Refusal::Repeated(first);
                    catalogue.skipped.push(Skipped { path, refusal });
                }
            }
        }
        Ok(catalogue)
    }

    /// Enters the models of a plugin. When one of its full names is taken none is entered, and the
    /// one that has it comes back.
    fn enter(&mut self, plugin: &'static Plugin, source: &str, linked: bool) -> Option<String> {
        // SAFETY: descriptors are static data.
        let (vendor, models) = unsafe { (plugin.vendor.as_str(), plugin.models.as_slice()) };
        let source: Arc<str> = source.into();
        let mut grouped: BTreeMap<(Kind, &str), Vec<ModelRef>> = BTreeMap::new();
        for &model in models {
            // SAFETY: checked when the plugin was opened, or linked in; static data.
            let model: &'static Model = unsafe { &*model };
            let Some(kind) = Kind::from_u32(model.kind) else { continue };
            if linked && self.without.contains(&kind) {
                continue;
            }
            // SAFETY: descriptors are static data.
            let class = unsafe { model.id.as_str() };
            let full_name = format!("{vendor}/{class}").into();
            grouped.entry((kind, class)).or_default().push(ModelRef {
                model,
                full_name,
                source: source.clone(),
            });
        }
        let taken = self.entries.iter().find(|entry| {
            entry.vendor == vendor && grouped.contains_key(&(entry.kind, entry.class.as_str()))
        });
        if let Some(entry) = taken {
            return Some(format!("{vendor}/{} ({})", entry.class, entry.variants[0].source));
        }
        self.entries.extend(grouped.into_iter().map(|((kind, class), variants)| Entry {
            kind,
            class: class.to_string(),
            vendor: vendor.to_string(),
            linked,
            variants,
        }));
        None
    }

    /// Every class, linked-in ones first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Files that are not used, and why.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Files that are used, in the order of their loading.
    pub fn plugins(&self) -> &[PathBuf] {
        &self.plugins
    }

    /// Directories in the order of the search.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// Plugin classes whose short name a linked-in class keeps, with their full names.
    pub fn shadowed(&self) -> impl Iterator<Item = (&Entry, String)> {
        self.entries.iter().filter(|entry| !entry.linked).filter_map(|entry| {
            let keeps = |other: &&Entry| {
                other.linked && other.kind == entry.kind && other.class == entry.class
            };
            self.entries.iter().find(keeps)?;
            Some((entry, format!("{}/{}", entry.vendor, entry.class)))
        })
    }

    fn named(&self, kind: Kind, class: &str) -> Vec<&Entry> {
        let of_kind = self.entries.iter().filter(|entry| entry.kind == kind);
        match class.split_once('/') {
            Some((vendor, class)) => {
                of_kind.filter(|entry| entry.vendor == vendor && entry.class == class).collect()
            }
            None => {
                let all: Vec<&Entry> = of_kind.filter(|entry| entry.class == class).collect();
                match all.iter().find(|entry| entry.linked) {
                    Some(linked) => vec![linked],
                    None => all,
                }
            }
        }
    }

    /// What may help a user whose class was not found.
    fn note(&self, kind: Kind) -> Option<String> {
        let mut parts = Vec::new();
        if self.without.contains(&kind) {
            parts.push(format!("the linked-in {} classes are off (--builtin off)", kind.tag()));
        }
        let libraries = self.skipped.iter().filter(|file| file.refusal != Refusal::NotALibraryName);
        parts.extend(libraries.map(|file| {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name} was skipped: it {}", file.refusal)
        }));
        if self.directories.is_empty() {
            parts.push("no plugin directory was given (--plugin-dir DIR)".to_string());
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

fn inventory_of_linked() -> impl Iterator<Item = &'static Plugin> {
    simhost_sdk::inventory::iter::<Linked>.into_iter().map(|linked| linked.0)
}

impl Classes for Catalogue {
    fn find(&self, kind: Kind, class: &str) -> Result<Vec<ModelRef>, ClassError> {
        match self.named(kind, class).as_slice() {
            [] => Err(ClassError::Unknown { note: self.note(kind) }),
            [entry] => Ok(entry.variants.clone()),
            several => Err(ClassError::Ambiguous {
                full_names: several
                    .iter()
                    .map(|entry| format!("{}/{}", entry.vendor, entry.class))
                    .collect(),
            }),
        }
    }

    fn names(&self, kind: Kind) -> Vec<String> {
        let of_kind = || self.entries.iter().filter(|entry| entry.kind == kind);
        let mut names = BTreeSet::new();
        for entry in of_kind() {
            // a short name that does not lead there is no help
            let full = format!("{}/{}", entry.vendor, entry.class);
            let reached = self.named(kind, &entry.class);
            let direct = reached.len() == 1 && reached[0].vendor == entry.vendor;
            names.insert(if direct { entry.class.clone() } else { full });
        }
        names.into_iter().collect()
    }
}
