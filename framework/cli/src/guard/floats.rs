//! Warnings of plugins that change the floating-point control state.

use simhost_model::float_control;

use crate::terminal;

/// Returns warnings of plugins that have changed the floating-point control state since the last call,
/// one per file.
pub fn changes_of_floats() -> Vec<String> {
    float_control::take_changes().iter().map(ToString::to_string).collect()
}

/// Prints the warnings of [`changes_of_floats`].
pub fn warn_of_floats() {
    for text in changes_of_floats() {
        terminal::warning(&text);
    }
}
