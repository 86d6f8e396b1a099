//! Liveliness tokens, from which nodes know each other.

use std::fmt;

use super::key::{type_in_key, type_of_key};
use super::qos::Qos;

/// Start of all tokens.
const SPACE: &str = "@ros2_lv";

/// Kind of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointKind {
    /// A publisher of a topic.
    Publisher,
    /// A subscriber of a topic.
    Subscriber,
    /// A service.
    Service,
    /// A client of a service.
    Client,
}

impl EndpointKind {
    const ALL: [(Self, &str); 4] = [
        (Self::Publisher, "MP"),
        (Self::Subscriber, "MS"),
        (Self::Service, "SS"),
        (Self::Client, "SC"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// Name of a node on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeName {
    /// Number of the domain.
    pub domain: u32,
    /// Identity of the zenoh session.
    pub session: String,
    /// Number of the node in its session.
    pub number: u32,
    /// Namespace, such as `/fleet`; empty for none.
    pub namespace: String,
    /// Name, such as `simhost`.
    pub name: String,
}

impl NodeName {
    /// Returns the token of the node.
    pub fn token(&self) -> String {
        self.start(self.number, "NN")
    }

    /// Returns the name with its namespace, such as `/fleet/simhost`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    fn start(&self, number: u32, kind: &str) -> String {
        let Self { domain, session, number: node, name, .. } = self;
        let namespace = if self.namespace.is_empty() { "/" } else { &self.namespace };
        let (namespace, name) = (mangled(namespace), mangled(name));
        format!("{SPACE}/{domain}/{session}/{node}/{number}/{kind}/%/{namespace}/{name}")
    }
}

/// A publisher, a subscriber, a service or a client of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct EndpointToken {
    /// The node.
    pub node: NodeName,
    /// Number in its session.
    pub number: u32,
    /// Kind.
    pub kind: EndpointKind,
    /// Name of the topic or the service, such as `/robot/odom`.
    pub topic: String,
    /// Name of the type, such as `nav_msgs/msg/Odometry`.
    pub type_name: String,
    /// Hash of the type, as a text.
    pub hash: String,
    /// Quality of service.
    pub qos: Qos,
}

impl fmt::Display for EndpointToken {
    /// Writes the token.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, number, kind, topic, type_name, hash, qos } = self;
        let (start, topic) = (node.start(*number, kind.name()), mangled(topic));
        write!(formatter, "{start}/{topic}/{}/{hash}/{qos}", type_in_key(type_name))
    }
}

/// Returns the key expression of all tokens of a domain.
pub fn tokens_of_domain(domain: u32) -> String {
    format!("{SPACE}/{domain}/**")
}

/// Reads the token of an endpoint; `None` for tokens of nodes and for other texts.
pub fn parse_token(text: &str) -> Option<EndpointToken> {
    let mut parts = text.split('/');
    let mut next = || parts.next().filter(|part| !part.is_empty());
    if next()? != SPACE {
        return None;
    }
    let (domain, session, node, number) = (next()?, next()?, next()?, next()?);
    let kind = next()?;
    let (kind, _) = EndpointKind::ALL.into_iter().find(|(_, name)| *name == kind)?;
    let (_enclave, namespace, name) = (next()?, plain(next()?), plain(next()?));
    let (topic, type_name, hash, qos) = (plain(next()?), type_of_key(next()?), next()?, next()?);
    let node = NodeName {
        domain: domain.parse().ok()?,
        session: session.to_owned(),
        number: node.parse().ok()?,
        namespace: namespace.trim_end_matches('/').to_owned(),
        name,
    };
    let number = number.parse().ok()?;
    let (hash, qos) = (hash.to_owned(), Qos::parse(qos)?);
    Some(EndpointToken { node, number, kind, topic, type_name, hash, qos })
}

/// Returns a name as one part of a key.
fn mangled(name: &str) -> String {
    name.replace('/', "%")
}

fn plain(name: &str) -> String {
    name.replace('%', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(namespace: &str) -> NodeName {
        NodeName {
            domain: 2,
            session: "a1b2".to_owned(),
            number: 0,
            namespace: namespace.to_owned(),
            name: "simhost".to_owned(),
        }
    }

    #[test]
    fn tokens_are_those_of_the_design_document() {
        // liveliness_utils.cpp of rmw_zenoh: empty namespaces and enclaves are %, and slashes in names too
        assert_eq!(node("").token(), "@ros2_lv/2/a1b2/0/0/NN/%/%/simhost");
        assert_eq!(node("/fleet/a").token(), "@ros2_lv/2/a1b2/0/0/NN/%/%fleet%a/simhost");
        let odometry = EndpointToken {
            node: node(""),
            number: 3,
            kind: EndpointKind::Publisher,
            topic: "/robot/odom".to_owned(),
            type_name: "nav_msgs/msg/Odometry".to_owned(),
            hash: "RIHS01_00".to_owned(),
            qos: Qos::reliable(10),
        };
        let text = "@ros2_lv/2/a1b2/0/3/MP/%/%/simhost/%robot%odom/nav_msgs::msg::dds_::Odometry_/\
                    RIHS01_00/::,10:,:,:,,";
        assert_eq!(odometry.to_string(), text);
        assert_eq!(parse_token(text), Some(odometry));
    }

    #[test]
    fn texts_that_are_not_tokens_of_endpoints_are_left_out() {
        let whole = "@ros2_lv/0/a/0/1/MS/%/%ns/teleop/%cmd_vel/a::msg::dds_::B_/H/::,10:,:,:,,";
        let endpoint = parse_token(whole).unwrap();
        assert_eq!(endpoint.node.full_name(), "/ns/teleop");
        assert_eq!(endpoint.kind, EndpointKind::Subscriber);
        for end in 0..whole.len() {
            // the parts of liveliness, which nobody reads, may be missing
            assert_eq!(parse_token(&whole[..end]).is_some(), end >= whole.len() - 2, "{end}");
        }
        assert_eq!(parse_token("@ros2_lv/0/a/0/0/NN/%/%/simhost"), None);
        assert_eq!(
            parse_token("@ros2_lv/0/a/0/0/XX/%/%/n/t/a::msg::dds_::B_/H/::,10:,:,:,,"),
            None
        );
    }
}
