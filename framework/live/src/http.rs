//! Requests of HTTP on the port of the server: the page, its assets, and a recording.
//! A browser receives the page if the program has one, otherwise a text that says what the port is.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::net::SocketAddr;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tungstenite::handshake::server::Request;
use tungstenite::http::header::RANGE;
use tungstenite::http::{Method, StatusCode};

use crate::handshake::{self, Refusal};
use crate::settings::ServerSettings;
use simhost_streams::SessionHost;

/// The permissions of the page in a browser: nothing that leads to another host, but for live servers.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The text that a browser shows without a page.
const NO_PAGE: &str = "This port serves a simulation of simhost to clients of the Foxglove WebSocket protocol, such as \
    Foxglove, Lichtblick or `simhost top`.\nThe program that runs it is built without the page that shows the simulation \
    in a browser: build it with `cargo build --release --features view`.\n";

/// Returns the address of the page. The token follows `#`, which a browser does not send.
pub fn page_address(address: SocketAddr, token: Option<&str>) -> String {
    let token = token.filter(|token| !token.is_empty());
    let token =
        token.map(|token| format!("#token={}", utf8_percent_encode(token, NON_ALPHANUMERIC)));
    format!("http://{address}/{}", token.unwrap_or_default())
}

/// Type of texts.
const TEXT: &str = "text/plain; charset=utf-8";

/// The answer to a request.
struct Reply<'a> {
    status: StatusCode,
    headers: Vec<(&'static str, &'static str)>,
    body: Cow<'a, [u8]>,
}

impl<'a> Reply<'a> {
    fn new(kind: &'static str, body: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { status: StatusCode::OK, headers: vec![("Content-Type", kind)], body: body.into() }
    }

    fn text(status: StatusCode, text: String) -> Self {
        Self { status, ..Self::new(TEXT, text.into_bytes()) }
    }

    fn write(&self, to: &mut impl Write, request: &Request) -> io::Result<()> {
        write_head(to, self.status, &self.headers, self.body.len() as u64)?;
        if *request.method() != Method::HEAD {
            to.write_all(&self.body)?;
        }
        to.flush()
    }
}

impl From<Refusal> for Reply<'_> {
    fn from(refusal: Refusal) -> Self {
        Self::text(refusal.status, refusal.text)
    }
}

/// Answers a request that is not one of WebSocket.
pub fn answer(
    to: &mut impl Write,
    request: &Request,
    settings: &ServerSettings,
    library: Option<&dyn SessionHost>,
) -> io::Result<()> {
    if let Err(refusal) = handshake::check_page(request, settings) {
        return Reply::from(refusal).write(to, request);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let text = "expected GET or HEAD\n".to_owned();
        return Reply::text(StatusCode::METHOD_NOT_ALLOWED, text).write(to, request);
    }
    let recording = library.and_then(SessionHost::recording);
    if let Some(reply) = of_page(request, settings, recording.is_some()) {
        return reply.write(to, request);
    }
    // what follows tells something about the run
    if let Err(refusal) = handshake::check_token(request, settings) {
        return Reply::from(refusal).write(to, request);
    }
    let path = request.uri().path();
    if let Some(recording) = recording.filter(|_| path == "/recording.mcap") {
        return send_file(to, request, recording);
    }
    let missing = || Reply::text(StatusCode::NOT_FOUND, "file not found\n".to_owned());
    library.and_then(|library| of_library(path, library)).unwrap_or_else(missing).write(to, request)
}

/// Returns what the page consists of.
fn of_page<'a>(
    request: &Request,
    settings: &ServerSettings,
    has_recording: bool,
) -> Option<Reply<'a>> {
    let path = request.uri().path();
    if path == "/" && settings.page.is_empty() {
        return Some(Reply::new(TEXT, NO_PAGE.as_bytes()));
    }
    if path == "/" && has_recording && request.uri().query().is_none() {
        // the page shows the recording in place of samples
        let headers = vec![("Location", "/?mcap=recording.mcap")];
        let body = Cow::Borrowed(&[][..]);
        return Some(Reply { status: StatusCode::FOUND, headers, body });
    }
    let file = settings.page.iter().find(|file| file.path == path)?;
    let mut reply = Reply::new(file.kind, file.gzip);
    reply.headers.push(("Content-Encoding", "gzip"));
    Some(reply)
}

/// Returns what is known about the world.
fn of_library<'a>(path: &str, library: &dyn SessionHost) -> Option<Reply<'a>> {
    if let Some(name) = path.strip_prefix("/asset/") {
        return Some(Reply::new("application/octet-stream", library.asset(name)?.to_vec()));
    }
    (path == "/describe.json").then(|| match library.describe() {
        Ok(text) => Reply::new("application/json", text.into_bytes()),
        Err(text) => Reply::text(StatusCode::NOT_FOUND, format!("{text}\n")),
    })
}

