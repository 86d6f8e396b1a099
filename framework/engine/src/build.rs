//! From a world to tables, bodies and sensors.

use simhost_world::{FaultAction, World};

use crate::clock::Clock;
use crate::error::BuildError;
use crate::physics::{BodyState, Physics};
use crate::sensors::Sensors;
use crate::simulation::{Options, Simulation};
use crate::table::{self, Group, Table};

/// What a simulation is put together from.
pub(crate) struct Parts {
    pub tables: Vec<Table>,
    pub places: Vec<(usize, usize)>,
    pub names: Vec<String>,
    pub physics: Physics,
    pub sensors: Sensors,
    pub clock: Clock,
    pub fault_action: FaultAction,
    pub pool: rayon::ThreadPool,
}

/// Length of an automatic step without sensors, s.
const AUTOMATIC_STEP: f64 = 0.005;

pub(crate) fn build(world: &World, options: Options) -> Result<Simulation, BuildError> {
    let threads = options.threads.max(1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| BuildError::Threads { threads, source })?;
    let dt = step_length(world);
    let mut physics = Physics::new(dt, world.settings.profile.contact_heights);
    let bodies = add_obstacles(world, &mut physics)?;
    let mut groups: Vec<Group> = Vec::new();
    for (number, vehicle) in world.vehicles.iter().enumerate() {
        match groups.iter_mut().find(|group| group.takes(vehicle)) {
            Some(group) => group.vehicles.push((number, vehicle)),
            None => groups.push(Group { vehicles: vec![(number, vehicle)] }),
        }
    }
    let tables = groups
        .iter()
        .map(|group| table::build(group, &world.settings, &mut physics))
        .collect::<Result<Vec<_>, _>>()?;
    let mut places = vec![(0, 0); world.vehicles.len()];
    for (table, built) in tables.iter().enumerate() {
        for (lane, owner) in built.lanes.iter().enumerate() {
            places[owner.vehicle] = (table, lane);
        }
    }
    let sensors = Sensors::build(world, &places, &bodies, options.seed)?;
    let names = world.vehicles.iter().map(|vehicle| vehicle.name.clone()).collect();
    let clock = Clock { steps: 0, dt };
    let fault_action = world.settings.fault_action;
    let parts = Parts { tables, places, names, physics, sensors, clock, fault_action, pool };
    Ok(Simulation::assemble(parts))
}

/// The step of the world file, else 5 ms or the shortest period of a sensor.
fn step_length(world: &World) -> f64 {
    let given = world.settings.timestep.filter(|step| *step > 0.0);
    given.unwrap_or_else(|| {
        let sensors = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
        sensors.map(|sensor| sensor.period).fold(AUTOMATIC_STEP, f64::min)
    })
}

/// Adds blocks and walls; the bodies of blocks that move come back, in the order of the blocks.
fn add_obstacles(
    world: &World,
    physics: &mut Physics,
) -> Result<Vec<Option<crate::physics::Body>>, BuildError> {
    let profile = &world.settings.profile;
    let mut bodies = Vec::with_capacity(world.blocks.len());
    for block in &world.blocks {
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
        bodies.push(physics.add_block(
            block,
            &state,
            block.pose.z,
            world.settings.gravity,
            damping,
        )?);
    }
    for wall in &world.walls {
        physics.add_wall(wall)?;
    }
    for grid in &world.grids {
        physics.add_grid(grid);
    }
    Ok(bodies)
}
