//! Worlds in which the number of objects grows, for work that must not grow faster.

use std::fmt::Write;

use simhost_engine::{Options, Simulation, TimedCommand};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, World, load};

/// Loads a world from a text.
///
/// # Panics
/// Panics if the world has errors.
pub fn world(catalogue: &Catalogue, text: &str) -> World {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("simhost-bench-growth-{}-{number}.world.xml", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("the temporary directory is writable");
    let loaded = load(&path, &LoadOptions::default(), catalogue).expect("the world is correct");
    let _ = std::fs::remove_file(&path);
    loaded.world
}

/// Returns the simulation of a world on one thread.
///
/// # Panics
/// Panics if a model rejects its parameters.
pub fn simulation(world: &World) -> Simulation {
    Simulation::new(world, Options { seed: 0, threads: 1 }).expect("the models accept the world")
}

/// Returns a world with `count` vehicles in a square grid. `parts` are further elements of each, and
/// `others` further elements of the world, by number and position.
fn grid(
    count: usize,
    spacing: f64,
    parts: impl Fn(usize) -> String,
    others: impl Fn(usize, [f64; 2]) -> String,
) -> String {
    let side = (count as f64).sqrt().ceil() as usize;
    let mut text = String::from("<mvsim_world version=\"1.0\">\n");
    for i in 0..count {
        let [x, y] = [i % side, i / side].map(|k| spacing * k as f64);
        let parts = parts(i);
        let _ = writeln!(
            text,
            "<vehicle name=\"v{i}\">{parts}<init_pose>{x} {y} 0</init_pose></vehicle>{}",
            others(i, [x, y])
        );
    }
    text + "</mvsim_world>\n"
}

const PLAIN: &str = "<dynamics class=\"differential\"/>";

/// Returns a world with vehicles that stand 1.3 m from each other, without overlaps.
pub fn close_together(count: usize) -> String {
    grid(count, 1.3, |_| PLAIN.to_owned(), |_, _| String::new())
}

/// Returns a world with vehicles, each with its own parameters.
pub fn distinct(count: usize) -> String {
    let parts = |i| {
        let (gain, mu) = (1.0 + 1e-4 * i as f64, 0.5 + 1e-6 * i as f64);
        format!(
            "<dynamics class=\"differential\"><controller class=\"twist_pid\"><KP>{gain}</KP>\
             </controller></dynamics><friction class=\"default\"><mu>{mu}</mu></friction>"
        )
    };
    grid(count, 20.0, parts, |_, _| String::new())
}

/// Returns a world with vehicles that drive among as many movable blocks.
pub fn among_blocks(count: usize) -> String {
    let parts = "<dynamics class=\"differential\"><controller class=\"twist_pid\"><V>0.3</V>\
                 <W>20</W></controller></dynamics>";
    let block = |i, [x, y]: [f64; 2]| {
        format!(
            "<block name=\"b{i}\"><mass>5</mass><zmin>0</zmin><zmax>0.5</zmax><shape>\
             <pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt><pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape>\
             <init_pose>{} {} 0</init_pose></block>",
            x + 8.0,
            y + 8.0
        )
    };
    grid(count, 20.0, |_| parts.to_owned(), block)
}

/// Returns a world of vehicles that are driven by torques.
pub fn driven_by_torques(count: usize) -> String {
    grid(count, 20.0, |_| PLAIN.to_owned(), |_, _| String::new())
}

/// Returns `rows` commands for the `count` vehicles of [`driven_by_torques`] in turn, of the first kind that
/// their controllers accept.
///
/// # Panics
/// Panics if the controller accepts no commands.
pub fn commands(simulation: &Simulation, rows: usize, count: usize) -> Vec<TimedCommand> {
    let kinds = simulation.command_kinds(0);
    let kind = kinds.first().expect("the controller accepts commands");
    let command = |row: usize| TimedCommand {
        time: 1e-4 * row as f64,
        vehicle: format!("v{}", row * 7919 % count),
        kind: kind.name.clone(),
        values: vec![1.0; kind.values.len()],
    };
    (0..rows).map(command).collect()
}
