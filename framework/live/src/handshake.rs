//! Checks of a client before it is connected: token, origin and subprotocol.

use percent_encoding::percent_decode_str;
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::header::{AUTHORIZATION, HOST, ORIGIN, SEC_WEBSOCKET_PROTOCOL};
use tungstenite::http::{HeaderValue, StatusCode, Uri};

use crate::settings::ServerSettings;

/// Subprotocols in the order of preference: the subprotocol of the Foxglove SDK, and the older one
/// for Lichtblick. The messages are the same.
pub const SUBPROTOCOLS: [&str; 2] = ["foxglove.sdk.v1", "foxglove.websocket.v1"];

/// Origins of programs that show live data: the web application of Foxglove, and desktop applications,
/// whose pages are files.
const KNOWN_ORIGINS: [&str; 3] =
    ["https://app.foxglove.dev", "https://studio.foxglove.dev", "file://"];

/// Accepts a request with the best subprotocol, or refuses it.
pub fn check(
    request: &Request,
    mut response: Response,
    settings: &ServerSettings,
) -> Result<Response, Refusal> {
    check_host(request, settings)?;
    check_origin(request, settings)?;
    check_token(request, settings)?;
    let offered: Vec<&str> = request
        .headers()
        .get_all(SEC_WEBSOCKET_PROTOCOL)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(str::trim))
        .collect();
    let Some(protocol) = SUBPROTOCOLS.iter().find(|known| offered.contains(known)) else {
        let found = match offered.is_empty() {
            true => "none".to_owned(),
            false => format!("'{}'", offered.join("', '")),
        };
        let text =
            format!("subprotocol: found {found}; expected '{}'", SUBPROTOCOLS.join("' or '"));
        return Err(Refusal::new(StatusCode::BAD_REQUEST, text));
    };
    response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(protocol));
    Ok(response)
}

/// Refuses web pages of strangers. A page can connect to this machine from its reader's browser, so
/// this holds on loopback too. Programs that are not browsers send no origin.
fn check_origin(request: &Request, settings: &ServerSettings) -> Result<(), Refusal> {
    let Some(origin) = request.headers().get(ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or("");
    let is_listed = KNOWN_ORIGINS.contains(&origin)
        || settings.origins.iter().any(|known| known.trim_end_matches('/') == origin);
    let is_own = origin.split_once("://").is_some_and(|(_, host)| {
        request.headers().get(HOST).is_some_and(|own| own.as_bytes() == host.as_bytes())
    });
    if is_listed || is_own || is_of_this_machine(origin) {
        return Ok(());
    }
    let text = format!("web pages of '{origin}' may not connect; allow them with --live-origin");
    Err(Refusal::new(StatusCode::FORBIDDEN, text))
}

/// Refuses names of strangers that lead to a loopback address, because the page of a stranger could give its own name
/// this address (DNS rebinding). Other addresses need a token.
fn check_host(request: &Request, settings: &ServerSettings) -> Result<(), Refusal> {
    if !settings.address.ip().is_loopback() || !request.headers().contains_key(HOST) {
        return Ok(());
    }
    let host = host_of(request).unwrap_or("");
    let is_listed = settings.origins.iter().any(|known| {
        known.parse::<Uri>().is_ok_and(|known| known.host() == Some(host) && !host.is_empty())
    });
    match is_listed || is_this_machine(host) {
        true => Ok(()),
        false => {
            let text = format!("this address is not '{host}'; open it as localhost or 127.0.0.1");
            Err(Refusal::new(StatusCode::FORBIDDEN, text))
        }
    }
}

/// Checks a request of HTTP for the page.
pub fn check_page(request: &Request, settings: &ServerSettings) -> Result<(), Refusal> {
    check_host(request, settings)?;
    check_origin(request, settings)
}

/// Returns the name of the host in a header `Host`, without its port.
fn host_of(request: &Request) -> Option<&str> {
    let host = request.headers().get(HOST)?.to_str().ok()?;
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some(name),
        _ => Some(host),
    }
}

