//! The surroundings that models perceive: the entities of a world, brought up to the present state.
//!
//! Nothing here is state: everything follows from the bodies, the ground and the time.

use std::sync::Arc;

use simhost_abi::{Contact, Kind, NO_ENTITY, Neighbour, entity_kind};
use simhost_scene::{ColorImage, Pose2, Pose3};
use simhost_sensing::{GeometryId, Label, Shape, Top};
use simhost_world::{Block, BlockTop, HorizontalPlane, VerticalPlane, World};

use crate::animation::animated;
use crate::daylight::Daylight;
use crate::model::Call;
use crate::physics::{Body, BodyError, Passage, Physics, Touching, wall_boxes, wall_outline};
use crate::plan::Plans;
use crate::sensors::vehicle_shapes;
use crate::surroundings::{Figure, Gate, Looks, Numbers, Sheet, Surroundings};
use crate::table::Table;

/// Colours of the walls of maps and of the level ground.
const MAP_COLOR: [u8; 4] = [0x50, 0x50, 0x50, 0xff];
const GROUND_COLOR: [u8; 4] = [0xa0, 0xa0, 0xa0, 0xff];

/// The phases in which models perceive, apart from the start of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Demand {
    /// A model perceives.
    pub by_models: bool,
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
            demand.by_models = true;
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
#[derive(Clone)]
pub(crate) struct Perception {
    /// The phases in which models perceive.
    pub demand: Demand,
    surroundings: Surroundings,
    /// Sources of the poses of vehicles, blocks and actors, in the order of the entities.
    places: Vec<Place>,
    /// Numbers of the entities by those of their bodies.
    of_bodies: Vec<u32>,
    /// Blocks without contacts, which are not entities.
    ghosts: Vec<(Figure, Neighbour)>,
    /// Planes that move.
    gates: Vec<VerticalPlane>,
    /// Horizontal planes.
    floors: Vec<HorizontalPlane>,
    /// Whether floors tilt with their pitch and roll.
    floors_tilt: bool,
}

/// Returns the images of the skybox of a world.
fn sky_images(world: &World) -> Result<Vec<Option<ColorImage>>, BodyError> {
    let Some(skybox) = &world.scenery.skybox else { return Ok(Vec::new()) };
    skybox.read_images().map_err(|error| BodyError {
        text: format!("the images `{}` cannot be used by sensors: {error}", skybox.textures),
        span: skybox.span,
    })
}

impl Perception {
    /// Creates the entities of a world whose vehicles are in the lanes `lanes` of `tables`, and whose
    /// blocks have these bodies and heights, m.
    ///
    /// # Errors
    /// The model of a visual cannot be read.
    pub fn new(
        world: &World,
        demand: Demand,
        tables: &[Table],
        lanes: &[(usize, usize)],
        plans: &Plans,
        bodies: &[Option<Body>],
        heights: &[f64],
    ) -> Result<Self, BodyError> {
        let profile = &world.settings.profile;
        let regions_at_zero = profile.regions_at_ground;
        let daylight = Daylight::new(&world.scenery.lights).with_sky(sky_images(world)?);
        let surroundings = Surroundings { regions_at_zero, daylight, ..Surroundings::default() };
        let mut all = Self {
            demand,
            surroundings,
            places: Vec::new(),
            of_bodies: Vec::new(),
            ghosts: Vec::new(),
            gates: Vec::new(),
            floors: world.horizontal_planes.clone(),
            floors_tilt: profile.floors_tilt,
        };
        let mut looks = Looks::new();
        all.add_vehicles(world, tables, lanes, &mut looks)?;
        all.add_blocks(&world.blocks, bodies, heights, &mut looks)?;
        all.add_actors(plans, world, &mut looks)?;
        all.add_scenery(world, &mut looks)?;
        all.surroundings.classes = looks.classes;
        Ok(all)
    }

    /// Returns the world at the instant of the last update.
    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Moves everything to its state at `time`, s.
    pub fn update(&mut self, tables: &[Table], physics: &Physics, time: f64) {
        let Self { surroundings, places, of_bodies, gates, floors, floors_tilt, .. } = self;
        let Surroundings { scenery, entities, figures, numbers, contacts, .. } = surroundings;
        for ((place, figure), entity) in places.iter().zip(figures).zip(entities.iter_mut()) {
            place.update(entity, figure, tables, physics);
        }
        find_contacts(physics, of_bodies, numbers, contacts);
        let at = entities.iter().map(|entity| [entity.position[0], entity.position[1]]);
        surroundings.places.update(at);
        scenery.remove_moving();
        for (gate, plane) in surroundings.gates.iter_mut().zip(gates) {
            gate.pose = animated(&plane.pose, plane.animation.as_deref(), time);
        }
        for (index, floor) in floors.iter().enumerate() {
            let pose = animated(&floor.pose, floor.animation.as_deref(), time);
            let level = Pose3 { pitch: 0.0, roll: 0.0, ..pose };
            scenery.move_plate(index, if *floors_tilt { pose } else { level });
        }
    }

