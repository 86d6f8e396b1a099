//! Submodels by the names that world files give them.

use simhost_sdk::abi::Str;
use simhost_sdk::submodel::Submodel;

/// Submodels that a world file can name.
pub trait Catalogue: Send + Sync + 'static {
    /// Description of the class.
    const DOC: &'static str;
    /// Further names of the class in world files.
    const ALIASES: &'static [Str] = &[];

    /// Returns a new submodel.
    ///
    /// # Errors
    ///
    /// A message for the user with the names that exist, if there is no such module or class.
    fn create(module: &str, class: &str) -> Result<Box<dyn Submodel>, String>;
}
