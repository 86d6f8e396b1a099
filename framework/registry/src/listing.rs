//! Everything that was found, for `simhost plugin list`. The structs are its JSON.

use std::collections::BTreeSet;

use serde::Serialize;
use simhost_model::View;

use crate::catalogue::{Catalogue, models};
use crate::folders::Source;
use crate::refusal::Refusal;
use crate::scan::Library;
use crate::versions::identity;

/// Where was looked, and what was found.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// Places in the order of the search.
    pub searched: Vec<Searched>,
    /// Classes in that order.
    pub classes: Vec<ListedClass>,
    /// Files that are not used, or odd.
    pub files: Vec<ListedFile>,
}

/// A place that was searched.
#[derive(Clone, Debug, Serialize)]
pub struct Searched {
    /// Who named it.
    pub source: &'static str,
    /// The folder; none of what is linked in.
    pub path: Option<String>,
    /// Whether it is there.
    pub exists: bool,
}

/// A class.
#[derive(Clone, Debug, Serialize)]
pub struct ListedClass {
    /// Short name.
    pub class: &'static str,
    /// `vendor/class`.
    pub full_name: String,
    /// `friction`, `dynamics`, `controller` or `sensor`.
    pub kind: &'static str,
    /// Version of the plugin.
    pub version: &'static str,
    /// ABI epoch.
    pub epoch: u32,
    /// What became of it.
    pub state: &'static str,
    /// Who named the folder of its file.
    pub source: &'static str,
    /// The file; none of what is linked in.
    pub file: Option<String>,
}

/// A file, or a linked-in family, that is not used or odd.
#[derive(Clone, Debug, Serialize)]
pub struct ListedFile {
    /// The file; none of what is linked in.
    pub file: Option<String>,
    /// `vendor/name`, where that is known.
    pub plugin: Option<String>,
    /// Who named its folder.
    pub source: &'static str,
    /// What became of it.
    pub state: &'static str,
    /// Why it is not used.
    pub why: Option<String>,
    /// What is odd about it.
    pub remarks: Vec<String>,
    /// Its name does not even end like that of a library.
    pub other: bool,
}

impl Listing {
    /// What a catalogue holds and what it left out.
    pub fn of(catalogue: &Catalogue) -> Self {
        let libraries = || catalogue.libraries().iter().enumerate();
        Self {
            searched: searched(catalogue),
            classes: libraries()
                .flat_map(|(place, library)| classes(catalogue, place, library))
                .collect(),
            files: libraries().filter_map(|(_, library)| file(library)).collect(),
        }
    }
}

fn searched(catalogue: &Catalogue) -> Vec<Searched> {
    let folders = catalogue.folders().iter().map(|folder| Searched {
        source: folder.source.name(),
        path: Some(folder.path.display().to_string()),
        exists: folder.path.is_dir(),
    });
    let built_in = Searched { source: Source::BuiltIn.name(), path: None, exists: true };
    folders.chain([built_in]).collect()
}

/// A class for each kind and name, however many variants it has.
fn classes(catalogue: &Catalogue, place: usize, library: &Library) -> Vec<ListedClass> {
    let Some(plugin) = library.plugin else { return Vec::new() };
    let (vendor, _, version) = identity(plugin);
    let mut seen = BTreeSet::new();
    let named = models(plugin).filter(|(kind, class, _)| seen.insert((*kind, *class)));
    let listed = named.filter_map(|(kind, class, _)| {
        let entered = |entry: &&crate::Entry| {
            entry.library == place && entry.kind == kind && entry.class == class
        };
        let state = match &library.refusal {
            Some(refusal) => refusal.state(),
            // a linked-in class without an entry is switched off
            None => catalogue.state(catalogue.entries().iter().find(entered)?),
        };
        Some(ListedClass {
            class,
            full_name: format!("{vendor}/{class}"),
            kind: kind.tag(),
            version,
            epoch: plugin.head.epoch,
            state: state.name(),
            source: library.source.name(),
            file: library.file.as_ref().map(|file| file.display().to_string()),
        })
    });
    listed.collect()
}

fn file(library: &Library) -> Option<ListedFile> {
    if library.refusal.is_none() && library.remarks.is_empty() {
        return None;
    }
    let name = |plugin: &'static View<simhost_abi::Plugin>| {
        format!("{}/{}", plugin.vendor(), plugin.name())
    };
    Some(ListedFile {
        file: library.file.as_ref().map(|file| file.display().to_string()),
        plugin: library.plugin.map(name),
        source: library.source.name(),
        state: library.state().name(),
        why: library.refusal.as_ref().map(|refusal| format!("it {refusal}")),
        remarks: library.remarks.clone(),
        other: library.refusal == Some(Refusal::NotALibraryName),
    })
}
