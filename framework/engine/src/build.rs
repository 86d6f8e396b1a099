//! Construction of a simulation from the description of a world.

use std::sync::Arc;

use simhost_scene::{Pose2, Pose3};
use simhost_world::{BodyRef, Span, World};

use crate::blueprint::{Blueprint, Mover};
use crate::clock::Clock;
use crate::environments::Environments;
use crate::fleets::Fleets;
use crate::ground::Ground;
use crate::limits::Limits;
use crate::model::{ModelError, stamps};
use crate::perception::{Demand, Perception};
use crate::physics::{
    Body, BodyError, BodyState, CROWD_ADVICE, Crowd, JointEnd, Passage, Physics, wall_boxes,
    wall_outline,
};
use crate::plan::{self, Plans};
use crate::robot_faults::RobotFaults;
use crate::sensors::Sensors;
use crate::simulation::Simulation;
use crate::state::State;
use crate::table::{self, Group, Table, TableError};
use crate::workers::Workers;

/// Length of an automatic step without sensors, s.
const AUTOMATIC_STEP: f64 = 0.005;

/// How a world is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seed of all random draws.
    pub seed: u64,
    /// Number of threads. The results do not depend on it.
    pub threads: usize,
}

/// A world cannot be simulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A model cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The body of a vehicle, a block or a wall cannot exist.
    #[error("{text}")]
    Body {
        /// Description of the error.
        text: String,
        /// Position of the body's element.
        span: Span,
    },
    /// The threads cannot be started.
    #[error("failed to start {threads} threads: {source}")]
    Threads {
        /// Number of threads.
        threads: usize,
        /// Error of the thread pool.
        source: rayon::ThreadPoolBuildError,
    },
}

impl BuildError {
    /// Returns the position in the world file, if the error has one.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Model(error) => Some(error.span()),
            Self::Body { span, .. } => Some(*span),
            Self::Threads { .. } => None,
        }
    }
}

impl From<BodyError> for BuildError {
    fn from(BodyError { text, span }: BodyError) -> Self {
        Self::Body { text, span }
    }
}

impl From<TableError> for BuildError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Model(error) => error.into(),
            TableError::Body(error) => error.into(),
        }
    }
}

impl Simulation {
    /// Creates the models and bodies of a world.
    ///
    /// # Errors
    /// [`BuildError`] if a model rejects its parameters, a body cannot exist, or too many bodies overlap.
    pub fn new(world: &World, options: Options) -> Result<Self, BuildError> {
        build(world, options, false)
    }

    /// Creates the models and bodies of a world for a member of an ensemble, whose models can be given other values
    /// of parameters that can differ between vehicles.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn of_member(world: &World, seed: u64) -> Result<Self, BuildError> {
        build(world, Options { seed, threads: 1 }, true)
    }
}

/// Creates the models and bodies of a world. `is_open` is whether models can be given other values of parameters.
fn build(world: &World, options: Options, is_open: bool) -> Result<Simulation, BuildError> {
    let threads = options.threads.max(1);
    let workers =
        Workers::new(threads).map_err(|source| BuildError::Threads { threads, source })?;
    let dt = step_length(world);
    let substeps = world.settings.substeps.max(1);
    let profile = &world.settings.profile;
    let mut physics = Physics::new(dt / f64::from(substeps), profile.contact_heights);
    let mut plans = Plans::default();
    let Scenery { ground, bodies, heights } = add_scenery(world, &mut physics, &mut plans)?;
    let mut tables = Vec::new();
    physics.reserve(world.vehicles.len());
    for group in Group::all(world) {
        let group = Group { is_open, ..group };
        table::build(&group, &world.settings, &mut physics, &mut tables)?;
    }
    let places = places(world, &tables);
    place_vehicles(world, &mut tables, &places, &ground, &mut physics, &mut plans);
    add_joints(world, &tables, &places, &bodies, &mut physics);
    let overlaps =
        physics.overlaps().map_err(|crowd| crowd_error(world, &tables, &bodies, &plans, &crowd))?;
    let mut sensors = Sensors::build(world, &tables, &places, &plans, &bodies, &heights)?;
    let environments = Environments::build(world, &mut tables)?;
    let fleets = Fleets::build(world, &tables, &places)?;
    let calls = || {
        let vehicles = tables.iter().flat_map(Table::calls).chain(fleets.calls());
        vehicles.chain(sensors.calls()).chain(environments.calls())
    };
    let scans = sensors.scan_space().then(Demand::default);
    let demand = Demand::of(calls()).or(scans);
    let perception = demand
        .map(|demand| Perception::new(world, demand, &tables, &places, &plans, &bodies, &heights))
        .transpose()?;
    let (mover_names, movers) = movers(world, &bodies, &plans);
    let blueprint = Blueprint {
        names: Arc::new(world.vehicles.iter().map(|vehicle| vehicle.name.clone()).collect()),
        places,
        movers,
        mover_names: mover_names.into_iter().collect(),
        overlaps,
        regions_at_zero: profile.regions_at_ground,
        velocities_in_world: profile.velocity_in_world_frame,
        substeps,
        policy: world.settings.faults,
        world: world.fingerprint,
        models: stamps(calls()).into(),
    };
    let places = &blueprint.places;
    let robot_faults = RobotFaults::new(world, &mut tables, places, &mut sensors, options.seed);
    let state = State {
        clock: Clock { steps: 0, dt },
        seed: options.seed,
        tables,
        physics,
        ground,
        plans,
        sensors,
        environments,
        fleets,
        perception: perception.map(Box::new),
        commands: Default::default(),
        faults: Vec::new(),
        collisions: None,
        robot_faults,
        edits: String::new(),
        limits: Limits::default(),
    };
    Ok(Simulation { blueprint: Arc::new(blueprint), state, workers, steps_at_once: 0 })
}

