//! The resources of an FMU.

use std::path::{Path, PathBuf};

use quick_xml::escape::partial_escape;

use crate::archive::{Files, sha256};
use crate::error::FmuError;
use crate::interface::{BundledPlugin, WORLD_FILE};

/// Folder of the files that a world or a parameter refers to.
const FILES: &str = "files";
/// Largest size of such a file, bytes.
const MOST: u64 = 1 << 30;

/// Returns the resources of a world by their paths. `flat` has absolute paths of `files`, which become
/// relative paths.
///
/// # Errors
/// [`FmuError::File`] if a file cannot be read.
pub fn of_world(flat: &str, files: &[PathBuf]) -> Result<Files, FmuError> {
    let mut resources = copies(files)?;
    let mut world = flat.to_owned();
    if let Some(home) = common_folder(files) {
        let from = format!("{}/", home.display());
        world = world.replace(&*partial_escape(&from), &format!("{FILES}/"));
    }
    resources.insert(WORLD_FILE.to_owned(), world.into_bytes());
    Ok(resources)
}

/// Returns files by their paths among the resources.
///
/// They keep their places relative to each other, because meshes and maps refer to further files, which are added.
///
/// # Errors
/// [`FmuError::File`] if a file cannot be read.
pub fn copies(files: &[PathBuf]) -> Result<Files, FmuError> {
    let mut resources = Files::new();
    let Some(home) = common_folder(files) else { return Ok(resources) };
    let mut waiting: Vec<PathBuf> = files.to_vec();
    while let Some(path) = waiting.pop() {
        let Some(place) = place_below(&home, &path) else { continue };
        let bytes = simhost_files::read(&path, MOST).map_err(FmuError::file("read", &path))?;
        let further = simhost_files::named_beside(&path, &bytes);
        if resources.insert(place, bytes).is_none() {
            waiting.extend(further);
        }
    }
    Ok(resources)
}

/// Returns the path of one of some files among the resources.
pub fn place(files: &[PathBuf], path: &Path) -> Option<String> {
    place_below(&common_folder(files)?, path)
}

fn place_below(home: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(home).ok()?;
    let inside: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    Some(format!("{FILES}/{}", inside.join("/")))
}

/// Adds plugin files to the resources, each in its own folder, and returns their descriptions.
///
/// # Errors
/// [`FmuError::File`] if a file cannot be read.
pub fn add_plugins<'p>(
    sources: impl IntoIterator<Item = &'p str>,
    resources: &mut Files,
) -> Result<Vec<BundledPlugin>, FmuError> {
    let mut plugins = Vec::new();
    for (number, source) in sources.into_iter().enumerate() {
        let bytes = simhost_files::read(Path::new(source), MOST);
        let bytes = bytes.map_err(FmuError::file("read", source))?;
        let name = Path::new(source).file_name().unwrap_or_default().to_string_lossy();
        let path = format!("plugins/{number}/{name}");
        plugins.push(BundledPlugin { path: path.clone(), sha256: sha256(&bytes) });
        resources.insert(path, bytes);
    }
    Ok(plugins)
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

    use super::{common_folder, of_world};

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
        let found = of_world(&flat, &files).unwrap();
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
