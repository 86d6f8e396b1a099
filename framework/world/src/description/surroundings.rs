//! Ground, walls and places.

use std::sync::Arc;

use simhost_scene::{HeightField, OccupancyGrid};

use super::{Animation, Pose, Publish, Texture};
use crate::sources::Span;

/// A floor plan of cells.
#[derive(Clone, Debug)]
pub struct GridMap {
    /// The cells, in the world frame.
    pub grid: Arc<OccupancyGrid>,
    /// Bodies touch its solid cells.
    pub collides: bool,
    /// Part of the closing speed that is kept in a contact.
    pub restitution: f64,
    /// Friction coefficient of its sides.
    pub lateral_friction: f64,
    /// Where it is declared.
    pub span: Span,
}

/// Terrain.
#[derive(Clone, Debug)]
pub struct ElevationMap {
    /// Heights, in the world frame.
    pub field: Arc<HeightField>,
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
    /// An image on it.
    pub texture: Option<Texture>,
    /// Where it is declared.
    pub span: Span,
}

/// A level rectangle that wheels roll on.
#[derive(Clone, Debug)]
pub struct HorizontalPlane {
    /// Of the rectangle's frame.
    pub pose: Pose,
    /// In its frame, m.
    pub x: [f64; 2],
    /// In its frame, m.
    pub y: [f64; 2],
    /// Above the pose, m.
    pub z: f64,
    /// A motion that is played, as of a lift.
    pub animation: Option<Arc<Animation>>,
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
    /// An image on it.
    pub texture: Option<Texture>,
    /// The side that is not drawn: `NONE`, `BACK` or `FRONT`.
    pub cull_face: String,
    /// Shows shadows.
    pub shadows: bool,
    /// What other processes are told.
    pub publish: Option<Arc<Publish>>,
    /// Where it is declared.
    pub span: Span,
}

/// A straight wall with openings.
#[derive(Clone, Debug)]
pub struct VerticalPlane {
    /// Of the wall's frame.
    pub pose: Pose,
    /// In its frame, m.
    pub from: [f64; 2],
    /// In its frame, m.
    pub to: [f64; 2],
    /// Foot above the pose, m.
    pub z: f64,
    /// m.
    pub height: f64,
    /// m.
    pub thickness: f64,
    /// Doors and windows.
    pub openings: Vec<Opening>,
    /// A motion that is played, as of a gate.
    pub animation: Option<Arc<Animation>>,
    /// Red, green, blue, opacity.
    pub color: [u8; 4],
    /// An image on it.
    pub texture: Option<Texture>,
    /// The side that is not drawn: `NONE`, `BACK` or `FRONT`.
    pub cull_face: String,
    /// Shows shadows.
    pub shadows: bool,
    /// What other processes are told.
    pub publish: Option<Arc<Publish>>,
    /// Where it is declared.
    pub span: Span,
}

/// A hole in a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// What goes through.
    pub kind: OpeningKind,
    /// May be empty.
    pub name: String,
    /// Centre along the wall: 0 at its start, 1 at its end.
    pub position: f64,
    /// m.
    pub width: f64,
    /// Sill above the world's ground, m.
    pub z_min: f64,
    /// Lintel above the world's ground, m.
    pub z_max: f64,
}

/// What goes through a hole in a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningKind {
    /// Bodies and sight.
    Door,
    /// Sight.
    Window,
}

/// Points that sensors in space see.
#[derive(Clone, Debug)]
pub struct PointCloud {
    /// In the cloud's frame, m.
    pub points: Arc<Vec<[f64; 3]>>,
    /// Of the cloud's frame.
    pub pose: Pose,
    /// On a screen, pixels.
    pub point_size: f64,
    /// Where it is declared.
    pub span: Span,
}

/// A box in which a property has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyRegion {
    /// What is described, such as `friction_mu`.
    pub property: String,
    /// World frame, m.
    pub min: [f64; 3],
    /// World frame, m.
    pub max: [f64; 3],
    /// Its value there.
    pub value: PropertyValue,
    /// Where it is declared.
    pub span: Span,
}

impl PropertyRegion {
    /// Whether a point of the world frame lies in the box or on its border.
    pub fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|axis| self.min[axis] <= point[axis] && point[axis] <= self.max[axis])
    }
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// In the property's unit.
    Number(f64),
    /// Whether it holds.
    Bool(bool),
    /// As given.
    Text(String),
}