    /// Adds an entity with a constant pitch and roll, rad, unless it is a vehicle.
    fn add(
        &mut self,
        number: u32,
        kind: u32,
        figure: Figure,
        place: Place,
        [pitch, roll]: [f64; 2],
    ) {
        let surroundings = &mut self.surroundings;
        let mut figure = match kind == entity_kind::VEHICLE || [pitch, roll] != [0.0; 2] {
            true => figure.with_geometry(&mut surroundings.scenery),
            false => figure,
        };
        figure.moves = !matches!(place, Place::Fixed(_));
        surroundings.entities.push(Neighbour { pitch, roll, ..figure.entity(number, kind) });
        let surface = figure.look.surface().unwrap_or_default() as usize;
        let class = surroundings.scenery.surfaces()[surface].class;
        surroundings.entity_classes.push(class);
        surroundings.figures.push(figure);
        if let Place::Vehicle(.., body) | Place::Body(body) = place {
            let count = self.of_bodies.len().max(body.number() + 1);
            self.of_bodies.resize(count, NO_ENTITY);
            self.of_bodies[body.number()] = number;
        }
        self.places.push(place);
    }

    fn add_vehicles(
        &mut self,
        world: &World,
        tables: &[Table],
        lanes: &[(usize, usize)],
        looks: &mut Looks,
    ) -> Result<(), BodyError> {
        let kind = entity_kind::VEHICLE;
        let first = self.surroundings.numbers.add(kind, world.vehicles.len());
        let shapes = vehicle_shapes(world).into_iter().zip(&world.vehicles).zip(lanes);
        for (number, (((shape, span), vehicle), &(table, lane))) in (first..).zip(shapes) {
            let body = tables[table].vehicles.lanes[lane].body;
            let place = Place::Vehicle(table, lane, body);
            let centre = |wheel| tables[table].vehicles.wheel_centre(lane, wheel);
            let look = looks.vehicle(&mut self.surroundings.scenery, vehicle, centre)?;
            let figure = Figure::new(shape, vehicle.chassis.z_min, span, BlockTop::Flat, look);
            self.add(number, kind, figure, place, [0.0; 2]);
        }
        Ok(())
    }

    fn add_blocks(
        &mut self,
        blocks: &[Block],
        bodies: &[Option<Body>],
        heights: &[f64],
        looks: &mut Looks,
    ) -> Result<(), BodyError> {
        let kind = entity_kind::BLOCK;
        let first = self.surroundings.numbers.add(kind, blocks.len());
        for (number, ((block, body), z)) in (first..).zip(blocks.iter().zip(bodies).zip(heights)) {
            let Pose3 { x, y, yaw, pitch, roll, .. } = block.pose;
            let fixed = Place::Fixed(Pose3 { x, y, z: *z, yaw, pitch: 0.0, roll: 0.0 });
            let place = body.map_or(fixed, Place::Body);
            if body.is_some() {
                self.surroundings.movable.insert(number);
            }
            let (shape, span) = (Shape::new(&block.polygon), [block.z_min, block.z_max]);
            let look = looks.block(&mut self.surroundings.scenery, block)?;
            let figure = Figure::new(shape, span[0], span, block.top, look);
            if block.intangible {
                let figure = figure.with_geometry(&mut self.surroundings.scenery);
                let entity = figure.entity(number, kind);
                let entity = Neighbour { position: [x, y, *z], yaw, pitch, roll, ..entity };
                self.ghosts.push((figure, entity));
                self.surroundings.ghosts.push(number);
            } else {
                self.add(number, kind, figure, place, [pitch, roll]);
            }
        }
        Ok(())
    }

    fn add_actors(
        &mut self,
        plans: &Plans,
        world: &World,
        looks: &mut Looks,
    ) -> Result<(), BodyError> {
        let kind = entity_kind::ACTOR;
        let first = self.surroundings.numbers.add(kind, world.actors.len());
        for (number, walker) in (first..).zip(&plans.walkers) {
            let (shape, actor) = (Shape::new(&walker.outline), &walker.actor);
            let span = [0.0, actor.collision_height];
            let place = Place::Body(walker.body);
            let scenery = &mut self.surroundings.scenery;
            let look = looks.actor(scenery, &actor.visuals, actor.semantic.as_deref())?;
            let figure = Figure::new(shape, span[0], span, BlockTop::Flat, look);
            self.add(number, kind, figure, place, [0.0; 2]);
        }
        Ok(())
    }

