//! The picture of a run: tracks of vehicles among the obstacles, seen from above, as SVG.

pub(crate) mod draw;
pub(crate) mod view;

use crate::drawing::Image;

/// A run seen from above. Coordinates are x and y in the world frame, in m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The surroundings, in the order in which they are drawn.
    pub shapes: Vec<Shape>,
    /// The vehicles, drawn above the surroundings.
    pub tracks: Vec<Track>,
}

/// A closed polygon of the surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Meaning, which decides the colours.
    pub kind: ShapeKind,
    /// Corners in order, either winding.
    pub outline: Vec<[f64; 2]>,
}

/// Meaning of a shape in the picture.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ShapeKind {
    /// Ground above a level, from 0 for the lowest one.
    Terrain(u8),
    /// A line on the ground.
    Grid,
    /// An area with special properties, such as a friction coefficient.
    Region,
    /// Solid cells of a map.
    Map,
    /// A wall.
    Wall,
    /// An obstacle that never moves.
    Obstacle,
    /// A body that can be pushed or follows a path, at the start of the run.
    Movable,
    /// The same body at the end of the run, where it has moved.
    Moved,
}

/// Path of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Name in the legend.
    pub name: String,
    /// Positions of the reference point in order of time. A position that is not finite, or beyond
    /// 10⁹ m, breaks the path.
    pub points: Vec<[f64; 2]>,
    /// Outline of the vehicle at the start of the run; empty for none.
    pub start: Vec<[f64; 2]>,
    /// Outline of the vehicle at the end of the run; empty for none.
    pub end: Vec<[f64; 2]>,
}

impl Picture {
    /// Returns the picture as an SVG document with equal scales on both axes.
    ///
    /// It shows all tracks, and the obstacles around them unless these are very far away. Each
    /// vehicle has a colour; its outline is drawn thin at the start and filled at the end.
    pub fn svg(&self) -> String {
        draw::drawing(self).svg()
    }

    /// Returns the picture as an image, `scale` times as large as [`Self::svg`].
    pub fn image(&self, scale: f32) -> Image {
        draw::drawing(self).image(scale)
    }
}
