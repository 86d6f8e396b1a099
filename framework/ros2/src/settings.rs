//! Settings of a set of ROS 2 nodes.

use std::str::FromStr;

use crate::error::Ros2Error;

/// Address of the router if none is given, as `rmw_zenoh_cpp` has it.
pub const DEFAULT_ADDRESS: &str = "tcp/localhost:7447";
/// Largest number of a domain.
const MAX_DOMAIN: u32 = 232;

/// Settings of a set of ROS 2 nodes.
#[derive(Clone, Debug)]
pub struct Ros2Settings {
    /// Address of the router: `tcp/HOST:PORT`; `None` for the default, or the address in the
    /// configuration of zenoh.
    pub address: Option<String>,
    /// Whether this process is a router.
    pub router: RouterUse,
    /// Whether the router of this process can listen on an address that other machines reach.
    pub is_open: bool,
    /// Number of the domain.
    pub domain: u32,
    /// Namespace of the node and of relative names, such as `/fleet`; empty for none.
    pub namespace: String,
    /// Distribution of the other nodes.
    pub distribution: RosDistribution,
    /// Names of topics; `None` for those that suit the world.
    pub names: Option<NameStyle>,
    /// Topics of transforms.
    pub transforms: TransformTopics,
    /// Whether velocities are commanded with stamps.
    pub is_stamped: bool,
    /// Whether the run publishes the transform from the map to the odometry, instead of a localisation.
    pub has_localisation: bool,
    /// Whether a single vehicle has its name in front of its topics, too.
    pub is_prefix_forced: bool,
    /// Number of samples that are kept of topics that are not sensors or transforms.
    pub history: u32,
    /// Pairs of names: the name in the run, and the name of the topic or the service that replaces
    /// it.
    pub remappings: Vec<Remapping>,
}

impl Default for Ros2Settings {
    fn default() -> Self {
        Self {
            address: None,
            router: RouterUse::Auto,
            is_open: false,
            domain: 0,
            namespace: String::new(),
            distribution: RosDistribution::Jazzy,
            names: None,
            transforms: TransformTopics::Common,
            is_stamped: false,
            has_localisation: true,
            is_prefix_forced: false,
            history: 10,
            remappings: Vec::new(),
        }
    }
}

impl Ros2Settings {
    /// Returns the absolute name of a topic or a service: inside the namespace unless it begins with `/`, and
    /// remapped.
    pub fn resolve(&self, name: &str) -> String {
        let absolute = match name.strip_prefix('/') {
            Some(_) => name.to_owned(),
            None => format!("{}/{name}", self.namespace),
        };
        let is_meant = |from: &str| match from.strip_prefix('/') {
            Some(_) => from == absolute,
            None => format!("{}/{from}", self.namespace) == absolute,
        };
        match self.remappings.iter().find(|one| is_meant(&one.from)) {
            None => absolute,
            Some(Remapping { to, .. }) if to.starts_with('/') => to.clone(),
            Some(Remapping { to, .. }) => format!("{}/{to}", self.namespace),
        }
    }
}

/// A name that replaces another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remapping {
    /// Name in the run.
    pub from: String,
    /// Name on the wire.
    pub to: String,
}

impl FromStr for Remapping {
    type Err = Ros2Error;

    /// Reads a rule such as `/amr1/laser1/scan:=/amr1/scan`.
    fn from_str(text: &str) -> Result<Self, Ros2Error> {
        let wrong = || Ros2Error::Setting {
            name: "the remapping",
            found: text.to_owned(),
            expected: "FROM:=TO with names of topics or services, such as cmd_vel:=/robot/cmd_vel"
                .to_owned(),
        };
        let (from, to) = text.split_once(":=").ok_or_else(wrong)?;
        let from = from.strip_prefix("rostopic://").unwrap_or(from);
        let is_valid = |name: &str| is_name(name.strip_prefix('/').unwrap_or(name));
        if !is_valid(from) || !is_valid(to) {
            return Err(wrong());
        }
        Ok(Self { from: from.to_owned(), to: to.to_owned() })
    }
}

/// Whether this process is a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouterUse {
    /// It is one if no other answers.
    Auto,
    /// It is none.
    Never,
    /// It is one.
    Only,
}

/// Distribution of ROS 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RosDistribution {
    /// Humble Hawksbill, which has no hashes of types.
    Humble,
    /// Jazzy Jalisco.
    Jazzy,
    /// Kilted Kaiju.
    Kilted,
    /// Lyrical Luth.
    Lyrical,
    /// The present state.
    Rolling,
}

/// Names of topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameStyle {
    /// As in MVSim's node.
    Mvsim,
    /// As in the streams.
    Plain,
    /// As in Autoware's simulator.
    Autoware,
}

/// Topics of transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransformTopics {
    /// One pair of topics, in which the frames of vehicles have their names.
    Common,
    /// A pair per vehicle, with frames without its name.
    PerRobot,
}