    /// Adds walls, planes, maps and terrain, and the shapes that never move.
    fn add_scenery(&mut self, world: &World, looks: &mut Looks) -> Result<(), BodyError> {
        let Self { surroundings: Surroundings { scenery: space, numbers, .. }, .. } = self;
        let first_wall = numbers.add(entity_kind::WALL, world.walls.len());
        let first_plane = numbers.add(entity_kind::WALL, world.vertical_planes.len());
        let first_map = numbers.add(entity_kind::MAP, world.grids.len());
        for (number, map) in (first_map..).zip(&world.grids) {
            let surface = looks.surface(space, map.semantic.as_deref(), "map", MAP_COLOR);
            space.add_map(Label { number, surface }, Arc::clone(&map.grid), map.height);
        }
        let ground = entity_kind::GROUND;
        let first = numbers.add(ground, world.elevation_maps.len());
        for (number, map) in (first..).zip(&world.elevation_maps) {
            let (class, sheet) = ((map.semantic.as_deref(), "terrain"), Sheet::of_terrain(map));
            let surface = looks.covered(space, class.0, class.1, map.color, sheet.as_ref())?;
            space.add_terrain(Label { number, surface }, Arc::clone(&map.field));
        }
        let first = numbers.add(ground, world.horizontal_planes.len());
        for (number, plane) in (first..).zip(&world.horizontal_planes) {
            let (class, sheet) = ((plane.semantic.as_deref(), "plane"), Sheet::of_floor(plane));
            let surface =
                looks.covered(space, class.0, class.1, plane.surface.color, sheet.as_ref())?;
            space.add_plate(Label { number, surface }, plane.x, plane.y, plane.z);
        }
        let number = numbers.add(ground, usize::from(world.roads.is_some()));
        let roads = world.roads.as_ref().and_then(|roads| looks.roads(space, roads, number));
        let (number, surface) =
            (numbers.add(ground, 1), looks.surface(space, None, "ground", GROUND_COLOR));
        space.add_level_ground(Label { number, surface });
        self.add_fixed(world, looks, [first_wall, first_plane], roads)
    }

    /// Adds the shapes that never move, given the numbers of the first wall and of the first plane, and the surface of
    /// roads.
    fn add_fixed(
        &mut self,
        world: &World,
        looks: &mut Looks,
        [first_wall, first_plane]: [u32; 2],
        roads: Option<(Label, GeometryId)>,
    ) -> Result<(), BodyError> {
        let Self { surroundings, places, ghosts, gates, .. } = self;
        let Surroundings { scenery: space, entities, figures, gates: moving, .. } = surroundings;
        let walls = (first_wall..).zip(&world.walls).map(|(number, wall)| {
            let surface = looks.surface(space, wall.semantic.as_deref(), "wall", wall.color);
            (Label { number, surface }, wall)
        });
        let walls: Vec<_> = walls.collect();
        let planes = (first_plane..).zip(&world.vertical_planes).map(|(number, plane)| {
            let (class, sheet) = ((plane.semantic.as_deref(), "wall"), Sheet::of_wall(plane));
            let surface =
                looks.covered(space, class.0, class.1, plane.surface.color, sheet.as_ref())?;
            Ok((Label { number, surface }, plane))
        });
        let planes: Vec<_> = planes.collect::<Result<_, BodyError>>()?;
        space.set_fixed(|solids| {
            for ((place, figure), entity) in places.iter().zip(figures).zip(entities.iter_mut()) {
                if let Place::Fixed(Pose3 { x, y, z, yaw, .. }) = *place {
                    (entity.position, entity.yaw) = ([x, y, z], yaw);
                    figure.add_to(solids, entity);
                }
            }
            ghosts.iter().for_each(|(figure, entity)| figure.add_to(solids, entity));
            if let Some((label, geometry)) = roads {
                let axes = Pose3::default().rotation();
                solids.place_turned(label, geometry, ([0.0; 3], axes), 1.0);
            }
            for (label, wall) in walls {
                let (outline, state) = wall_outline(wall);
                let (shape, pose) = (Shape::new(&outline), state.pose());
                solids.add(label, &shape, pose, 0.0, Top::Flat(wall.height));
            }
            for (label, plane) in planes {
                let boxes = wall_boxes(plane, Passage::Ray);
                let boxes = boxes.iter().map(|wall| (Shape::new(&wall.outline), wall.span));
                let gate = Gate { label, boxes: boxes.collect(), pose: plane.pose };
                if plane.animation.is_some() {
                    moving.push(gate);
                    gates.push(plane.clone());
                } else {
                    gate.add_to(solids);
                }
            }
        });
        Ok(())
    }
}

