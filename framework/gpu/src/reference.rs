//! The same scan in 64-bit arithmetic on the CPU, triangle after triangle.
//!
//! It is slow, and simple enough to be right: tests and benches compare the device with it.

use simhost_vectors::{Vec3, meet_triangle};

use crate::scene::{Instance, Light, Mesh, Scene, unit};

/// Surface that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance in m.
    pub range: f64,
    /// Cosine of the angle between the ray and the normal of the surface, 0 to 1.
    pub cosine: f64,
    /// Number of the instance.
    pub instance: u32,
    /// Index of the triangle in its mesh.
    pub triangle: u32,
}

/// A ray in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start in m.
    pub origin: [f64; 3],
    /// Direction, of length one.
    pub direction: [f64; 3],
    /// Distance in m from which on surfaces are seen.
    pub near: f64,
    /// Distance in m up to which surfaces are seen.
    pub far: f64,
}

struct Placed {
    corners: [[f64; 3]; 3],
    instance: u32,
    triangle: u32,
    group: Option<u32>,
    colour: [u8; 3],
}

/// All triangles of a scene in the world.
pub struct Reference {
    triangles: Vec<Placed>,
}

impl Reference {
    /// Places all meshes of fixed and moving instances.
    pub fn new(scene: &Scene, movers: &[Instance]) -> Self {
        let mut triangles = Vec::new();
        for (instance, moves) in
            scene.fixed.iter().map(|i| (i, false)).chain(movers.iter().map(|i| (i, true)))
        {
            let mesh: &Mesh = &scene.meshes[instance.mesh];
            triangles.extend((0..mesh.triangles.len()).map(|triangle| Placed {
                corners: mesh.corners(triangle).map(|corner| instance.place(corner)),
                instance: instance.number,
                triangle: triangle as u32,
                group: instance.group.filter(|_| moves),
                colour: mesh.colour(triangle),
            }));
        }
        Self { triangles }
    }

    /// Returns the nearest hit of a ray that passes through one group of moving instances.
    pub fn cast(&self, ray: &Ray, ignore: Option<u32>) -> Option<Hit> {
        self.nearest(ray, ignore).map(|(hit, _)| hit)
    }

    /// Returns the range of a pixel, infinite for the sky, and its colour as red, green and blue:
    /// the colour of the surface in ambient light, and in sunlight by Lambert's law unless the sun
    /// is hidden.
    pub fn shade(&self, ray: &Ray, ignore: Option<u32>, light: &Light) -> (f64, [u8; 3]) {
        let Some((hit, placed)) = self.nearest(ray, ignore) else {
            return (f64::INFINITY, light.sky);
        };
        let [a, b, c] = placed.corners.map(Vec3::from);
        let normal = unit((b - a).cross(c - a)).unwrap_or(Vec3::ZERO);
        let facing = if normal.dot(ray.direction.into()) > 0.0 { -1.0 } else { 1.0 };
        let normal = facing * normal;
        let direction = unit(light.sun.into()).unwrap_or(Vec3::Z);
        let incidence = normal.dot(direction);
        let direction = direction.to_array();
        // off the surface, so that it is not in its own way
        let off = 1e-3 + 1e-5 * hit.range;
        let origin =
            [0, 1, 2].map(|k| ray.origin[k] + hit.range * ray.direction[k] + off * normal[k]);
        let shadow = Ray { origin, direction, near: 0.0, far: f64::INFINITY };
        let mut share = f64::from(light.ambient);
        if incidence > 0.0 && self.nearest(&shadow, ignore).is_none() {
            share += (1.0 - share) * incidence;
        }
        (hit.range, placed.colour.map(|c| (f64::from(c) * share + 0.5) as u8))
    }

    fn nearest(&self, ray: &Ray, ignore: Option<u32>) -> Option<(Hit, &Placed)> {
        let seen = self.triangles.iter();
        let seen = seen.filter(|placed| ignore.is_none() || placed.group != ignore);
        let hits = seen.filter_map(|placed| {
            let (range, cosine) = intersect(ray, &placed.corners)?;
            let Placed { instance, triangle, .. } = *placed;
            Some((Hit { range, cosine, instance, triangle }, placed))
        });
        hits.min_by(|(a, _), (b, _)| a.range.total_cmp(&b.range))
    }
}

/// Returns range and cosine of incidence of a ray at a triangle.
fn intersect(ray: &Ray, corners: &[[f64; 3]; 3]) -> Option<(f64, f64)> {
    let [a, b, c] = corners.map(Vec3::from);
    let direction = Vec3::from(ray.direction);
    let range = meet_triangle(ray.origin.into(), direction, [a, b, c])?;
    let normal = unit((b - a).cross(c - a))?;
    (range >= ray.near && range <= ray.far).then(|| (range, normal.dot(direction).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Pose;

    #[test]
    fn a_square_ahead_is_hit_at_its_distance() {
        let vertices = vec![[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]];
        let mesh = Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], colours: Vec::new() };
        let pose = Pose { position: [5.0, 0.0, 0.0], ..Pose::IDENTITY };
        let wall = Instance { mesh: 0, pose, scale: [2.0; 3], number: 7, group: Some(3) };
        let scene = Scene { meshes: vec![mesh], fixed: Vec::new() };
        let reference = Reference::new(&scene, &[wall]);
        let direction = [0.8, 0.36, 0.48];
        let ray = Ray { origin: [1.0, -1.0, -1.0], direction, near: 0.0, far: 9.0 };
        let hit = reference.cast(&ray, None);
        let expected = Hit { range: 5.0, cosine: 0.8, instance: 7, triangle: 1 };
        assert_eq!(hit.map(|hit| (hit.instance, hit.triangle)), Some((7, 1)), "{hit:?}");
        assert!(hit.is_some_and(|hit| (hit.range - expected.range).abs() < 1e-12), "{hit:?}");
        assert!(hit.is_some_and(|hit| (hit.cosine - expected.cosine).abs() < 1e-12), "{hit:?}");
        assert_eq!(reference.cast(&ray, Some(3)), None);
        assert_eq!(reference.cast(&Ray { far: 4.9, ..ray }, None), None);
        assert_eq!(reference.cast(&Ray { near: 5.1, ..ray }, None), None);
    }
}
