//! From a world to tables, bodies and sensors.

use std::sync::Arc;

use simhost_scene::Pose2;
use simhost_world::{BodyRef, Pose, World};

use crate::clock::Clock;
use crate::commands::Commands;
use crate::divergence::Limits;
use crate::error::BuildError;
use crate::ground::Ground;
use crate::physics::{Body, BodyState, End, Physics, wall_outline};
use crate::plan::{self, Plans};
use crate::result_hash::Mover;
use crate::sensors::Sensors;
use crate::simulation::{Options, Origin, Simulation};
use crate::snapshot;
use crate::table::{self, Group, Table};
use crate::walls;

/// Length of an automatic step without sensors, s.
const AUTOMATIC_STEP: f64 = 0.005;

pub(crate) fn build(world: &World, options: Options) -> Result<Simulation, BuildError> {
    let threads = options.threads.max(1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| BuildError::Threads { threads, source })?;
    let dt = step_length(world);
    let substeps = world.settings.substeps.max(1);
    let mut physics =
        Physics::new(dt / f64::from(substeps), world.settings.profile.contact_heights);
    let mut plans = Plans::new();
    let bare = Ground::bare(world);
    let heights = bare.block_heights(world);
    let bodies = add_blocks(world, &heights, &mut physics, &mut plans)?;
    add_walls(world, &mut physics, &mut plans)?;
    plans.add_actors(world, &mut physics);
    let ground = bare.with_blocks(world, &heights, &bodies);
    let mut groups: Vec<Group> = Vec::new();
    for (number, vehicle) in world.vehicles.iter().enumerate() {
        match groups.iter_mut().find(|group| group.takes(vehicle)) {
            Some(group) => group.vehicles.push((number, vehicle)),
            None => groups.push(Group { vehicles: vec![(number, vehicle)] }),
        }
    }
    let mut tables = groups
        .iter()
        .map(|group| table::build(group, &world.settings, &ground, &mut physics))
        .collect::<Result<Vec<_>, _>>()?;
    let mut places = vec![(0, 0); world.vehicles.len()];
    for (table, built) in tables.iter().enumerate() {
        for (lane, owner) in built.lanes.iter().enumerate() {
            places[owner.vehicle] = (table, lane);
        }
    }
    settle(world, &mut tables, &places, &ground, &mut physics, &mut plans);
    link(world, &tables, &places, &bodies, &mut physics);
    let overlaps = physics.overlaps();
    let sensors = Sensors::build(world, &places, &bodies, &heights)?;
    let movers = movers(world, &bodies, &plans);
    let names = world.vehicles.iter().map(|vehicle| vehicle.name.clone()).collect();
    let clock = Clock { steps: 0, dt };
    let origin = Origin { world: world.fingerprint, models: snapshot::stamps(&tables, &sensors) };
    let regions_at_zero = world.settings.profile.regions_at_ground;
    Ok(Simulation {
        tables,
        places,
        names,
        physics,
        ground,
        plans,
        regions_at_zero,
        substeps,
        overlaps,
        movers,
        sensors,
        clock,
        policy: world.settings.faults,
        seed: options.seed,
        pool,
        commands: Commands::default(),
        next_command: 0,
        faults: Vec::new(),
        origin,
        limits: Limits::default(),
    })
}

/// Blocks and actors that can move, labelled for the result hash.
fn movers(world: &World, bodies: &[Option<Body>], plans: &Plans) -> Vec<Mover> {
    let blocks = world.blocks.iter().zip(bodies).filter_map(|(block, body)| {
        Some(Mover { label: format!("block/{}", block.name), body: (*body)? })
    });
    let actors = plans
        .walkers
        .iter()
        .map(|walker| Mover { label: format!("actor/{}", walker.actor.name), body: walker.body });
    blocks.chain(actors).collect()
}

/// The step of the world file, else 5 ms or the shortest period of a sensor.
fn step_length(world: &World) -> f64 {
    let given = world.settings.timestep.filter(|step| *step > 0.0);
    given.unwrap_or_else(|| {
        let sensors = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
        let sensors = sensors.chain(&world.sensors);
        sensors.map(|sensor| sensor.period).fold(AUTOMATIC_STEP, f64::min)
    })
}

