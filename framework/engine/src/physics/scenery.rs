//! Adds blocks, walls and maps to the world, as obstacles and bodies.

use std::sync::Arc;

use rapier2d_f64::prelude::*;
use simhost_scene::{MassProperties as Mass, OccupancyGrid, polygon};
use simhost_world::{Block, GridMap, Span, Wall};

use super::bodies::{BodySpec, convex_hull};
use super::body::{Body, BodyMotion, BodyState, PLASTIC, Surface};
use super::counterparts::Original;
use super::neighbours::Obstacle;
use super::walls::{WallBox, wall_outline};
use super::world::Physics;
use super::{SlidingBlock, bodies, body};

/// Greatest number of cells of a map that bodies can touch.
const MAX_BORDER_CELLS: usize = 4_000_000;
/// Height span of an obstacle that has no top and no bottom, m.
const ALL_HEIGHTS: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Physics {
    /// Adds a block with its origin at height `z`, m, and damping in 1/s. Returns its body if it can
    /// move.
    ///
    /// # Errors
    /// [`BodyError`] if the outline of the block has no area.
    pub fn add_block(
        &mut self,
        block: &Block,
        state: &BodyState,
        z: f64,
        gravity: f64,
        damping: [f64; 2],
    ) -> Result<Option<Body>, BodyError> {
        let name = format!("block '{}'", block.name);
        let degenerate = || no_area(&format!("block '{}'", block.name), block.span);
        if block.intangible {
            return Ok(None);
        }
        let span = [block.z_min, block.z_max];
        let surface = Surface { friction: block.lateral_friction, restitution: block.restitution };
        if block.is_static && block.animation.is_none() {
            let span = [span[0] + z, span[1] + z];
            let added = self.add_fixed(&name, state, &block.polygon, span, surface);
            return if added { Ok(None) } else { Err(degenerate()) };
        }
        let mass = Mass::polygon(block.mass, &polygon::convex_hull(&block.polygon));
        let spec = BodySpec { name, mass, outline: &block.polygon, span, surface };
        if block.animation.is_some() {
            return self.add_kinematic(spec, state, z).map(Some).ok_or_else(degenerate);
        }
        let body = self.add_moving(spec, state, z, BodyMotion::Block).ok_or_else(degenerate)?;
        self.blocks.all.push(SlidingBlock {
            body,
            mass: block.mass,
            inertia: mass.inertia_about_centre(),
            grip: block.ground_friction * block.mass,
            friction: block.ground_friction * block.mass * gravity,
            lever: polygon::bounding_radius(&block.polygon, mass.centre),
            damping,
            keeps_height: block.skip_elevation_adjust,
            falling: 0.0,
            is_lifted: false,
        });
        Ok(Some(body))
    }

    /// Adds the convex hull of an outline that reaches from height `span[0]` to `span[1]`, m, world
    /// frame. Returns false if the outline has no area.
    pub(super) fn add_fixed(
        &mut self,
        name: &str,
        state: &BodyState,
        outline: &[[f64; 2]],
        span: [f64; 2],
        surface: Surface,
    ) -> bool {
        let Some(shape) = convex_hull(outline) else { return false };
        self.insert_fixed(name, body::pose(state), shape, span, surface);
        true
    }

    fn insert_fixed(
        &mut self,
        name: &str,
        pose: Pose,
        shape: SharedShape,
        span: [f64; 2],
        surface: Surface,
    ) {
        self.solver.elastic |= surface.restitution > PLASTIC;
        let (name, span) = (name.to_owned(), self.bodies.heights.add(span, 0.0));
        let width = bodies::width(shape.as_ref());
        let cell = shape.as_voxels().and_then(|voxels| cell(voxels.voxel_size()));
        let obstacle = Obstacle { name, pose, shape, cell, width, surface, span };
        let obstacle = Arc::make_mut(&mut self.obstacles).add(obstacle);
        self.add_counterpart(Original::Obstacle(obstacle));
    }

    /// Adds a wall.
    ///
    /// # Errors
    /// [`BodyError`] if the wall has no length.
    pub fn add_wall(&mut self, wall: &Wall) -> Result<(), BodyError> {
        let (outline, state) = wall_outline(wall);
        let surface = Surface { friction: 0.5, restitution: 0.01 };
        if self.add_fixed("a wall", &state, &outline, [0.0, wall.height], surface) {
            Ok(())
        } else {
            Err(BodyError { text: "this wall has no length".into(), span: wall.span })
        }
    }

    /// Adds one box of a vertical plane in the frame of `state`, whose origin is at height `z`, m.
    pub fn add_wall_box(&mut self, wall: &WallBox, state: &BodyState, z: f64) {
        let surface = Surface { friction: 0.2, restitution: 0.01 };
        let [low, high] = wall.span;
        self.add_fixed("a wall", state, &wall.outline, [low + z, high + z], surface);
    }

    /// Adds one box of a vertical plane that follows a plan. Returns `None` if it has no area.
    pub fn add_gate(&mut self, wall: &WallBox, state: &BodyState, z: f64) -> Option<Body> {
        let spec = BodySpec {
            name: "a gate".to_owned(),
            mass: Mass::polygon(100.0, &wall.outline),
            outline: &wall.outline,
            span: wall.span,
            surface: Surface { friction: 0.2, restitution: 0.01 },
        };
        self.add_kinematic(spec, state, z)
    }

    /// Adds the solid cells of an occupancy grid that border on free cells. Bodies cannot reach the
    /// others.
    ///
    /// # Errors
    /// [`BodyError`] if more than [`MAX_BORDER_CELLS`] cells border on free ones.
    pub fn add_grid(&mut self, map: &GridMap) -> Result<(), BodyError> {
        let cells = if map.collides { border_cells(&map.grid) } else { Vec::new() };
        if cells.is_empty() {
            return Ok(());
        }
        if cells.len() > MAX_BORDER_CELLS {
            let text = format!(
                "more than {MAX_BORDER_CELLS} solid cells border on free ones: the map may be noise \
                 instead of walls"
            );
            return Err(BodyError { text, span: map.span });
        }
        let side = map.grid.resolution();
        let shape = SharedShape::voxels(Vector::splat(side), &cells);
        let [x, y] = map.grid.corner();
        let surface = Surface { friction: map.lateral_friction, restitution: map.restitution };
        let pose = Pose::from_translation(Vector::new(x, y));
        self.insert_fixed("an occupancy grid", pose, shape, ALL_HEIGHTS, surface);
        Ok(())
    }
}

/// Returns the outline of a cell of this size, m, about its middle.
fn cell(size: Vector) -> Option<SharedShape> {
    let [x, y] = [0.5 * size.x, 0.5 * size.y];
    convex_hull(&[[-x, -y], [x, -y], [x, y], [-x, y]])
}

/// Returns the solid cells that touch a free cell or the edge of the map, also diagonally. Stops
/// after the row that exceeds [`MAX_BORDER_CELLS`].
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

/// A body that the world file describes cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub(crate) struct BodyError {
    /// Description of the error.
    pub text: String,
    /// Position of the body's element in the world file.
    pub span: Span,
}

/// Returns the error for a polygon without area; `what` names its owner.
pub(crate) fn no_area(what: &str, span: Span) -> BodyError {
    BodyError { text: format!("{what} has an outline without area"), span }
}
