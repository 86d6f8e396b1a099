//! The scene as markers, and maps.
//!
//! Markers are given in frames that move, so that one sample is enough for the whole run.

use std::f64::consts::FRAC_PI_2;

use simhost_scene::{OccupancyGrid, Pose2, Pose3};
use simhost_streams::{Stream, Trigger, types};
use simhost_world::{GridMap, Vehicle, VerticalPlane, World};

use super::draft::{Draft, Fixed, Gate};

use super::bind::{MAP, base_link};
use super::shapes::{ShapePlace, Shapes};
use super::vehicles::Moving;

/// Colour of walls.
const WALL: [u8; 4] = [0x8a, 0x8a, 0x8a, 0xff];
/// Colour of property regions.
const REGION: [u8; 4] = [0x56, 0xb4, 0xe9, 0x40];
/// Colour of vehicles and actors without one.
const BODY: [u8; 4] = [0xd5, 0x8a, 0x45, 0xff];
/// Height at which regions are shown, m.
const REGION_HEIGHT: f64 = 0.01;
/// Height and width of the lines of a ground grid, m.
const GRID_HEIGHT: f64 = 0.002;
const GRID_WIDTH: f64 = 0.02;
/// Thickness of floors and platforms, m.
const FLOOR_THICKNESS: f64 = 0.01;

/// Namespaces of markers with their frames.
#[derive(Default)]
struct Scene {
    labels: Vec<String>,
    frames: Vec<String>,
    numbers: Vec<f64>,
}

impl Scene {
    fn add(&mut self, label: &str, frame: &str, shapes: &Shapes) {
        if !shapes.is_empty() {
            self.labels.push(label.to_owned());
            self.frames.push(frame.to_owned());
            shapes.append_to(&mut self.numbers);
        }
    }
}

/// Returns the stream of the scene: walls, planes, blocks, actors, terrain, regions and
/// vehicles.
pub(super) fn stream(world: &World, moving: &[Moving]) -> Draft {
    let mut scene = Scene::default();
    let mut regions = Shapes::default();
    for region in &world.regions {
        let [x, y] = [0, 1].map(|axis| 0.5 * (region.min[axis] + region.max[axis]));
        let [width, depth] = [0, 1].map(|axis| region.max[axis] - region.min[axis]);
        let is_finite = [x, y, width, depth].iter().all(|number| number.is_finite());
        if is_finite {
            let place = [x, y, 0.5 * REGION_HEIGHT, 0.0, 0.0, 0.0];
            regions.cuboid(place, [width, depth, REGION_HEIGHT], REGION);
        }
    }
    scene.add("regions", MAP, &regions);
    for (number, grid) in world.scenery.ground_grids.iter().enumerate() {
        let mut lines = Shapes::default();
        for [from, to] in grid.lines() {
            segment(&mut lines, [from, to], [0.0, GRID_HEIGHT], GRID_WIDTH, grid.color);
        }
        scene.add(&format!("ground_grid/{}", number + 1), MAP, &lines);
    }
    let mut terrain = Shapes::default();
    for map in &world.elevation_maps {
        terrain.surface(&map.field, map.color);
    }
    scene.add("terrain", MAP, &terrain);
    let mut roads = Shapes::default();
    if let Some(network) = &world.roads {
        roads.mesh(&network.surface);
    }
    scene.add("roads", MAP, &roads);
    let mut walls = Shapes::default();
    for wall in &world.walls {
        segment(&mut walls, [wall.from, wall.to], [0.0, wall.height], wall.thickness, WALL);
    }
    scene.add("walls", MAP, &walls);
    add_bodies(world, moving, &mut scene);
    for vehicle in &world.vehicles {
        let frame = base_link(&vehicle.name);
        scene.add(&vehicle.name, &frame, &vehicle_shapes(vehicle));
    }
    let Scene { labels, frames, numbers } = scene;
    let stream = Stream {
        labels,
        label_frames: frames,
        ..Stream::new("scene", types::Markers::TYPE.into())
    };
    once(stream, Fixed { rest: numbers, ..Fixed::default() })
}

/// Returns a stream with one sample at the start.
fn once(mut stream: Stream, content: Fixed) -> Draft {
    stream.trigger = Trigger::Start;
    Draft { gate: Gate::Once { is_passed: false }, ..Draft::fixed(stream, content) }
}

/// Adds blocks, actors and planes: those that move in their own frames.
fn add_bodies(world: &World, moving: &[Moving], scene: &mut Scene) {
    let mut moving = moving.iter().map(|one| one.frame.clone());
    let mut own_frame = |is_moving: bool| if is_moving { moving.next() } else { None };
    for block in &world.blocks {
        let frame = own_frame(!block.is_static || block.animation.is_some());
        let mut shapes = Shapes::default();
        let place = if frame.is_some() { [0.0; 6] } else { place(&block.pose) };
        match block.geometry {
            Some(body) => shapes.primitive(place, body, block.color),
            None => shapes.prism(place, &block.polygon, [block.z_min, block.z_max], block.color),
        }
        let label = frame.clone().unwrap_or_else(|| format!("block/{}", block.name));
        scene.add(&label, frame.as_deref().unwrap_or(MAP), &shapes);
    }
    for actor in &world.actors {
        let Some(frame) = own_frame(true) else { continue };
        let (diameter, height) = (2.0 * actor.collision_radius, actor.collision_height);
        let mut shapes = Shapes::default();
        shapes.cylinder([0.0, 0.0, 0.5 * height, 0.0, 0.0, 0.0], diameter, height, BODY);
        scene.add(&frame, &frame, &shapes);
    }
    for plane in &world.horizontal_planes {
        let frame = own_frame(plane.animation.is_some());
        let pose = if frame.is_some() { Pose3::default() } else { plane.pose };
        let [x, y] = [plane.x, plane.y].map(|range| 0.5 * (range[0] + range[1]));
        let centre = Pose2 { x: pose.x, y: pose.y, yaw: pose.yaw }.transform([x, y]);
        let size = [plane.x[1] - plane.x[0], plane.y[1] - plane.y[0], FLOOR_THICKNESS];
        let mut shapes = Shapes::default();
        let height = pose.z + plane.z - 0.5 * FLOOR_THICKNESS;
        let place = [centre[0], centre[1], height, pose.yaw, pose.pitch, pose.roll];
        shapes.cuboid(place, size, plane.surface.color);
        let label = frame.clone().unwrap_or_else(|| format!("plane/{}", plane.name));
        scene.add(&label, frame.as_deref().unwrap_or(MAP), &shapes);
    }
    for plane in &world.vertical_planes {
        let frame = own_frame(plane.animation.is_some());
        let pose = if frame.is_some() { Pose3::default() } else { plane.pose };
        let label = frame.clone().unwrap_or_else(|| format!("plane/{}", plane.name));
        scene.add(&label, frame.as_deref().unwrap_or(MAP), &wall_shapes(plane, pose));
    }
}

