//! The surroundings that models perceive: the entities of a world, brought up to the present state.
//!
//! Nothing here is state: everything follows from the bodies, the ground and the time.

mod item;

use std::sync::Arc;

use simhost_abi::{Kind, entity_kind};
use simhost_scene::{Pose2, Pose3};
use simhost_sensing::{Shape, Solids, Top};
use simhost_world::{Block, BlockTop, HorizontalPlane, Pose, VerticalPlane, World};

use crate::animation::animated;
use crate::model::Call;
use crate::physics::{Body, Passage, Physics, wall_boxes, wall_outline};
use crate::plan::Plans;
use crate::sensors::vehicle_shapes;
use crate::surroundings::Surroundings;
use crate::table::Table;
use item::{Item, Place};

/// The phases in which models perceive, apart from the start of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Demand {
    /// A friction model perceives, in every substep.
    pub in_forces: bool,
    /// A dynamics class perceives, when it measures too.
    pub in_measurements: bool,
    /// A sensor perceives.
    pub in_samples: bool,
    /// An environment perceives, before everything else in the step.
    pub in_weather: bool,
}

impl Demand {
    /// Returns the phases in which the models of these calls perceive, or `None` if none does.
    pub fn of<'c>(calls: impl Iterator<Item = &'c Call>) -> Option<Self> {
        let mut demand = None;
        for call in calls.filter(|call| call.perceives()) {
            let demand: &mut Self = demand.get_or_insert_default();
            match call.class().model.kind() {
                Some(Kind::Friction) => demand.in_forces = true,
                Some(Kind::Dynamics) => demand.in_measurements = true,
                Some(Kind::Sensor) => demand.in_samples = true,
                Some(Kind::Environment) => demand.in_weather = true,
                _ => {}
            }
        }
        demand
    }
}

/// The surroundings that models perceive.
pub(crate) struct Perception {
    /// The phases in which models perceive.
    pub demand: Demand,
    surroundings: Surroundings,
    /// Vehicles, blocks and actors, in the order of the entities.
    items: Vec<Item>,
    gates: Vec<Gate>,
    /// Horizontal planes.
    floors: Vec<HorizontalPlane>,
    /// Whether floors tilt with their pitch and roll.
    floors_tilt: bool,
}

/// A vertical plane that moves.
struct Gate {
    number: u32,
    /// Its outlines and their heights.
    boxes: Vec<(Shape, [f64; 2])>,
    plane: VerticalPlane,
}

impl Perception {
    /// Creates the entities of a world whose vehicles are in the lanes `lanes` of `tables`, and whose
    /// blocks have these bodies and heights, m.
    pub fn new(
        world: &World,
        demand: Demand,
        (tables, lanes): (&[Table], &[(usize, usize)]),
        plans: &Plans,
        (bodies, heights): (&[Option<Body>], &[f64]),
    ) -> Self {
        let profile = &world.settings.profile;
        let regions_at_zero = profile.regions_at_ground;
        let surroundings = Surroundings { regions_at_zero, ..Surroundings::default() };
        let mut all = Self {
            demand,
            surroundings,
            items: Vec::new(),
            gates: Vec::new(),
            floors: world.horizontal_planes.clone(),
            floors_tilt: profile.floors_tilt,
        };
        all.add_vehicles(world, tables, lanes);
        all.add_blocks(&world.blocks, bodies, heights);
        all.add_actors(plans, world);
        all.add_scenery(world);
        all
    }

    /// Returns the world at the instant of the last update.
    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Moves everything to its state at `time`, s.
    pub fn update(&mut self, tables: &[Table], physics: &Physics, time: f64) {
        let Self { surroundings, items, gates, floors, floors_tilt, .. } = self;
        let Surroundings { space, entities, places, .. } = surroundings;
        for (item, entity) in items.iter().zip(entities.iter_mut()) {
            item.update(entity, tables, physics);
        }
        places.update(entities.iter().map(|entity| [entity.position[0], entity.position[1]]));
        space.set_moving(|solids| {
            let moving = items.iter().zip(entities.iter());
            for (item, entity) in moving.filter(|(item, _)| !item.is_fixed()) {
                item.add_to(solids, entity);
            }
            for Gate { number, boxes, plane } in gates.iter() {
                let pose = animated(&plane.pose, plane.animation.as_deref(), time);
                add_boxes(solids, *number, boxes, pose);
            }
        });
        for (index, floor) in floors.iter().enumerate() {
            let pose = animated(&floor.pose, floor.animation.as_deref(), time);
            let level = Pose3 { pitch: 0.0, roll: 0.0, ..pose };
            space.move_plate(index, if *floors_tilt { pose } else { level });
        }
    }

