//! STL meshes, through the `stl_io` crate.

use std::io::Cursor;

use super::assembly::Assembly;
use super::placement::Placement;
use crate::Problem;

/// Sizes in bytes of the header and of one triangle in the binary format.
const HEAD_BYTES: usize = 80;
const TRIANGLE_BYTES: u64 = 50;

/// Appends the triangles of an STL file to an assembly.
pub(super) fn read(bytes: &[u8], assembly: &mut Assembly) -> Result<(), Problem> {
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
    use super::super::{MeshFormat, from_bytes, no_other_files};
    use crate::{Limits, Problem};
    use simhost_scene::Mesh;

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