/// Builds the tables of `count` members of an ensemble, without their surroundings. Each has the vehicles of all
/// members in a table of [`Simulation::of_member`], member by member.
///
/// # Errors
/// As for [`Simulation::new`].
pub(crate) fn wide_tables(world: &World, count: usize) -> Result<Vec<Table>, BuildError> {
    let profile = &world.settings.profile;
    let mut physics = Physics::new(step_length(world), profile.contact_heights);
    let mut tables = Vec::new();
    for group in Group::all(world) {
        let group = Group { is_open: true, ..group.repeated(count) };
        table::build(&group, &world.settings, &mut physics, &mut tables)?;
    }
    Ok(tables)
}

/// Returns the step of the world file, else 5 ms or the shortest period of a sensor.
fn step_length(world: &World) -> f64 {
    let given = world.settings.timestep.filter(|step| *step > 0.0);
    given.unwrap_or_else(|| {
        let sensors = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
        let sensors = sensors.chain(&world.sensors);
        sensors.map(|sensor| sensor.period).fold(AUTOMATIC_STEP, f64::min)
    })
}

/// Everything but the vehicles.
struct Scenery {
    ground: Ground,
    /// Bodies of the blocks that move.
    bodies: Vec<Option<Body>>,
    /// Heights of the origins of the blocks, m.
    heights: Vec<f64>,
}

fn add_scenery(
    world: &World,
    physics: &mut Physics,
    plans: &mut Plans,
) -> Result<Scenery, BodyError> {
    let ground = Ground::without_blocks(world);
    let heights = ground.block_heights(world)?;
    let bodies = add_blocks(world, &heights, physics, plans)?;
    add_walls(world, physics, plans)?;
    plans.add_actors(world, physics);
    let ground = ground.with_blocks(world, &heights, &bodies);
    Ok(Scenery { ground, bodies, heights })
}

/// Returns table and lane of every vehicle, in the order of the world file.
fn places(world: &World, tables: &[Table]) -> Vec<(usize, usize)> {
    let mut places = vec![(0, 0); world.vehicles.len()];
    for (number, table) in tables.iter().enumerate() {
        for (lane, owner) in table.vehicles.lanes.iter().enumerate() {
            places[owner.vehicle] = (number, lane);
        }
    }
    places
}

/// Returns the names of the blocks and actors that can move, and these.
fn movers(world: &World, bodies: &[Option<Body>], plans: &Plans) -> (Vec<String>, Vec<Mover>) {
    let blocks = world.blocks.iter().zip(bodies).enumerate();
    let blocks = blocks.filter_map(|(number, (block, body))| {
        Some((format!("block/{}", block.name), Mover { body: (*body)?, block: Some(number) }))
    });
    let actors = plans.walkers.iter().map(|walker| {
        let mover = Mover { body: walker.body, block: None };
        (format!("actor/{}", walker.actor.name), mover)
    });
    blocks.chain(actors).unzip()
}

