//! The choice between several libraries of the same plugin.
//!
//! An earlier folder has precedence. Within a folder the highest version does, and the first name
//! among equal versions.

use std::cmp::Ordering;

use semver::Version;
use simhost_abi::{Kind, Model, Plugin};
use simhost_model::View;

use crate::refusal::Refusal;
use crate::scan::Library;

/// Returns vendor, name and version of a plugin.
pub(crate) fn identity(
    plugin: &'static View<Plugin>,
) -> (&'static str, &'static str, &'static str) {
    (plugin.vendor(), plugin.name(), plugin.version())
}

/// Returns the models of a plugin with their kinds and class names, without models of unknown
/// kinds.
pub(crate) fn models(
    plugin: &'static View<Plugin>,
) -> impl Iterator<Item = (Kind, &'static str, &'static View<Model>)> {
    plugin.models().filter_map(|model| Some((model.kind()?, model.id(), model)))
}

/// Rejects all libraries of a plugin except one.
pub(crate) fn choose(libraries: &mut [Library]) {
    for place in 0..libraries.len() {
        let Some(used) = better(libraries, place) else { continue };
        let refusal = shadowed(&libraries[place], &libraries[used]);
        libraries[place].refusal = refusal;
    }
}

/// Returns a library with precedence over this one. It is not necessarily the library that is used
/// in the end, which is found by repetition; a library that has been rejected still explains why
/// others are.
fn better(libraries: &[Library], place: usize) -> Option<usize> {
    let plugin = libraries[place].plugin?;
    let of_plugin = libraries
        .iter()
        .enumerate()
        .filter(|(_, other)| other.plugin.is_some_and(|other| is_same(plugin, other)));
    let best = of_plugin
        .map(|(other, _)| other)
        .reduce(|best, other| if preferred(libraries, other, best) { other } else { best })?;
    (best != place).then_some(best)
}

fn is_same(a: &'static View<Plugin>, b: &'static View<Plugin>) -> bool {
    let ((vendor, name, _), (other_vendor, other_name, _)) = (identity(a), identity(b));
    (vendor, name) == (other_vendor, other_name)
}

/// Returns whether a library has precedence over another that was found earlier.
fn preferred(libraries: &[Library], later: usize, earlier: usize) -> bool {
    let (later, earlier) = (&libraries[later], &libraries[earlier]);
    later.folder == earlier.folder && order(later, earlier) == Ordering::Greater
}

/// Compares versions. An invalid version is lower than any valid one.
fn order(a: &Library, b: &Library) -> Ordering {
    let version = |library: &Library| {
        library.plugin.and_then(|plugin| Version::parse(identity(plugin).2).ok())
    };
    version(a).cmp(&version(b))
}

fn shadowed(library: &Library, used: &Library) -> Option<Refusal> {
    let (vendor, name, version) = identity(library.plugin?);
    let (_, _, by) = identity(used.plugin?);
    let why = if used.folder != library.folder {
        format!("its folder is searched earlier ({})", used.source.name())
    } else if order(used, library) == Ordering::Greater {
        "which is higher: remove one of the two".to_owned()
    } else {
        "the first of two files with this version: remove one of them".to_owned()
    };
    Some(Refusal::Shadowed {
        plugin: format!("{vendor}/{name}"),
        version: version.to_owned(),
        by: format!("{by} ({})", used.place()),
        why,
    })
}
