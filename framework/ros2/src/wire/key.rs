//! Key expressions of topics and services.

use std::fmt;

use crate::type_hash::TypeHash;

/// Hash of a type as a distribution writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashText {
    /// The hash.
    Hash(TypeHash),
    /// The text of distributions without hashes, such as Humble.
    NotSupported,
}

impl fmt::Display for HashText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash(hash) => hash.fmt(formatter),
            Self::NotSupported => formatter.write_str("TypeHashNotSupported"),
        }
    }
}

/// Returns the name of a type such as `geometry_msgs/msg/Twist` as keys have it:
/// `geometry_msgs::msg::dds_::Twist_`.
pub fn type_in_key(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((package, name)) => format!("{}::dds_::{name}_", package.replace('/', "::")),
        None => format!("dds_::{name}_"),
    }
}

/// Returns the name of a type from its form in keys; other texts stay as they are.
pub fn type_of_key(text: &str) -> String {
    let parts = text.strip_suffix('_').and_then(|text| text.split_once("::dds_::"));
    match parts {
        Some((package, name)) => format!("{}/{name}", package.replace("::", "/")),
        None => text.to_owned(),
    }
}

/// Returns the key expression on which the samples of a topic or the calls of a service travel.
pub fn data_key(domain: u32, topic: &str, kind: &str, hash: HashText) -> String {
    format!("{domain}/{}/{}/{hash}", topic.trim_matches('/'), type_in_key(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hash of `geometry_msgs/msg/Twist` in Jazzy.
    fn twist() -> HashText {
        let text = "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a";
        let byte = |index: usize| u8::from_str_radix(&text[2 * index..][..2], 16).unwrap();
        HashText::Hash(TypeHash(std::array::from_fn(byte)))
    }

    #[test]
    fn keys_have_domain_topic_type_and_hash() {
        // the design document of rmw_zenoh
        assert_eq!(
            data_key(0, "/robot/cmd_vel", "geometry_msgs/msg/Twist", twist()),
            "0/robot/cmd_vel/geometry_msgs::msg::dds_::Twist_/\
             RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a"
        );
        assert_eq!(
            data_key(7, "/enable", "std_srvs/srv/SetBool", HashText::NotSupported),
            "7/enable/std_srvs::srv::dds_::SetBool_/TypeHashNotSupported"
        );
    }

    #[test]
    fn types_return_from_their_form_in_keys() {
        for name in ["geometry_msgs/msg/Twist", "std_srvs/srv/SetBool"] {
            assert_eq!(type_of_key(&type_in_key(name)), name);
        }
        assert_eq!(type_of_key("Twist"), "Twist");
    }
}
