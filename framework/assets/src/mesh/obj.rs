//! Wavefront OBJ meshes, through the `tobj` crate. A material has its diffuse colour, times its diffuse image.

use super::assembly::{Assembly, Corner, Paint};
use super::material::{Images, color};
use super::placement::Placement;
use crate::Problem;

/// Appends the faces and lines of an OBJ file to an assembly.
pub(super) fn read(
    bytes: &[u8],
    assembly: &mut Assembly,
    images: &Images<'_>,
) -> Result<(), Problem> {
    // the library uses a few hundred bytes per face, even for a short line
    let faces = bytes.split(|byte| *byte == b'\n').filter(|line| is_face(line)).count();
    Problem::bounded("faces and lines", faces as u64, assembly.limit() as u64)?;
    // names and comments may have another encoding
    let text = String::from_utf8_lossy(bytes);
    check_corners(&text)?;
    let options = tobj::LoadOptions::default();
    let library = |path: &std::path::Path| {
        let bytes = path.to_str().and_then(|name| (images.resolve)(name).ok());
        let bytes = bytes.ok_or(tobj::LoadError::OpenFileFailed)?;
        tobj::load_mtl_buf(&mut String::from_utf8_lossy(&bytes).as_bytes())
    };
    let (models, materials) = tobj::load_obj_buf(&mut text.as_bytes(), &options, library)
        .map_err(|error| Problem::syntax("OBJ", error))?;
    // a library that cannot be read leaves all faces white
    let materials = materials.unwrap_or_default();
    let colors: Vec<_> = materials.iter().map(|material| diffuse(material, images)).collect();
    for model in models {
        let material = model.mesh.material_id.and_then(|index| colors.get(index));
        add(&model.mesh, material.copied().unwrap_or(Paint::WHITE), assembly)?;
    }
    Ok(())
}

/// Returns the diffuse colour of a material with its image.
fn diffuse(material: &tobj::Material, images: &Images<'_>) -> Paint {
    let [red, green, blue] = material.diffuse.unwrap_or([1.0; 3]);
    let own = color([red, green, blue, 1.0].map(f64::from));
    let image = material.diffuse_texture.as_deref();
    image.map_or(Paint::plain(own), |name| images.paint(own, name))
}

