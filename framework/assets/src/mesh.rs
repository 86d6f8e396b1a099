//! Triangle meshes in several formats.
//!
//! Axes and units follow the Assimp library, which existing world files for MVSim assume: Collada
//! is converted to metres with y up; glTF is used as it is, with y up; FBX is converted to
//! centimetres with y up; STL and OBJ are used as they are. World files turn models with y up
//! upright by a roll of 90°.

mod assembly;
mod collada;
mod fbx;
#[cfg(feature = "gltf")]
mod gltf;
mod material;
mod obj;
mod placement;
mod salvage;

use std::io::Cursor;
use std::path::Path;

use simhost_scene::{Bounds, Mesh};

use crate::{AssetError, Limits, Problem, file};
use assembly::Assembly;
use placement::Placement;

pub use assembly::WireLine;

/// A mesh format.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Collada, `.dae`.
    Collada,
    /// Stereolithography, `.stl`, text or binary.
    Stl,
    /// Wavefront, `.obj`.
    Obj,
    /// glTF 2, `.gltf` or `.glb`.
    Gltf,
    /// Autodesk FBX 7, `.fbx`, binary.
    Fbx,
}

impl MeshFormat {
    /// Returns the format for the extension of a file.
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

    /// Returns whether meshes of this format always have y up once they are read. STL and OBJ do not say which axis
    /// is up.
    pub fn has_y_up(self) -> bool {
        matches!(self, Self::Collada | Self::Gltf | Self::Fbx)
    }

    /// Returns the format that the first bytes of a file identify. Binary STL and OBJ have no
    /// signature.
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

/// Function that reads a file which a mesh file refers to, by its path relative to the mesh file.
pub type Resolver<'a> = dyn Fn(&str) -> Result<Vec<u8>, Problem> + 'a;

/// Reads the triangles of a mesh file, with the colours of materials, but without their images. The
/// extension determines the format, or else the content.
///
/// # Errors
/// The file cannot be read, is not valid, exceeds the limits or has no triangles.
pub fn read(path: &Path, limits: &Limits) -> Result<Mesh, AssetError> {
    let mesh = || assembly(path, limits, false)?.mesh();
    mesh().map_err(|problem| problem.at(path))
}

/// Reads the triangles of a mesh file as [`read`] does, with the images of materials, whose colours are their mean
/// colours. Images that are missing or cannot be decoded count as white.
///
/// # Errors
/// As for [`read`].
pub fn read_with_images(path: &Path, limits: &Limits) -> Result<Mesh, AssetError> {
    let mesh = || assembly(path, limits, true)?.mesh();
    mesh().map_err(|problem| problem.at(path))
}

/// Reads the lines of a mesh file. If there are none, returns each edge of its triangles once.
///
/// # Errors
/// The file cannot be read, is not valid, exceeds the limits or is empty.
pub fn read_wireframe(path: &Path, limits: &Limits) -> Result<Vec<WireLine>, AssetError> {
    assembly(path, limits, false)
        .and_then(|assembly| assembly.wireframe())
        .map_err(|problem| problem.at(path))
}

/// Returns the bounding box of the readable vertices of a defective mesh file.
pub fn read_bounds(path: &Path, limits: &Limits) -> Option<Bounds> {
    let bytes = file::read(path, limits).ok()?;
    let format = MeshFormat::of(path).or_else(|| MeshFormat::of_content(&bytes))?;
    salvage::bounds(&bytes, format)
}

/// Parses the triangles of a mesh file. `resolve` reads the files that it refers to.
///
/// # Errors
/// The file is not valid, exceeds the limits or has no triangles.
pub fn from_bytes(
    bytes: &[u8],
    format: MeshFormat,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<Mesh, Problem> {
    parse(bytes, format, limits, resolve, true)?.mesh()
}

/// Parses the lines of a mesh file, as [`read_wireframe`] does.
///
/// # Errors
/// The file is not valid, exceeds the limits or is empty.
pub fn wireframe_from_bytes(
    bytes: &[u8],
    format: MeshFormat,
    limits: &Limits,
    resolve: &Resolver,
) -> Result<Vec<WireLine>, Problem> {
    parse(bytes, format, limits, resolve, false)?.wireframe()
}

/// Rejects every file. Use it as a resolver for bytes that must not refer to other files.
///
/// # Errors
/// Always.
pub fn no_other_files(name: &str) -> Result<Vec<u8>, Problem> {
    let shown: String = name.chars().take(80).collect();
    Err(Problem::Unsupported {
        detail: format!("the reference to another file, `{shown}`, is not supported here"),
        remedy: "put everything into a single file",
    })
}

fn assembly(path: &Path, limits: &Limits, with_images: bool) -> Result<Assembly, Problem> {
    let bytes = file::read(path, limits)?;
    let format =
        MeshFormat::of(path).or_else(|| MeshFormat::of_content(&bytes)).ok_or_else(|| {
            Problem::Unsupported {
                detail: "unknown mesh format".to_owned(),
                remedy: "expected .dae, .stl, .obj, .gltf, .glb or .fbx",
            }
        })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&bytes, format, limits, &|name| referenced_file(folder, name, limits), with_images)
}

/// Reads a file that a mesh refers to, which must be in the directory of the mesh or below.
fn referenced_file(folder: &Path, name: &str, limits: &Limits) -> Result<Vec<u8>, Problem> {
    use std::path::Component::{CurDir, Normal};
    let inside = Path::new(name).components().all(|part| matches!(part, Normal(_) | CurDir));
    if !inside {
        return no_other_files(name);
    }
    file::read(&folder.join(name), limits)
        .map_err(|problem| Problem::syntax("mesh", format!("file `{name}`: {problem}")))
}

fn parse(
    bytes: &[u8],
    format: MeshFormat,
    limits: &Limits,
    resolve: &Resolver<'_>,
    with_images: bool,
) -> Result<Assembly, Problem> {
    limits.bound_bytes("bytes in the file", bytes.len() as u64)?;
    let mut assembly = Assembly::new(limits);
    let images = material::Images::new(limits, resolve, with_images);
    match format {
        MeshFormat::Collada => collada::read(bytes, &mut assembly, &images)?,
        MeshFormat::Stl => read_stl(bytes, &mut assembly)?,
        MeshFormat::Obj => obj::read(bytes, &mut assembly, &images)?,
        #[cfg(feature = "gltf")]
        MeshFormat::Gltf => gltf::read(bytes, &mut assembly, &images)?,
        #[cfg(not(feature = "gltf"))]
        MeshFormat::Gltf => return Err(Problem::not_built_in("glTF", "gltf")),
        MeshFormat::Fbx => fbx::read(bytes, &mut assembly)?,
    }
    assembly.set_images(images.into_decoded());
    Ok(assembly)
}

/// Sizes in bytes of the header and of one triangle in the binary format.
const HEAD_BYTES: usize = 80;
const TRIANGLE_BYTES: u64 = 50;

/// Appends the triangles of an STL file to an assembly.
fn read_stl(bytes: &[u8], assembly: &mut Assembly) -> Result<(), Problem> {
    let defective = |error| Problem::syntax("STL", error);
    let mut own = None;
    if is_binary(bytes) && bytes.starts_with(b"solid") {
        // the library mistakes binary files that start like text for text
        let mut copy = bytes.to_vec();
        copy[0] = b' ';
        own = Some(copy);
    }
    let mut reader = Cursor::new(own.as_deref().unwrap_or(bytes));
    for triangle in stl_io::create_stl_reader(&mut reader).map_err(defective)? {
        let corners = triangle.map_err(defective)?.vertices;
        let corners = corners.map(|corner| corner.0.map(f64::from));
        assembly.part(corners, &Placement::IDENTITY)?.triangle([0, 1, 2])?;
    }
    Ok(())
}

/// Returns whether the length of the file matches the count in its binary header.
fn is_binary(bytes: &[u8]) -> bool {
    let count = bytes.get(HEAD_BYTES..HEAD_BYTES + 4).and_then(|count| count.try_into().ok());
    count.map(u32::from_le_bytes).is_some_and(|count| {
        bytes.len() as u64 == HEAD_BYTES as u64 + 4 + TRIANGLE_BYTES * u64::from(count)
    })
}

#[cfg(test)]
mod tests {
    use simhost_scene::Mesh;