/// Adds the blocks with their origins at `heights`, m. Returns the bodies of those that move, in the
/// order of the world file.
fn add_blocks(
    world: &World,
    heights: &[f64],
    physics: &mut Physics,
    plans: &mut Plans,
) -> Result<Vec<Option<Body>>, BodyError> {
    let profile = &world.settings.profile;
    let mut bodies = Vec::with_capacity(world.blocks.len());
    for (block, &z) in world.blocks.iter().zip(heights) {
        let (sin, cos) = simhost_sdk::math::sin_cos(block.pose.yaw);
        let position = [block.pose.x, block.pose.y];
        let mut state = BodyState { position, heading: [cos, sin], ..BodyState::default() };
        // that of the centre of mass
        state.set_motion(block.velocity, [0.0; 2], profile.velocity_in_world_frame);
        let start = Pose3 { z, ..block.pose };
        let (state, z) = match &block.animation {
            None => (state, z),
            Some(animation) => {
                let (pose, state) = plan::start_of(&start, Some(animation));
                (state, pose.z)
            }
        };
        let damping = [
            block.linear_damping.unwrap_or(profile.default_linear_damping),
            block.angular_damping.unwrap_or(profile.default_angular_damping),
        ];
        let body = physics.add_block(block, &state, z, world.settings.gravity, damping)?;
        if let (Some(body), Some(animation)) = (body, &block.animation) {
            plans.add_animated(body, start, Arc::clone(animation));
        }
        bodies.push(body);
    }
    Ok(bodies)
}

/// Adds walls, vertical planes and occupancy grids.
fn add_walls(world: &World, physics: &mut Physics, plans: &mut Plans) -> Result<(), BodyError> {
    for wall in &world.walls {
        physics.add_wall(wall)?;
    }
    let filter_heights = world.settings.profile.contact_heights;
    let passage = if filter_heights { Passage::Body } else { Passage::FlatBody };
    for plane in &world.vertical_planes {
        let (pose, state) = plan::start_of(&plane.pose, plane.animation.as_deref());
        for wall in wall_boxes(plane, passage) {
            match &plane.animation {
                None => physics.add_wall_box(&wall, &state, pose.z),
                Some(animation) => {
                    if let Some(body) = physics.add_gate(&wall, &state, pose.z) {
                        plans.add_animated(body, plane.pose, Arc::clone(animation));
                    }
                }
            }
        }
    }
    for grid in &world.grids {
        physics.add_grid(grid)?;
    }
    Ok(())
}

/// Places the vehicles on the ground and starts their animations.
fn place_vehicles(
    world: &World,
    tables: &mut [Table],
    places: &[(usize, usize)],
    ground: &Ground,
    physics: &mut Physics,
    plans: &mut Plans,
) {
    for table in tables.iter_mut() {
        table.vehicles.read_bodies(physics.bodies.range(&table.vehicles.bodies));
    }
    for (vehicle, &(table, lane)) in world.vehicles.iter().zip(places) {
        let vehicles = &mut tables[table].vehicles;
        if !vehicle.skip_elevation_adjust {
            let ceiling = vehicle.pose.z + 0.5 * vehicle.chassis.z_max;
            vehicles.place_on_ground(lane, ceiling, ground);
        }
        if let Some(animation) = &vehicle.animation {
            plans.add_animated(vehicles.lanes[lane].body, vehicle.pose, Arc::clone(animation));
        }
    }
    for table in tables.iter_mut() {
        table.vehicles.follow_ground(ground, physics, None);
    }
}

/// Returns the error for more pairs of bodies than can be solved.
fn crowd_error(
    world: &World,
    tables: &[Table],
    bodies: &[Option<Body>],
    plans: &Plans,
    crowd: &Crowd,
) -> BodyError {
    let lanes = tables.iter().flat_map(|table| &table.vehicles.lanes);
    let vehicles = lanes.map(|lane| (lane.body, world.vehicles[lane.vehicle].span));
    let blocks = bodies.iter().zip(&world.blocks);
    let blocks = blocks.filter_map(|(body, block)| Some(((*body)?, block.span)));
    let actors = plans.walkers.iter().map(|walker| (walker.body, walker.actor.span));
    let mut spans = vehicles.chain(blocks).chain(actors);
    let found = spans.find(|(body, _)| body.number() == crowd.body);
    let text = format!("{crowd}\nhelp: {CROWD_ADVICE}");
    BodyError { text, span: found.map_or_else(Span::default, |(_, span)| span) }
}

/// Adds the joints.
fn add_joints(
    world: &World,
    tables: &[Table],
    places: &[(usize, usize)],
    bodies: &[Option<Body>],
    physics: &mut Physics,
) {
    let end = |body: BodyRef| match body {
        BodyRef::Vehicle(number) => {
            let (table, lane) = places[number];
            JointEnd::Body(tables[table].vehicles.lanes[lane].body)
        }
        BodyRef::Block(number) => bodies[number].map_or_else(
            || {
                let Pose3 { x, y, yaw, .. } = world.blocks[number].pose;
                JointEnd::Fixed(Pose2 { x, y, yaw })
            },
            JointEnd::Body,
        ),
        BodyRef::Wall(number) => JointEnd::Fixed(wall_outline(&world.walls[number]).1.pose()),
    };
    for joint in &world.joints {
        physics.add_joint(joint, joint.bodies.map(end));
    }
}
