//! Which values are paths of resources.

use std::path::{Path, PathBuf};

use crate::numbers::parse_number;

/// Tags and attributes that hold the path of a resource, which may have a `%s` in it or lead into an
/// archive.
const RESOURCES: &[&str] = &[
    "file",
    "model_uri",
    "image",
    "texture",
    "texture_image",
    "textures",
    "elevation_image",
    "dem_xyzrgb_file",
    "file_txt_2d",
    "file_txt_3d",
    "controllers_yaml",
    "robot_description",
];
/// Tags and attributes that never hold one.
const NAMES: &[&str] = &["name", "class", "label", "publish_topic", "log_path"];

/// Longest path.
const MAX_LENGTH: usize = 4096;

/// Whether a value may be the relative path of a resource. Beside the tags of the format, a model's
/// parameter may hold one: anything with an ending is worth a look.
pub(super) fn may_be_one(name: &str, value: &str) -> bool {
    let maybe = value.contains('.') && !NAMES.contains(&name) && parse_number(value).is_none();
    let relative = !value.contains("://") && !Path::new(value).is_absolute();
    !value.is_empty()
        && value.len() <= MAX_LENGTH
        && relative
        && (maybe || RESOURCES.contains(&name))
}

/// The absolute path of the resource that a relative one names in the first possible of these places;
/// none where there is none.
pub(super) fn absolute(name: &str, value: &str, places: &[&Path]) -> Option<String> {
    let known = RESOURCES.contains(&name);
    let found = |place: &&Path| {
        let path = place.join(value);
        let there = if known { resource(&path).exists() } else { path.is_file() };
        there.then(|| path.display().to_string())
    };
    places.iter().find_map(found)
}

/// What has to exist: the archive that a path leads into, or the directory of a pattern.
fn resource(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    if let Some(at) = text.find(".zip/") {
        return PathBuf::from(&text[..at + 4]);
    }
    match (text.contains("%s"), path.parent()) {
        (true, Some(directory)) => directory.to_owned(),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{absolute, may_be_one};

    #[test]
    fn files_that_exist_become_absolute() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.png", "b.zip", "1.5"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        let found = |name: &str, value: &str| {
            if !may_be_one(name, value) {
                return None;
            }
            let absolute = absolute(name, value, &[folder.path()])?;
            assert!(absolute.starts_with(&folder.path().display().to_string()));
            Some(absolute)
        };
        for (name, value) in [
            ("file", "a.png"),
            ("model_uri", "b.zip/inner/m.dae"),
            ("textures", "sky_%s.png"),
            ("table", "a.png"),
        ] {
            assert!(found(name, value).is_some(), "{name} {value}");
        }
        for (name, value) in [
            ("name", "a.png"),
            ("mass", "1.5"),
            ("file", "none.png"),
            ("model_uri", "https://example.org/a.png"),
            ("file", "/a.png"),
        ] {
            assert_eq!(found(name, value), None, "{name} {value}");
        }
    }
}
