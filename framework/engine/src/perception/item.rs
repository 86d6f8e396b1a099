//! Vehicles, blocks and actors as entities.

use simhost_abi::Neighbour;
use simhost_scene::{Pose2, Pose3, polygon};
use simhost_sensing::{Label, Shape, Solids, Top};
use simhost_world::BlockTop;

use super::look::{Look, Turn};
use crate::physics::{Body, Physics};
use crate::table::Table;

/// A vehicle, a block or an actor.
pub(super) struct Item {
    /// Outline.
    pub shape: Shape,
    /// Lowest and highest point above the origin, m.
    pub span: [f64; 2],
    /// Lower end of the prism above the origin, m.
    pub bottom: f64,
    /// Upper end.
    pub top: BlockTop,
    /// Source of its pose.
    pub place: Place,
    /// How rays see it.
    pub look: Look,
}

/// Source of the pose of an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Table and lane of a vehicle, and its body.
    Vehicle(usize, usize, Body),
    /// A body.
    Body(Body),
    /// A block that never moves.
    Fixed(Pose3),
}

impl Item {
    /// Adds the shapes of the item at the pose of its entity. `turn` returns the angles of a wheel.
    pub fn add_to(
        &self,
        solids: &mut Solids<'_>,
        entity: &Neighbour,
        turn: impl Fn(usize) -> Turn,
    ) {
        let ([x, y, z], yaw) = (entity.position, entity.yaw);
        let pose = Pose3 { x, y, z, yaw, pitch: entity.pitch, roll: entity.roll };
        self.look.add_to(solids, entity.entity, &pose, turn);
        let Some(surface) = self.look.prism else { return };
        let top = match self.top {
            BlockTop::Flat => Top::Flat(self.span[1] + z),
            BlockTop::Ramp { length, height } => Top::Ramp { base: z, slope: height / length },
            BlockTop::Bump { width, height } => Top::Arch { base: z, width, height },
        };
        let pose = Pose2 { x, y, yaw };
        let label = Label { number: entity.entity, surface };
        solids.add(label, &self.shape, pose, self.bottom + z, top);
    }

    /// Returns the constants of the item as an entity.
    pub fn entity(&self, entity: u32, kind: u32) -> Neighbour {
        let corners = self.shape.corners();
        let bound = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| {
            corners.iter().map(|corner| corner[axis]).fold(start, pick)
        };
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        Neighbour {
            radius: polygon::bounding_radius(corners, [0.0; 2]),
            box_min: [bound(0, low, f64::min), bound(1, low, f64::min), self.span[0]],
            box_max: [bound(0, high, f64::max), bound(1, high, f64::max), self.span[1]],
            entity,
            kind,
            ..Neighbour::NONE
        }
    }

    /// Sets pose and velocity of the item.
    pub fn update(&self, entity: &mut Neighbour, tables: &[Table], physics: &Physics) {
        let (body, z) = match self.place {
            Place::Vehicle(table, lane, body) => {
                let Pose3 { z, pitch, roll, .. } = tables[table].vehicles.pose3(lane);
                (entity.pitch, entity.roll) = (pitch, roll);
                (body, z)
            }
            Place::Body(body) => (body, physics.origin_height(body)),
            Place::Fixed(Pose3 { x, y, z, yaw, .. }) => {
                (entity.position, entity.yaw) = ([x, y, z], yaw);
                return;
            }
        };
        let state = physics.state(body);
        let Pose2 { x, y, yaw } = state.pose();
        (entity.position, entity.yaw) = ([x, y, z], yaw);
        (entity.velocity, entity.yaw_rate) = (physics.reference_velocity(body), state.omega);
    }

    /// Returns whether the item never moves.
    pub fn is_fixed(&self) -> bool {
        matches!(self.place, Place::Fixed(_))
    }
}
