//! A run of a world, kept in memory.

use std::path::Path;

use simhost::CommandSchedule;
use simhost_engine::{EnergyBook, Options, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, load_text};

/// Motion of one vehicle.
#[derive(Debug, Default)]
pub struct Track {
    /// Name of the vehicle.
    pub name: String,
    /// Poses: x, y, z, m; yaw, pitch, roll, rad; world frame.
    pub pose: Vec<[f64; 6]>,
    /// Twists: forward and leftward velocity, m/s; yaw rate, rad/s; vehicle frame.
    pub twist: Vec<[f64; 3]>,
    /// Energy books, J.
    pub books: Vec<EnergyBook>,
    /// Spins of the wheels, rad/s.
    pub spins: Vec<Vec<f64>>,
}

/// A recorded run.
#[derive(Debug, Default)]
pub struct Recording {
    /// Times, s.
    pub time: Vec<f64>,
    /// Vehicles in the order of the world file.
    pub tracks: Vec<Track>,
}

impl Track {
    /// Returns the largest difference between the change of energy and the work, divided by the largest
    /// energy or work of the run.
    pub fn imbalance(&self) -> f64 {
        let Some(first) = self.books.first() else { return 0.0 };
        let (mut worst, mut largest) = (0.0f64, 1e-9f64);
        for book in &self.books {
            let change = book.energy() - first.energy();
            worst = worst.max((change - (book.work() - first.work())).abs());
            let height = book.potential - first.potential;
            let parts =
                [book.motor, book.brake, book.slip, book.rolling, book.drag, height, book.kinetic];
            largest = parts.into_iter().fold(largest, |most, part| most.max(part.abs()));
        }
        worst / largest
    }

    /// Returns a function of pose and twist over time.
    pub fn series(&self, of: impl Fn(&[f64; 6], &[f64; 3]) -> f64) -> Vec<f64> {
        self.pose.iter().zip(&self.twist).map(|(pose, twist)| of(pose, twist)).collect()
    }

    /// Returns the yaw rate over time, rad/s.
    pub fn yaw_rate(&self) -> Vec<f64> {
        self.series(|_, twist| twist[2])
    }
}

impl Recording {
    /// Runs a world with the command file next to it and records every step.
    ///
    /// # Panics
    /// Panics if the world or its commands, which belong to the project, cannot be used.
    pub fn of(world: &Path) -> Self {
        Self::of_text(world, &read(world))
    }

    /// As [`Self::of`], with another text as the content of the world file.
    ///
    /// # Panics
    /// As [`Self::of`].
    pub fn of_text(world: &Path, text: &str) -> Self {
        let name = world.file_name().unwrap_or_default().to_string_lossy();
        let commands = world.with_file_name(name.replace(".world.xml", ".commands.csv"));
        let (mut simulation, end) = simulation(world, text, LoadOptions::default());
        if commands.exists() {
            load_commands(&mut simulation, &commands);
        }
        Self::run(simulation, end.unwrap_or(10.0))
    }

    /// Runs a world under the profile `mvsim-1.2` with the rows of a command file.
    ///
    /// # Panics
    /// As [`Self::of`].
    pub fn under_mvsim(world: &Path, commands: &str, duration: f64) -> Self {
        let options =
            LoadOptions { compat: Some("mvsim-1.2".to_owned()), ..LoadOptions::default() };
        let (mut simulation, _) = simulation(world, &read(world), options);
        let file = std::env::temp_dir().join(format!("simhost-{}.csv", std::process::id()));
        std::fs::write(&file, commands).expect("the temporary folder is writable");
        load_commands(&mut simulation, &file);
        // a file that is left over does no harm
        let _ = std::fs::remove_file(&file);
        Self::run(simulation, duration)
    }

    fn run(mut simulation: Simulation, end: f64) -> Self {
        simulation.start().expect("the start has no faults");
        simulation.keep_energy_books();
        let mut recording = Self::default();
        recording.record(&simulation);
        while simulation.clock().time() < end - 1e-9 {
            simulation.step().expect("the run has no faults");
            recording.record(&simulation);
        }
        recording
    }

    fn record(&mut self, simulation: &Simulation) {
        self.time.push(simulation.clock().time());
        for (number, vehicle) in simulation.vehicles().enumerate() {
            if self.tracks.len() <= number {
                self.tracks.push(Track { name: vehicle.name.to_owned(), ..Track::default() });
            }
            let track = &mut self.tracks[number];
            track.pose.push(vehicle.pose);
            track.twist.push(vehicle.twist);
            track.books.extend(simulation.energy_book(number));
            let own = simulation.wheels().filter(|wheel| wheel.vehicle == vehicle.name);
            track.spins.push(own.map(|wheel| wheel.spin).collect());
        }
    }
}

/// Reads a file of commands and sets them.
fn load_commands(simulation: &mut Simulation, path: &Path) {
    let schedule = CommandSchedule::read(path, simulation).expect("the commands are correct");
    simulation.set_commands(&schedule.commands).expect("the commands are correct");
}

fn read(world: &Path) -> String {
    std::fs::read_to_string(world).expect("the world is committed")
}

/// Builds a simulation of a text in the place of a world file, and returns it with the duration of the
/// world, s.
fn simulation(world: &Path, text: &str, options: LoadOptions) -> (Simulation, Option<f64>) {
    let catalogue = Catalogue::collect(simhost_registry::Options::default());
    let catalogue = catalogue.expect("there is no folder to read");
    let loaded = match load_text(world, text.as_bytes(), &options, &catalogue) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{}: {error}", world.display()),
    };
    let simulation = Simulation::new(&loaded.world, Options { seed: 0, threads: 1 })
        .expect("the models accept their parameters");
    (simulation, loaded.world.settings.duration)
}
