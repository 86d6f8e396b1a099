//! Members compute what simulations of their own compute.

use std::sync::Arc;

use simhost_model::ParamValue;
use simhost_sdk::ports::PlanarVelocity;
use simhost_sdk::prelude::*;
use simhost_world::World;

use super::{StepGoals, Variants, WideTables, WorldBatch};
use crate::build::{BuildError, Options};
use crate::commands::TimedCommand;
use crate::simulation::Simulation;
use crate::simulation::tests::{batteries, estimators};
use crate::step::StepError;
use crate::table::ModelRole;
use crate::tests::read;

/// Drives as told, and returns no number when it turns fast after some time.
#[derive(Params)]
pub struct Brittle {}

/// Setpoints.
#[derive(Ports)]
pub struct Wanted {
    /// Forward velocity.
    #[port(unit = "m/s", command)]
    twist_vx: f64,
    /// Leftward velocity.
    #[port(unit = "m/s", command)]
    twist_vy: f64,
    /// Yaw rate.
    #[port(unit = "rad/s", command)]
    twist_omega: f64,
}

/// Velocity.
#[derive(Ports)]
pub struct Driven {
    /// Forward velocity.
    #[port(unit = "m/s")]
    twist_vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    twist_omega: f64,
}

#[model]
impl Controller for Brittle {
    type Inputs = Wanted;
    type Outputs = Driven;

    const COMMANDS: CommandKinds = &[command!("twist": Wanted[..3])];

    fn control(&self, inputs: &Wanted, step: &Step, _: &mut ()) -> Driven {
        let breaks = inputs.twist_omega > 0.4 && step.time > 0.555;
        let twist_omega = if breaks { f64::NAN } else { inputs.twist_omega };
        Driven { twist_vx: inputs.twist_vx, twist_omega }
    }
}

/// Turns at random.
#[derive(Params)]
pub struct Restless {}

#[model]
impl Controller for Restless {
    const RANDOM: bool = true;
    const COMMANDS: CommandKinds = &[command!("twist": Wanted[..3])];

    fn control(&self, inputs: &Wanted, step: &Step, _: &mut ()) -> Driven {
        let twist_omega = inputs.twist_omega + step.random().normal();
        Driven { twist_vx: inputs.twist_vx, twist_omega }
    }
}

/// Counts its samples, and returns no number when its vehicle turns fast after some time.
#[derive(Params)]
pub struct Fragile {}

/// Motion.
#[derive(Ports)]
pub struct Turned {
    /// Velocity of the vehicle.
    #[port(flatten)]
    velocity: PlanarVelocity,
}

/// A reading.
#[derive(Ports)]
pub struct Told {
    /// Yaw rate.
    #[port(unit = "rad/s")]
    rate: f64,
    /// Range of a ray.
    #[port(unit = "m")]
    ahead: f64,
}

/// Memory of [`Fragile`].
#[derive(State)]
pub struct Taken {
    /// Number of samples.
    #[state(unit = "1")]
    samples: f64,
}

#[model]
impl Sensor for Fragile {
    fn rays(&self) -> usize {
        1
    }

    fn aim(&self, aim: &mut Aim, random: &mut Random) {
        aim.angles[0] = 0.1 * random.uniform();
    }

    fn read(
        &self,
        inputs: &Turned,
        rays: &mut RayReadings,
        random: &mut Random,
        _: &Step,
        taken: &mut Taken,
    ) -> Told {
        taken.samples += 1.0;
        let breaks = inputs.velocity.omega > 0.4 && taken.samples > 12.0;
        let rate = if breaks { f64::NAN } else { inputs.velocity.omega + random.uniform() };
        Told { rate, ahead: rays.ranges[0].min(99.0) }
    }
}

simhost_sdk::declare_plugin! {
    vendor: "batch",
    controller: { "brittle" => Brittle, "restless" => Restless },
    sensor: { "fragile" => Fragile },
}

#[derive(Debug)]
enum Error {
    Build,
}

impl From<BuildError> for Error {
    fn from(_: BuildError) -> Self {
        Self::Build
    }
}

/// Members that differ in seed, pose, command and friction.
struct Different {
    world: Arc<World>,
    commands: Vec<TimedCommand>,
    /// Number by which the seeds have been increased.
    resets: u64,
    /// Whether the first vehicle is placed elsewhere, at rest, and commanded.
    is_placed: bool,
}

