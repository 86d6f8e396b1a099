//! Contours of all objects that sensors can see.

use std::sync::Arc;

use simhost_scene::Pose2;
use simhost_sensing::PlanarScene;
use simhost_world::{Pose, World};

use super::group::NOBODY;
use crate::physics::{Body, Passage, Physics, plane_pose, wall_boxes, wall_outline};
use crate::plan::Plans;
use crate::table::Table;

/// The scene of all sensors.
pub(super) struct Scene {
    planar: PlanarScene,
    obstacles: Vec<Obstacle>,
    /// Outline and heights of every vehicle.
    outlines: Vec<(Vec<[f64; 2]>, [f64; 2])>,
}

/// A block or a wall as sensors see it.
struct Obstacle {
    outline: Vec<[f64; 2]>,
    /// Lowest and highest point above the origin, m.
    heights: [f64; 2],
    at: Place,
}

enum Place {
    /// A fixed pose, and the height of its origin, m.
    Fixed(Pose2, f64),
    Body(Body),
}

impl Scene {
    /// Creates the scene of a world whose blocks have these bodies and heights, m.
    pub fn new(world: &World, bodies: &[Option<Body>], heights: &[f64]) -> Self {
        let outline = |vehicle: &simhost_world::Vehicle| {
            let chassis = &vehicle.chassis;
            let mut heights = [chassis.z_min, chassis.z_max];
            // wheels reach down to the ground
            heights[0] = if vehicle.wheels.is_empty() { heights[0] } else { 0.0 };
            (chassis.polygon.clone(), heights)
        };
        let grids = world.grids.iter().map(|map| Arc::clone(&map.grid)).collect();
        Self {
            planar: PlanarScene::new(grids),
            obstacles: obstacles(world, bodies, heights),
            outlines: world.vehicles.iter().map(outline).collect(),
        }
    }

    /// Returns the contours for casting rays.
    pub fn planar(&self) -> &PlanarScene {
        &self.planar
    }

    /// Moves all contours to the present poses.
    pub fn update(&mut self, tables: &[Table], physics: &Physics, plans: &Plans) {
        self.planar.clear();
        for obstacle in &self.obstacles {
            let (pose, fixed, [low, high]) = match &obstacle.at {
                Place::Fixed(pose, z) => (*pose, true, obstacle.heights.map(|h| h + z)),
                Place::Body(body) => (physics.state(*body).pose(), false, physics.heights(*body)),
            };
            self.planar.add_polygon(NOBODY, fixed, &obstacle.outline, pose, [low, high]);
        }
        for walker in &plans.walkers {
            let pose = physics.state(walker.body).pose();
            let heights = physics.heights(walker.body);
            self.planar.add_polygon(NOBODY, false, &walker.outline, pose, heights);
        }
        for vehicles in tables.iter().map(|table| &table.vehicles) {
            for (lane, owner) in vehicles.lanes.iter().enumerate() {
                let (outline, heights) = &self.outlines[owner.vehicle];
                let z = vehicles.height(lane);
                let heights = heights.map(|height| height + z);
                let number = owner.vehicle as u32;
                self.planar.add_polygon(number, false, outline, vehicles.pose(lane), heights);
            }
        }
    }
}

fn obstacles(world: &World, bodies: &[Option<Body>], heights: &[f64]) -> Vec<Obstacle> {
    let walls = world.walls.iter().map(|wall| {
        let (outline, state) = wall_outline(wall);
        Obstacle { outline, heights: [0.0, wall.height], at: Place::Fixed(state.pose(), 0.0) }
    });
    let planes = world.vertical_planes.iter().flat_map(|plane| {
        wall_boxes(plane, Passage::Ray).into_iter().map(|wall| Obstacle {
            outline: wall.outline,
            heights: wall.span,
            at: Place::Fixed(plane_pose(plane), plane.pose.z),
        })
    });
    let blocks = world.blocks.iter().zip(bodies).zip(heights);
    let blocks = blocks.filter(|((block, _), _)| !block.intangible).map(|((block, body), z)| {
        let Pose { x, y, yaw, .. } = block.pose;
        Obstacle {
            outline: block.polygon.clone(),
            heights: [block.z_min, block.z_max],
            at: body.map_or(Place::Fixed(Pose2 { x, y, yaw }, *z), Place::Body),
        }
    });
    walls.chain(planes).chain(blocks).collect()
}
