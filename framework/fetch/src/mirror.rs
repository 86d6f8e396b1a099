//! Mirrors: local directories that replace a part of the network.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;

use crate::FetchError;
use crate::address::inside;

/// Address prefixes and their directories, longest prefix first.
pub(crate) struct Mirrors(Vec<(String, PathBuf)>);

impl Mirrors {
    pub(crate) fn new(mut mirrors: Vec<(String, PathBuf)>) -> Self {
        mirrors.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        Self(mirrors)
    }

    /// Returns the path of the local copy of an address, or `None` if no prefix matches. The file
    /// need not exist.
    pub(crate) fn find(&self, url: &str) -> Result<Option<PathBuf>, FetchError> {
        let path = &url[..url.find(['?', '#']).unwrap_or(url.len())];
        let matching = |(prefix, folder): &'_ (String, PathBuf)| {
            let rest = path.strip_prefix(prefix.as_str())?;
            // http://host/a is not a prefix of http://host/ab
            let whole = prefix.ends_with('/') || rest.starts_with('/') || rest.is_empty();
            whole.then(|| (folder.clone(), rest.trim_start_matches('/').to_owned()))
        };
        let Some((folder, rest)) = self.0.iter().find_map(matching) else { return Ok(None) };
        let rest = inside(&percent_decode_str(&rest).decode_utf8_lossy()).ok_or_else(|| {
            FetchError::Address {
                uri: url.to_owned(),
                detail: "it does not refer to a file below its mirror",
            }
        })?;
        Ok(Some(folder.join(rest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_wins_and_paths_stay_inside() {
        let mirrors = Mirrors::new(vec![
            ("http://h".to_owned(), "/short".into()),
            ("http://h/models/".to_owned(), "/long".into()),
        ]);
        let find = |url: &str| mirrors.find(url);
        assert_eq!(find("http://h/models/a.dae").unwrap(), Some("/long/a.dae".into()));
        assert_eq!(find("http://h/b%20c.dae?x=1").unwrap(), Some("/short/b c.dae".into()));
        assert_eq!(find("http://host/a").unwrap(), None);
        assert!(find("http://h/models/../../etc/passwd").is_err());
        assert!(find("http://h/models/%2e%2e/passwd").is_err());
        assert!(find("http://h").is_err());
    }
}
