//! Models that files of other formats declare.

use simhost_abi::Plugin;
use simhost_model::{FileClassError, FileRequest, ModelRef, View};

use crate::descriptor;
use crate::versions::{identity, models};

/// Turns files of one format into plugins.
pub trait Importer: Sync {
    /// Returns the name of the class whose models come from such files, for elements with `class="…" file="…"`.
    fn class(&self) -> &'static str;

    /// Returns a plugin with one model of the kind of the request. Its texts, lists and functions are valid until the program
    /// ends. The same request for an unchanged file returns the same plugin.
    ///
    /// # Errors
    /// [`FileClassError`] for a file that is not such a model.
    fn import(&self, request: FileRequest<'_>) -> Result<&'static Plugin, FileClassError>;
}

/// An importer that is linked into the program.
pub struct LinkedImporter(pub &'static dyn Importer);

simhost_sdk::inventory::collect!(LinkedImporter);

/// Returns the importer of a class.
pub(crate) fn of_class(class: &str) -> Option<&'static dyn Importer> {
    let linked = simhost_sdk::inventory::iter::<LinkedImporter>.into_iter();
    linked.map(|linked| linked.0).find(|importer| importer.class() == class)
}

/// Returns the model of a request.
///
/// # Errors
/// [`FileClassError`] for an unknown class, and for a file that does not declare a valid model.
pub(crate) fn import(request: FileRequest<'_>) -> Result<ModelRef, FileClassError> {
    let (class, file) = (request.class, request.file.display());
    let importer = of_class(class).ok_or_else(|| {
        FileClassError::new(format!("no models of class `{class}` are available"))
    })?;
    let plugin = importer.import(request)?;
    descriptor::check(plugin).map_err(|rule| FileClassError::new(format!("{file}: {rule}")))?;
    // SAFETY: it has been checked, and stays valid.
    let plugin = unsafe { View::new(plugin) };
    let (_, _, model) = models(plugin)
        .find(|(kind, ..)| *kind == request.kind)
        .ok_or_else(|| FileClassError::new(format!("{file} has no {}", request.kind.tag())))?;
    let full_name = format!("{}/{}", identity(plugin).0, model.id()).into();
    Ok(ModelRef { model, full_name, source: request.file.display().to_string().into() })
}
