#![allow(clippy::unwrap_used)]

use super::*;
use crate::scene::Pose;
use crate::tree::EMPTY;

fn square(size: f64) -> Mesh {
    let vertices = vec![[0.0; 3], [size, 0.0, 0.0], [size, size, 0.0], [0.0, size, 0.0]];
    Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], colours: Vec::new() }
}

fn fixed(mesh: Mesh) -> Scene {
    let pose = Pose::IDENTITY;
    let instance = Instance { mesh: 0, pose, scale: [1.0; 3], number: 1, group: None };
    Scene { meshes: vec![mesh], fixed: vec![instance] }
}

#[test]
fn large_triangles_are_divided_without_loss_of_area() {
    let geometry = Geometry::new(fixed(square(1000.0))).unwrap();
    let count = geometry.triangles.len() / TRIANGLE_WORDS;
    assert!((64..1000).contains(&count), "{count}");
    let step = geometry.fixed.lattice.step;
    let area: f64 = geometry
        .triangles
        .chunks_exact(TRIANGLE_WORDS)
        .map(|words| {
            let at = |k: usize| f64::from(words[k] as i32) * step;
            let (ax, ay) = (at(3) - at(0), at(4) - at(1));
            let (bx, by) = (at(6) - at(0), at(7) - at(1));
            0.5 * (ax * by - ay * bx)
        })
        .sum();
    assert!((area - 1e6).abs() < 1e-3, "{area}");
}

#[test]
fn triangles_without_area_are_left_out() {
    let mut mesh = square(1.0);
    mesh.triangles = vec![[0, 0, 1], [0, 1, 1], [2, 2, 2]];
    let geometry = Geometry::new(fixed(mesh)).unwrap();
    assert!(geometry.triangles.is_empty());
    assert_eq!(geometry.fixed.root, EMPTY);
}

#[test]
fn meshes_of_movers_are_added_once() {
    let mut geometry = Geometry::new(fixed(square(1.0))).unwrap();
    let before = geometry.triangles.len();
    let root = geometry.mesh(0).root;
    assert_eq!(geometry.triangles.len(), 2 * before);
    assert_eq!(geometry.mesh(0).root, root);
    assert_eq!(geometry.triangles.len(), 2 * before);
}

#[test]
fn defects_are_reported() {
    let mut mesh = square(1.0);
    mesh.triangles.push([0, 1, 4]);
    let error = Geometry::new(fixed(mesh)).err().unwrap().to_string();
    assert_eq!(error, "mesh 0: triangle 2 refers to [0, 1, 4]; expected indices below 4");
    let mut mesh = square(1.0);
    mesh.vertices[3][1] = f64::NAN;
    let error = Geometry::new(fixed(mesh)).err().unwrap().to_string();
    assert!(error.starts_with("mesh 0: vertex 3 is not finite"), "{error}");
    let mut scene = fixed(square(1.0));
    scene.fixed[0].scale[1] = 0.0;
    let error = Geometry::new(scene).err().unwrap().to_string();
    assert!(error.starts_with("instance 0: found a scale of"), "{error}");
}
