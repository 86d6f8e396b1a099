//! The bounding box of a defective mesh file, from the vertices before the defect.
//!
//! OBJ and STL are used as they are. Collada is converted with its unit and its up axis, without
//! node transformations. Other formats are not supported.

use simhost_scene::{Bounds, MAX_COORDINATE};

use super::MeshFormat;

/// Sizes in bytes of the header of a binary STL file, including the count, and of one triangle.
const STL_HEAD: usize = 84;
const STL_TRIANGLE: usize = 50;

/// Returns the bounding box if there is at least one vertex.
pub(super) fn bounds(bytes: &[u8], format: MeshFormat) -> Option<Bounds> {
    let mut found = None;
    match format {
        MeshFormat::Obj => text_vertices(bytes, "v", &mut found),
        MeshFormat::Stl if is_text(bytes) => text_vertices(bytes, "vertex", &mut found),
        MeshFormat::Stl => stl_vertices(bytes, &mut found),
        MeshFormat::Collada => collada_vertices(bytes, &mut found),
        MeshFormat::Gltf | MeshFormat::Fbx => {}
    }
    found
}

fn add(found: &mut Option<Bounds>, vertex: [f64; 3]) {
    if !vertex.iter().all(|value| value.abs() <= MAX_COORDINATE) {
        return;
    }
    let Bounds { min, max } = found.unwrap_or(Bounds { min: vertex, max: vertex });
    *found = Some(Bounds {
        min: std::array::from_fn(|axis| min[axis].min(vertex[axis])),
        max: std::array::from_fn(|axis| max[axis].max(vertex[axis])),
    });
}

fn is_text(bytes: &[u8]) -> bool {
    bytes.starts_with(b"solid") && bytes.windows(6).any(|window| window == b"vertex")
}

/// Adds the vertices of lines that consist of a keyword and three numbers.
fn text_vertices(bytes: &[u8], word: &str, found: &mut Option<Bounds>) {
    for line in String::from_utf8_lossy(bytes).lines() {
        let mut parts = line.split_whitespace();
        if parts.next() != Some(word) {
            continue;
        }
        let numbers: Vec<f64> = parts.map_while(|part| part.parse().ok()).collect();
        if let [x, y, z, ..] = numbers[..] {
            add(found, [x, y, z]);
        }
    }
}

fn stl_vertices(bytes: &[u8], found: &mut Option<Bounds>) {
    let number =
        |part: &[u8]| part.try_into().map_or(f64::NAN, |part| f32::from_le_bytes(part).into());
    for triangle in bytes.get(STL_HEAD..).unwrap_or_default().chunks_exact(STL_TRIANGLE) {
        // a normal, three corners, two unused bytes
        for corner in triangle[12..48].chunks_exact(12) {
            add(found, [number(&corner[..4]), number(&corner[4..8]), number(&corner[8..])]);
        }
    }
}

/// Adds the vertices of number lists whose name contains "position".
fn collada_vertices(bytes: &[u8], found: &mut Option<Bounds>) {
    let text = String::from_utf8_lossy(bytes);
    let unit = after(&text, "meter=\"").and_then(|rest| rest.split('"').next()?.parse().ok());
    let unit: f64 = unit.filter(|unit| *unit > 0.0).unwrap_or(1.0);
    let axis = after(&text, "<up_axis>").and_then(|rest| rest.split('<').next()).unwrap_or("");
    for list in text.split("<float_array").skip(1) {
        let Some((head, rest)) = list.split_once('>') else { continue };
        if !head.to_ascii_lowercase().contains("position") {
            continue;
        }
        let numbers = rest.split('<').next().unwrap_or_default();
        let numbers: Vec<f64> =
            numbers.split_whitespace().map_while(|number| number.parse().ok()).collect();
        for vertex in numbers.chunks_exact(3) {
            let [x, y, z] = [vertex[0], vertex[1], vertex[2]].map(|value| value * unit);
            add(
                found,
                match axis.trim() {
                    "Z_UP" => [x, z, -y],
                    "X_UP" => [-y, x, z],
                    _ => [x, y, z],
                },
            );
        }
    }
}

fn after<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    text.split_once(mark).map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(bytes: &[u8], format: MeshFormat) -> Option<[[f64; 3]; 2]> {
        bounds(bytes, format).map(|found| [found.min, found.max])
    }

    #[test]
    fn vertices_before_the_defect_are_found() {
        let obj = b"v 0 0 0\nv 1 2 3\nv -1 0 0.5\nf 1 2 99\nv 4";
        assert_eq!(sides(obj, MeshFormat::Obj), Some([[-1.0, 0.0, 0.0], [1.0, 2.0, 3.0]]));
        let stl = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 2\nvert";
        assert_eq!(sides(stl, MeshFormat::Stl), Some([[0.0; 3], [1.0, 0.0, 2.0]]));
        let mut binary = vec![0u8; STL_HEAD + 12];
        for number in [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.5] {
            binary.extend(number.to_le_bytes());
        }
        binary.extend([0; 2]);
        binary.extend([7; 20]);
        assert_eq!(sides(&binary, MeshFormat::Stl), Some([[0.0; 3], [1.0, 2.0, 0.5]]));
        let collada = b"<COLLADA><unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>\
            <float_array id=\"a-positions-array\" count=\"6\">0 0 0 100 200 300</float_array>\
            <float_array id=\"a-normals\">9 9 9</float_array><trian";
        assert_eq!(sides(collada, MeshFormat::Collada), Some([[0.0, 0.0, -2.0], [1.0, 3.0, 0.0]]));
        assert_eq!(sides(b"v 1", MeshFormat::Obj), None);
        assert_eq!(sides(b"v nan 1 2", MeshFormat::Obj), None);
    }
}