/// Rejects indices of texture coordinates and normals that are far out of range. The library
/// multiplies them before it checks them, which can overflow.
fn check_corners(text: &str) -> Result<(), Problem> {
    let mut counts = [0, 0];
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vt") => counts[0] += 1,
            Some("vn") => counts[1] += 1,
            Some("f" | "l" | "p") if line.contains('/') => {
                if let Some(corner) = words.find(|corner| is_out_of_range(corner, counts)) {
                    let line = index + 1;
                    let detail = format!("line {line}: corner `{corner}` is out of range");
                    return Err(Problem::syntax("OBJ", detail));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether a corner `v/vt/vn` refers to a texture coordinate or a normal before the first
/// one, or beyond 32 bits.
fn is_out_of_range(corner: &str, counts: [i64; 2]) -> bool {
    let places = corner.split('/').skip(1).zip(counts);
    places
        .filter_map(|(place, count)| Some((place.parse::<i64>().ok()?, count)))
        .any(|(place, count)| place < -count || place > i64::from(u32::MAX))
}

fn is_face(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), Some(b'f' | b'l' | b'p'))
}

fn add(mesh: &tobj::Mesh, color: Paint, assembly: &mut Assembly) -> Result<(), Problem> {
    let vertices = mesh.positions.chunks_exact(3).map(|at| [at[0], at[1], at[2]]);
    let mut part = assembly.part(vertices, &Placement::IDENTITY)?;
    part.paint(color);
    // corners without a place on the image are at its lower left corner
    let place = |corner: usize| {
        let index = *mesh.texcoord_indices.get(corner)? as usize;
        let part = |part: usize| mesh.texcoords.get(2 * index + part).map(|part| *part as f32);
        Some([part(0)?, part(1)?])
    };
    let (mut rest, mut first) = (&mesh.indices[..], 0);
    let mut arities = mesh.face_arities.iter().map(|&arity| arity as usize);
    while !rest.is_empty() {
        // without a list of arities, all faces are triangles
        let arity = arities.next().unwrap_or(3).clamp(1, rest.len());
        let (face, after) = rest.split_at(arity);
        rest = after;
        let corner = |(number, &vertex): (usize, &u32)| Corner {
            vertex: vertex as usize,
            place: place(first + number).unwrap_or_default(),
        };
        let corners: Vec<Corner> = face.iter().enumerate().map(corner).collect();
        first += arity;
        match corners[..] {
            [from, to] => part.line([from.vertex, to.vertex])?,
            _ => part.polygon(&corners)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{MeshFormat, from_bytes, no_other_files, wireframe_from_bytes};
    use crate::{Limits, Problem};
    use simhost_scene::Mesh;

    fn obj(text: &str) -> Result<Mesh, Problem> {
        from_bytes(text.as_bytes(), MeshFormat::Obj, &Limits::default(), &no_other_files)
    }

    const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0.125\nv 0 1 0\n";

    #[test]
    fn faces_can_have_any_size_and_unknown_materials() {
        let text = format!(
            "mtllib none.mtl\no a\n{CORNERS}usemtl shiny\nf 1 2 3 4\no b\nvt 0 0\nf 1/1 2/1 -1/1\n"
        );
        let mesh = obj(&text).unwrap();
        assert_eq!(mesh.triangles().len(), 3);
        let bounds = mesh.bounds().unwrap();
        assert_eq!((bounds.min, bounds.max), ([0.0; 3], [1.0, 1.0, 0.125]));
    }

    #[test]
    fn faces_have_the_colours_of_their_materials() {
        let text = format!(
            "mtllib a.mtl\n{CORNERS}usemtl red\nf 1 2 3\nusemtl wood\nf 1 3 4\nusemtl none\nf 1 2 4\n"
        );
        let library = "newmtl red\nKd 1 0 0.2\nnewmtl wood\nKd 0.5 0.5 0.5\nmap_Kd wood.png\n";
        let image = crate::image::tests::png(1, 1, &[100]);
        let resolve = |name: &str| match name {
            "a.mtl" => Ok(library.as_bytes().to_vec()),
            "wood.png" => Ok(image.clone()),
            other => no_other_files(other),
        };
        let limits = Limits::default();
        let mesh = from_bytes(text.as_bytes(), MeshFormat::Obj, &limits, &resolve).unwrap();
        let paint = mesh.paint().iter().map(|index| mesh.palette()[usize::from(*index)]);
        let expected = [[255, 0, 51, 255], [50, 50, 50, 255], [255; 4]];
        assert_eq!(paint.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn faces_have_places_on_the_image_of_their_material() {
        let places = "vt 0 0\nvt 2 0\nvt 2 1.5\n";
        let text =
            format!("mtllib a.mtl\n{CORNERS}{places}usemtl wood\nf 1/1 2/2 3/3 4/1\nf 1 2 4\n");
        let resolve = |name: &str| match name {
            "a.mtl" => Ok(b"newmtl wood\nKd 1 0.5 1\nmap_Kd wood.png\n".to_vec()),
            _ => Ok(crate::image::tests::png(1, 1, &[100])),
        };
        let limits = Limits::default();
        let mesh = from_bytes(text.as_bytes(), MeshFormat::Obj, &limits, &resolve).unwrap();
        assert_eq!(mesh.places(0), [[0.0, 0.0], [2.0, 0.0], [2.0, 1.5]]);
        assert_eq!(mesh.places(1), [[0.0, 0.0], [2.0, 1.5], [0.0, 0.0]]);
        assert_eq!(mesh.places(2), [[0.0; 2]; 3]);
        let skin = mesh.skins()[usize::from(mesh.paint()[0])].as_ref().unwrap();
        assert_eq!(skin.color_at([0.5, 0.5]), [100, 50, 100, 255]);
    }

    #[test]
    fn lines_form_the_wireframe() {
        let text = format!("{CORNERS}l 1 2\nl 3 4\n");
        let lines = |text: &str| {
            wireframe_from_bytes(
                text.as_bytes(),
                MeshFormat::Obj,
                &Limits::default(),
                &no_other_files,
            )
        };
        assert_eq!(lines(&text).unwrap()[1], [[1.0, 1.0, 0.125], [0.0, 1.0, 0.0]]);
        assert_eq!(lines(&format!("{CORNERS}f 1 2 3\n")).unwrap().len(), 3);
    }

    #[test]
    fn indices_out_of_range_are_rejected() {
        for face in ["f 1 2 5", "f 1 2 -9", "f 1 2 99999999999999999999", "f 0 1 2", "f a b c", ""]
        {
            assert!(obj(&format!("{CORNERS}{face}\n")).is_err(), "{face}");
        }
        assert!(obj("v 0 0 nan\nv 0 1 0\nv 1 0 0\nf 1 2 3\n").is_err());
    }

    /// Found by fuzzing: the library multiplied negative indices as unsigned numbers.
    #[test]
    fn texture_coordinates_and_normals_out_of_range_are_rejected() {
        let rest = "vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\n";
        let face = |face: &str| obj(&format!("{CORNERS}{rest}f {face}\n"));
        assert!(face("1/-3/-1 2/-2/1 3/3/1").is_ok());
        for wrong in ["1/-11 2/1 3/1", "1/1/9223372036854775807 2/1/1 3/1/1", "1//-2 2//1 3//1"] {
            let error = face(wrong).unwrap_err().to_string();
            assert!(error.contains("line 9: corner `1/"), "{wrong}: {error}");
        }
    }
}
