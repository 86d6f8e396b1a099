//! Services of the node of a run.

use std::fmt;
use std::sync::Arc;

use crate::interfaces::InterfaceType;

/// Returns the response to a request; both are CDR with its header. It may wait for the session.
pub type Answer = dyn Fn(&[u8]) -> Vec<u8> + Send + Sync;

/// A service that a node offers.
#[derive(Clone)]
pub struct Service {
    /// Absolute name, such as `/simhost/get_parameters`.
    pub name: String,
    /// Type.
    pub kind: InterfaceType,
    /// Answers requests.
    pub answer: Arc<Answer>,
}

impl fmt::Debug for Service {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, .. } = self;
        formatter.debug_struct("Service").field("name", name).field("kind", kind).finish()
    }
}