/// Lists the names of the values of settings.
macro_rules! named {
    ($($kind:ident: $what:literal, $($value:ident $name:literal)+;)+) => {
        $(impl $kind {
            /// All values with their names.
            pub const ALL: &[(&'static str, Self)] = &[$(($name, Self::$value)),+];
        }

        impl FromStr for $kind {
            type Err = Ros2Error;

            fn from_str(text: &str) -> Result<Self, Ros2Error> {
                let found = Self::ALL.iter().find(|(name, _)| *name == text);
                found.map(|(_, value)| *value).ok_or_else(|| Ros2Error::Setting {
                    name: $what,
                    found: text.to_owned(),
                    expected: [$($name),+].join(", "),
                })
            }
        })+
    };
}

named! {
    RouterUse: "the use of a router", Auto "auto" Never "never" Only "only";
    RosDistribution: "the distribution",
        Humble "humble" Jazzy "jazzy" Kilted "kilted" Lyrical "lyrical" Rolling "rolling";
    NameStyle: "the style of names", Mvsim "mvsim" Plain "plain" Autoware "autoware";
    TransformTopics: "the topics of transforms", Common "common" PerRobot "per-robot";
}

/// Reads the number of a domain.
///
/// # Errors
/// [`Ros2Error::Setting`] if it is not a number from 0 to 232.
pub fn domain(text: &str) -> Result<u32, Ros2Error> {
    let number = text.trim().parse().ok().filter(|number| *number <= MAX_DOMAIN);
    number.ok_or_else(|| Ros2Error::Setting {
        name: "the domain",
        found: text.to_owned(),
        expected: format!("a whole number from 0 to {MAX_DOMAIN}"),
    })
}

/// Reads a namespace, and returns it with a slash in front, or empty.
///
/// # Errors
/// [`Ros2Error::Setting`] if ROS does not accept its characters.
pub fn namespace(text: &str) -> Result<String, Ros2Error> {
    let inner = text.trim_matches('/');
    match inner.is_empty() || is_name(inner) {
        true if inner.is_empty() => Ok(String::new()),
        true => Ok(format!("/{inner}")),
        false => Err(Ros2Error::Setting {
            name: "the namespace",
            found: text.to_owned(),
            expected: "letters, digits and underscores between slashes, such as /fleet".to_owned(),
        }),
    }
}

/// Returns the endpoint of zenoh for an address: `tcp/HOST:PORT` or `HOST:PORT`.
///
/// # Errors
/// [`Ros2Error::Address`] if it is not one.
pub fn endpoint(text: &str) -> Result<String, Ros2Error> {
    let wrong = || Ros2Error::Address { found: text.to_owned() };
    let address = text.trim();
    let address = address.strip_prefix("tcp/").unwrap_or(address);
    let (host, port) = address.rsplit_once(':').ok_or_else(wrong)?;
    let is_host = !host.is_empty() && !host.contains(['/', ' ', '?', '#']);
    match is_host && port.parse::<u16>().is_ok() {
        true => Ok(format!("tcp/{address}")),
        false => Err(wrong()),
    }
}

/// Returns whether ROS accepts a name without its first slash.
fn is_name(name: &str) -> bool {
    name.split('/').all(|part| {
        part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_in_the_namespace_and_remapped() {
        let rules = ["/amr1/laser1/scan:=/amr1/scan", "odom:=wheel_odom", "/fleet/imu:=/imu"];
        let settings = Ros2Settings {
            namespace: "/fleet".to_owned(),
            remappings: rules.iter().map(|rule| rule.parse().unwrap()).collect(),
            ..Ros2Settings::default()
        };
        for (name, expected) in [
            ("/clock", "/clock"),
            ("map", "/fleet/map"),
            ("odom", "/fleet/wheel_odom"),
            ("imu", "/imu"),
            ("/amr1/laser1/scan", "/amr1/scan"),
        ] {
            assert_eq!(settings.resolve(name), expected);
        }
        for wrong in ["odom", "odom:=", ":=odom", "a b:=c", "odom:=2d"] {
            assert!(wrong.parse::<Remapping>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn settings_are_read_from_texts() {
        assert_eq!(endpoint("tcp/localhost:7447").unwrap(), "tcp/localhost:7447");
        assert_eq!(endpoint("[::1]:7447").unwrap(), "tcp/[::1]:7447");
        for wrong in ["", "localhost", "udp/localhost:7447", "tcp/:7447", "tcp/a:99999", "w.xml"] {
            assert!(endpoint(wrong).is_err(), "{wrong}");
        }
        assert_eq!(namespace("fleet/a/").unwrap(), "/fleet/a");
        assert_eq!(namespace("/").unwrap(), "");
        assert!(namespace("/a b").is_err());
        assert_eq!(domain("12").unwrap(), 12);
        assert!(domain("233").is_err() && domain("-1").is_err() && domain("x").is_err());
        assert_eq!("per-robot".parse::<TransformTopics>().unwrap(), TransformTopics::PerRobot);
        let error = "foxy".parse::<RosDistribution>().unwrap_err().to_string();
        assert!(error.contains("jazzy") && error.contains("foxy"), "{error}");
    }
}
