//! Local folders that replace parts of the network: `URL_PREFIX=DIR`.

use std::path::PathBuf;
use std::str::FromStr;

/// Schemes of addresses that can be mirrored.
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// Mirrors of one option or of `SIMHOST_MIRROR`: pairs of an address prefix and a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrors(pub Vec<(String, PathBuf)>);

impl FromStr for Mirrors {
    type Err = String;

    /// Parses `URL_PREFIX=DIR`, or several of them with separators in between.
    fn from_str(text: &str) -> Result<Self, String> {
        split(text).into_iter().map(mirror).collect::<Result<_, _>>().map(Self)
    }
}

/// Splits at `;`, and at the path separator of the platform, but only where an address follows: a
/// colon inside an address or a folder does not separate.
fn split(text: &str) -> Vec<&str> {
    let of_paths = if cfg!(windows) { ';' } else { ':' };
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (at, separator) in text.match_indices([';', of_paths]) {
        let next = at + separator.len();
        if next == text.len() || SCHEMES.iter().any(|scheme| text[next..].starts_with(scheme)) {
            pieces.push(&text[begin..at]);
            begin = next;
        }
    }
    pieces.push(&text[begin..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn mirror(text: &str) -> Result<(String, PathBuf), String> {
    let example = "expected URL_PREFIX=DIR, such as https://example.org/models=models";
    let (prefix, folder) = text.split_once('=').ok_or(example)?;
    if !SCHEMES.iter().any(|scheme| prefix.len() > scheme.len() && prefix.starts_with(scheme)) {
        return Err(format!("`{prefix}` is not an http or https address; {example}"));
    }
    if folder.is_empty() {
        return Err(format!("missing folder after `{prefix}=`; {example}"));
    }
    Ok((prefix.to_owned(), PathBuf::from(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(String, PathBuf)> {
        text.parse::<Mirrors>().unwrap().0
    }

    fn pair(prefix: &str, folder: &str) -> (String, PathBuf) {
        (prefix.to_owned(), folder.into())
    }

    #[test]
    fn mirrors_are_separated_where_an_address_follows() {
        let one = pair("http://h:8080/a", "/m:1;x");
        assert_eq!(parsed("http://h:8080/a=/m:1;x"), vec![one.clone()]);
        let two = pair("https://g/", "b=c");
        assert_eq!(parsed("http://h:8080/a=/m:1;x;https://g/=b=c;"), [one.clone(), two.clone()]);
        if !cfg!(windows) {
            assert_eq!(parsed("http://h:8080/a=/m:1;x:https://g/=b=c"), [one, two]);
        }
        assert_eq!(parsed(""), []);
    }

    #[test]
    fn invalid_mirrors_are_refused() {
        for wrong in ["models", "ftp://h/=m", "http://=m", "h/=m", "http://h/=", "=m"] {
            assert!(wrong.parse::<Mirrors>().is_err(), "{wrong}");
        }
    }
}
