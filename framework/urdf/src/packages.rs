//! Meshes of robots, and the ROS packages that contain them.

use std::path::{Path, PathBuf};

use simhost_assets::{Limits, mesh};

/// Number of folders above a file that are searched for a package.
const LEVELS: usize = 6;
/// Maximum size of a `package.xml` or a `model.config` in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Finds the meshes that a robot names: `package://NAME/PATH`, `model://NAME/PATH`, `file://PATH`, or a path from the
/// folder of the file.
///
/// A package is a folder with its name, or a folder whose `package.xml` or `model.config` has this name: the folder of the
/// file, a folder above it, or a folder next to one of these.
pub struct Packages<'p> {
    /// File of the robot.
    pub file: &'p Path,
    /// Folder at which the paths of meshes start.
    pub base: &'p Path,
    /// Names and folders of packages that are not searched for; `None` where the caller cannot give any.
    pub given: Option<&'p [(String, String)]>,
    /// Returns the reason why a file cannot be read.
    pub check: &'p dyn Fn(&Path) -> Result<(), String>,
    /// Bounds on meshes.
    pub limits: Limits,
}

impl Packages<'_> {
    /// Returns the path of a mesh.
    fn find(&self, uri: &str) -> Result<PathBuf, String> {
        let of_package =
            ["package://", "model://"].iter().find_map(|start| uri.strip_prefix(start));
        let path = match of_package {
            None => folder(self.file).join(uri.strip_prefix("file://").unwrap_or(uri)),
            Some(rest) => {
                let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
                let found = self.package(name).map(|folder| folder.join(path));
                found.ok_or_else(|| self.unknown(uri, name))?
            }
        };
        let refused = |reason| format!("the mesh {uri} cannot be read: {reason}");
        (self.check)(&path).map_err(refused)?;
        if path.is_file() {
            return Ok(path);
        }
        Err(format!("the mesh {uri} was not found: expected the file {}", path.display()))
    }

    fn unknown(&self, uri: &str, name: &str) -> String {
        match self.given {
            Some(_) => format!("the mesh {uri} was not found: write --package {name}=DIR"),
            None => format!(
                "the mesh {uri} was not found: expected the package {name} in a folder of this name, or with a \
                 package.xml, next to the file or up to {LEVELS} folders above"
            ),
        }
    }

    /// Returns the folder of a package.
    fn package(&self, name: &str) -> Option<PathBuf> {
        let given = self.given.unwrap_or_default();
        if let Some((_, folder)) = given.iter().find(|(given, _)| given == name) {
            return Some(PathBuf::from(folder));
        }
        let start = folder(self.file).canonicalize().ok()?;
        start.ancestors().take(LEVELS).find_map(|folder| {
            let is_it = folder.file_name().is_some_and(|one| one == name) || has_name(folder, name);
            if is_it {
                return Some(folder.to_owned());
            }
            Some(folder.join(name)).filter(|folder| folder.is_dir())
        })
    }

    /// Returns the path of a mesh that is drawn: from [`Self::base`] if it is below that folder, and absolute otherwise.
    ///
    /// # Errors
    /// The reason why the mesh is not drawn.
    pub fn path(&self, uri: &str) -> Result<String, String> {
        let path = self.find(uri)?;
        if mesh::MeshFormat::of(&path).is_none() {
            return Err(format!(
                "the mesh {uri} is not drawn: simhost reads .dae, .stl, .obj, .gltf, .glb and .fbx"
            ));
        }
        Ok(self.relative(&path))
    }

    /// Returns the path of the file of the robot in the same way.
    pub fn file_path(&self) -> String {
        self.relative(self.file)
    }

    fn relative(&self, path: &Path) -> String {
        let paths = path.canonicalize().ok().zip(self.base.canonicalize().ok());
        let shown = match &paths {
            Some((path, base)) => path.strip_prefix(base).unwrap_or(path),
            None => path,
        };
        shown.to_string_lossy().into_owned()
    }

    /// Reads the points of a mesh, m, with z up.
    ///
    /// # Errors
    /// The reason why the mesh cannot be read.
    pub fn points(&self, uri: &str) -> Result<Vec<[f64; 3]>, String> {
        let path = self.find(uri)?;
        let found = mesh::read(&path, &self.limits).map_err(|error| error.to_string())?;
        let has_y_up = mesh::MeshFormat::of(&path).is_some_and(mesh::MeshFormat::has_y_up);
        let upright = |[x, y, z]: [f64; 3]| if has_y_up { [x, -z, y] } else { [x, y, z] };
        Ok(found.vertices().iter().map(|point| upright(*point)).collect())
    }
}

/// Returns the folder of a file.
pub(crate) fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns whether a folder has a `package.xml` or a `model.config` with a name.
fn has_name(folder: &Path, name: &str) -> bool {
    ["package.xml", "model.config"].iter().any(|file| {
        let text = simhost_files::read_text(&folder.join(file), MOST_BYTES).unwrap_or_default();
        text.contains(&format!("<name>{name}</name>"))
    })
}
