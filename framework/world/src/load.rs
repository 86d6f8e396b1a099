//! Loading of a world file.

mod saved;
mod tree;

use std::path::{Path, PathBuf};

use simhost_model::Classes;

use crate::context::{Assets, Catalogue, Context, References};
use crate::diagnostics::{Diagnostic, LoadError, Report};
use crate::expansion::{Expanded, expand_file, expand_text};
use crate::fingerprint;
use crate::flatten;
use crate::options::LoadOptions;
use crate::sources::Sources;
use crate::stream::add_requested;
use crate::tree::Element;
use crate::vehicle::CLASS as VEHICLE_CLASS;
use crate::world::{World, read_world};

pub use tree::{UnknownEntity, WorldTree};

/// A world without errors.
#[derive(Debug)]
pub struct Loaded {
    /// Description of the world.
    pub world: World,
    /// Warnings about parts of the file that may not mean what was intended.
    pub warnings: Vec<Diagnostic>,
    /// The texts that spans refer to.
    pub sources: Sources,
    /// The world as one file, as [`flatten`](crate::flatten) returns it, if
    /// [`LoadOptions::flatten`] is set.
    pub flat: Option<String>,
    /// The files that the world refers to, apart from included ones: images, meshes, tables.
    pub files: Vec<PathBuf>,
    /// The elements of the world, if [`LoadOptions::keep_tree`] is set.
    pub tree: Option<WorldTree>,
}

/// Loads a world file and everything that it includes.
///
/// # Errors
/// [`LoadError`] with every error found: files that cannot be read, unknown names, invalid values.
pub fn load(
    path: &Path,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    read(expand_file(path, options, &VEHICLE_CLASS), options, classes)
}

/// Loads a world from any bytes, as if they were the content of `path`, which need not exist.
///
/// # Errors
/// As [`load`].
#[doc(hidden)]
pub fn load_text(
    path: &Path,
    text: &[u8],
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    read(expand_text(path, text.to_vec(), options, &VEHICLE_CLASS), options, classes)
}

fn read(
    mut expanded: Expanded,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    let profile = expanded.profile;
    let Some(root) = expanded.root.take() else {
        let Expanded { sources, report, usage, .. } = expanded;
        return Err(failure(report, sources, usage));
    };
    let children = &mut root.children.iter();
    let random_values = std::mem::take(&mut expanded.random_values);
    let mut loaded = read_tree(expanded, &root, children, options, classes)?;
    let max_bytes = options.asset_limits.max_file_bytes;
    let name = loaded.world.settings.profile.name;
    let fingerprint = fingerprint::of_world(&root, name, &loaded.files, max_bytes);
    loaded.world.fingerprint = fingerprint;
    loaded.world.random_values = random_values.clone();
    loaded.flat = options.flatten.then(|| flatten::text(&root, &loaded.sources, options));
    if options.keep_tree {
        let sources = loaded.sources.clone();
        loaded.tree =
            Some(WorldTree::new(root, sources, profile, options, fingerprint, random_values));
    }
    Ok(loaded)
}

/// Reads a world from a root and its children. The fingerprint is left out.
fn read_tree(
    expanded: Expanded,
    root: &Element,
    children: &mut dyn Iterator<Item = &Element>,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    let Expanded { sources, report, usage, profile, .. } = expanded;
    let mut context = Context {
        report,
        sources,
        profile,
        lenient: options.lenient || profile.lenient,
        catalogue: Catalogue::new(classes),
        assets: Assets::new(options),
        references: References::default(),
        owner: String::new(),
    };
    let mut world = read_world(&mut context, root, children);
    add_requested(&mut context, &mut world.streams, &world.recorded, &options.streams);
    let Context { report, sources, assets, .. } = context;
    if report.has_errors() {
        return Err(failure(report, sources, usage));
    }
    let files = assets.files().to_vec();
    Ok(Loaded { world, warnings: report.finish(), sources, flat: None, files, tree: None })
}

fn failure(report: Report, sources: Sources, usage: bool) -> LoadError {
    let hidden_errors = report.hidden_errors();
    LoadError { diagnostics: report.finish(), sources, hidden_errors, usage }
}
