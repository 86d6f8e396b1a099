//! Meshes and images in a form that a browser reads without a library: numbers behind a header in JSON.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;

use serde_json::{Value, json};
use simhost_scene::{ColorImage, Mesh};

/// Start of every asset.
const MAGIC: &[u8; 4] = b"SHA1";
/// Largest width and height of an image, pixels. Larger ones are sent with fewer pixels.
const MAX_PIXELS: usize = 1024;

/// Returns the name of an asset: a hash of its path, from which the folders of the host cannot be found out.
pub fn name_of(path: &Path, kind: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (path, kind).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// A body of numbers with the places of its parts.
#[derive(Default)]
struct Body(Vec<u8>);

impl Body {
    fn floats(&mut self, numbers: impl Iterator<Item = f32>) -> usize {
        let start = self.0.len();
        numbers.for_each(|number| self.0.extend(number.to_le_bytes()));
        start
    }

    /// Returns the asset: the magic, the length of the header, the header and the body, each at a multiple of 4 bytes.
    fn finish(self, header: &Value) -> Vec<u8> {
        let mut header = header.to_string().into_bytes();
        header.resize(header.len().next_multiple_of(4), b' ');
        let mut out = MAGIC.to_vec();
        out.extend((header.len() as u32).to_le_bytes());
        out.extend(header);
        out.extend(self.0);
        out
    }
}

/// Returns a mesh as an asset: for each colour or image, the corners of its triangles.
pub fn of_mesh(mesh: &Mesh) -> Vec<u8> {
    let mut body = Body::default();
    let (mut parts, mut images) = (Vec::new(), Vec::new());
    let paint = |triangle: usize| mesh.paint().get(triangle).map_or(0, |index| usize::from(*index));
    for color in 0..mesh.palette().len().max(1) {
        let of_color: Vec<usize> =
            (0..mesh.triangles().len()).filter(|one| paint(*one) == color).collect();
        if of_color.is_empty() {
            continue;
        }
        let corners = of_color.iter().flat_map(|triangle| mesh.triangles()[*triangle]);
        let numbers = corners.flat_map(|index| mesh.vertices()[index as usize]);
        let start = body.floats(numbers.map(|number| number as f32));
        let mut part = json!({"position": start, "corners": 3 * of_color.len()});
        let tint = match mesh.skins().get(color).and_then(Option::as_ref) {
            Some(skin) => {
                let places = of_color.iter().flat_map(|triangle| mesh.places(*triangle)).flatten();
                part["place"] = body.floats(places).into();
                part["image"] = images.len().into();
                images.push(image(&skin.image, &mut body));
                Some(skin.tint)
            }
            None => mesh.palette().get(color).copied(),
        };
        part["color"] = json!(tint);
        parts.push(part);
    }
    body.finish(&json!({"parts": parts, "images": images}))
}

/// Returns an image as an asset.
pub fn of_image(picture: &ColorImage) -> Vec<u8> {
    let mut body = Body::default();
    let described = image(picture, &mut body);
    body.finish(&json!({"parts": [], "images": [described]}))
}

/// Appends an image row by row from below, and returns where it is.
fn image(picture: &ColorImage, body: &mut Body) -> Value {
    let [width, height] = picture.size().map(|side| side.min(MAX_PIXELS));
    let start = body.0.len();
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        let at = |index: usize, count: usize| (index as f64 + 0.5) / count as f64;
        body.0.extend(picture.at([at(column, width), at(row, height)]));
    }
    json!({"pixels": start, "width": width, "height": height})
}

#[cfg(test)]
mod tests {
    use super::{MAGIC, of_mesh};
    use serde_json::Value;
    use simhost_scene::Mesh;

    #[test]
    fn a_mesh_has_one_part_for_each_colour_that_is_used() {
        let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 3.0]];
        let mesh = Mesh::new(corners, vec![[0, 1, 2], [2, 1, 0]]).unwrap();
        let colours = vec![[1, 2, 3, 255], [9, 9, 9, 255], [4, 5, 6, 128]];
        let asset = of_mesh(&mesh.painted(colours, vec![2, 0]));
        assert_eq!(&asset[..4], MAGIC);
        let len = u32::from_le_bytes(asset[4..8].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&asset[8..8 + len]).unwrap();
        let parts = header["parts"].as_array().unwrap();
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[1]["color"], serde_json::json!([4, 5, 6, 128]));
        assert_eq!(asset.len(), 8 + len + 2 * 3 * 3 * 4);
        // the first corner of the second triangle
        let at = 8 + len + parts[0]["position"].as_u64().unwrap() as usize + 4;
        assert_eq!(f32::from_le_bytes(asset[at..at + 4].try_into().unwrap()), 2.0);
    }
}
