//! Collects the picture of a run: tracks, outlines of vehicles, obstacles, maps and regions.

use std::f64::consts::TAU;

use simhost_engine::Simulation;
use simhost_record::{Picture, Shape, ShapeKind, Track};
use simhost_scene::{OccupancyGrid, Pose2};
use simhost_world::{OpeningKind, Pose, VerticalPlane, World};

/// Bodies that moved or turned less are not drawn again, m or rad.
const LEAST_MOTION: f64 = 1e-3;
/// Rows of rectangles that a map is drawn with at most.
const MAP_ROWS: usize = 400;
/// Corners that stand for a circle.
const CIRCLE: usize = 16;

/// Positions of a track at which every second one is dropped.
const MAX_POINTS: usize = 2000;

/// Collects the picture of a run while it is running.
pub struct Drawing {
    surroundings: Vec<Shape>,
    movers: Vec<Mover>,
    vehicles: Vec<Body>,
    tracks: Vec<Track>,
}

/// A vehicle: its outline in its own frame, and its pose at the start.
struct Body {
    outline: Vec<[f64; 2]>,
    start: Pose2,
}

/// A block or an actor that can move.
struct Mover {
    /// Label of the engine: `block/NAME` or `actor/NAME`.
    label: String,
    body: Body,
}

impl Drawing {
    /// Starts the picture of a world that has not been stepped.
    pub fn new(world: &World) -> Self {
        let vehicles = world.vehicles.iter().map(|vehicle| Body {
            outline: vehicle.chassis.polygon.clone(),
            start: pose_of(&vehicle.pose),
        });
        let named = |name: &str| Track { name: name.to_owned(), ..Track::default() };
        Self {
            surroundings: surroundings(world),
            movers: movers(world),
            vehicles: vehicles.collect(),
            tracks: world.vehicles.iter().map(|vehicle| named(&vehicle.name)).collect(),
        }
    }

    /// Adds a position to the track of a vehicle. Vehicles that were added while the program runs have
    /// no track.
    pub fn add(&mut self, vehicle: usize, position: [f64; 2]) {
        let Some(track) = self.tracks.get_mut(vehicle) else { return };
        track.points.push(position);
        if track.points.len() > MAX_POINTS {
            let mut keep = false;
            track.points.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }

    /// Returns the picture of the run, which has ended.
    pub fn picture(self, simulation: &Simulation) -> Picture {
        let Self { surroundings: mut shapes, movers, vehicles, mut tracks } = self;
        shapes.extend(moved(&movers, simulation));
        for ((track, body), vehicle) in tracks.iter_mut().zip(vehicles).zip(simulation.vehicles()) {
            let [x, y, _, yaw, ..] = vehicle.pose;
            track.start = placed(&body.outline, body.start);
            track.end = placed(&body.outline, Pose2 { x, y, yaw });
        }
        Picture { shapes, tracks }
    }
}

/// Returns the surroundings of the vehicles at the start of a run.
fn surroundings(world: &World) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = world
        .regions
        .iter()
        .map(|region| shape(ShapeKind::Region, rectangle(region.min, region.max)))
        .collect();
    for map in &world.grids {
        shapes.extend(solid_cells(&map.grid));
    }
    for wall in &world.walls {
        shapes.push(shape(ShapeKind::Wall, thick(wall.from, wall.to, wall.thickness)));
    }
    for wall in &world.vertical_planes {
        shapes.extend(wall_pieces(wall).map(|piece| shape(ShapeKind::Wall, piece)));
    }
    for block in &world.blocks {
        let kind = if block.is_static { ShapeKind::Obstacle } else { ShapeKind::Movable };
        shapes.push(shape(kind, placed(&block.polygon, pose_of(&block.pose))));
    }
    for actor in &world.actors {
        let circle = circle(actor.collision_radius);
        shapes.push(shape(ShapeKind::Movable, placed(&circle, pose_of(&actor.pose))));
    }
    shapes
}

/// Returns the blocks and actors that can move.
fn movers(world: &World) -> Vec<Mover> {
    let blocks = world.blocks.iter().filter(|block| !block.is_static || block.animation.is_some());
    let blocks = blocks.map(|block| Mover {
        label: format!("block/{}", block.name),
        body: Body { outline: block.polygon.clone(), start: pose_of(&block.pose) },
    });
    let actors = world.actors.iter().map(|actor| Mover {
        label: format!("actor/{}", actor.name),
        body: Body { outline: circle(actor.collision_radius), start: pose_of(&actor.pose) },
    });
    blocks.chain(actors).collect()
}

/// Returns the bodies that are no longer where they were at the start.
fn moved(movers: &[Mover], simulation: &Simulation) -> Vec<Shape> {
    let mut rest = movers;
    let mut shapes = Vec::new();
    for (label, pose) in simulation.movers() {
        // names may repeat; both lists are in the order of the world file
        let Some(index) = rest.iter().position(|mover| mover.label == label) else { continue };
        let Body { outline, start } = &rest[index].body;
        rest = &rest[index + 1..];
        let distance = (pose.x - start.x).hypot(pose.y - start.y);
        if distance.max((pose.yaw - start.yaw).abs()) > LEAST_MOTION {
            shapes.push(shape(ShapeKind::Moved, placed(outline, pose)));
        }
    }
    shapes
}

