//! The head of a request of HTTP.

use std::io::Read;

use tungstenite::handshake::server::Request;
use tungstenite::http::header::UPGRADE;

/// Largest head of a request, bytes.
const MAX_HEAD: usize = 16 << 10;
/// Most headers of a request.
const MAX_HEADERS: usize = 100;

/// The head of a request.
pub struct Head {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its method, path and headers.
    pub request: Request,
}

impl Head {
    /// Reads the head of a request. Returns an error for what is not HTTP.
    ///
    /// # Errors
    /// The reason for which the bytes are not the head of a request.
    pub fn read(mut from: impl Read) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let mut buffer = [0; 2048];
        loop {
            let read = from.read(&mut buffer).map_err(|error| error.to_string())?;
            if read == 0 {
                return Err("the connection ended within the request".to_owned());
            }
            bytes.extend_from_slice(&buffer[..read]);
            if let Some(request) = parse(&bytes)? {
                return Ok(Self { bytes, request });
            }
            if bytes.len() > MAX_HEAD {
                return Err(format!("the head of the request has more than {MAX_HEAD} bytes"));
            }
        }
    }

    /// Returns whether the client wants to speak WebSocket from now on.
    pub fn is_upgrade(&self) -> bool {
        let upgrade = self.request.headers().get(UPGRADE).and_then(|value| value.to_str().ok());
        upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
    }
}

/// Parses the head of a request, if it is complete.
fn parse(bytes: &[u8]) -> Result<Option<Request>, String> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    if parsed.parse(bytes).map_err(|error| format!("not a request of HTTP: {error}"))?.is_partial()
    {
        return Ok(None);
    }
    let (method, path) = (parsed.method.unwrap_or_default(), parsed.path.unwrap_or_default());
    let mut request = Request::builder().method(method).uri(path);
    for header in parsed.headers.iter() {
        request = request.header(header.name, header.value);
    }
    request.body(()).map(Some).map_err(|error| format!("not a request of HTTP: {error}"))
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn what_is_not_http_is_refused() {
        for bytes in [&b"\x16\x03\x01\x02\x00\x01\x00"[..], b"GET /\r\n\r\n", b"GET / HT"] {
            assert!(Head::read(bytes).is_err(), "{bytes:?}");
        }
        let endless = std::io::Read::chain(&b"GET / HTTP/1.1\r\nA: "[..], std::io::repeat(b'a'));
        assert!(Head::read(endless).err().unwrap().contains("more than 16384 bytes"));
    }
}
