//! Rectangles in space, and the level ground.

use simhost_scene::{Pose3, Rotation};

use super::beam::{Beam, Label, Strike, dot};
use super::pattern::TILE;
use super::rays::{Found, Met, Rays};

/// A rectangle at a height in a frame.
#[derive(Clone, Debug)]
pub(super) struct Plate {
    pub label: Label,
    /// Extents along x and y in the frame, m.
    extent: [[f64; 2]; 2],
    /// Height in the frame, m.
    z: f64,
    position: [f64; 3],
    rotation: Rotation,
}

impl Plate {
    /// Creates a rectangle in the frame of the world.
    pub fn new(label: Label, extent: [[f64; 2]; 2], z: f64) -> Self {
        let rotation = Pose3::default().rotation();
        Self { label, extent, z, position: [0.0; 3], rotation }
    }

    /// Returns the plane at height 0.
    pub fn level(label: Label) -> Self {
        Self::new(label, [[f64::NEG_INFINITY, f64::INFINITY]; 2], 0.0)
    }

    /// Sets the pose of the frame.
    pub fn place(&mut self, pose: Pose3) {
        (self.position, self.rotation) = (pose.position(), pose.rotation());
    }

    /// Returns an axis of the frame.
    #[inline(always)]
    fn axis(&self, axis: usize) -> [f64; 3] {
        let r = &self.rotation;
        [r[0][axis], r[1][axis], r[2][axis]]
    }

    /// Returns an origin of rays in the frame.
    #[inline(always)]
    fn local(&self, origin: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = self.position;
        let offset = [origin[0] - x, origin[1] - y, origin[2] - z];
        [dot(self.axis(0), offset), dot(self.axis(1), offset), dot(self.axis(2), offset)]
    }

    /// Returns the distance at which a ray with this origin in the frame meets the rectangle, from above or from below, or
    /// infinity.
    #[inline(always)]
    fn range(&self, local: [f64; 3], direction: [f64; 3]) -> f64 {
        let fall = dot(self.axis(2), direction);
        let range = (self.z - local[2]) / fall;
        // also false in the plane of the rectangle
        let mut is_met = (fall != 0.0) & (range >= 0.0);
        for (axis, [low, high]) in self.extent.iter().enumerate() {
            let at = local[axis] + range * dot(self.axis(axis), direction);
            is_met &= (*low <= at) & (at <= *high);
        }
        if is_met { range + 0.0 } else { f64::INFINITY }
    }

    /// Returns where a ray meets the rectangle.
    pub fn cast(&self, beam: &Beam) -> Option<Strike> {
        let range = self.range(self.local(beam.origin), beam.direction);
        let Label { number, surface } = self.label;
        let normal = beam.facing(self.axis(2));
        (range < f64::INFINITY).then_some(Strike { range, normal, number, surface })
    }
}

/// A rectangle as it is seen from the origin of rays.
pub(super) struct SeenPlate<'p> {
    plate: &'p Plate,
    /// Origin in the frame of the rectangle, m.
    local: [f64; 3],
    /// Index of the surface.
    surface: u64,
}

impl<'p> SeenPlate<'p> {
    /// Looks at a rectangle.
    pub fn new(plate: &'p Plate, origin: [f64; 3], found: &mut Vec<Found>) -> Self {
        let surface = found.len() as u64;
        found.push(Found { label: plate.label, normal: plate.axis(2), is_unit: true });
        Self { plate, local: plate.local(origin), surface }
    }

    /// Returns what rays meet, as [`Plate::cast`] does.
    #[inline(always)]
    pub fn meet(&self, rays: &Rays) -> Met {
        let mut met = Met { winners: [self.surface; TILE], ..Met::NOTHING };
        for i in 0..TILE {
            met.ranges[i] = self.plate.range(self.local, rays.direction(i));
        }
        met
    }
}
