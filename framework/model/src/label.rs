//! Descriptions of calls.

use crate::classes::ModelRef;
use crate::entities::Entities;

/// Constant description of a call.
#[derive(Debug)]
pub struct CallLabel {
    /// Full name of the class; empty while a library is loaded.
    pub class: String,
    /// File of the plugin, or "linked in".
    pub source: String,
    /// Phase or function of the call.
    pub function: &'static str,
    /// Vehicle, wheel or sensor of each lane of a phase.
    pub entities: Entities,
    /// Whether the floating-point control state is checked after the call.
    pub checks_floats: bool,
}

impl CallLabel {
    /// Describes the calls of a function of a class.
    pub fn of(class: &ModelRef, function: &'static str, entities: Entities) -> Self {
        let (class, source) = (class.full_name.to_string(), class.source.to_string());
        Self { class, source, function, entities, checks_floats: true }
    }
}