impl Different {
    fn new(world: World, commands: Vec<TimedCommand>) -> Self {
        Self { world: Arc::new(world), commands, resets: 0, is_placed: true }
    }

    /// Returns the values of the friction model of the first vehicle for a member.
    fn friction(&self, member: usize) -> Arc<[ParamValue]> {
        let friction = &self.world.vehicles[0].friction;
        let params = friction.model.model.params();
        let mu = params.iter().position(|param| param.key() == "mu").expect("it has mu");
        let mut values = friction.values.to_vec();
        values[mu] = ParamValue::Number(0.3 + 0.05 * member as f64);
        values.into()
    }

    /// Brings a simulation of its own to the start of a member.
    fn alone(&self, member: usize) -> Simulation {
        let mut world = (*self.world).clone();
        let friction = (*world.vehicles[0].friction).clone();
        let values = self.friction(member);
        world.vehicles[0].friction = Arc::new(simhost_world::ModelUse { values, ..friction });
        let options = Options { seed: self.seed_of(member), threads: 1 };
        let mut simulation = Simulation::new(&world, options).expect("the world is right");
        simulation.set_commands(&self.commands).expect("they fit");
        self.place(member, &mut simulation);
        simulation.start().expect("nothing faults");
        simulation
    }

    fn place(&self, member: usize, simulation: &mut Simulation) {
        if !self.is_placed {
            return;
        }
        let first = simulation.vehicle_names()[0].clone();
        let pose = [0.1 * member as f64, 0.0, 0.3 * member as f64];
        simulation.set_pose(&first, pose).expect("it can be placed");
        let values = vec![1.0, 0.0, 0.2 * member as f64 - 0.5];
        let command = TimedCommand { time: 0.0, vehicle: first, kind: "twist".into(), values };
        // not all controllers have the kind
        let _ = simulation.command(&command);
    }
}

impl Variants for Different {
    type Error = Error;

    fn variant_of(&self, _: usize) -> usize {
        0
    }

    fn seed_of(&self, member: usize) -> u64 {
        7 + member as u64 + 1000 * self.resets
    }

    fn world(&self, _: usize) -> &Arc<World> {
        &self.world
    }

    fn build(&self, _: usize, seed: u64) -> Result<Simulation, Error> {
        let mut simulation = Simulation::of_member(&self.world, seed)?;
        simulation.set_commands(&self.commands).expect("they fit");
        Ok(simulation)
    }

    fn build_tables(&self, _: usize, count: usize) -> Result<WideTables, Error> {
        Ok(WideTables::new(&self.world, count)?)
    }

    fn start(
        &self,
        member: usize,
        simulation: &mut Simulation,
    ) -> Result<Option<StepError>, Error> {
        self.set_parameters(member, simulation)?;
        self.place(member, simulation);
        Ok(simulation.start().err())
    }

    fn set_parameters(&self, member: usize, simulation: &mut Simulation) -> Result<(), Error> {
        let values = self.friction(member);
        simulation.set_model_values(0, ModelRole::Friction, &values).map_err(|_| Error::Build)
    }

    fn starts_alike(&self, _: usize) -> bool {
        false
    }
}

fn world_of(elements: &str) -> World {
    let text =
        format!("<mvsim_world><simul_timestep>0.01</simul_timestep>{elements}</mvsim_world>");
    read(&text)
}

fn vehicle(name: &str, class: &str, controller: &str, more: &str) -> String {
    let pose = if more.contains("<init_pose>") { "" } else { "<init_pose>0 0 0</init_pose>" };
    format!(
        "<vehicle name=\"{name}\"><dynamics class=\"{class}\"><controller class=\"{controller}\"/>\
         </dynamics><friction class=\"default\"/>{pose}{more}</vehicle>"
    )
}

/// A walled room.
fn room(half: f64) -> String {
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
    let side = |side: usize| {
        let ((ax, ay), (bx, by)) = (corners[side], corners[(side + 1) % 4]);
        format!("<pt>{ax} {ay}</pt> <pt>{bx} {by}</pt>")
    };
    let sides: Vec<String> = (0..4).map(side).collect();
    format!("<walls><wallThickness>0.3</wallThickness><shape>{}</shape></walls>", sides.concat())
}

