//! Writes what a simulation shows: csv rows at the log period, and a picture of the paths.

use std::path::{Path, PathBuf};

use simhost_engine::{EnergyBook, Simulation, VehicleSnapshot};
use simhost_record::{
    CsvRecorder, EnergyRow, Picture, RecordError, SensorFile, Shape, Track, TrajectoryRow, WheelRow,
};
use simhost_scene::Pose2;
use simhost_world::World;

use crate::period::Period;
use crate::picture;

/// Writes the files of a run.
pub struct Observer {
    directory: PathBuf,
    recorder: CsvRecorder,
    period: Option<Period>,
    surroundings: Vec<Shape>,
    /// Outline of each vehicle in its own frame, m.
    outlines: Vec<Vec<[f64; 2]>>,
    tracks: Vec<Track>,
}

/// Points of a path in the picture; then every second one is dropped and the spacing doubles.
const MAX_POINTS: usize = 2000;

impl Observer {
    /// Opens the files in `directory`. A run that goes on from a snapshot has its rows after that.
    pub fn new(
        directory: &Path,
        period: Option<f64>,
        resumed: bool,
        world: &World,
        simulation: &Simulation,
    ) -> Result<Self, RecordError> {
        let sensors: Vec<SensorFile> = simulation
            .sensors()
            .iter()
            .map(|info| SensorFile {
                vehicle: info.vehicle.clone(),
                sensor: info.sensor.clone(),
                columns: info.columns.clone(),
            })
            .collect();
        let period = period.map(|period| match resumed {
            true => Period::after(period, simulation.clock()),
            false => Period::new(period),
        });
        let names = simulation.vehicle_names().iter();
        let mut recorder = CsvRecorder::create(directory, &sensors)?;
        if simulation.energy_book(0).is_some() {
            recorder.keep_energy(directory)?;
        }
        Ok(Self {
            directory: directory.to_path_buf(),
            recorder,
            period,
            surroundings: picture::surroundings(world),
            outlines: picture::vehicle_outlines(world),
            tracks: names.map(|name| Track { name: name.clone(), ..Track::default() }).collect(),
        })
    }

    /// Writes the rows that are due.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), RecordError> {
        let time = simulation.clock().time();
        for (sensor, values) in simulation.readings() {
            self.recorder.readings(sensor, time, values)?;
        }
        if self.period.as_mut().is_some_and(|period| !period.is_due(simulation.clock())) {
            return Ok(());
        }
        for vehicle in simulation.vehicles() {
            let name = vehicle.name;
            let VehicleSnapshot { pose, twist, odometry_pose, odometry_twist, .. } = vehicle;
            self.recorder.trajectory(&TrajectoryRow { time, vehicle: name, pose, twist })?;
            let (pose, twist) = (odometry_pose, odometry_twist);
            self.recorder.odometry(&TrajectoryRow { time, vehicle: name, pose, twist })?;
        }
        self.enter_energy(simulation, time)?;
        for wheel in simulation.wheels() {
            self.recorder.wheel(&WheelRow {
                time,
                vehicle: wheel.vehicle,
                wheel: wheel.wheel,
                spin: wheel.spin,
                angle: wheel.angle,
                steer: wheel.steer,
                torque: wheel.torque,
                normal_force: wheel.normal_force,
                velocity: wheel.velocity,
                force: wheel.force,
            })?;
        }
        self.draw(simulation);
        Ok(())
    }

    /// The energy books, where they are kept.
    fn enter_energy(&mut self, simulation: &Simulation, time: f64) -> Result<(), RecordError> {
        for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
            let Some(book) = simulation.energy_book(number) else { break };
            let EnergyBook { kinetic, potential, motor, brake, slip, .. } = book;
            let work = [motor, brake, slip, book.rolling, book.damping, book.drag, book.contact];
            self.recorder.energy(&EnergyRow {
                time,
                vehicle,
                energy: [kinetic, potential],
                work,
            })?;
        }
        Ok(())
    }

    fn draw(&mut self, simulation: &Simulation) {
        let vehicles = simulation.vehicles().zip(&self.outlines);
        for (track, (vehicle, outline)) in self.tracks.iter_mut().zip(vehicles) {
            let [x, y, _, yaw, ..] = vehicle.pose;
            track.points.push([x, y]);
            track.end = picture::placed(outline, Pose2 { x, y, yaw });
            if track.points.len() == 1 {
                track.start = track.end.clone();
            }
            if track.points.len() > MAX_POINTS {
                let mut keep = false;
                track.points.retain(|_| {
                    keep = !keep;
                    keep
                });
            }
        }
    }

    /// Completes the files; their paths come back.
    pub fn finish(self) -> Result<Vec<PathBuf>, RecordError> {
        let mut files = self.recorder.finish()?;
        let path = self.directory.join("trajectory.svg");
        let picture = Picture { shapes: self.surroundings, tracks: self.tracks };
        std::fs::write(&path, picture.svg())
            .map_err(|source| RecordError::Write { path: path.clone(), source })?;
        files.push(path);
        Ok(files)
    }
}
