//! The zenoh session of a process, which connects to a router or is one.

use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, Instant};

use zenoh::{Config, Session, Wait};

use crate::error::Ros2Error;
use crate::settings::{DEFAULT_ADDRESS, Ros2Settings, RouterUse, endpoint};

/// Time in which a router has to answer.
const PATIENCE: Duration = Duration::from_millis(500);
/// Environment variable with the file of the configuration of sessions.
const SESSION_FILE: &str = "ZENOH_SESSION_CONFIG_URI";
/// Environment variable with the file of the configuration of routers.
const ROUTER_FILE: &str = "ZENOH_ROUTER_CONFIG_URI";
/// Environment variable with values that override the configuration.
const OVERRIDE: &str = "ZENOH_CONFIG_OVERRIDE";

/// Configuration of sessions, as `rmw_zenoh_cpp` has it.
const SESSION: &[(&str, &str)] = &[
    ("mode", "\"peer\""),
    ("listen/endpoints", "[\"tcp/localhost:0\"]"),
    ("connect/retry", "{period_init_ms: 250, period_max_ms: 2000, period_increase_factor: 2}"),
    ("scouting/multicast/enabled", "false"),
    ("scouting/gossip/enabled", "true"),
    ("scouting/gossip/target", "{router: [\"router\", \"peer\"], peer: [\"router\"]}"),
    (
        "scouting/gossip/autoconnect_strategy",
        "{peer: {to_router: \"always\", to_peer: \"greater-zid\"}}",
    ),
    ("timestamping/enabled", "true"),
    ("queries_default_timeout", "60000"),
];

/// Configuration of routers, as `rmw_zenoh_cpp` has it.
const ROUTER: &[(&str, &str)] = &[
    ("mode", "\"router\""),
    ("connect/endpoints", "[]"),
    ("listen/exit_on_failure", "true"),
    ("listen/timeout_ms", "0"),
    ("scouting/multicast/enabled", "false"),
    ("scouting/gossip/enabled", "true"),
    ("scouting/gossip/target", "{router: [\"router\", \"peer\"], peer: [\"router\"]}"),
    ("routing/router/peers_failover_brokering", "true"),
    ("timestamping/enabled", "true"),
    ("queries_default_timeout", "60000"),
];

/// The zenoh session of a process.
pub struct Link {
    /// The session.
    pub(crate) session: Session,
    /// Whether this process is the router.
    pub is_router: bool,
    /// Address of the router.
    pub address: String,
}

impl Link {
    /// Connects to a router, or becomes one.
    ///
    /// # Errors
    /// [`Ros2Error`] if the address is not valid or is used by another program, or no router answers and this
    /// process must not be one.
    pub fn open(settings: &Ros2Settings) -> Result<Self, Ros2Error> {
        let address = endpoint(settings.address.as_deref().unwrap_or(DEFAULT_ADDRESS))?;
        let is_configured = settings.address.is_none() && is_set(SESSION_FILE);
        // nobody can know a free port beforehand
        let is_new = address.ends_with(":0");
        match settings.router {
            RouterUse::Only => Self::router(&address, settings),
            RouterUse::Never if is_configured => Self::configured(),
            RouterUse::Auto if is_configured => Self::configured(),
            RouterUse::Never if !answers(&address) => Err(Ros2Error::NoRouter { address }),
            RouterUse::Auto if is_new || !answers(&address) => {
                match Self::router(&address, settings) {
                    // another process was faster
                    Err(_) if answers(&address) => Self::peer(&address),
                    other => other,
                }
            }
            _ => Self::peer(&address),
        }
    }

    /// Connects to the routers of the user's configuration.
    fn configured() -> Result<Self, Ros2Error> {
        let config = configuration(SESSION_FILE, SESSION, &[])?;
        let address = config.get_json("connect/endpoints").unwrap_or_default();
        let session = open(config, &address)?;
        Ok(Self { session, is_router: false, address })
    }

