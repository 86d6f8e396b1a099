//! Vehicles, blocks, actors and gates as shapes that rays meet.

use std::sync::Arc;

use simhost_abi::Neighbour;
use simhost_scene::{Pose2, Pose3, polygon};
use simhost_sensing::{Extrusion, Geometry, GeometryId, Label, Shape, Solids, Space, Top};
use simhost_world::BlockTop;

use super::look::{Look, Turn};

/// The shape of a vehicle, a block or an actor.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// Outline.
    shape: Shape,
    /// Lowest and highest point above the origin, m.
    span: [f64; 2],
    /// Lower end of the prism above the origin, m.
    bottom: f64,
    /// Upper end.
    top: BlockTop,
    /// How rays see it.
    pub look: Look,
    /// Its prism as a geometry, which is seen where it is inclined.
    inclined: Option<GeometryId>,
    /// Whether it can move.
    pub moves: bool,
    /// Angles of the wheels that rays see.
    pub turns: Vec<Turn>,
}

impl Figure {
    /// Returns a figure that can move, with the lower end of its prism and the lowest and highest point, m, above the
    /// origin.
    pub fn new(shape: Shape, bottom: f64, span: [f64; 2], top: BlockTop, look: Look) -> Self {
        let turns = vec![Turn::default(); look.wheels()];
        Self { shape, span, bottom, top, look, inclined: None, moves: true, turns }
    }

    /// Adds the shapes of the figure at the pose of its entity.
    pub fn add_to(&self, solids: &mut Solids<'_>, entity: &Neighbour) {
        let ([x, y, z], yaw) = (entity.position, entity.yaw);
        let pose = Pose3 { x, y, z, yaw, pitch: entity.pitch, roll: entity.roll };
        self.look.add_to(solids, entity.entity, &pose, &self.turns);
        let Some(surface) = self.look.prism else { return };
        let label = Label { number: entity.entity, surface };
        if let Some(geometry) = self.inclined.filter(|_| pose.pitch != 0.0 || pose.roll != 0.0) {
            return solids.place(label, geometry, &pose, 1.0);
        }
        let pose = Pose2 { x, y, yaw };
        solids.add(label, &self.shape, pose, self.bottom + z, self.upper_end().raised(z));
    }

    /// Adds the geometry of the prism to a space, if the figure is seen as a prism.
    pub fn with_geometry(mut self, space: &mut Space) -> Self {
        self.inclined = self.look.prism.map(|_| {
            let extrusion = Extrusion::new(self.shape.corners(), self.bottom, self.upper_end());
            space.add_geometry(Geometry::Prism(Arc::new(extrusion)))
        });
        self
    }

    /// Returns the upper end of the prism in the frame of the figure.
    fn upper_end(&self) -> Top {
        match self.top {
            BlockTop::Flat => Top::Flat(self.span[1]),
            BlockTop::Ramp { length, height } => Top::Ramp { base: 0.0, slope: height / length },
            BlockTop::Bump { width, height } => Top::Arch { base: 0.0, width, height },
        }
    }

    /// Returns the constants of the figure as an entity.
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
}

/// A vertical plane that moves.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    /// Number and surface that a ray reports when it meets the plane.
    pub label: Label,
    /// Its outlines and their heights, m.
    pub boxes: Vec<(Shape, [f64; 2])>,
    /// Its present pose.
    pub pose: Pose3,
}

impl Gate {
    /// Adds the boxes of the plane at its pose.
    pub fn add_to(&self, solids: &mut Solids<'_>) {
        let Pose3 { x, y, z, yaw, .. } = self.pose;
        for (shape, [low, high]) in &self.boxes {
            solids.add(self.label, shape, Pose2 { x, y, yaw }, low + z, Top::Flat(high + z));
        }
    }
}
