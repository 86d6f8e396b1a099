//! Loading of a world file.

use std::path::Path;

use simhost_model::Classes;

use crate::context::{Assets, Catalogue, Context, References};
use crate::diagnostics::{Diagnostic, LoadError};
use crate::expansion::{Expanded, expand_file, expand_text};
use crate::fingerprint;
use crate::options::LoadOptions;
use crate::sources::Sources;
use crate::world::{World, read_world};

/// A world without errors.
#[derive(Debug)]
pub struct Loaded {
    /// Description of the world.
    pub world: World,
    /// Warnings about parts of the file that may not mean what was intended.
    pub warnings: Vec<Diagnostic>,
    /// The texts that spans refer to.
    pub sources: Sources,
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
    read(expand_file(path, options), options, classes)
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
    read(expand_text(path, text.to_vec(), options), options, classes)
}

fn read(
    expanded: Expanded,
    options: &LoadOptions,
    classes: &dyn Classes,
) -> Result<Loaded, LoadError> {
    let Expanded { root, sources, report, usage, profile } = expanded;
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
    let world = root.as_ref().map(|root| read_world(&mut context, root));
    let Context { report, sources, assets, .. } = context;
    let has_errors = report.has_errors();
    let hidden_errors = report.hidden_errors();
    let diagnostics = report.finish();
    match (root, world) {
        (Some(root), Some(mut world)) if !has_errors => {
            let max_bytes = options.asset_limits.max_file_bytes;
            let name = world.settings.profile.name;
            world.fingerprint = fingerprint::of(&root, name, assets.files(), max_bytes);
            Ok(Loaded { world, warnings: diagnostics, sources })
        }
        _ => Err(LoadError { diagnostics, sources, hidden_errors, usage }),
    }
}