fn place(pose: &Pose3) -> ShapePlace {
    [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]
}

/// Adds a straight wall between two heights.
fn segment(
    shapes: &mut Shapes,
    [from, to]: [[f64; 2]; 2],
    [low, high]: [f64; 2],
    thickness: f64,
    colour: [u8; 4],
) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let (x, y) = (0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]));
    let yaw = along[1].atan2(along[0]);
    let place = [x, y, 0.5 * (low + high), yaw, 0.0, 0.0];
    shapes.cuboid(place, [along[0].hypot(along[1]), thickness, high - low], colour);
}

/// Returns the parts of a wall between its doors, each over the whole height.
fn wall_shapes(wall: &VerticalPlane, pose: Pose3) -> Shapes {
    let frame = Pose2 { x: pose.x, y: pose.y, yaw: pose.yaw };
    let length = (wall.to[0] - wall.from[0]).hypot(wall.to[1] - wall.from[1]);
    let at = |share: f64| {
        frame.transform(
            [0, 1].map(|axis| wall.from[axis] + share * (wall.to[axis] - wall.from[axis])),
        )
    };
    let low = pose.z + wall.z;
    let mut shapes = Shapes::default();
    for (start, end) in wall.pieces(length) {
        let heights = [low, low + wall.height];
        segment(&mut shapes, [at(start), at(end)], heights, wall.thickness, wall.surface.color);
    }
    shapes
}

/// Returns chassis and wheels of a vehicle in its own frame.
fn vehicle_shapes(vehicle: &Vehicle) -> Shapes {
    let mut shapes = Shapes::default();
    let chassis = &vehicle.chassis;
    let colour = chassis.color.unwrap_or(BODY);
    shapes.prism([0.0; 6], &chassis.polygon, [chassis.z_min, chassis.z_max], colour);
    for wheel in vehicle.wheels.iter() {
        // the axle of a wheel is the axis of its cylinder
        let place = [wheel.x, wheel.y, 0.5 * wheel.diameter, wheel.yaw, 0.0, FRAC_PI_2];
        shapes.cylinder(place, wheel.diameter, wheel.width, wheel.color);
    }
    shapes
}

/// Returns the streams of occupancy grids: `map`, and `map_2` and so on for further ones.
pub(super) fn maps(world: &World) -> impl Iterator<Item = Draft> {
    world.grids.iter().enumerate().map(|(number, map)| {
        let name = match number {
            0 => "map".to_owned(),
            _ => format!("map_{}", number + 1),
        };
        let stream = Stream {
            frame: MAP.to_owned(),
            ..Stream::new(name, types::OccupancyGrid::TYPE.into())
        };
        once(stream, grid(map))
    })
}

fn grid(map: &GridMap) -> Fixed {
    let grid: &OccupancyGrid = &map.grid;
    let ([columns, rows], [x, y]) = (grid.size(), grid.corner());
    let numbers = vec![grid.resolution(), columns as f64, rows as f64, x, y, 0.0, 0.0];
    let occupancies: Vec<u8> = (i8::MIN..=i8::MAX).map(occupancy).collect();
    let index = |cell: i8| (i16::from(cell) - i16::from(i8::MIN)) as usize;
    let bytes = grid.cells().iter().map(|cell| occupancies[index(*cell)]).collect();
    Fixed { numbers, bytes, ..Fixed::default() }
}

/// Returns the probability that a cell is occupied in per cent; 255 if it is unknown. The cell is
/// 16·ln(p/(1−p)), where p is the probability that it is free.
fn occupancy(cell: i8) -> u8 {
    const UNKNOWN: u8 = 255;
    match cell {
        -1..=1 => UNKNOWN,
        // maps limit probabilities to the range from 0.01 to 0.99
        74.. => 0,
        ..=-74 => 100,
        _ => (100.0 / (1.0 + (f64::from(cell) / 16.0).exp())).round() as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::occupancy;

    #[test]
    fn cells_have_the_probability_of_their_logarithm() {
        assert_eq!(occupancy(0), 255);
        assert_eq!(occupancy(i8::MIN), 100);
        assert_eq!(occupancy(i8::MAX), 0);
        // ln(0.25/0.75)·16 = −17.6
        assert_eq!(occupancy(-18), 75);
        // Nav2 and AMCL take only 0 and 100 for free and occupied
        let certain = |free: f64| occupancy((16.0 * (free / (1.0 - free)).ln()).round() as i8);
        assert_eq!([certain(0.99), certain(0.01)], [0, 100]);
        assert_eq!([certain(0.98), certain(0.02)], [2, 98]);
    }
}
