//! Folders that stand for a part of the network: `URL_PREFIX=DIR`.

use std::path::PathBuf;
use std::str::FromStr;

/// What an address of a resource may begin with.
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// The mirrors of one flag or of `SIMHOST_MIRROR`: address prefixes and their folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrors(pub Vec<(String, PathBuf)>);

impl FromStr for Mirrors {
    type Err = String;

    /// Reads `URL_PREFIX=DIR`, or several of them.
    fn from_str(text: &str) -> Result<Self, String> {
        split(text).into_iter().map(mirror).collect::<Result<_, _>>().map(Self)
    }
}

/// Cuts at `;`, and at the separator of paths of this platform, where an address follows: a colon that is
/// part of an address or of a folder separates nothing.
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
        return Err(format!("`{prefix}` is no http address; {example}"));
    }
    if folder.is_empty() {
        return Err(format!("no folder after `{prefix}=`"));
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
    fn several_mirrors_are_told_apart_by_the_address_that_follows() {
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
    fn what_is_no_mirror_is_refused() {
        for wrong in ["models", "ftp://h/=m", "http://=m", "h/=m", "http://h/=", "=m"] {
            assert!(wrong.parse::<Mirrors>().is_err(), "{wrong}");
        }
    }
}
