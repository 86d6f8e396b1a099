//! Errors with which a run does not become a set of ROS 2 nodes.

/// A run cannot become a set of ROS 2 nodes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Ros2Error {
    /// The address is not one.
    #[error("the address of the router is '{found}'; expected tcp/HOST:PORT")]
    Address {
        /// The text.
        found: String,
    },
    /// A setting is not valid.
    #[error("{name} is '{found}'; expected {expected}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The text.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// Other machines could reach the router of this process.
    #[error("cannot be a router at {address}: other machines could control the simulation")]
    Open {
        /// The address.
        address: String,
    },
    /// No router answers, and this process must not be one.
    #[error("no router answers on {address}")]
    NoRouter {
        /// The address.
        address: String,
    },
    /// Another program that does not speak zenoh, or is busy, uses the address.
    #[error("{address} is used by a program that does not answer as a zenoh router: {cause}")]
    Taken {
        /// The address.
        address: String,
        /// Message of zenoh.
        cause: String,
    },
    /// The configuration of zenoh is not valid.
    #[error("the configuration of zenoh in {place} is not valid: {cause}")]
    Configuration {
        /// Environment variable.
        place: &'static str,
        /// Message of zenoh.
        cause: String,
    },
    /// The session of zenoh does not start.
    #[error("cannot start a zenoh session on {address}: {cause}")]
    Session {
        /// The address.
        address: String,
        /// Message of zenoh.
        cause: String,
    },
    /// A topic, a service or a node cannot be declared.
    #[error("cannot declare {name}: {cause}")]
    Declare {
        /// Name of the topic, the service or the node.
        name: String,
        /// Message of zenoh.
        cause: String,
    },
}
