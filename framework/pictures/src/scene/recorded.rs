//! The scene of a recording whose world is not known.

use simhost_runs::{Marker, RecordedMap, RecordedScene};
use simhost_scene::{OccupancyGrid, Pose2};

use super::fields::solid_cells;
use super::{Mover, STANDARD_GRAVITY, Scene, VehicleShape, WheelShape, circle, placed, shape};
use crate::picture::{Shape, ShapeKind};

/// Kinds of markers.
const CUBOID: i64 = 1;
const CYLINDER: i64 = 3;
/// Height below which a cuboid is a floor, m.
const FLOOR: f64 = 0.02;
/// Value of a solid cell in a map of the world.
const SOLID: i8 = -100;

impl Scene {
    /// Returns the scene that a recording holds. Terrain is left out.
    pub fn recorded(recorded: &RecordedScene) -> Self {
        let mut scene = Self { gravity: STANDARD_GRAVITY, ..Self::default() };
        for marker in &recorded.markers {
            let outline = outline(marker);
            match marker.label.as_str() {
                "terrain" => {}
                "regions" => scene.shapes.push(shape(ShapeKind::Region, outline)),
                "walls" => scene.shapes.push(shape(ShapeKind::Wall, outline)),
                label => match label.split_once('/') {
                    Some(("plane", _)) if marker.size[2] < FLOOR => {}
                    Some(("plane", _)) => scene.shapes.push(shape(ShapeKind::Wall, outline)),
                    Some((_, name)) if marker.frame != "map" => scene.movers.push(Mover {
                        label: label.to_owned(),
                        quantity: format!("{name}/pose"),
                        outline,
                        start: Pose2::default(),
                        end: None,
                    }),
                    Some(("ground_grid", _)) => scene.shapes.push(shape(ShapeKind::Grid, outline)),
                    Some(("block", _)) => scene.shapes.push(shape(ShapeKind::Obstacle, outline)),
                    _ => scene.add_to_vehicle(marker, outline, recorded),
                },
            }
        }
        let maps: Vec<Shape> = recorded.maps.iter().flat_map(map).collect();
        scene.shapes.splice(0..0, maps);
        scene
    }

    /// Adds the chassis or a wheel of a vehicle.
    fn add_to_vehicle(
        &mut self,
        marker: &Marker,
        outline: Vec<[f64; 2]>,
        recorded: &RecordedScene,
    ) {
        let name = &marker.label;
        let Some(vehicle) = self.vehicles.iter_mut().find(|vehicle| vehicle.name == *name) else {
            let name = name.clone();
            self.vehicles.push(VehicleShape { name, outline, ..VehicleShape::default() });
            return;
        };
        let tags = recorded.wheels.iter().find(|(known, _)| known == name);
        let tag = tags.and_then(|(_, tags)| tags.get(vehicle.wheels.len()));
        let [x, y, _, yaw, ..] = marker.pose;
        vehicle.wheels.push(WheelShape {
            name: tag.cloned().unwrap_or_default(),
            pose: Pose2 { x, y, yaw },
            radius: 0.5 * marker.size[0],
            width: marker.size[2],
            mu: None,
        });
    }
}

/// Returns the outline of a shape from above, in its frame.
fn outline(marker: &Marker) -> Vec<[f64; 2]> {
    let [x, y, _, yaw, ..] = marker.pose;
    let [length, width, _] = marker.size;
    let own = match marker.kind {
        CUBOID => [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
            .map(|[x, y]| [0.5 * length * x, 0.5 * width * y])
            .to_vec(),
        CYLINDER => circle(0.5 * length),
        // the sides of a prism over n corners are 2 n triangles, and its ends 2 (n - 2)
        _ => {
            let corners = marker.points.len() / 12 + 1;
            (0..corners)
                .filter_map(|k| marker.points.get(6 * k))
                .map(|[x, y, _]| [*x, *y])
                .collect()
        }
    };
    placed(&own, Pose2 { x, y, yaw })
}

fn map(map: &RecordedMap) -> Vec<Shape> {
    let cell = |occupancy: &i8| if *occupancy > 50 { SOLID } else { 0 };
    let cells = map.cells.iter().map(cell).collect();
    match OccupancyGrid::new(map.corner, map.resolution, map.size, cells) {
        Ok(grid) => solid_cells(&grid),
        Err(_) => Vec::new(),
    }
}
