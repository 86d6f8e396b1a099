//! The result of `simhost plugin list`. The structs define its JSON output.

use std::collections::BTreeMap;

use serde::Serialize;
use simhost_abi::Kind;
use simhost_model::View;

use crate::catalogue::Catalogue;
use crate::folders::FolderSource;
use crate::refusal::Refusal;
use crate::scan::Library;
use crate::versions::{identity, models};

/// Searched places, and the classes and files found there.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// Places in search order.
    pub searched: Vec<Searched>,
    /// Classes in search order; classes of a plugin by kind and name.
    pub classes: Vec<ListedClass>,
    /// Files that are not used or have remarks.
    pub files: Vec<ListedFile>,
}

/// A place that was searched.
#[derive(Clone, Debug, Serialize)]
pub struct Searched {
    /// Origin of the folder.
    pub source: &'static str,
    /// Path of the folder; `None` for linked-in models.
    pub path: Option<String>,
    /// Whether the folder exists.
    pub exists: bool,
}

/// A class in the listing.
#[derive(Clone, Debug, Serialize)]
pub struct ListedClass {
    /// Short name.
    pub class: &'static str,
    /// `vendor/class`.
    pub full_name: String,
    /// Tag of the kind, such as `friction`.
    pub kind: &'static str,
    /// Version of the plugin.
    pub version: &'static str,
    /// ABI epoch.
    pub epoch: u32,
    /// State, as in [`FileState::name`](crate::FileState::name).
    pub state: &'static str,
    /// Origin of the folder that contains the file.
    pub source: &'static str,
    /// Path of the file; `None` for linked-in models.
    pub file: Option<String>,
    /// `vendor/name` of the plugin.
    pub plugin: String,
    /// Whether the class has an effect. A sensor without readings is only declared.
    pub has_effect: bool,
}

/// A file or linked-in family that is not used or has remarks.
#[derive(Clone, Debug, Serialize)]
pub struct ListedFile {
    /// Path of the file; `None` for linked-in models.
    pub file: Option<String>,
    /// `vendor/name`, if known.
    pub plugin: Option<String>,
    /// Origin of its folder.
    pub source: &'static str,
    /// State, as in [`FileState::name`](crate::FileState::name).
    pub state: &'static str,
    /// Reason why the file is not used.
    pub why: Option<String>,
    /// Remarks about a file that is used.
    pub remarks: Vec<String>,
    /// Whether the file name lacks the extension of a library.
    pub other: bool,
    /// Continuation of a sentence about several files that are not used for the same reason, or
    /// empty.
    #[serde(skip)]
    pub group: &'static str,
}

impl Listing {
    /// Lists the contents of a catalogue and the files that it left out.
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
    let built_in = Searched { source: FolderSource::BuiltIn.name(), path: None, exists: true };
    folders.chain([built_in]).collect()
}

/// Lists each kind and class name once, whatever the number of variants, sorted by kind and name.
fn classes(catalogue: &Catalogue, place: usize, library: &Library) -> Vec<ListedClass> {
    let Some(plugin) = library.plugin else { return Vec::new() };
    let (vendor, name, version) = identity(plugin);
    let mut sorted = BTreeMap::new();
    for (kind, class, model) in models(plugin) {
        sorted.entry((kind, class)).or_insert(model);
    }
    let listed = sorted.into_iter().filter_map(|((kind, class), model)| {
        let entered = |entry: &&crate::Entry| {
            entry.library == place && entry.kind == kind && entry.class == class
        };
        let state = match &library.refusal {
            Some(refusal) => refusal.state(),
            // a linked-in class without an entry is disabled
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
            plugin: format!("{vendor}/{name}"),
            has_effect: kind != Kind::Sensor || model.gives_readings(),
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
        group: library.refusal.as_ref().map_or("", Refusal::plural),
    })
}
