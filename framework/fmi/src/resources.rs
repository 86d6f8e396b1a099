//! The resources of an FMU: the world as one flat file, and the files that it refers to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quick_xml::escape::partial_escape;

use crate::error::FmuError;
use crate::interface::WORLD_FILE;

/// Folder of the files that the world refers to.
const FILES: &str = "files";
/// Largest size of such a file, bytes.
const MOST: u64 = 1 << 30;

/// Returns the resources by their paths. `flat` has absolute paths of `files`, which become relative paths.
///
/// The files keep their places relative to each other, because meshes and maps refer to further files.
///
/// # Errors
/// [`FmuError::File`] if a file cannot be read.
pub fn resources(flat: &str, files: &[PathBuf]) -> Result<BTreeMap<String, Vec<u8>>, FmuError> {
    let mut resources = BTreeMap::new();
    let mut world = flat.to_owned();
    if let Some(home) = common_folder(files) {
        let from = format!("{}/", home.display());
        world = world.replace(&*partial_escape(&from), &format!("{FILES}/"));
        let mut waiting: Vec<PathBuf> = files.to_vec();
        while let Some(path) = waiting.pop() {
            let Ok(inside) = path.strip_prefix(&home) else { continue };
            let bytes = simhost_files::read(&path, MOST).map_err(FmuError::file("read", &path))?;
            let inside: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            let further = named_in(&path, &bytes);
            if resources.insert(format!("{FILES}/{}", inside.join("/")), bytes).is_none() {
                waiting.extend(further);
            }
        }
    }
    resources.insert(WORLD_FILE.to_owned(), world.into_bytes());
    Ok(resources)
}

/// Returns the files next to a map or a mesh whose names are in its text, such as the image of a map.
fn named_in(path: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !["yaml", "obj", "mtl", "gltf", "dae"].contains(&&*ending) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(bytes);
    let folder = std::fs::read_dir(path.parent().unwrap_or(Path::new("/")));
    let beside = folder.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_named = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        file.is_file() && *file != path && text.contains(&*name)
    };
    let mut named: Vec<PathBuf> = beside.filter(is_named).collect();
    named.sort();
    named
}

/// Returns the longest path of a folder in which all files are.
fn common_folder(files: &[PathBuf]) -> Option<PathBuf> {
    let mut folders = files.iter().map(|path| path.parent().unwrap_or(Path::new("/")));
    let first = folders.next()?.to_owned();
    Some(folders.fold(first, |common, folder| {
        let shared = common.iter().zip(folder.iter()).take_while(|(one, other)| one == other);
        shared.map(|(part, _)| part).collect()
    }))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{common_folder, resources};

    #[test]
    fn files_keep_their_places_relative_to_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("meshes/detail")).unwrap();
        std::fs::write(path("meshes/a.obj"), "mtllib a.mtl").unwrap();
        std::fs::write(path("meshes/a.mtl"), "").unwrap();
        std::fs::write(path("meshes/other.mtl"), "").unwrap();
        std::fs::write(path("meshes/detail/b.mtl"), "b").unwrap();
        let files = [path("meshes/a.obj"), path("meshes/detail/b.mtl")];
        let flat = format!("<uri>{}</uri>", files[0].display());
        let found = resources(&flat, &files).unwrap();
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        // with the material that the mesh names
        assert_eq!(names, ["files/a.mtl", "files/a.obj", "files/detail/b.mtl", "world.xml"]);
        assert_eq!(found["world.xml"], b"<uri>files/a.obj</uri>");
    }

    #[test]
    fn folders_are_compared_by_their_names() {
        let files = ["/a/bc/d.png", "/a/bd/e.png"].map(PathBuf::from);
        assert_eq!(common_folder(&files), Some(PathBuf::from("/a")));
        assert_eq!(common_folder(&[]), None);
    }
}
