//! Questions of servers about a session, beyond its samples.

use std::path::Path;
use std::sync::Arc;

/// A request that only the thread that steps the session can handle.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionRequest {
    /// Keep the present state, and return its name.
    Snapshot,
    /// Return to the state with a name.
    Restore(String),
    /// Return the world with all changes as a world file, with other initial poses of entities: x, y, m; yaw, rad.
    SaveWorld(Vec<(String, [f64; 3])>),
    /// Return the parts of the vehicle with this name, in JSON: `chassis`, `wheels` and `sensors`.
    DescribeVehicle(String),
    /// Record all streams in a file, or complete it, and return its path.
    Record(bool),
    /// Return the classes of vehicles, blocks and actors from which entities can be made, in JSON: a list of names such
    /// as `vehicle:robot`.
    ListClasses,
    /// Return all quantities with their units and meanings, in JSON.
    ListQuantities,
    /// Return the points at which bodies touch, in JSON.
    ReadContacts,
    /// Return the present values of the quantities with these names, in JSON.
    ReadQuantities(Vec<String>),
}

/// What a server knows beyond the samples of its session: how the world is described, and how it looks.
pub trait SessionHost: Send + Sync {
    /// Returns a description of the world in JSON, which the book lists.
    ///
    /// # Errors
    /// The reason for which there is none.
    fn describe(&self) -> Result<String, String>;

    /// Returns the asset with a name from the description.
    fn asset(&self, name: &str) -> Option<Arc<[u8]>>;

    /// Handles requests that need the session itself, between two steps. Returns the message for
    /// the client.
    ///
    /// # Errors
    /// The reason why it is rejected.
    fn ask(&self, request: SessionRequest) -> Result<String, String> {
        let _ = request;
        Err("a recorded run has no snapshots and cannot be changed".to_owned())
    }

    /// Returns the file of the recorded run that the page shows instead of samples.
    fn recording(&self) -> Option<&Path> {
        None
    }
}
