//! Which of several libraries of one plugin is used.
//!
//! The folder that is searched earlier goes first. Within a folder the higher version does, and of
//! equal ones the first by name.

use std::cmp::Ordering;

use semver::Version;
use simhost_abi::Plugin;
use simhost_model::View;

use crate::refusal::Refusal;
use crate::scan::Library;

/// Vendor, name and version of a plugin.
pub(crate) fn identity(
    plugin: &'static View<Plugin>,
) -> (&'static str, &'static str, &'static str) {
    (plugin.vendor(), plugin.name(), plugin.version())
}

/// Refuses all libraries of a plugin but one.
pub(crate) fn choose(libraries: &mut [Library]) {
    for place in 0..libraries.len() {
        let Some(used) = better(libraries, place) else { continue };
        let refusal = shadowed(&libraries[place], &libraries[used]);
        libraries[place].refusal = refusal;
    }
}

/// The library to use in the place of this one. It need not be the best of all: that one is found
/// for it in turn, and a library that is refused already still tells why others are.
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

/// Whether a library goes before another that was found earlier.
fn preferred(libraries: &[Library], later: usize, earlier: usize) -> bool {
    let (later, earlier) = (&libraries[later], &libraries[earlier]);
    later.folder == earlier.folder && order(later, earlier) == Ordering::Greater
}

/// By version. What is no version is lower than any.
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
