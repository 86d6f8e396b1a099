//! Rectangles in space, and the level ground.

use simhost_scene::{Pose3, Rotation};

use super::beam::{Beam, Label, Strike};

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

    /// Sets the pose of the frame.
    pub fn place(&mut self, pose: Pose3) {
        (self.position, self.rotation) = (pose.position(), pose.rotation());
    }

    /// Returns where a ray meets the rectangle, from above or from below.
    pub fn cast(&self, beam: &Beam) -> Option<Strike> {
        let offset = [0, 1, 2].map(|axis| beam.origin[axis] - self.position[axis]);
        let column = |axis: usize| self.rotation.map(|row| row[axis]);
        let local = |vector: [f64; 3], axis| super::beam::dot(column(axis), vector);
        let fall = local(beam.direction, 2);
        let range = (self.z - local(offset, 2)) / fall;
        // also false in the plane of the rectangle
        let is_ahead = fall != 0.0 && range >= 0.0;
        let within = |axis: usize| {
            let at = local(offset, axis) + range * local(beam.direction, axis);
            self.extent[axis][0] <= at && at <= self.extent[axis][1]
        };
        (is_ahead && within(0) && within(1)).then(|| Strike {
            range: range + 0.0,
            normal: beam.facing(column(2)),
            number: self.label.number,
            surface: self.label.surface,
        })
    }
}

/// Returns where a ray meets the plane at height 0, from above or from below.
pub(super) fn level(beam: &Beam, Label { number, surface }: Label) -> Option<Strike> {
    let range = -beam.origin[2] / beam.direction[2];
    let is_ahead = beam.direction[2] != 0.0 && range >= 0.0;
    let normal = beam.facing([0.0, 0.0, 1.0]);
    is_ahead.then_some(Strike { range: range + 0.0, normal, number, surface })
}
