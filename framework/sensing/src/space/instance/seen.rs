//! Boxes as neighbouring rays of one origin meet them.

use super::{Geometry, Instance};
use crate::space::beam::dot;
use crate::space::pattern::TILE;
use crate::space::rays::{Found, Met, Rays};
use crate::space::slabs::Slabs;

/// A box as it is seen from the origin of rays.
pub(in crate::space) struct SeenBox {
    /// Axes of the box, world frame.
    axes: [[f64; 3]; 3],
    /// Distance of the origin from the lower and from the upper side along each axis, m, positive outside.
    offsets: [[f64; 2]; 3],
    /// Index of the surface of the lower side along x. The surfaces of the other sides follow.
    first: u64,
}

impl SeenBox {
    /// Looks at an instance. Returns `None` if it is not a box.
    pub fn new(
        instance: &Instance,
        geometry: &Geometry,
        origin: [f64; 3],
        found: &mut Vec<Found>,
    ) -> Option<Self> {
        let Geometry::Box(corners) = geometry else { return None };
        let first = found.len() as u64;
        let origin = instance.turned_back(instance.offset(origin)).map(|part| -part);
        let (mut axes, mut offsets) = ([[0.0; 3]; 3], [[0.0; 2]; 3]);
        for axis in 0..3 {
            axes[axis] = instance.rotation.map(|row| row[axis]);
            let [low, high] = corners.map(|corner| instance.scale * corner[axis]);
            offsets[axis] = [low - origin[axis], origin[axis] - high];
            let mut normal = [0.0; 3];
            normal[axis] = 1.0;
            for normal in [normal.map(|part| -part), normal] {
                let normal = instance.turned(normal);
                found.push(Found { label: instance.label, normal, is_unit: true });
            }
        }
        Some(Self { axes, offsets, first })
    }

    /// Returns what rays meet, as [`Instance::meet_solid`] does.
    #[inline(always)]
    pub fn meet(&self, rays: &Rays) -> Met {
        let mut slabs = Slabs::WHOLE;
        for axis in 0..3 {
            let (mut fall, mut rise) = ([0.0; TILE], [0.0; TILE]);
            for i in 0..TILE {
                rise[i] = dot(self.axes[axis], rays.direction(i));
                fall[i] = -rise[i];
            }
            let [low, high] = self.offsets[axis];
            let side = self.first + 2 * axis as u64;
            slabs.clip(low, &fall, side);
            slabs.clip(high, &rise, side + 1);
        }
        slabs.first()
    }
}
