//! Coverage of the result hash, commands, and contacts.

mod contacts;
mod edges;

mod falling;
mod imposed;
mod weather;

mod readings;

use simhost_world::World;

use crate::build::Options;
use crate::commands::{CommandError, CommandKind, TimedCommand};
use crate::simulation::Simulation;
use crate::tests::read;

fn vehicle(name: &str, friction: &str, y: f64) -> String {
    format!(
        "<vehicle name=\"{name}\"><dynamics class=\"differential\"><controller class=\"raw\"/>\
         </dynamics>{friction}<sensor class=\"laser\" name=\"scan\"><sensor_period>0.02\
         </sensor_period></sensor><init_pose>0 {y} 0</init_pose><init_vel>1 0 0</init_vel></vehicle>"
    )
}

fn world(elements: &[String]) -> World {
    let block = "<block name=\"box\"><mass>10</mass><shape_from_visual/><geometry type=\"box\" \
                 lx=\"1\" ly=\"1\" lz=\"1\"/><init_pose>5 5 0</init_pose></block>";
    world_of(block, elements)
}

fn world_of(first: &str, elements: &[String]) -> World {
    let text = format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep>{first}{}</mvsim_world>",
        elements.concat()
    );
    read(&text)
}

/// Two vehicles that do not share a table.
fn two_tables() -> [String; 2] {
    [
        vehicle("a", "<friction class=\"default\"/>", 0.0),
        vehicle("b", "<friction class=\"wardiagnemma\"/>", 3.0),
    ]
}

fn simulation(world: &World, steps: usize) -> Simulation {
    let mut simulation =
        Simulation::new(world, Options { seed: 1, threads: 1 }).expect("the world is right");
    simulation.start().expect("nothing faults");
    for _ in 0..steps {
        simulation.step().expect("nothing faults");
    }
    simulation
}

#[test]
fn the_order_of_tables_does_not_count() {
    let mut simulation = simulation(&world(&two_tables()), 5);
    assert_eq!(simulation.state.tables.len(), 2);
    let (results, state) = (simulation.result_hash(), simulation.state_hash().expect("no memory"));
    simulation.state.tables.reverse();
    let blueprint = std::sync::Arc::get_mut(&mut simulation.blueprint).expect("it is not shared");
    for (table, _) in &mut blueprint.places {
        *table = 1 - *table;
    }
    assert_eq!(simulation.result_hash(), results);
    assert_ne!(simulation.state_hash().expect("no memory"), state);
}

#[test]
fn the_order_in_the_world_file_does_not_count() {
    let [a, b] = two_tables();
    // sensor noise is keyed by the number of the vehicle, and begins with the second step
    let forwards = simulation(&world(&[a.clone(), b.clone()]), 1).result_hash();
    let backwards = simulation(&world(&[b, a]), 1).result_hash();
    assert_eq!(forwards, backwards);
}

#[test]
fn vehicles_that_share_a_table_hash_as_those_that_do_not() {
    let same = [vehicle("a", "", 0.0), vehicle("b", "", 3.0)];
    let mut apart = same.clone();
    // another class makes another table; it does not matter before the first step
    let friction = "<friction class=\"wardiagnemma\"/><sensor ";
    apart[1] = apart[1].replace("<sensor ", friction);
    let (same, apart) = (simulation(&world(&same), 0), simulation(&world(&apart), 0));
    assert_eq!((same.state.tables.len(), apart.state.tables.len()), (1, 2));
    assert_eq!(same.result_hash(), apart.result_hash());
}

#[test]
fn one_bit_of_one_wheel_counts() {
    let mut simulation = simulation(&world(&two_tables()), 5);
    let before = simulation.result_hash();
    let table = &mut simulation.state.tables[1];
    let spin = table.vehicles.host.measured.spin;
    let value = &mut table.vehicles.columns.get_mut(spin)[1];
    *value = f64::from_bits(value.to_bits() ^ 1);
    assert_ne!(simulation.result_hash(), before);
}

#[test]
fn blocks_count_and_readings_do_not() {
    let mut simulation = simulation(&world(&two_tables()), 5);
    let before = simulation.result_hash();
    let body = simulation.blueprint.movers[0].body;
    let [vx, vy] = simulation.state.physics.bodies.state(body).velocity;
    simulation.state.physics.bodies.set_velocity(body, [vx + 1.0, vy], 0.0);
    let moved = simulation.result_hash();
    assert_ne!(moved, before);
    let state = simulation.state_hash().expect("no memory fails");
    simulation.state.sensors.disturb_reading();
    assert_eq!(simulation.result_hash(), moved);
    assert_eq!(simulation.state_hash().expect("no memory fails"), state);
}

#[test]
fn the_name_of_a_vehicle_counts() {
    let named = |name: &str| simulation(&world(&[vehicle(name, "", 0.0)]), 0).result_hash();
    assert_ne!(named("a"), named("c"));
}

#[test]
fn commands_are_checked_when_they_are_set() {
    let mut simulation = simulation(&world(&two_tables()), 0);
    let kind = simulation.command_kinds(0)[0].clone();
    let command = |time: f64, vehicle: &str, kind: &CommandKind, value: f64| TimedCommand {
        time,
        vehicle: vehicle.to_owned(),
        kind: kind.name.clone(),
        values: vec![value; kind.values.len()],
    };
    assert_eq!(simulation.set_commands(&[command(0.0, "a", &kind, 1.0)]), Ok(()));
    let mut error =
        |commands: &[TimedCommand]| simulation.set_commands(commands).expect_err("wrong");
    let unknown = error(&[command(0.5, "c", &kind, 1.0)]);
    assert_eq!(unknown, CommandError::Vehicle { time: 0.5, vehicle: "c".to_owned() });
    let warp = CommandKind { name: "warp".to_owned(), values: vec![None] };
    let unknown = error(&[command(0.5, "a", &warp, 1.0)]);
    let expected =
        "the controller of vehicle 'a' has no command `warp` with 1 values (command at 0.5 s)";
    assert_eq!(unknown.to_string(), expected);
    let unsorted = error(&[command(1.0, "a", &kind, 1.0), command(0.5, "a", &kind, 1.0)]);
    assert_eq!(unsorted, CommandError::Order { time: 0.5, latest: 1.0 });
    let unfinite = error(&[command(0.5, "a", &kind, f64::NAN)]);
    assert_eq!(unfinite, CommandError::NotFinite { time: 0.5, vehicle: "a".to_owned() });
}

#[test]
fn a_sensor_reads_the_same_alone_and_in_a_batch() {
    let readings = |elements: &[String]| -> Vec<(usize, Vec<f64>)> {
        let simulation = simulation(&world(elements), 6);
        simulation.samples().readings().collect()
    };
    // the second vehicle is out of range of the first
    let [near, far] = [vehicle("a", "", 0.0), vehicle("b", "", 500.0)];
    let (alone, batch) = (readings(std::slice::from_ref(&near)), readings(&[near, far]));
    assert_eq!((alone.len(), batch.len()), (1, 2));
    assert_eq!(alone[0], batch[0]);
    assert_ne!(batch[0].1, batch[1].1);
}