/// Moves an outline from a body's frame into the world frame.
fn placed(outline: &[[f64; 2]], pose: Pose2) -> Vec<[f64; 2]> {
    outline.iter().map(|corner| pose.transform(*corner)).collect()
}

fn shape(kind: ShapeKind, outline: Vec<[f64; 2]>) -> Shape {
    Shape { kind, outline }
}

fn pose_of(pose: &Pose) -> Pose2 {
    Pose2 { x: pose.x, y: pose.y, yaw: pose.yaw }
}

fn rectangle([x0, y0, _]: [f64; 3], [x1, y1, _]: [f64; 3]) -> Vec<[f64; 2]> {
    vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
}

fn circle(radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / CIRCLE as f64).sin_cos();
        [radius * cos, radius * sin]
    };
    (0..CIRCLE).map(corner).collect()
}

/// A segment as a rectangle of some thickness.
fn thick(from: [f64; 2], to: [f64; 2], thickness: f64) -> Vec<[f64; 2]> {
    let along = [to[0] - from[0], to[1] - from[1]];
    let scale = 0.5 * thickness / along[0].hypot(along[1]).max(f64::MIN_POSITIVE);
    let aside = [-along[1] * scale, along[0] * scale];
    [(from, -1.0), (to, -1.0), (to, 1.0), (from, 1.0)]
        .map(|([x, y], side)| [x + side * aside[0], y + side * aside[1]])
        .to_vec()
}

/// The parts of a wall between its doors. Windows do not interrupt it: nothing drives through.
fn wall_pieces(wall: &VerticalPlane) -> impl Iterator<Item = Vec<[f64; 2]>> {
    let pose = pose_of(&wall.pose);
    let (from, to) = (pose.transform(wall.from), pose.transform(wall.to));
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    let doors = wall.openings.iter().filter(|opening| opening.kind == OpeningKind::Door);
    let mut doors: Vec<[f64; 2]> = doors
        .map(|door| {
            let half = 0.5 * door.width / length;
            [door.position - half, door.position + half]
        })
        .collect();
    doors.sort_by(|one, other| one[0].total_cmp(&other[0]));
    let starts = std::iter::once(0.0).chain(doors.iter().map(|door| door[1]));
    let ends = doors.iter().map(|door| door[0]).chain(std::iter::once(1.0));
    let pieces: Vec<(f64, f64)> = starts.zip(ends).filter(|(start, end)| start < end).collect();
    let at = move |share: f64| -> [f64; 2] {
        std::array::from_fn(|axis| from[axis] + share * (to[axis] - from[axis]))
    };
    let thickness = wall.thickness;
    pieces.into_iter().map(move |(start, end)| thick(at(start), at(end), thickness))
}

/// Solid cells as rectangles: runs along x, in rows of several cells where the map is large.
fn solid_cells(grid: &OccupancyGrid) -> Vec<Shape> {
    let [columns, rows] = grid.size();
    let coarse = columns.max(rows).div_ceil(MAP_ROWS).max(1);
    let ([x, y], cell) = (grid.corner(), grid.resolution());
    let mut shapes = Vec::new();
    for row in (0..rows).step_by(coarse) {
        let is_solid = |column: usize| {
            let cells = (row..(row + coarse).min(rows))
                .flat_map(|iy| (column..(column + coarse).min(columns)).map(move |ix| (ix, iy)));
            cells.into_iter().any(|(ix, iy)| grid.is_solid(ix, iy))
        };
        let mut start = None;
        for column in (0..columns).step_by(coarse).chain(std::iter::once(columns)) {
            let solid = column < columns && is_solid(column);
            match (solid, start) {
                (true, None) => start = Some(column),
                (false, Some(first)) => {
                    start = None;
                    let low = [x + first as f64 * cell, y + row as f64 * cell, 0.0];
                    let top = (row + coarse).min(rows);
                    let high = [x + column as f64 * cell, y + top as f64 * cell, 0.0];
                    shapes.push(shape(ShapeKind::Map, rectangle(low, high)));
                }
                _ => {}
            }
        }
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solid_cells_are_joined_along_rows() {
        let cells = vec![-100, -100, 100, 100, -100, -100];
        let grid = OccupancyGrid::new([0.0, 0.0], 0.5, [3, 2], cells).unwrap();
        let shapes = solid_cells(&grid);
        let outlines: Vec<_> =
            shapes.iter().map(|shape| (shape.outline[0], shape.outline[2])).collect();
        assert_eq!(outlines, [([0.0, 0.0], [1.0, 0.5]), ([0.5, 0.5], [1.5, 1.0])]);
    }

    #[test]
    fn a_thick_segment_is_as_wide_as_its_thickness() {
        let outline = thick([0.0, 0.0], [2.0, 0.0], 0.4);
        assert_eq!(outline, [[0.0, -0.2], [2.0, -0.2], [2.0, 0.2], [0.0, 0.2]]);
    }
}
