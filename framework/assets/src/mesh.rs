//! Meshes of several formats, as triangles in metres.
//!
//! Places come out as worlds for MVSim expect them, whose models were turned and scaled against the
//! Assimp library: Collada in metres with y up, whatever the file says; glTF as it is, which is y up;
//! FBX with y up and in centimetres; STL and OBJ as they are. Worlds turn y-up models upright with a roll
//! of 90°.

mod assembly;
mod collada;
mod fbx;
#[cfg(feature = "gltf")]
mod gltf;
mod obj;
mod placement;
mod salvage;
mod stl;

use std::path::Path;

use simhost_scene::{Bounds, Mesh};

use crate::{AssetError, Limits, Problem, file};
use assembly::Assembly;

/// Two ends of a line, m.
pub type Line = [[f64; 3]; 2];

/// A format of meshes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Format {
    /// Collada, `.dae`.
    Collada,
    /// Stereolithography, `.stl`, as text or binary.
    Stl,
    /// Wavefront, `.obj`.
    Obj,
    /// glTF 2, `.gltf` or `.glb`.
    Gltf,
    /// Autodesk FBX 7, `.fbx`, binary.
    Fbx,
}

impl Format {
    /// The format that a file name's extension stands for.
    pub fn of(path: &Path) -> Option<Self> {
        Some(match file::extension(path).as_str() {
            "dae" => Self::Collada,
            "stl" => Self::Stl,
            "obj" => Self::Obj,
            "gltf" | "glb" => Self::Gltf,
            "fbx" => Self::Fbx,
            _ => return None,
        })
    }

    /// The format that the first bytes of a file stand for, as far as they tell.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]);
        if bytes.starts_with(b"glTF") {
            Some(Self::Gltf)
        } else if bytes.starts_with(b"Kaydara FBX Binary") || start.starts_with("; FBX") {
            Some(Self::Fbx)
        } else if start.contains("<COLLADA") {
            Some(Self::Collada)
        } else if start.starts_with("solid") {
            Some(Self::Stl)
        } else if start.trim_start().starts_with('{') && start.contains("\"asset\"") {
            Some(Self::Gltf)
        } else {
            None
        }
    }
}

/// Gives the bytes of a file that a mesh file names, relative to that file.
pub type Resolver<'a> = dyn Fn(&str) -> Result<Vec<u8>, Problem> + 'a;

/// Reads the triangles of a mesh file. The format is told by the extension, else by the content.
pub fn read(path: &Path, limits: &Limits) -> Result<Mesh, AssetError> {
    assembly(path, limits).and_then(|assembly| assembly.mesh()).map_err(|problem| problem.at(path))
}

/// Reads the lines of a mesh file; when it has none, the edges of its triangles, each one once.
pub fn read_wireframe(path: &Path, limits: &Limits) -> Result<Vec<Line>, AssetError> {
    assembly(path, limits)
        .and_then(|assembly| assembly.wireframe())
        .map_err(|problem| problem.at(path))
}

/// The box around the vertices of a mesh file that cannot be read as a whole, as far as the file tells.
pub fn read_bounds(path: &Path, limits: &Limits) -> Option<Bounds> {
    let bytes = file::read(path, limits).ok()?;
    let format = Format::of(path).or_else(|| Format::of_content(&bytes))?;
    salvage::bounds(&bytes, format)
}

/// The triangles in the bytes of a mesh file. Files that it names are asked of `resolve`.
pub fn from_bytes(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<Mesh, Problem> {
    parse(bytes, format, limits, resolve)?.mesh()
}

/// The lines in the bytes of a mesh file, as [`read_wireframe`] finds them.
pub fn wireframe_from_bytes(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<Vec<Line>, Problem> {
    parse(bytes, format, limits, resolve)?.wireframe()
}

/// A resolver for bytes that stand alone: any other file is refused.
pub fn no_other_files(name: &str) -> Result<Vec<u8>, Problem> {
    let shown: String = name.chars().take(80).collect();
    Err(Problem::Unsupported {
        detail: format!("names another file, “{shown}”, that cannot be had here"),
        remedy: "put everything into one file",
    })
}

fn assembly(path: &Path, limits: &Limits) -> Result<Assembly, Problem> {
    let bytes = file::read(path, limits)?;
    let format = Format::of(path).or_else(|| Format::of_content(&bytes)).ok_or_else(|| {
        Problem::Unsupported {
            detail: "is a mesh of unknown format".to_owned(),
            remedy: "expected .dae, .stl, .obj, .gltf, .glb or .fbx",
        }
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&bytes, format, limits, &|name| neighbour(folder, name, limits))
}

/// A file beside a mesh or below; a mesh has no business elsewhere.
fn neighbour(folder: &Path, name: &str, limits: &Limits) -> Result<Vec<u8>, Problem> {
    use std::path::Component::{CurDir, Normal};
    let inside = Path::new(name).components().all(|part| matches!(part, Normal(_) | CurDir));
    if !inside {
        return no_other_files(name);
    }
    file::read(&folder.join(name), limits)
        .map_err(|problem| Problem::syntax("glTF", format!("its buffer “{name}” {problem}")))
}

fn parse(
    bytes: &[u8],
    format: Format,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<Assembly, Problem> {
    limits.bound_bytes("bytes in the file", bytes.len() as u64)?;
    let mut assembly = Assembly::new(limits);
    match format {
        Format::Collada => collada::read(bytes, &mut assembly)?,
        Format::Stl => stl::read(bytes, &mut assembly)?,
        Format::Obj => obj::read(bytes, &mut assembly)?,
        #[cfg(feature = "gltf")]
        Format::Gltf => gltf::read(bytes, &mut assembly, limits, resolve)?,
        #[cfg(not(feature = "gltf"))]
        Format::Gltf => {
            let _ = resolve;
            return Err(Problem::not_built_in("glTF", "gltf"));
        }
        Format::Fbx => fbx::read(bytes, &mut assembly)?,
    }
    Ok(assembly)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_name_and_by_content() {
        let path = |name: &str| Format::of(Path::new(name));
        assert_eq!(path("a/b.DAE"), Some(Format::Collada));
        assert_eq!(path("a.glb"), Some(Format::Gltf));
        assert_eq!(path("a.txt"), None);
        let content = Format::of_content;
        assert_eq!(content(b"<?xml version=\"1.0\"?>\n<COLLADA>"), Some(Format::Collada));
        assert_eq!(content(b"glTF\x02\0\0\0"), Some(Format::Gltf));
        assert_eq!(content(b" {\"asset\":{}}"), Some(Format::Gltf));
        assert_eq!(content(b"\xff\xd8"), None);
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.stl");
        std::fs::write(&path, "solid x\n facet").unwrap();
        let error = read(&path, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("broken.stl: is not a valid STL file"), "{error}");
        assert!(neighbour(folder.path(), "../secret", &Limits::default()).is_err());
        assert!(neighbour(folder.path(), "/etc/hostname", &Limits::default()).is_err());
    }
}