const LASER: &str = "<sensor class=\"laser\" name=\"scan\"><sensor_period>0.05</sensor_period>\
                     </sensor>";
const IMU: &str = "<sensor class=\"imu\" name=\"imu\"/>";

/// Returns readings and states of all sensors, bit by bit.
fn readings(simulation: &Simulation) -> Vec<u64> {
    let mut numbers = Vec::new();
    for place in simulation.state.sensors.places() {
        for field in simulation.state.sensors.fields(*place) {
            simulation.state.sensors.read_field(&field.place, &mut numbers);
        }
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

fn hash(simulation: &Simulation) -> u128 {
    simulation.state_hash().expect("no memory")
}

/// Commands another vehicle than the first one, if there is one with a twist.
fn command_last(members: &mut WorldBatch<Different>, alone: &mut [Simulation], round: u64) {
    let speed = |member: usize| 0.1 * member as f64 - 0.05 * round as f64;
    let values: Vec<f64> = (0..alone.len())
        .flat_map(|member| [speed(member), 0.0, 0.2 - 0.1 * speed(member)])
        .collect();
    let vehicles = alone[0].vehicle_names().len();
    let Some(vehicle) = (1..vehicles).find(|vehicle| {
        let name = alone[0].vehicle_names()[*vehicle].clone();
        let (kind, values) = ("twist".to_owned(), vec![0.0; 3]);
        alone[0].command(&TimedCommand { time: 0.0, vehicle: name, kind, values }).is_ok()
    }) else {
        return;
    };
    members.command(vehicle, "twist", &values);
    for (simulation, values) in alone.iter_mut().zip(values.chunks(3)) {
        let (name, kind) = (simulation.vehicle_names()[vehicle].clone(), "twist".to_owned());
        let command = TimedCommand { time: 0.0, vehicle: name, kind, values: values.to_vec() };
        simulation.command(&command).expect("it can be driven");
    }
}

/// Steps members and simulations of their own, with resets and masks, and compares all states. Returns the members.
fn compare(
    different: Different,
    count: usize,
    threads: usize,
    seconds: u64,
) -> WorldBatch<Different> {
    compare_meeting(different, count, threads, seconds).0
}

/// Numbers of members that had something near them.
#[derive(Default)]
struct Near {
    /// Summed over all calls.
    all: usize,
    /// After the last call.
    last: usize,
}

/// As [`compare`]. Also returns how many members had something near them.
fn compare_meeting(
    different: Different,
    count: usize,
    threads: usize,
    seconds: u64,
) -> (WorldBatch<Different>, Near) {
    let mut near = Near::default();
    let mut alone: Vec<Simulation> = (0..count).map(|member| different.alone(member)).collect();
    let mut members = WorldBatch::new(different, count, threads).expect("they start");
    let mut failed = vec![false; count];
    for round in 0..(seconds * 100 / 17) {
        let takes = move |member: usize| match (member as u64 + round) % 5 {
            0 if round % 2 == 1 => 0,
            1 if round % 3 == 1 => 4,
            _ => 17,
        };
        if round % 4 == 2 {
            command_last(&mut members, &mut alone, round);
        }
        members.step(StepGoals::Each(&|member, _| takes(member))).expect("they can be built");
        for (member, simulation) in alone.iter_mut().enumerate() {
            if !failed[member] {
                failed[member] = simulation.run(takes(member)).is_err();
            }
        }
        if round % 7 == 5 {
            members.variants_mut().resets = round;
            let is_reset = move |member: usize| (member as u64 * 7 + round).is_multiple_of(3);
            members.reset(&is_reset, &|_| true).expect("they start");
            for member in (0..count).filter(|member| is_reset(*member)) {
                alone[member] = members.variants().alone(member);
                failed[member] = false;
            }
        }
        for (member, simulation) in alone.iter().enumerate() {
            assert_eq!(members.failure(member).is_some(), failed[member], "member {member}");
            assert_eq!(members.steps(member), simulation.clock().steps, "member {member}");
            let tipped = |one: &Simulation| one.tipped().map(|(_, time)| time).collect::<Vec<_>>();
            let found = members.look(member, tipped);
            assert_eq!(found, tipped(simulation), "tipping of {member}, round {round}");
            let look = |one: &Simulation| {
                (hash(one), one.result_hash(), readings(one), one.state.faults.len())
            };
            let (found, results, read, faults) = members.look(member, look);
            assert_eq!(faults, simulation.state.faults.len(), "faults of {member}, round {round}");
            assert_eq!(read, readings(simulation), "readings of {member}, round {round}");
            assert_eq!(results, simulation.result_hash(), "results of {member}, round {round}");
            assert_eq!(found, hash(simulation), "member {member}, round {round}");
        }
        near.last = alone.iter().filter(|one| one.state.physics.has_solved()).count();
        near.all += near.last;
    }
    (members, near)
}

#[test]
fn members_in_shared_tables_equal_simulations_of_their_own() {
    let world = world_of(&vehicle("robot", "differential", "twist_pid", ""));
    let members = compare(Different::new(world, Vec::new()), 40, 1, 6);
    assert_eq!(members.why_not_shared(), [""; 0]);
    assert_eq!(members.detached(), 0);
}

#[test]
fn few_members_of_a_block_move_to_a_narrow_one() {
    // a controller that reads the time, so that members at different steps cannot share a block
    let found = blocks_after_reset("brittle", StepGoals::Alike(&|_| 2));
    assert_eq!(found, [(5, 8), (95, 128)]);
}

#[test]
fn members_at_different_steps_share_a_block_if_no_model_reads_the_time() {
    for controller in ["twist_pid", "restless"] {
        let found = blocks_after_reset(controller, StepGoals::Alike(&|_| 2));
        assert_eq!(found, [(100, 128)]);
        // those that have been reset take more steps
        let found = blocks_after_reset(controller, StepGoals::Alike(&|steps| 9 - steps));
        assert_eq!(found, [(5, 8), (95, 128)]);
    }
}

/// Returns members and width of each block after all members but five have been reset and all have taken steps.
fn blocks_after_reset(controller: &str, steps: StepGoals<'_>) -> Vec<(usize, usize)> {
    let world = world_of(&vehicle("robot", "differential", controller, ""));
    let mut members =
        WorldBatch::new(Different::new(world, Vec::new()), 100, 1).expect("they start");
    members.step(StepGoals::Alike(&|_| 3)).expect("they can be built");
    members.reset(&|member| member % 20 > 0, &|_| true).expect("they start");
    let progress = members.step(steps).expect("they can be built");
    let most = (0..100).map(|member| members.steps(member)).max();
    assert_eq!(Some(progress.most_steps), most);
    let blocks = members.chunks.iter().flat_map(|chunk| &chunk.groups[0].blocks);
    let blocks = blocks.filter(|block| block.slots.taken() > 0);
    let mut found: Vec<_> =
        blocks.map(|block| (block.slots.taken(), block.slots.width())).collect();
    found.sort_unstable();
    found
}

#[test]
fn members_whose_models_draw_equal_simulations_of_their_own() {
    let world = world_of(&vehicle("robot", "differential", "restless", LASER));
    let members = compare(Different::new(world, Vec::new()), 30, 2, 4);
    assert_eq!(members.why_not_shared(), [""; 0]);
}

#[test]
fn members_that_tip_over_equal_simulations_of_their_own() {
    let car = "<vehicle name=\"car\"><dynamics class=\"ackermann\"><chassis mass=\"1000\" zmin=\"0.2\"\
               zmax=\"1.2\" cg_height=\"2.5\"><shape><pt>-0.8 -1</pt><pt>1.8 -1</pt><pt>1.8 1</pt>\
               <pt>-0.8 1</pt></shape></chassis><controller class=\"pedals\">\
               <steer_ang_deg>6</steer_ang_deg></controller></dynamics>\
               <friction class=\"default\"><C_damping>0</C_damping></friction>\
               <init_pose>0 0 0</init_pose><init_vel>14 0 0</init_vel></vehicle>";
    let different = Different { is_placed: false, ..Different::new(world_of(car), Vec::new()) };
    let mut members = compare(different, 16, 1, 5);
    assert_eq!(members.why_not_shared(), [""; 0]);
    let tipped = |one: &Simulation| one.tipped().count();
    let count: usize = (0..16).map(|member| members.look(member, tipped)).sum();
    assert!(count > 0 && count < 16, "{count} have tipped over");
}

#[test]
fn members_with_several_vehicles_and_sensors_equal_simulations_of_their_own() {
    let vehicles = [
        vehicle("a", "differential", "twist_pid", &format!("{LASER}{IMU}")),
        vehicle("b", "differential", "twist_pid", "<init_pose>-3 -3 0</init_pose>"),
        vehicle("c", "ackermann", "twist_front_steer_pid", "<init_pose>8 8 0</init_pose>"),
    ];
    let world = world_of(&(room(30.0) + &vehicles.concat()));
    let (vehicle, kind, values) = ("b".into(), "twist".into(), vec![0.5, 0.0, 0.4]);
    let later = TimedCommand { time: 0.333, vehicle, kind, values };
    // a member that is alone has a block of its own
    for (count, threads) in [(21, 1), (21, 2), (21, 4), (1, 1)] {
        let different = Different::new(world.clone(), vec![later.clone()]);
        let members = compare(different, count, threads, 3);
        assert_eq!(members.why_not_shared(), [""; 0]);
    }
}

#[test]
fn members_that_touch_something_are_detached_until_nothing_is_near() {
    let robot = |controller: &str, more: &str| vehicle("robot", "differential", controller, more);
    let other = vehicle("b", "differential", "twist_pid", "<init_pose>1.5 0.2 2</init_pose>");
    let car = "<init_pose>0 0 0.1</init_pose><init_vel>3 0 0</init_vel>";
    let worlds = [
        (robot("twist_pid", LASER), 1),
        (robot("twist_ideal", IMU), 2),
        (robot("twist_ideal", LASER) + &other, 2),
        (vehicle("robot", "differential_4_wheels", "twist_ideal", "") + &other, 1),
        (format!("<substeps>3</substeps>{}{other}", robot("twist_pid", "")), 1),
        (format!("<integrator>extrapolated</integrator>{}", robot("twist_pid", LASER)), 1),
        (vehicle("robot", "ackermann", "twist_front_steer_pid", ""), 1),
        (vehicle("robot", "ackermann", "twist_front_steer_pid", car), 1),
    ];
    for (number, (elements, threads)) in worlds.into_iter().enumerate() {
        let world = world_of(&(elements + &room(2.5)));
        let (members, near) = compare_meeting(Different::new(world, Vec::new()), 12, threads, 6);
        assert_eq!(members.why_not_shared(), [""; 0]);
        assert!(near.all > 10, "something was near {} members of world {number}", near.all);
        assert!(members.detached() <= near.last, "world {number}");
    }
}

#[test]
fn members_at_a_wall_and_away_from_it_equal_simulations_of_their_own() {
    let world = world_of(&(room(3.0) + &vehicle("robot", "differential", "twist_pid", LASER)));
    let different = Different::new(world, Vec::new());
    let mut alone: Vec<Simulation> = (0..8).map(|member| different.alone(member)).collect();
    let mut members = WorldBatch::new(different, 8, 1).expect("they start");
    let mut near = Vec::new();
    // to a wall, away from it, and to it again
    for (vx, steps) in [(1.0, 400), (-1.0, 150), (-1.0, 1), (1.0, 200)] {
        let values = [vx, 0.0, 0.0];
        members.command(0, "twist", &values.repeat(8));
        members.step(StepGoals::Alike(&|_| steps)).expect("they can be built");
        for (member, simulation) in alone.iter_mut().enumerate() {
            let (vehicle, kind) = ("robot".to_owned(), "twist".to_owned());
            let command = TimedCommand { time: 0.0, vehicle, kind, values: values.to_vec() };
            simulation.command(&command).expect("it can be driven");
            simulation.run(steps).expect("it can be stepped");
            let found = members.look(member, hash);
            assert_eq!(found, hash(simulation), "member {member} after {near:?}");
        }
        near.push(alone.iter().filter(|one| one.state.physics.has_solved()).count());
        assert_eq!(Some(&members.detached()), near.last());
    }
    assert_eq!(near, [8, 0, 0, 8]);
}

#[test]
fn members_whose_models_fault_while_they_touch_something_stop_or_go_on_alone() {
    stop_or_go_on_alone(&(vehicle("robot", "differential", "brittle", IMU) + &room(1.2)), true);
}

#[test]
fn members_that_cannot_share_say_why() {
    let ball = "<block name=\"ball\"><mass>1</mass><shape_from_visual/><geometry type=\"box\" \
                lx=\"0.3\" ly=\"0.3\" lz=\"0.3\"/><init_pose>2 0 0</init_pose></block>";
    let world = world_of(&(ball.to_owned() + &vehicle("robot", "differential", "twist_pid", "")));
    let members = compare(Different::new(world, Vec::new()), 6, 2, 3);
    assert_eq!(
        members.why_not_shared(),
        ["blocks that can be pushed, actors or joints", "the ground is not level"]
    );
    assert_eq!(members.detached(), 6);
}

/// Compares members with a robot of which a model faults in some.
fn stop_or_go_on_alone(robot: &str, touches: bool) {
    for (policy, stop) in [("", true), ("<plugin_faults action=\"disable\"/>", false)] {
        let world = world_of(&(policy.to_owned() + robot));
        let (members, near) = compare_meeting(Different::new(world, Vec::new()), 9, 1, 3);
        assert_eq!(members.why_not_shared(), [""; 0]);
        assert_eq!(near.all > 20, touches, "something was near {} members", near.all);
        let failed = (0..9).filter(|member| members.failure(*member).is_some()).count();
        assert!(if stop { failed > 0 && failed < 9 } else { failed == 0 }, "{failed} have failed");
        let detached = members.detached();
        assert!(detached > 0 && (touches || detached < 9), "{detached} are detached");
    }
}

#[test]
fn members_whose_models_fault_stop_or_go_on_alone() {
    stop_or_go_on_alone(&vehicle("robot", "differential", "brittle", IMU), false);
}

#[test]
fn members_whose_sensors_fault_stop_or_go_on_alone() {
    let fragile =
        "<sensor class=\"fragile\" name=\"it\"><sensor_period>0.05</sensor_period></sensor>";
    let sensors = format!("{LASER}{fragile}{IMU}");
    stop_or_go_on_alone(&vehicle("robot", "differential", "twist_pid", &sensors), false);
}

#[test]
fn members_whose_sensors_read_others_equal_simulations_of_their_own() {
    let late = "<latency>0.013</latency><latency_jitter>0.02</latency_jitter>";
    for (period, latency, controller) in
        [("0.07", "", "twist_pid"), ("0.02", late, "twist_pid"), ("0.03", "", "shy")]
    {
        let vehicle = |name: &str, more: &str| {
            let sensors = estimators::sensors(period, latency) + more;
            vehicle(name, "differential", controller, &sensors)
        };
        let vehicles = [vehicle("a", ""), vehicle("b", "<init_pose>5 5 0</init_pose>")];
        let world = world_of(&(room(30.0) + &vehicles.concat()));
        let members = compare(Different::new(world, Vec::new()), 12, 2, 3);
        assert_eq!(members.why_not_shared(), [""; 0]);
    }
}

#[test]
fn members_whose_motors_share_a_battery_equal_simulations_of_their_own() {
    for period in ["0.01", "0.03"] {
        let motors = batteries::motor("left") + &batteries::motor("right");
        let vehicle = |name: &str, pose: &str| {
            let more = batteries::battery(period, "") + pose;
            let vehicle = vehicle(name, "differential", "twist_pid", &more);
            vehicle.replace("</dynamics>", &format!("{motors}</dynamics>"))
        };
        let vehicles = [vehicle("a", ""), vehicle("b", "<init_pose>5 5 0</init_pose>")];
        let world = world_of(&(room(30.0) + &vehicles.concat()));
        let members = compare(Different::new(world, Vec::new()), 12, 2, 3);
        assert_eq!(members.why_not_shared(), [""; 0]);
    }
}

#[test]
fn members_whose_models_read_sensors_equal_simulations_of_their_own() {
    let late = LASER.replace("</sensor>", "<latency>0.03</latency></sensor>");
    for laser in [LASER, &late] {
        let vehicles = [
            vehicle("a", "differential", "shy", laser),
            vehicle(
                "b",
                "differential",
                "shy",
                &(laser.to_owned() + "<init_pose>5 5 0</init_pose>"),
            ),
        ];
        let world = world_of(&(room(30.0) + &vehicles.concat()));
        let members = compare(Different::new(world, Vec::new()), 12, 2, 3);
        assert_eq!(members.why_not_shared(), [""; 0]);
    }
}
