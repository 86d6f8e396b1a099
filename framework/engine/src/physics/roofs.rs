//! Tops of bodies, on which vehicles and blocks can stand.

use rapier2d_f64::prelude::*;
use smallvec::SmallVec;

use super::bodies::Bodies;
use super::body::{self, Body, BodyMotion};

/// Tops of bodies. Few bodies lie below one point.
pub(crate) type Roofs = SmallVec<[Roof; 2]>;

/// Top of a body.
#[derive(Clone)]
pub(crate) struct Roof {
    shape: SharedShape,
    pose: Pose,
    /// Height, m, world frame.
    pub height: f64,
}

impl Roof {
    /// Returns whether a point of the world lies above or below the roof.
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        let local = self.pose.inverse_transform_point(Vector::new(x, y));
        self.shape.contains_local_point(local)
    }
}

impl Bodies {
    /// Returns the tops, up to the height `ceiling`, m, of the bodies that `body` may lie above. Blocks
    /// are surfaces of the ground instead.
    pub fn roofs(&self, body: Body, ceiling: f64) -> Roofs {
        let mut roofs = Roofs::new();
        let ([x, y], own_radius) = (self[body.0].centre(), self.infos[body.0].radius);
        for (number, (other, info)) in self.states.iter().zip(&*self.infos).enumerate() {
            let [_, height] = self.heights.now(info.span);
            if number == body.0 || info.motion == BodyMotion::Block || height > ceiling {
                continue;
            }
            let [other_x, other_y] = other.centre();
            let (dx, dy) = (other_x - x, other_y - y);
            let reach = own_radius + info.radius;
            if dx * dx + dy * dy < reach * reach {
                let (shape, pose) = (info.shape.clone(), body::pose(&other.state));
                roofs.push(Roof { shape, pose, height });
            }
        }
        roofs
    }
}