    /// Connects to the router at an address.
    fn peer(address: &str) -> Result<Self, Ros2Error> {
        let endpoints = format!("[\"{address}\"]");
        // the first connection has to succeed; later ones are repeated without end
        let own = [
            ("connect/endpoints", endpoints.as_str()),
            ("connect/exit_on_failure", "true"),
            ("connect/timeout_ms", "0"),
        ];
        let config = configuration(SESSION_FILE, SESSION, &own)?;
        let taken = |cause: String| Ros2Error::Taken {
            address: address.to_owned(),
            cause: first_line(&cause),
        };
        // a program that is silent keeps zenoh waiting for its answer for ten seconds
        let deadline = Instant::now() + 4 * PATIENCE;
        let (sender, opened) = std::sync::mpsc::sync_channel(1);
        std::thread::spawn(move || drop(sender.send(zenoh::open(config).wait())));
        let session = opened
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            .map_err(|_| taken("it sends nothing".to_owned()))?
            .map_err(|error| taken(error.to_string()))?;
        Ok(Self { session, is_router: false, address: address.to_owned() })
    }

    /// Becomes the router at an address.
    fn router(address: &str, settings: &Ros2Settings) -> Result<Self, Ros2Error> {
        if !settings.is_open && !is_of_this_machine(address) {
            return Err(Ros2Error::Open { address: address.to_owned() });
        }
        let endpoints = format!("[\"{address}\"]");
        let own = [("listen/endpoints", endpoints.as_str())];
        let config = configuration(ROUTER_FILE, ROUTER, &own)?;
        let session = open(config, address)?;
        let locators = session.info().locators().wait();
        let mut all = locators.iter().map(ToString::to_string);
        let address = match address.ends_with(":0") {
            true => all.find(|one| one.starts_with("tcp/")).unwrap_or_else(|| address.to_owned()),
            false => address.to_owned(),
        };
        Ok(Self { session, is_router: true, address })
    }

    /// Returns whether other machines can reach the router of this process.
    pub fn is_open(&self) -> bool {
        self.is_router && !is_of_this_machine(&self.address)
    }

    /// Returns what the user has to know: where the router is, and what the ROS side has to set.
    pub fn announcement(&self, settings: &Ros2Settings) -> String {
        let Self { is_router, address, .. } = self;
        if !is_router {
            return format!("ROS 2 nodes on the router at {address}, domain {}", settings.domain);
        }
        let mut text = format!(
            "no router found: this process is one at {address}; on the ROS side:\n  \
             export RMW_IMPLEMENTATION=rmw_zenoh_cpp"
        );
        if settings.router == RouterUse::Only {
            text = text.replacen(
                "no router found: this process is one",
                "this process is a router",
                1,
            );
        }
        if settings.domain != 0 {
            text.push_str(&format!("\n  export ROS_DOMAIN_ID={}", settings.domain));
        }
        if address != DEFAULT_ADDRESS {
            text.push_str(&format!(
                "\n  export ZENOH_CONFIG_OVERRIDE='connect/endpoints=[\"{address}\"]'"
            ));
        }
        text
    }
}