/// Adds blocks with their origins at `heights`, m; the bodies of those that move come back, in the order of the blocks.
fn add_blocks(
    world: &World,
    heights: &[f64],
    physics: &mut Physics,
    plans: &mut Plans,
) -> Result<Vec<Option<Body>>, BuildError> {
    let profile = &world.settings.profile;
    let mut bodies = Vec::with_capacity(world.blocks.len());
    for (block, &z) in world.blocks.iter().zip(heights) {
        let (sin, cos) = simhost_sdk::math::sin_cos(block.pose.yaw);
        let [vx, vy, omega] = block.velocity;
        let velocity = if profile.velocity_in_world_frame {
            [vx, vy]
        } else {
            [cos * vx - sin * vy, sin * vx + cos * vy]
        };
        let position = [block.pose.x, block.pose.y];
        let state = BodyState { position, heading: [cos, sin], velocity, omega };
        let damping = [
            block.linear_damping.unwrap_or(profile.default_linear_damping),
            block.angular_damping.unwrap_or(profile.default_angular_damping),
        ];
        let body = physics.add_block(block, &state, z, world.settings.gravity, damping)?;
        if let (Some(body), Some(animation)) = (body, &block.animation) {
            plans.add_animated(body, Pose { z, ..block.pose }, Arc::clone(animation));
        }
        bodies.push(body);
    }
    Ok(bodies)
}

/// Adds walls, planes and maps.
fn add_walls(world: &World, physics: &mut Physics, plans: &mut Plans) -> Result<(), BuildError> {
    for wall in &world.walls {
        physics.add_wall(wall)?;
    }
    let heights_count = world.settings.profile.contact_heights;
    let meets = if heights_count { walls::Meets::Body } else { walls::Meets::FlatBody };
    for plane in &world.vertical_planes {
        let state = plan::flat_state(&plan::pose3(&plane.pose));
        for piece in walls::pieces(plane, meets) {
            match &plane.animation {
                None => physics.add_piece(&piece, &state, plane.pose.z),
                Some(animation) => {
                    if let Some(body) = physics.add_gate(&piece, &state, plane.pose.z) {
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

/// Puts vehicles on the ground and on their animations.
fn settle(
    world: &World,
    tables: &mut [Table],
    places: &[(usize, usize)],
    ground: &Ground,
    physics: &mut Physics,
    plans: &mut Plans,
) {
    for table in tables.iter_mut() {
        table.read_back(physics);
    }
    for (vehicle, &(table, lane)) in world.vehicles.iter().zip(places) {
        if !vehicle.skip_elevation_adjust {
            let ceiling = vehicle.pose.z + 0.5 * vehicle.chassis.z_max;
            tables[table].place_on_ground(lane, ceiling, ground);
        }
        if let Some(animation) = &vehicle.animation {
            let body = tables[table].lanes[lane].body;
            plans.add_animated(body, vehicle.pose, Arc::clone(animation));
        }
    }
    for table in tables.iter_mut() {
        table.follow_ground(ground, physics);
    }
}

/// Adds the joints.
fn link(
    world: &World,
    tables: &[Table],
    places: &[(usize, usize)],
    bodies: &[Option<Body>],
    physics: &mut Physics,
) {
    let end = |body: BodyRef| match body {
        BodyRef::Vehicle(number) => {
            let (table, lane) = places[number];
            End::Body(tables[table].lanes[lane].body)
        }
        BodyRef::Block(number) => bodies[number].map_or_else(
            || {
                let Pose { x, y, yaw, .. } = world.blocks[number].pose;
                End::Fixed(Pose2 { x, y, yaw })
            },
            End::Body,
        ),
        BodyRef::Wall(number) => End::Fixed(wall_outline(&world.walls[number]).1.pose()),
    };
    for joint in &world.joints {
        physics.add_joint(joint, joint.bodies.map(end));
    }
}
