//! Vehicles, blocks and actors as entities.

use std::sync::Arc;

use simhost_abi::Neighbour;
use simhost_scene::{Pose2, Pose3, polygon};
use simhost_sensing::{Extrusion, Geometry, GeometryId, Label, Shape, Solids, Space, Top};
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
    /// Its prism as a geometry, which is seen where it is inclined.
    pub inclined: Option<GeometryId>,
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
    /// Returns an item whose prism has a flat top.
    pub fn flat(shape: Shape, span: [f64; 2], bottom: f64, place: Place, look: Look) -> Self {
        Self { shape, span, bottom, top: BlockTop::Flat, place, look, inclined: None }
    }

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
        let label = Label { number: entity.entity, surface };
        if let Some(geometry) = self.inclined.filter(|_| pose.pitch != 0.0 || pose.roll != 0.0) {
            return solids.place(label, geometry, &pose, 1.0);
        }
        let pose = Pose2 { x, y, yaw };
        solids.add(label, &self.shape, pose, self.bottom + z, self.upper_end().raised(z));
    }

    /// Adds the geometry of the prism to a space, if the item is seen as a prism.
    pub fn with_geometry(mut self, space: &mut Space) -> Self {
        self.inclined = self.look.prism.map(|_| {
            let extrusion = Extrusion::new(self.shape.corners(), self.bottom, self.upper_end());
            space.add_geometry(Geometry::Prism(Arc::new(extrusion)))
        });
        self
    }

    /// Returns the upper end of the prism in the frame of the item.
    fn upper_end(&self) -> Top {
        match self.top {
            BlockTop::Flat => Top::Flat(self.span[1]),
            BlockTop::Ramp { length, height } => Top::Ramp { base: 0.0, slope: height / length },
            BlockTop::Bump { width, height } => Top::Arch { base: 0.0, width, height },
        }
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