fn is_this_machine(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

fn is_of_this_machine(origin: &str) -> bool {
    let Ok(uri) = origin.parse::<Uri>() else { return false };
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    is_web && uri.host().is_some_and(is_this_machine)
}

/// Refuses clients that do not know the token. It is in the query of the address (`/?token=...`) or in
/// the header `Authorization: Bearer ...`.
pub fn check_token(request: &Request, settings: &ServerSettings) -> Result<(), Refusal> {
    let Some(token) = &settings.token else { return Ok(()) };
    let query = request.uri().query().unwrap_or("");
    let in_query = query.split('&').find_map(|pair| pair.strip_prefix("token="));
    let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    // the name of a scheme has any case (RFC 9110, section 11.1)
    let in_header = header.and_then(|value| value.split_once(' '));
    let in_header = in_header.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let in_header = in_header.map(|(_, token)| token.trim_start());
    let given = in_query
        .map(|text| percent_decode_str(text).collect())
        .or_else(|| in_header.map(|text| text.as_bytes().to_vec()));
    match given {
        Some(given) if is_equal(&given, token.as_bytes()) => Ok(()),
        Some(_) => Err(Refusal::new(StatusCode::UNAUTHORIZED, "the token is wrong".to_owned())),
        None => {
            let text = "a token is needed: append /?token=TOKEN to the address".to_owned();
            Err(Refusal::new(StatusCode::UNAUTHORIZED, text))
        }
    }
}

/// Compares in a time that does not depend on the position of the first difference.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

/// The reason why a client is refused.
#[derive(Debug)]
pub struct Refusal {
    /// Status of HTTP.
    pub status: StatusCode,
    /// Sentence for the user of the client.
    pub text: String,
}

impl Refusal {
    /// Creates a refusal with a status of HTTP.
    pub fn new(status: StatusCode, text: String) -> Self {
        Self { status, text: format!("simhost: {text}\n") }
    }

    /// Returns the response that the client receives.
    pub fn response(self) -> ErrorResponse {
        let mut response = ErrorResponse::new(None);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert("Connection", HeaderValue::from_static("close"));
        headers.insert("Content-Type", HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert("Content-Length", HeaderValue::from(self.text.len()));
        *response.body_mut() = Some(self.text);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::settings::ServerSettings;
    use tungstenite::handshake::server::{Request, Response};

    fn request(uri: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap()
    }

    const V1: (&str, &str) = ("Sec-WebSocket-Protocol", "foxglove.websocket.v1");

    fn status(request: &Request, settings: &ServerSettings) -> u16 {
        match check(request, Response::new(()), settings) {
            Ok(_) => 101,
            Err(refused) => refused.status.as_u16(),
        }
    }

    #[test]
    fn the_newest_subprotocol_is_chosen() {
        let settings = ServerSettings::new("127.0.0.1:0".parse().unwrap());
        let both = "x, foxglove.websocket.v1 ,foxglove.sdk.v1";
        for (offered, chosen) in
            [(both, "foxglove.sdk.v1"), ("foxglove.websocket.v1", "foxglove.websocket.v1")]
        {
            let request = request("/", &[("Sec-WebSocket-Protocol", offered)]);
            let response = check(&request, Response::new(()), &settings).unwrap();
            assert_eq!(response.headers()["Sec-WebSocket-Protocol"], chosen);
        }
        assert_eq!(status(&request("/", &[]), &settings), 400);
        let other = request("/", &[("Sec-WebSocket-Protocol", "mqtt")]);
        assert_eq!(status(&other, &settings), 400);
    }

    #[test]
    fn web_pages_of_strangers_are_refused_on_loopback_too() {
        let mut settings = ServerSettings::new("127.0.0.1:0".parse().unwrap());
        let of = |origin| request("/", &[V1, ("Origin", origin)]);
        for good in [
            "https://app.foxglove.dev",
            "http://localhost:8080",
            "http://127.0.0.1",
            "https://[::1]:3000",
            "file://",
        ] {
            assert_eq!(status(&of(good), &settings), 101, "{good}");
        }
        let bad = [
            "https://evil.example",
            "null",
            "http://localhost.evil.example",
            "https://app.foxglove.dev.evil.example",
            "ftp://localhost",
            "",
        ];
        for bad in bad {
            assert_eq!(status(&of(bad), &settings), 403, "{bad}");
        }
        settings.origins.push("https://evil.example/".to_owned());
        assert_eq!(status(&of("https://evil.example"), &settings), 101);
    }

    #[test]
    fn a_token_is_in_the_query_or_in_a_header() {
        let mut settings = ServerSettings::new("0.0.0.0:0".parse().unwrap());
        settings.token = Some("a b%".to_owned());
        let bearer = |token| request("/", &[V1, ("Authorization", token)]);
        assert_eq!(status(&request("/", &[V1]), &settings), 401);
        assert_eq!(status(&request("/?token=a", &[V1]), &settings), 401);
        assert_eq!(status(&request("/?token=", &[V1]), &settings), 401);
        assert_eq!(status(&request("/?x=1&token=a%20b%25", &[V1]), &settings), 101);
        assert_eq!(status(&bearer("Bearer a b%"), &settings), 101);
        assert_eq!(status(&bearer("bearer a b%"), &settings), 101);
        assert_eq!(status(&bearer("BEARER  a b%"), &settings), 101);
        assert_eq!(status(&bearer("Bearer a"), &settings), 401);
        assert_eq!(status(&bearer("Basic a b%"), &settings), 401);
    }
}
