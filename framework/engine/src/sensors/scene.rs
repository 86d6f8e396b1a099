//! Contours of all objects that sensors can see.

use std::sync::Arc;

use simhost_scene::{Pose2, Pose3};
use simhost_sensing::{Fan, Outlines, PlanarScene, Shape, Visibility};
use simhost_world::World;

use super::constants::NOBODY;
use crate::columns::{Column, Layout};
use crate::model::{Lengths, PortMap};
use crate::physics::{Body, Passage, Physics, plane_pose, wall_boxes, wall_outline};
use crate::plan::Plans;
use crate::table::Table;

/// The scene of all sensors.
#[derive(Clone)]
pub(super) struct Scene {
    planar: PlanarScene,
    /// Blocks that move.
    blocks: Vec<(Shape, Body)>,
    /// Outline of every actor.
    actors: Vec<Shape>,
    /// Outline and heights of every vehicle.
    vehicles: Vec<(Shape, [f64; 2])>,
}

impl Scene {
    /// Creates the scene of a world whose blocks have these bodies and heights, m.
    pub fn new(world: &World, plans: &Plans, bodies: &[Option<Body>], heights: &[f64]) -> Self {
        let mut fixed = Outlines::default();
        add_walls(world, &mut fixed);
        let mut moving = Vec::new();
        for ((block, body), z) in world.blocks.iter().zip(bodies).zip(heights) {
            if block.intangible {
                continue;
            }
            let shape = Shape::new(&block.polygon);
            if let Some(body) = body {
                moving.push((shape, *body));
            } else {
                let Pose3 { x, y, yaw, .. } = block.pose;
                let span = [block.z_min + z, block.z_max + z];
                fixed.add(NOBODY, &shape, Pose2 { x, y, yaw }, span);
            }
        }
        let grids = world.grids.iter().map(|map| Arc::clone(&map.grid)).collect();
        Self {
            planar: PlanarScene::new(grids, fixed),
            blocks: moving,
            actors: plans.walkers.iter().map(|walker| Shape::new(&walker.outline)).collect(),
            vehicles: vehicle_shapes(world),
        }
    }

    /// Returns the contours for casting rays.
    pub fn planar(&self) -> &PlanarScene {
        &self.planar
    }

    /// Returns whether the rays of fans can meet what moves.
    pub fn is_in_motion_for<'s>(&self, mut fans: impl Iterator<Item = &'s Stand>) -> bool {
        let is_alone = self.blocks.is_empty() && self.actors.is_empty() && self.vehicles.len() == 1;
        let only = is_alone.then_some(0);
        fans.any(|fan| fan.sees_moving(only))
    }

    /// Moves all contours to the present poses.
    pub fn update(&mut self, tables: &[Table], physics: &Physics, plans: &Plans) {
        let Self { planar, blocks, actors, vehicles } = self;
        planar.update(|outlines| {
            for (shape, body) in blocks.iter() {
                let pose = physics.bodies.state(*body).pose();
                outlines.add(NOBODY, shape, pose, physics.bodies.heights(*body));
            }
            for (shape, walker) in actors.iter().zip(&plans.walkers) {
                let pose = physics.bodies.state(walker.body).pose();
                outlines.add(NOBODY, shape, pose, physics.bodies.heights(walker.body));
            }
            for table in tables.iter().map(|table| &table.vehicles) {
                for (lane, owner) in table.lanes.iter().enumerate() {
                    let (shape, heights) = &vehicles[owner.vehicle];
                    let heights = heights.map(|height| height + table.height(lane));
                    outlines.add(owner.vehicle as u32, shape, table.pose(lane), heights);
                }
            }
        });
    }
}

/// Adds walls and vertical planes.
fn add_walls(world: &World, fixed: &mut Outlines) {
    for wall in &world.walls {
        let (outline, state) = wall_outline(wall);
        fixed.add(NOBODY, &Shape::new(&outline), state.pose(), [0.0, wall.height]);
    }
    for plane in &world.vertical_planes {
        for wall in wall_boxes(plane, Passage::Ray) {
            let span = wall.span.map(|height| height + plane.pose.z);
            fixed.add(NOBODY, &Shape::new(&wall.outline), plane_pose(plane), span);
        }
    }
}

/// Returns outline and heights of every vehicle. Equal outlines are stored once.
pub(crate) fn vehicle_shapes(world: &World) -> Vec<(Shape, [f64; 2])> {
    let mut vehicles: Vec<(Shape, [f64; 2])> = Vec::with_capacity(world.vehicles.len());
    for vehicle in &world.vehicles {
        let chassis = &vehicle.chassis;
        // wheels reach down to the ground
        let low = if vehicle.wheels.is_empty() { chassis.z_min } else { 0.0 };
        let last = vehicles.last().filter(|(shape, _)| shape.corners() == chassis.polygon);
        let shape = last.map_or_else(|| Shape::new(&chassis.polygon), |(shape, _)| shape.clone());
        vehicles.push((shape, [low, chassis.z_max]));
    }
    vehicles
}

/// Place and reach of the fan of one sensor.
#[derive(Clone)]
pub(super) struct Stand {
    pub origin: Pose2,
    /// Height above the ground, m.
    pub z: f64,
    /// Maximum range, m.
    pub max_range: f64,
    pub see: Visibility,
    pub ignore: Option<u32>,
}

impl Stand {
    /// Returns whether the rays can meet what moves: `only` this vehicle, or anything without it.
    pub fn sees_moving(&self, only: Option<u32>) -> bool {
        self.see == Visibility::All && (only.is_none() || self.ignore != only)
    }

    /// Casts some of the rays.
    pub fn cast(&self, angles: &[f64], ranges: &mut [f64], scene: &PlanarScene) {
        let Self { origin, z, max_range, see, ignore } = *self;
        scene.cast(&Fan { origin, z, angles, max_range, ignore, see }, ranges);
    }
}

/// Columns of the rays.
#[derive(Clone)]
pub(super) struct FanColumns {
    /// x, y, m; yaw, rad; z, m; frame of the vehicle or the world.
    pub origin: [Column; 4],
    pub max_range: Column,
    pub see_bodies: Column,
    /// Whether the own vehicle is seen; `None` for never.
    pub see_own: Option<Column>,
    pub angle: Column,
    pub range: Column,
}

impl FanColumns {
    /// Selects the outputs of `aim`; those that the model does not have get a default.
    pub fn new(aimed: &PortMap, range: Column, lengths: Lengths, layout: &mut Layout) -> Self {
        let mut optional = |name: &str, value: f64, len: usize| {
            aimed.get(name).unwrap_or_else(|| layout.fill(len, value))
        };
        let lanes = lengths.lanes;
        Self {
            origin: ["origin_x", "origin_y", "origin_yaw", "origin_z"]
                .map(|name| optional(name, 0.0, lanes)),
            max_range: optional("max_range", f64::INFINITY, lanes),
            see_bodies: optional("see_bodies", 1.0, lanes),
            see_own: aimed.get("see_own"),
            angle: optional("angle", 0.0, lanes * lengths.rays),
            range,
        }
    }
}
