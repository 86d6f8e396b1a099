//! Parsing of the addresses in world files.

use std::path::{Component, Path, PathBuf};

use crate::FetchError;

/// Maximum length of an address in bytes.
const MAX_LENGTH: usize = 4096;

/// A parsed address.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Address {
    /// A local file.
    File(PathBuf),
    /// A member of a local archive.
    Member { archive: PathBuf, member: String },
    /// A file on a server, or a member of an archive there.
    Remote { url: String, member: Option<String> },
}

impl Address {
    pub(crate) fn parse(uri: &str, base_dir: &Path) -> Result<Self, FetchError> {
        let uri = uri.trim();
        let wrong = |detail| {
            let uri = uri.chars().take(200).collect();
            Err(FetchError::Address { uri, detail })
        };
        if uri.is_empty() {
            return wrong("it is empty");
        }
        if uri.len() > MAX_LENGTH || uri.chars().any(char::is_control) {
            return wrong("it is too long or contains control characters");
        }
        match uri.split_once("://") {
            Some((scheme, rest)) if is_http(scheme) => {
                if rest.is_empty() || rest.starts_with('/') {
                    return wrong("it has no host");
                }
                Ok(Self::remote(uri))
            }
            Some((scheme, path)) if scheme.eq_ignore_ascii_case("file") => {
                Ok(Self::local(&base_dir.join(path)))
            }
            // a path can contain a colon
            Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => {
                wrong("unknown scheme")
            }
            _ => Ok(Self::local(&base_dir.join(uri))),
        }
    }

    fn remote(uri: &str) -> Self {
        let query = uri.find(['?', '#']).unwrap_or(uri.len());
        match uri[..query].to_ascii_lowercase().find(".zip/") {
            Some(at) if at + 5 < query => Self::Remote {
                url: format!("{}{}", &uri[..at + 4], &uri[query..]),
                member: Some(uri[at + 5..query].to_owned()),
            },
            _ => Self::Remote { url: uri.to_owned(), member: None },
        }
    }

    /// Parses a local path. A component with the extension `zip` is an archive unless it is a
    /// directory.
    fn local(path: &Path) -> Self {
        let mut archive = PathBuf::new();
        let mut parts = path.components();
        while let Some(part) = parts.next() {
            archive.push(part);
            let zip = archive.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"));
            let inner = parts.as_path();
            if zip && inner != Path::new("") && !archive.is_dir() {
                let member = inner.to_string_lossy().into_owned();
                return Self::Member { archive, member };
            }
        }
        Self::File(path.to_owned())
    }
}

fn is_http(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Returns a relative path, or `None` if it leads out of the directory that it is relative to.
/// Backslashes and drive letters, which lead elsewhere on some platforms, are rejected.
pub(crate) fn inside(path: &str) -> Option<PathBuf> {
    let plain = !path.contains(['\\', ':', '\0']);
    let path = Path::new(path);
    let stays =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let path: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    (plain && stays && path != Path::new("")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(uri: &str) -> Address {
        Address::parse(uri, Path::new("/worlds")).unwrap()
    }

    fn remote(url: &str, member: Option<&str>) -> Address {
        Address::Remote { url: url.to_owned(), member: member.map(str::to_owned) }
    }

    #[test]
    fn paths_and_addresses() {
        assert_eq!(parse("a/b.dae"), Address::File("/worlds/a/b.dae".into()));
        assert_eq!(parse("../b: c.dae"), Address::File("/worlds/../b: c.dae".into()));
        assert_eq!(parse("file://a.dae"), Address::File("/worlds/a.dae".into()));
        assert_eq!(parse("file:///a.dae"), Address::File("/a.dae".into()));
        assert_eq!(parse(" http://h/a.dae "), remote("http://h/a.dae", None));
        assert_eq!(parse("a.zip"), Address::File("/worlds/a.zip".into()));
    }

    #[test]
    fn members_of_archives() {
        let member = Address::Member { archive: "/worlds/a.zip".into(), member: "b/c.dae".into() };
        assert_eq!(parse("a.zip/b/c.dae"), member);
        assert_eq!(parse("https://h/A.ZIP/b/c.dae"), remote("https://h/A.ZIP", Some("b/c.dae")));
        assert_eq!(
            parse("http://h/a.zip/c.dae?key=1"),
            remote("http://h/a.zip?key=1", Some("c.dae"))
        );
        assert_eq!(parse("http://h/a.zip/"), remote("http://h/a.zip/", None));
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("all.zip")).unwrap();
        let within = folder.path().join("all.zip/a.dae");
        assert_eq!(Address::parse("all.zip/a.dae", folder.path()).unwrap(), Address::File(within));
    }

    #[test]
    fn invalid_addresses_are_rejected() {
        for uri in ["", "  ", "ftp://h/a", "http://", "https:///a", "a\0b", &"a".repeat(5000)] {
            assert!(Address::parse(uri, Path::new("/")).is_err(), "{uri}");
        }
    }

    #[test]
    fn paths_stay_inside() {
        assert_eq!(inside("a/./b"), Some(PathBuf::from("a/b")));
        for path in ["../a", "a/../../b", "/a", "", ".", "c:a", "a\\..\\b"] {
            assert_eq!(inside(path), None, "{path}");
        }
    }
}
