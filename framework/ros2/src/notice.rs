//! Messages for the user.

use std::sync::Arc;

/// Takes messages for the user.
pub type Report = Arc<dyn Fn(&Notice) + Send + Sync>;

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Something is not as it should be.
    Warning(String),
    /// Something is well again.
    Remark(String),
}
