//! The shared state of a load. Readers get it as an argument.

mod assets;
mod catalogue;
mod references;

pub(crate) use assets::Assets;
pub(crate) use catalogue::Catalogue;
pub(crate) use references::References;

use crate::diagnostics::{Report, Severity};
use crate::profile::Profile;
use crate::sources::Sources;

/// Shared state of all readers: diagnostics, sources, the profile, the catalogue and assets.
pub(crate) struct Context<'c> {
    pub report: Report,
    pub sources: Sources,
    pub profile: Profile,
    /// Whether unknown names are warnings.
    pub lenient: bool,
    pub catalogue: Catalogue<'c>,
    pub assets: Assets,
    pub references: References,
    /// The vehicle, block, actor or class that is being read, as messages name it.
    pub owner: String,
}

impl Context<'_> {
    /// Sets the object or class that is being read, in the memory of the one before.
    pub(crate) fn set_owner(&mut self, kind: &str, name: &str) {
        self.owner.clear();
        for part in [kind, " `", name, "`"] {
            self.owner.push_str(part);
        }
    }

    /// Returns the severity of an unknown name.
    pub(crate) fn unknown_severity(&self) -> Severity {
        if self.lenient { Severity::Warning } else { Severity::Error }
    }
}