/// Collects the contacts of vehicles, given the numbers of the entities by those of their bodies.
fn find_contacts(
    physics: &Physics,
    of_bodies: &[u32],
    numbers: &Numbers,
    contacts: &mut Vec<(u32, Contact)>,
) {
    contacts.clear();
    let number = |body: Body| of_bodies.get(body.number()).copied().unwrap_or(NO_ENTITY);
    physics.for_each_touch(|touch| {
        let entity = touch.other.map_or(NO_ENTITY, number);
        let Touching { point, normal, force, .. } = *touch;
        let contact = Contact { point, normal, force, entity, reserved: 0 };
        let own = number(touch.body);
        if numbers.kind(own) == entity_kind::VEHICLE {
            contacts.push((own, contact));
        }
    });
    contacts.sort_unstable_by(|(a, one), (b, other)| {
        let [[x, y], [its_x, its_y]] = [one.point, other.point];
        let by_object = a.cmp(b).then(one.entity.cmp(&other.entity));
        by_object.then(x.total_cmp(&its_x)).then(y.total_cmp(&its_y))
    });
}

/// Source of the pose of an entity.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Table and lane of a vehicle, and its body.
    Vehicle(usize, usize, Body),
    /// A body.
    Body(Body),
    /// A block that never moves.
    Fixed(Pose3),
}

impl Place {
    /// Sets pose and velocity of an entity, and the angles of its wheels.
    pub fn update(
        &self,
        entity: &mut Neighbour,
        figure: &mut Figure,
        tables: &[Table],
        physics: &Physics,
    ) {
        let (body, z) = match *self {
            Self::Vehicle(table, lane, body) => {
                let table = &tables[table];
                let Pose3 { z, pitch, roll, .. } = table.vehicles.pose3(lane);
                (entity.pitch, entity.roll) = (pitch, roll);
                for (wheel, turn) in figure.turns.iter_mut().enumerate() {
                    let vehicles = &table.vehicles;
                    let index = wheel * vehicles.lanes.len() + lane;
                    let host = &vehicles.host;
                    let mounting = vehicles.value(host.own.mounting, index);
                    let steer = vehicles.value(host.steer, index) + mounting;
                    *turn = [steer, vehicles.value(host.own.angle, index)];
                }
                (body, z)
            }
            Self::Body(body) => (body, physics.bodies.origin_height(body)),
            Self::Fixed(Pose3 { x, y, z, yaw, .. }) => {
                (entity.position, entity.yaw) = ([x, y, z], yaw);
                return;
            }
        };
        let state = physics.bodies.state(body);
        let Pose2 { x, y, yaw } = state.pose();
        (entity.position, entity.yaw) = ([x, y, z], yaw);
        (entity.velocity, entity.yaw_rate) = (physics.bodies.reference_velocity(body), state.omega);
    }
}

/// An entity that sensors can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityLabel {
    /// Number in the readings of sensors.
    pub number: u32,
    /// Name: that of a vehicle, `block/NAME`, `actor/NAME`, and so on.
    pub name: String,
}

/// Returns all entities that sensors can see in the order of their numbers.
pub fn instances(world: &World) -> Vec<EntityLabel> {
    let numbered =
        |word: &'static str, count: usize| (1..=count).map(move |number| format!("{word}{number}"));
    let vehicles = world.vehicles.iter().map(|vehicle| vehicle.name.clone());
    let blocks = world.blocks.iter().map(|block| format!("block/{}", block.name));
    let actors = world.actors.iter().map(|actor| format!("actor/{}", actor.name));
    let gates = world.vertical_planes.iter().map(|plane| format!("plane/{}", plane.name));
    let floors = world.horizontal_planes.iter().map(|plane| format!("plane/{}", plane.name));
    let names = vehicles
        .chain(blocks)
        .chain(actors)
        .chain(numbered("wall", world.walls.len()))
        .chain(gates)
        .chain(numbered("map", world.grids.len()))
        .chain(numbered("terrain", world.elevation_maps.len()))
        .chain(floors)
        .chain(world.roads.iter().map(|_| "road_network".to_owned()))
        .chain(std::iter::once("ground".to_owned()));
    (0..).zip(names).map(|(number, name)| EntityLabel { number, name }).collect()
}
