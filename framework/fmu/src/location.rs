//! The folder of the resources.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;

/// Returns the folder that an importer names: a path, or a URI with the scheme `file`.
///
/// FMI 2.0 prescribes a URI and FMI 3.0 a path, but importers mix them up.
pub fn folder(location: &str) -> PathBuf {
    let Some(rest) = location.strip_prefix("file:") else { return PathBuf::from(location) };
    let path = match rest.strip_prefix("//") {
        // after the host, which is empty or `localhost`
        Some(after) => after.find('/').map_or("", |start| &after[start..]),
        None => rest,
    };
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    // a drive of Windows
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => PathBuf::from(&path[1..]),
        _ => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::folder;

    #[test]
    fn uris_and_paths_are_folders() {
        for (location, expected) in [
            ("file:///tmp/a%20b/resources", "/tmp/a b/resources"),
            ("file://localhost/tmp/resources", "/tmp/resources"),
            ("file:/tmp/resources", "/tmp/resources"),
            ("file:///C:/fmu/resources", "C:/fmu/resources"),
            ("/tmp/50%25/resources/", "/tmp/50%25/resources/"),
        ] {
            assert_eq!(folder(location), PathBuf::from(expected));
        }
    }
}
