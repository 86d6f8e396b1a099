//! The wire of ROS 2 nodes with the middleware `rmw_zenoh_cpp`: key expressions, liveliness tokens,
//! qualities of service and attachments, as its design document and its source have them.

mod attachment;
mod key;
mod qos;
mod token;

pub use attachment::{Attachment, Gid, wall_time};
pub use key::{HashText, data_key};
pub use qos::{Durability, Qos, Reliability};
pub use token::{EndpointKind, EndpointToken, NodeName, parse_token, tokens_of_domain};