fn open(config: Config, address: &str) -> Result<Session, Ros2Error> {
    zenoh::open(config).wait().map_err(|error| Ros2Error::Session {
        address: address.to_owned(),
        cause: first_line(&error.to_string()),
    })
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

/// Returns whether a program listens on an address.
fn answers(address: &str) -> bool {
    let address = address.trim_start_matches("tcp/");
    let Ok(addresses) = address.to_socket_addrs() else { return false };
    let deadline = Instant::now() + PATIENCE;
    addresses.into_iter().any(|one| {
        let rest = deadline.saturating_duration_since(Instant::now());
        !rest.is_zero() && TcpStream::connect_timeout(&one, rest).is_ok()
    })
}

/// Returns whether only this machine can reach an address.
fn is_of_this_machine(address: &str) -> bool {
    let addresses = address.trim_start_matches("tcp/").to_socket_addrs();
    addresses.is_ok_and(|mut all| all.all(|one| one.ip().is_loopback()))
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns a configuration: the file of the user or else the default, with our own values and
/// overrides from the environment.
fn configuration(
    file: &'static str,
    default: &[(&str, &str)],
    own: &[(&str, &str)],
) -> Result<Config, Ros2Error> {
    let invalid = |place: &'static str, cause: String| Ros2Error::Configuration {
        place,
        cause: first_line(&cause),
    };
    let mut config = match std::env::var_os(file).filter(|path| !path.is_empty()) {
        Some(path) => Config::from_file(Path::new(&path))
            .map_err(|error| invalid(file, format!("{}: {error}", Path::new(&path).display())))?,
        None => {
            let mut config = Config::default();
            for (key, value) in default {
                config
                    .insert_json5(key, value)
                    .map_err(|error| invalid("simhost", format!("{key}: {error}")))?;
            }
            config
        }
    };
    for (key, value) in own {
        config
            .insert_json5(key, value)
            .map_err(|error| invalid("simhost", format!("{key}: {error}")))?;
    }
    let replaced = std::env::var(OVERRIDE).unwrap_or_default();
    for pair in replaced.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| invalid(OVERRIDE, format!("'{pair}' is not KEY=VALUE")))?;
        config
            .insert_json5(key.trim(), value.trim())
            .map_err(|error| invalid(OVERRIDE, format!("'{pair}': {error}")))?;
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;

    use super::*;

    fn settings(address: &str, router: RouterUse) -> Ros2Settings {
        Ros2Settings { address: Some(address.to_owned()), router, ..Ros2Settings::default() }
    }

    #[test]
    fn the_first_process_is_the_router_and_the_second_one_connects_to_it() {
        let first = Link::open(&settings("tcp/127.0.0.1:0", RouterUse::Auto)).unwrap();
        assert!(first.is_router);
        assert!(!first.address.ends_with(":0"), "{}", first.address);
        let text = first.announcement(&settings(&first.address, RouterUse::Auto));
        assert!(text.contains("export RMW_IMPLEMENTATION=rmw_zenoh_cpp"), "{text}");
        assert!(text.contains(&format!("[\"{}\"]", first.address)), "{text}");
        let second = Link::open(&settings(&first.address, RouterUse::Auto)).unwrap();
        assert!(!second.is_router);
        assert_eq!(second.session.info().routers_zid().wait().count(), 1);
    }

    #[test]
    fn a_router_for_other_machines_has_to_be_asked_for() {
        for (address, router) in
            [("tcp/0.0.0.0:0", RouterUse::Auto), ("tcp/[::]:0", RouterUse::Only)]
        {
            let closed = settings(address, router);
            let error = Link::open(&closed).err().unwrap();
            assert!(matches!(&error, Ros2Error::Open { .. }), "{error}");
        }
        let open = Ros2Settings { is_open: true, ..settings("tcp/0.0.0.0:0", RouterUse::Only) };
        assert!(Link::open(&open).unwrap().is_router);
        let closed = Link::open(&settings("tcp/127.0.0.1:0", RouterUse::Only)).unwrap();
        assert!(!closed.is_open());
    }

    #[test]
    fn a_port_without_a_router_is_an_error_that_names_it() {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("tcp/{}", free.local_addr().unwrap());
        drop(free);
        let error = Link::open(&settings(&address, RouterUse::Never)).err().unwrap();
        assert!(matches!(&error, Ros2Error::NoRouter { .. }), "{error}");
        // a program that speaks something else, and one that says nothing
        for greeting in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
            let other = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = format!("tcp/{}", other.local_addr().unwrap());
            std::thread::spawn(move || {
                let mut kept = Vec::new();
                for mut stream in other.incoming().flatten() {
                    if greeting.is_empty() {
                        kept.push(stream);
                    } else {
                        let _ = stream.write_all(greeting.as_bytes());
                    }
                }
            });
            let started = Instant::now();
            let error = Link::open(&settings(&address, RouterUse::Auto)).err().unwrap();
            assert!(matches!(&error, Ros2Error::Taken { .. }), "{error}");
            assert!(error.to_string().contains(&address), "{error}");
            assert!(started.elapsed() < Duration::from_secs(8));
        }
    }
}
