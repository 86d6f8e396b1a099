//! The worlds in `worlds/`.

use std::path::{Path, PathBuf};

use simhost::CommandSchedule;
use simhost_engine::{Options, Simulation};
use simhost_world::World;

/// A world in `worlds/`.
pub struct WorldFile {
    /// Path below `worlds/` without `.world.xml`.
    pub name: String,
    pub path: PathBuf,
    /// Path of the command file of the same name, if there is one.
    pub commands: Option<PathBuf>,
}

impl WorldFile {
    /// Returns a simulation of the loaded world with its commands, before its first step.
    pub fn simulation(&self, world: &World) -> Simulation {
        let mut simulation = Simulation::new(world, Options { seed: 0, threads: 1 }).unwrap();
        if let Some(path) = &self.commands {
            let schedule = CommandSchedule::read(path, &simulation).unwrap();
            simulation.set_commands(&schedule.commands).unwrap();
        }
        simulation.start().unwrap();
        simulation
    }
}

/// Returns all worlds sorted by name, including `worlds/validation/`.
pub fn all() -> Vec<WorldFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let mut worlds = Vec::new();
    for prefix in ["", "validation/"] {
        for entry in std::fs::read_dir(root.join(prefix)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let Some(name) = name.strip_suffix(".world.xml") else { continue };
            let name = format!("{prefix}{name}");
            // the world with a road network
            if name == "town" && !cfg!(feature = "opendrive") {
                continue;
            }
            let commands = root.join(format!("{name}.commands.csv"));
            let commands = commands.exists().then_some(commands);
            worlds.push(WorldFile { name, path, commands });
        }
    }
    worlds.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(worlds.iter().any(|world| world.name == "demo"));
    worlds
}
