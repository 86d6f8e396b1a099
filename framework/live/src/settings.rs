//! Settings of a server, and the errors with which it does not start.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

/// Port if none is given, which Foxglove suggests.
const PORT: u16 = 8765;

/// Settings of a [`Server`](crate::Server).
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Address on which it listens. Port 0 selects a free port.
    pub address: SocketAddr,
    /// Token that each client has to give. Addresses other than loopback need one.
    pub token: Option<String>,
    /// Origins of web pages that may connect, in addition to pages of this machine and of Foxglove.
    pub origins: Vec<String>,
    /// Name that clients show, such as the name of the world.
    pub name: String,
    /// Largest number of clients at a time.
    pub max_clients: usize,
    /// Largest message from a client, bytes.
    pub max_message: usize,
    /// Largest backlog of samples of one client, bytes. The oldest samples beyond it are dropped.
    pub max_backlog: usize,
    /// Largest number of samples of one stream in a second of wall time.
    pub rate: f64,
    /// Files of the page that browsers open; none in programs without it.
    pub page: &'static [PageFile],
}

impl ServerSettings {
    /// Creates the default settings for an address.
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            token: None,
            origins: Vec::new(),
            name: "simhost".to_owned(),
            max_clients: 16,
            max_message: 1 << 20,
            max_backlog: 16 << 20,
            rate: 60.0,
            page: &[],
        }
    }

    /// Checks that other machines can connect only with a token.
    ///
    /// # Errors
    /// [`LiveError::Token`] if the address is not a loopback address and there is no token.
    pub fn check(&self) -> Result<(), LiveError> {
        let is_open = self.token.as_ref().is_none_or(String::is_empty);
        match is_open && !self.address.ip().is_loopback() {
            true => Err(LiveError::Token(self.address)),
            false => Ok(()),
        }
    }
}

/// Returns the address that a text describes: `HOST:PORT`, `HOST` or `PORT`. The host is 127.0.0.1 and the
/// port 8765 if they are missing.
///
/// # Errors
/// [`LiveError::Address`] if the text is none of them, or no address of the host is known.
pub fn resolve(text: &str) -> Result<SocketAddr, LiveError> {
    let text = text.trim();
    let invalid = |cause: String| LiveError::Address { found: text.to_owned(), cause };
    if text.is_empty() {
        return Ok(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), PORT));
    }
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Ok(address);
    }
    if let Ok(host) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Ok(SocketAddr::new(host, PORT));
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let port = text.parse().map_err(|_| invalid("expected a port up to 65535".to_owned()))?;
        return Ok(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port));
    }
    let expected = "expected HOST:PORT, HOST or PORT, such as 127.0.0.1:8765";
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().map_err(|_| invalid(expected.to_owned()))?),
        None => (text, PORT),
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if host.is_empty() || !host.bytes().all(is_name) {
        return Err(invalid(expected.to_owned()));
    }
    let mut found = (host, port).to_socket_addrs().map_err(|error| invalid(error.to_string()))?;
    let first = found.next();
    // clients that try IPv4 alone must reach `localhost`
    let address = found.find(SocketAddr::is_ipv4).filter(|_| first.is_none_or(|one| one.is_ipv6()));
    address.or(first).ok_or_else(|| invalid("the host has no address".to_owned()))
}

/// A server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The text does not describe an address.
    #[error("cannot listen on '{found}': {cause}")]
    Address {
        /// The text.
        found: String,
        /// The cause.
        cause: String,
    },
    /// Other machines could connect without a token.
    #[error("cannot listen on {0} without a token: other machines could control the simulation")]
    Token(SocketAddr),
    /// The address cannot be used.
    #[error("cannot listen on {address}: {}", cause(.error))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

fn cause(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "another program uses this address".to_owned(),
        io::ErrorKind::AddrNotAvailable => "this machine does not have this address".to_owned(),
        _ => error.to_string(),
    }
}

/// A file of the page, compressed with gzip.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Path at which it is served, such as `/app.js`.
    pub path: &'static str,
    /// Type of its content.
    pub kind: &'static str,
    /// The compressed content.
    pub gzip: &'static [u8],
}

#[cfg(test)]
mod tests {
    use super::{ServerSettings, resolve};

    #[test]
    fn parts_of_an_address_can_be_missing() {
        for (text, address) in [
            ("", "127.0.0.1:8765"),
            ("9000", "127.0.0.1:9000"),
            ("0.0.0.0", "0.0.0.0:8765"),
            ("0.0.0.0:1", "0.0.0.0:1"),
            ("[::1]:80", "[::1]:80"),
            ("::1", "[::1]:8765"),
            ("localhost:9000", "127.0.0.1:9000"),
            ("localhost", "127.0.0.1:8765"),
        ] {
            assert_eq!(resolve(text).unwrap().to_string(), address, "{text}");
        }
        for text in ["70000", "localhost:x", ":80", "a b", "worlds/demo.world.xml", "127.0.0.1:"] {
            assert!(resolve(text).unwrap_err().to_string().contains("expected"), "{text}");
        }
    }

    #[test]
    fn other_machines_need_a_token() {
        let mut settings = ServerSettings::new("0.0.0.0:8765".parse().unwrap());
        assert!(settings.check().is_err());
        settings.token = Some(String::new());
        assert!(settings.check().is_err());
        settings.token = Some("secret".to_owned());
        assert!(settings.check().is_ok());
        assert!(ServerSettings::new("127.0.0.1:0".parse().unwrap()).check().is_ok());
        assert!(ServerSettings::new("[::1]:0".parse().unwrap()).check().is_ok());
    }
}