fn write_head(
    to: &mut impl Write,
    status: StatusCode,
    headers: &[(&str, &str)],
    len: u64,
) -> io::Result<()> {
    write!(
        to,
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len}\r\nCache-Control: no-cache\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n"
    )?;
    for (name, value) in headers {
        write!(to, "{name}: {value}\r\n")?;
    }
    write!(to, "\r\n")
}

/// Sends a file, or the range of it that the request names.
fn send_file(to: &mut impl Write, request: &Request, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let range = request.headers().get(RANGE).and_then(|value| range(value.to_str().ok()?, len));
    let (start, end) = range.unwrap_or((0, len));
    let status = if range.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    let part = format!("bytes {start}-{}/{len}", end.saturating_sub(1));
    let mut headers =
        vec![("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")];
    if range.is_some() {
        headers.push(("Content-Range", &part));
    }
    write_head(to, status, &headers, end - start)?;
    if *request.method() != Method::HEAD {
        file.seek(SeekFrom::Start(start))?;
        io::copy(&mut file.take(end - start), to)?;
    }
    to.flush()
}

/// Returns the start and the end of a range, such as `bytes=0-99`, within a length.
fn range(value: &str, len: u64) -> Option<(u64, u64)> {
    let (start, end) = value.strip_prefix("bytes=")?.split_once('-')?;
    let (start, end) = match (start.parse::<u64>(), end.parse::<u64>()) {
        (Ok(start), Ok(last)) => (start, last.saturating_add(1).min(len)),
        (Ok(start), Err(_)) if end.is_empty() => (start, len),
        (Err(_), Ok(count)) if start.is_empty() => (len.saturating_sub(count), len),
        _ => return None,
    };
    (start < end).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::{answer, range};
    use crate::head::Head;
    use crate::settings::{PageFile, ServerSettings};

    const PAGE: &[PageFile] = &[PageFile { path: "/", kind: "text/html", gzip: b"packed" }];

    fn answered(request: &str, settings: &ServerSettings) -> String {
        let Head { request, .. } = Head::read(request.replace('\n', "\r\n").as_bytes()).unwrap();
        let mut out = Vec::new();
        answer(&mut out, &request, settings, None).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn ranges_stay_within_the_file() {
        for (text, found) in [
            ("bytes=0-9", Some((0, 10))),
            ("bytes=90-", Some((90, 100))),
            ("bytes=90-1000", Some((90, 100))),
            ("bytes=-5", Some((95, 100))),
            ("bytes=100-", None),
            ("bytes=9-3", None),
            ("bytes=a-b", None),
            ("lines=0-9", None),
        ] {
            assert_eq!(range(text, 100), found, "{text}");
        }
    }

    #[test]
    fn a_browser_receives_the_page_or_learns_what_the_port_is() {
        let mut settings = ServerSettings::new("127.0.0.1:0".parse().unwrap());
        let get = "GET / HTTP/1.1\nHost: localhost:8765\n\n";
        assert!(answered(get, &settings).contains("--features view"));
        settings.page = PAGE;
        let page = answered(get, &settings);
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("\r\n\r\npacked"));
        assert!(page.contains("Content-Security-Policy: default-src 'none'"));
        let head = answered(&get.replace("GET", "HEAD"), &settings);
        assert!(head.contains("Content-Length: 6\r\n") && head.ends_with("\r\n\r\n"));
        let other = answered("GET /../etc/passwd HTTP/1.1\nHost: localhost\n\n", &settings);
        assert!(other.starts_with("HTTP/1.1 404 "), "{other}");
        let post = answered("POST / HTTP/1.1\nHost: localhost\n\n", &settings);
        assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
    }

    #[test]
    fn names_of_strangers_do_not_lead_to_a_loopback_address() {
        let settings =
            ServerSettings { page: PAGE, ..ServerSettings::new("127.0.0.1:0".parse().unwrap()) };
        for host in ["localhost:8765", "127.0.0.1", "[::1]:8765"] {
            let answer = answered(&format!("GET / HTTP/1.1\nHost: {host}\n\n"), &settings);
            assert!(answer.starts_with("HTTP/1.1 200 "), "{host}: {answer}");
        }
        for host in ["evil.example", "localhost.evil.example:8765", "10.0.0.1", ""] {
            let answer = answered(&format!("GET / HTTP/1.1\nHost: {host}\n\n"), &settings);
            assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
        }
    }

    #[test]
    fn assets_need_the_token_and_the_page_does_not() {
        let mut settings =
            ServerSettings { page: PAGE, ..ServerSettings::new("0.0.0.0:0".parse().unwrap()) };
        settings.token = Some("secret".to_owned());
        let page = answered("GET / HTTP/1.1\nHost: robot.example\n\n", &settings);
        assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
        let asset = "GET /asset/1 HTTP/1.1\nHost: robot.example\nAuthorization: Bearer TOKEN\n\n";
        assert!(answered(asset, &settings).starts_with("HTTP/1.1 401 "));
        assert!(
            answered(&asset.replace("TOKEN", "secret"), &settings).starts_with("HTTP/1.1 404 ")
        );
    }
}