    fn add(&mut self, number: u32, kind: u32, item: Item) {
        self.surroundings.entities.push(item.entity(number, kind));
        self.items.push(item);
    }

    fn add_vehicles(&mut self, world: &World, tables: &[Table], lanes: &[(usize, usize)]) {
        let kind = entity_kind::VEHICLE;
        let first = self.surroundings.numbers.add(kind, world.vehicles.len());
        let shapes = vehicle_shapes(world).into_iter().zip(lanes);
        for (number, ((shape, span), &(table, lane))) in (first..).zip(shapes) {
            let body = tables[table].vehicles.lanes[lane].body;
            let place = Place::Vehicle(table, lane, body);
            self.add(number, kind, Item { shape, span, top: BlockTop::Flat, place });
        }
    }

    fn add_blocks(&mut self, blocks: &[Block], bodies: &[Option<Body>], heights: &[f64]) {
        let kind = entity_kind::BLOCK;
        let first = self.surroundings.numbers.add(kind, blocks.len());
        for (number, ((block, body), z)) in (first..).zip(blocks.iter().zip(bodies).zip(heights)) {
            if block.intangible {
                continue;
            }
            let Pose { x, y, yaw, .. } = block.pose;
            let fixed = Place::Fixed(Pose3 { x, y, z: *z, yaw, pitch: 0.0, roll: 0.0 });
            let place = body.map_or(fixed, Place::Body);
            let (shape, span) = (Shape::new(&block.polygon), [block.z_min, block.z_max]);
            self.add(number, kind, Item { shape, span, top: block.top, place });
        }
    }

    fn add_actors(&mut self, plans: &Plans, world: &World) {
        let kind = entity_kind::ACTOR;
        let first = self.surroundings.numbers.add(kind, world.actors.len());
        for (number, walker) in (first..).zip(&plans.walkers) {
            let shape = Shape::new(&walker.outline);
            let span = [0.0, walker.actor.collision_height];
            let place = Place::Body(walker.body);
            self.add(number, kind, Item { shape, span, top: BlockTop::Flat, place });
        }
    }

    /// Adds walls, planes, maps and terrain, and the prisms that never move.
    fn add_scenery(&mut self, world: &World) {
        let Self {
            surroundings: Surroundings { space, numbers, entities, .. }, items, gates, ..
        } = self;
        let first_wall = numbers.add(entity_kind::WALL, world.walls.len());
        let first_plane = numbers.add(entity_kind::WALL, world.vertical_planes.len());
        let first_map = numbers.add(entity_kind::MAP, world.grids.len());
        for (number, map) in (first_map..).zip(&world.grids) {
            space.add_map(number, Arc::clone(&map.grid));
        }
        let ground = entity_kind::GROUND;
        let first = numbers.add(ground, world.elevation_maps.len());
        for (number, map) in (first..).zip(&world.elevation_maps) {
            space.add_terrain(number, Arc::clone(&map.field));
        }
        let first = numbers.add(ground, world.horizontal_planes.len());
        for (number, plane) in (first..).zip(&world.horizontal_planes) {
            space.add_plate(number, plane.x, plane.y, plane.z);
        }
        space.add_level_ground(numbers.add(ground, 1));
        space.set_fixed(|solids| {
            for (item, entity) in items.iter().zip(entities.iter_mut()) {
                if let Place::Fixed(Pose3 { x, y, z, yaw, .. }) = item.place {
                    (entity.position, entity.yaw) = ([x, y, z], yaw);
                    item.add_to(solids, entity);
                }
            }
            for (number, wall) in (first_wall..).zip(&world.walls) {
                let (outline, state) = wall_outline(wall);
                let (shape, pose) = (Shape::new(&outline), state.pose());
                solids.add(number, &shape, pose, 0.0, Top::Flat(wall.height));
            }
            for (number, plane) in (first_plane..).zip(&world.vertical_planes) {
                let boxes = wall_boxes(plane, Passage::Ray);
                let boxes = boxes.iter().map(|wall| (Shape::new(&wall.outline), wall.span));
                let boxes: Vec<_> = boxes.collect();
                if plane.animation.is_some() {
                    gates.push(Gate { number, boxes, plane: plane.clone() });
                } else {
                    add_boxes(solids, number, &boxes, plane.pose.into());
                }
            }
        });
    }
}

/// Adds the boxes of a vertical plane at a pose.
fn add_boxes(solids: &mut Solids<'_>, number: u32, boxes: &[(Shape, [f64; 2])], pose: Pose3) {
    let Pose3 { x, y, z, yaw, .. } = pose;
    for (shape, [low, high]) in boxes {
        solids.add(number, shape, Pose2 { x, y, yaw }, low + z, Top::Flat(high + z));
    }
}
