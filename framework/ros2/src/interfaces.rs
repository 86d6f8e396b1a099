//! Types of topics and services, with their hashes.

use simhost_streams::StreamType;
use simhost_streams::ros::{LayoutError, schema};

use crate::type_hash::TypeHash;

/// Type of a topic or a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceType {
    /// Name, such as `geometry_msgs/msg/Twist` or `std_srvs/srv/SetBool`.
    pub name: String,
    /// Hash of its definition.
    pub hash: TypeHash,
}

/// Returns the type of the topics of a stream type.
///
/// # Errors
/// [`LayoutError`] if its definition cannot be used.
pub fn message_type(kind: &StreamType) -> Result<InterfaceType, LayoutError> {
    let schema = schema(kind);
    let hash = TypeHash::of_definition(&schema)?;
    Ok(InterfaceType { name: schema.name, hash })
}

#[cfg(test)]
mod tests {
    use super::message_type;
    use simhost_streams::types;

    #[test]
    fn messages_have_the_hashes_that_ros_publishes() {
        for (kind, expected) in [
            (
                types::Twist::TYPE,
                "RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
            ),
            (
                types::Clock::TYPE,
                "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
            ),
        ] {
            assert_eq!(message_type(&kind).unwrap().hash.to_string(), expected);
        }
    }
}