    use super::{MeshFormat, from_bytes, no_other_files, *};
    use crate::{Limits, Problem};

    #[test]
    fn formats_by_name_and_by_content() {
        let path = |name: &str| MeshFormat::of(Path::new(name));
        assert_eq!(path("a/b.DAE"), Some(MeshFormat::Collada));
        assert_eq!(path("a.glb"), Some(MeshFormat::Gltf));
        assert_eq!(path("a.txt"), None);
        let content = MeshFormat::of_content;
        assert_eq!(content(b"<?xml version=\"1.0\"?>\n<COLLADA>"), Some(MeshFormat::Collada));
        assert_eq!(content(b"glTF\x02\0\0\0"), Some(MeshFormat::Gltf));
        assert_eq!(content(b" {\"asset\":{}}"), Some(MeshFormat::Gltf));
        assert_eq!(content(b"\xff\xd8"), None);
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("broken.stl");
        std::fs::write(&path, "solid x\n facet").unwrap();
        let error = read(&path, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("broken.stl: not a valid STL file"), "{error}");
        assert!(referenced_file(folder.path(), "../secret", &Limits::default()).is_err());
        assert!(referenced_file(folder.path(), "/etc/hostname", &Limits::default()).is_err());
    }

    fn stl(bytes: &[u8]) -> Result<Mesh, Problem> {
        from_bytes(bytes, MeshFormat::Stl, &Limits::default(), &no_other_files)
    }

    fn binary(head: &[u8]) -> Vec<u8> {
        let mut bytes = head.to_vec();
        bytes.resize(80, b' ');
        bytes.extend(1u32.to_le_bytes());
        let numbers = [0.0f32, 0.0, 1.0, 0.0, 0.0, 0.5, 2.0, 0.0, 0.5, 0.0, 3.0, 0.5];
        numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend([0, 0]);
        bytes
    }

    const TEXT: &str =
        "solid part\nfacet normal 0 0 1\n outer loop\n vertex 0 0 0.5\n vertex 2 0 0.5
        vertex 0 3 0.5\n endloop\nendfacet\nendsolid part\n";

    #[test]
    fn text_and_binary_files_agree() {
        let expected = [[0.0, 0.0, 0.5], [2.0, 0.0, 0.5], [0.0, 3.0, 0.5]];
        for bytes in [TEXT.as_bytes(), &binary(b"written by hand"), &binary(b"solid but binary")] {
            let mesh = stl(bytes).unwrap();
            assert_eq!((mesh.vertices(), mesh.triangles()), (&expected[..], &[[0, 1, 2]][..]));
        }
    }

    #[test]
    fn truncated_and_empty_files_are_rejected() {
        let mut many = binary(b"");
        many[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        for bytes in [&many[..], &binary(b"")[..100], &TEXT.as_bytes()[..60], b"", b"solid"] {
            assert!(stl(bytes).is_err(), "{bytes:?}");
        }
        let infinite = TEXT.replace("3 0.5", "inf 0.5");
        assert!(stl(infinite.as_bytes()).is_err());
    }
}
