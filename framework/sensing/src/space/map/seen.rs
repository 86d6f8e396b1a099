//! Maps as neighbouring rays of one origin meet them.

use super::view::{View, place};
use super::{MARGIN, Map};
use crate::space::pattern::TILE;
use crate::space::rays::{Found, Met, Rays};

/// A map with a view from the origin of rays.
pub(in crate::space) struct SeenMap<'m> {
    map: &'m Map,
    view: &'m View,
    origin: [f64; 3],
    /// Index of the surface across the x axis. That across the y axis follows.
    first: u64,
}

/// The level parts of neighbouring rays.
struct Level {
    /// Lengths of the level parts of the directions.
    length: [f64; TILE],
    /// Unit directions.
    direction: [[f64; TILE]; 2],
}

/// The walls in front of neighbouring rays.
struct WallsAhead {
    /// Distance of the line of each wall from the origin, across the wall, m.
    offset: [f64; TILE],
    /// Part of the direction across the wall.
    across: [f64; TILE],
    /// 1 for a ray that meets the line of a wall, otherwise 0.
    is_ahead: [f64; TILE],
    /// 1 for a ray that has to be followed, otherwise 0.
    unsure: [f64; TILE],
}

impl<'m> SeenMap<'m> {
    /// Looks at a map from an origin, for which the view has been prepared. Returns `None` if all rays have to be
    /// followed.
    pub fn new(
        map: &'m Map,
        view: &'m View,
        origin: [f64; 3],
        found: &mut Vec<Found>,
    ) -> Option<Self> {
        if !view.is_ready || origin[2] > map.top {
            return None;
        }
        let first = found.len() as u64;
        for normal in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
            found.push(Found { label: map.label, normal, is_unit: true });
        }
        Some(Self { map, view, origin, first })
    }

    /// Returns what rays meet, as [`Map::cast`] does. It leaves out upright rays, and those that have to be followed from
    /// cell to cell.
    #[inline(always)]
    pub fn meet(&self, rays: &Rays) -> Met {
        let mut level = Level { length: [0.0; TILE], direction: [[0.0; TILE]; 2] };
        for i in 0..TILE {
            let length = (rays.x[i] * rays.x[i] + rays.y[i] * rays.y[i]).sqrt();
            level.length[i] = length;
            level.direction[0][i] = rays.x[i] / length;
            level.direction[1][i] = rays.y[i] / length;
        }
        let walls = self.walls(&level);
        let mut met = Met { unsure: walls.unsure, ..Met::NOTHING };
        let (top, z) = (self.map.top, self.origin[2]);
        for i in 0..TILE {
            let over = (top - z) / rays.z[i];
            let limit = if over >= 0.0 { over * (1.0 + MARGIN) + MARGIN } else { f64::INFINITY };
            let limit = if rays.nearest[i] < limit { rays.nearest[i] } else { limit };
            let reach = limit * level.length[i] * (1.0 + MARGIN);
            let distance = walls.offset[i] / walls.across[i];
            let distance = if distance > 0.0 { distance } else { 0.0 };
            let range = distance / level.length[i];
            let is_below = (top == f64::INFINITY) | (z + range * rays.z[i] <= top);
            let is_met = (walls.is_ahead[i] > 0.0) & (distance <= reach) & is_below;
            met.ranges[i] = if is_met { range } else { f64::INFINITY };
            let is_x = self.is_across_x([level.direction[0][i], level.direction[1][i]], distance);
            met.winners[i] = if is_x { self.first } else { self.first + 1 };
        }
        met
    }

    /// Returns whether the side that is hit at a level distance, m, is across the x axis: whether it lies nearer to
    /// such a line of the grid.
    #[inline(always)]
    fn is_across_x(&self, [x, y]: [f64; 2], distance: f64) -> bool {
        let (corner, cell) = (self.map.grid.corner(), self.map.grid.resolution());
        let across = (self.origin[0] + distance * x - corner[0]) / cell;
        let along = (self.origin[1] + distance * y - corner[1]) / cell;
        let is_nearer = (across - across.round()).abs() <= (along - along.round()).abs();
        (y == 0.0) | ((x != 0.0) & is_nearer)
    }

    /// Looks up the walls in front of rays.
    #[inline(always)]
    fn walls(&self, Level { length, direction: [x, y] }: &Level) -> WallsAhead {
        let none = [0.0; TILE];
        let mut walls = WallsAhead { offset: none, across: none, is_ahead: none, unsure: none };
        let mut places = [0.0; TILE];
        for i in 0..TILE {
            places[i] = place([x[i], y[i]]);
        }
        for i in 0..TILE {
            match self.view.wall(places[i]) {
                Some(Some(wall)) if length[i] != 0.0 => {
                    walls.offset[i] = wall.at - self.origin[wall.axis];
                    walls.across[i] = if wall.axis == 0 { x[i] } else { y[i] };
                    walls.is_ahead[i] = if wall.is_unknown { 0.0 } else { 1.0 };
                }
                Some(None) if length[i] != 0.0 => (),
                _ => walls.unsure[i] = 1.0,
            }
        }
        walls
    }
}
