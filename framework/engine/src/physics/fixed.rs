//! Obstacles that never move.

use rapier2d_f64::prelude::*;
use simhost_scene::{MassProperties as Mass, OccupancyGrid};
use simhost_world::{GridMap, Wall};

use super::body::{self, Body, BodyState};
use super::reach::Obstacle;
use super::{BodySpec, Physics, Surface, hull, surfaced};
use crate::error::BuildError;
use crate::walls::Piece;

/// Most cells of a map that bodies may touch.
const MAX_BORDER_CELLS: usize = 4_000_000;
/// What stands at every height.
const ALL_HEIGHTS: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Physics {
    /// Adds the convex hull of an outline that stands from `span[0]` to `span[1]`, m; false when it
    /// has no area.
    pub(super) fn add_fixed(
        &mut self,
        name: &str,
        state: &BodyState,
        outline: &[[f64; 2]],
        span: [f64; 2],
        surface: Surface,
    ) -> bool {
        let Some(collider) = hull(outline) else { return false };
        self.insert_fixed(name, body::pose(state), collider, span, surface);
        true
    }

    fn insert_fixed(
        &mut self,
        name: &str,
        pose: Pose,
        collider: ColliderBuilder,
        span: [f64; 2],
        surface: Surface,
    ) {
        let number = self.heights.add(span, 0.0);
        let (name, shape) = (name.to_owned(), collider.shape.clone());
        self.reach.add_obstacle(Obstacle { name, pose, shape, span: number });
        let collider = surfaced(collider, surface)
            .active_hooks(self.heights.hooks())
            .user_data(number as u128);
        self.world.insert(RigidBodyBuilder::fixed().pose(pose), collider);
    }

    /// Adds a wall.
    pub fn add_wall(&mut self, wall: &Wall) -> Result<(), BuildError> {
        let (outline, state) = wall_outline(wall);
        let surface = Surface { friction: 0.5, restitution: 0.01 };
        if self.add_fixed("a wall", &state, &outline, [0.0, wall.height], surface) {
            Ok(())
        } else {
            Err(BuildError::Body { text: "this wall has no length".into(), span: wall.span })
        }
    }

    /// Adds a box of a wall that stands in the frame of `state`, whose heights begin at `z`.
    pub fn add_piece(&mut self, piece: &Piece, state: &BodyState, z: f64) {
        let surface = Surface { friction: 0.2, restitution: 0.01 };
        let [low, high] = piece.span;
        self.add_fixed("a wall", state, &piece.outline, [low + z, high + z], surface);
    }

    /// As [`Self::add_piece`], for a wall that moves by a plan.
    pub fn add_gate(&mut self, piece: &Piece, state: &BodyState, z: f64) -> Option<Body> {
        let spec = BodySpec {
            name: "a gate".to_owned(),
            mass: Mass::polygon(100.0, &piece.outline),
            outline: &piece.outline,
            span: piece.span,
            surface: Surface { friction: 0.2, restitution: 0.01 },
        };
        self.add_driven(spec, state, z)
    }

    /// Adds the solid cells of a map that border on others: nothing gets past those.
    ///
    /// # Errors
    /// They are so many that the map is noise.
    pub fn add_grid(&mut self, map: &GridMap) -> Result<(), BuildError> {
        let cells = if map.collides { border_cells(&map.grid) } else { Vec::new() };
        if cells.is_empty() {
            return Ok(());
        }
        if cells.len() > MAX_BORDER_CELLS {
            let text = format!(
                "more than {MAX_BORDER_CELLS} solid cells border on free ones: the map may be noise \
                 instead of walls"
            );
            return Err(BuildError::Body { text, span: map.span });
        }
        let side = map.grid.resolution();
        let collider = ColliderBuilder::voxels(Vector::splat(side), &cells);
        let [x, y] = map.grid.corner();
        let surface = Surface { friction: map.lateral_friction, restitution: map.restitution };
        let pose = Pose::from_translation(Vector::new(x, y));
        self.insert_fixed("an occupancy grid", pose, collider, ALL_HEIGHTS, surface);
        Ok(())
    }
}

/// Solid cells with another kind beside them, at the corners too; hardly more than are wanted.
fn border_cells(grid: &OccupancyGrid) -> Vec<IVector> {
    let [columns, rows] = grid.size().map(|count| count as i64);
    let solid = |column: i64, row: i64| {
        (0..columns).contains(&column)
            && (0..rows).contains(&row)
            && grid.is_solid(column as usize, row as usize)
    };
    let borders =
        |column: i64, row: i64| (-1..=1).any(|dy| (-1..=1).any(|dx| !solid(column + dx, row + dy)));
    let mut cells = Vec::new();
    for row in 0..rows {
        if cells.len() > MAX_BORDER_CELLS {
            break;
        }
        for column in 0..columns {
            if solid(column, row) && borders(column, row) {
                cells.push(IVector::new(column, row));
            }
        }
    }
    cells
}

/// A wall as an outline about its middle.
pub(crate) fn wall_outline(wall: &Wall) -> (Vec<[f64; 2]>, BodyState) {
    straight_wall(wall.from, wall.to, wall.thickness)
}

/// A straight wall as an outline about its middle.
pub(crate) fn straight_wall(
    from: [f64; 2],
    to: [f64; 2],
    thickness: f64,
) -> (Vec<[f64; 2]>, BodyState) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    let (half_length, half_width) = (0.5 * length, 0.5 * thickness);
    let outline = vec![
        [-half_length, -half_width],
        [half_length, -half_width],
        [half_length, half_width],
        [-half_length, half_width],
    ];
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    let heading = if length > 0.0 { [along[0] / length, along[1] / length] } else { [1.0, 0.0] };
    (outline, BodyState { position: middle, heading, ..BodyState::default() })
}
