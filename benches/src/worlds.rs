//! Worlds of many vehicles.

use std::fmt::Write;

use simhost_engine::{Options, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, load};

/// Returns a simulation of `count` vehicles of one dynamics class with the friction class `default`,
/// which drive in circles without touching each other, with steps of 5 ms.
///
/// # Panics
/// Panics if the world does not load.
pub fn simulation(catalogue: &Catalogue, dynamics: &str, count: usize) -> Simulation {
    let (controller, twist) = if dynamics.starts_with("differential") {
        ("twist_pid", "<V>1</V><W>20</W>")
    } else {
        ("twist_front_steer_pid", "<V>2</V><W>20</W>")
    };
    let mut text =
        String::from("<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>");
    for i in 0..count {
        let (x, y) = (30 * (i % 32), 30 * (i / 32));
        let _ = write!(
            text,
            "<vehicle name=\"v{i}\"><dynamics class=\"{dynamics}\"><controller \
             class=\"{controller}\">{twist}</controller></dynamics><init_pose>{x} {y} \
             0</init_pose></vehicle>"
        );
    }
    text.push_str("</mvsim_world>");
    let name = format!("simhost-bench-{}-{dynamics}-{count}.world.xml", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("the temporary directory is writable");
    let loaded = load(&path, &LoadOptions::default(), catalogue).expect("the world is correct");
    let _ = std::fs::remove_file(&path);
    let mut simulation = Simulation::new(&loaded.world, Options { seed: 0, threads: 1 })
        .expect("the models accept their parameters");
    simulation.start().expect("the start has no faults");
    simulation
}
