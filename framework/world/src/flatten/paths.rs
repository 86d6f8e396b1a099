//! Paths of resources among the values of a world.

use std::path::{Component, Path, PathBuf};

use crate::literal::parse_number;

/// Elements and attributes that contain the path of a resource. The path may contain `%s` or lead
/// into an archive.
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
/// Elements and attributes that never contain a path.
const NAMES: &[&str] = &["name", "class", "label", "publish_topic", "log_path"];

/// Maximum length of a path in bytes.
const MAX_LENGTH: usize = 4096;

/// Returns whether a value may be the relative path of a resource. A parameter of a model may
/// contain one as well, so every value with a dot is a candidate.
pub(super) fn may_be_path(name: &str, value: &str) -> bool {
    let maybe = value.contains('.') && !NAMES.contains(&name) && parse_number(value).is_none();
    let relative = !value.contains("://") && !Path::new(value).is_absolute();
    !value.is_empty()
        && value.len() <= MAX_LENGTH
        && relative
        && (maybe || RESOURCES.contains(&name))
}

/// Returns the path of the resource that a relative path refers to in the first directory that
/// contains it.
pub(super) fn find(name: &str, value: &str, directories: &[&Path]) -> Option<PathBuf> {
    let known = RESOURCES.contains(&name);
    let found = |directory: &&Path| {
        let path = directory.join(value);
        let there = if known { resource(&path).exists() } else { path.is_file() };
        there.then_some(path)
    };
    directories.iter().find_map(found)
}

/// Returns the path of a resource relative to a directory, both of them absolute. It stays absolute where
/// no relative path leads to it, such as on another drive or across links.
pub(super) fn relative(path: &Path, directory: &Path) -> PathBuf {
    let [to, from] = [path, directory].map(plain);
    let shared = to.iter().zip(&from).take_while(|(to, from)| to == from).count();
    let up = from[shared..].iter().map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(to[shared..].iter().copied()).collect();
    let place = |path: &Path| std::fs::canonicalize(resource(path)).ok();
    let found = place(&directory.join(&relative));
    if found.is_some() && found == place(path) { relative } else { path.to_owned() }
}

/// Returns the components of a path, without those that lead nowhere or back.
fn plain(path: &Path) -> Vec<Component<'_>> {
    let mut parts = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts
}

/// Returns the path that has to exist: the archive that a path leads into, the directory of a
/// pattern, or the path itself.
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
    use super::{find, may_be_path, relative};

    #[test]
    fn files_that_exist_become_absolute() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        for name in ["a.png", "b.zip", "1.5"] {
            std::fs::write(folder.path().join(name), "").expect("a writable file");
        }
        let found = |name: &str, value: &str| {
            if !may_be_path(name, value) {
                return None;
            }
            find(name, value, &[folder.path()])
                .inspect(|absolute| assert!(absolute.starts_with(folder.path())))
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

    #[test]
    fn relative_paths_lead_to_the_resource() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let [maps, parts] = ["maps", "parts"].map(|name| folder.path().join(name));
        for (directory, name) in [(&maps, "a.png"), (&parts, "sky_up.png"), (&parts, "b.zip")] {
            std::fs::create_dir_all(directory).expect("a new directory");
            std::fs::write(directory.join(name), "").expect("a writable file");
        }
        for (path, expected) in [
            (parts.join("../maps/./a.png"), "maps/a.png"),
            (parts.join("sky_%s.png"), "parts/sky_%s.png"),
            (parts.join("b.zip/in/m.dae"), "parts/b.zip/in/m.dae"),
        ] {
            assert_eq!(relative(&path, folder.path()).to_string_lossy(), expected);
        }
        let expected = std::path::Path::new("../maps/a.png");
        assert_eq!(relative(&maps.join("a.png"), &parts), expected);
        // a folder that does not exist cannot be left
        let (file, absent) = (maps.join("a.png"), folder.path().join("none"));
        assert_eq!(relative(&file, &absent), file);
    }
}
