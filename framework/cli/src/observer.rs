//! Writes the CSV files and the picture of a run.

use std::path::{Path, PathBuf};

use simhost_engine::{EnergyBook, SensorInfo, Simulation, VehicleSnapshot};
use simhost_record::{
    CsvRecorder, EnergyRow, RecordError, SensorFile, TrajectoryRow, WheelRow, column_name,
};
use simhost_world::World;

use crate::period::Period;
use crate::picture::Drawing;

/// Writer of the CSV files and the picture of a run.
pub struct Observer {
    directory: PathBuf,
    recorder: CsvRecorder,
    period: Option<Period>,
    drawing: Drawing,
}

/// Describes the file of a sensor.
fn sensor_file(info: &SensorInfo) -> Result<SensorFile, RecordError> {
    let columns = info.columns.iter();
    let names = columns.map(|column| column_name(column.name, column.unit, column.ray));
    Ok(SensorFile {
        vehicle: info.vehicle.clone(),
        sensor: info.sensor.clone(),
        columns: names.collect::<Result<_, _>>()?,
    })
}

impl Observer {
    /// Creates the files in `directory`. The files of a resumed run start after the snapshot.
    pub fn new(
        directory: &Path,
        period: Option<f64>,
        resumed: bool,
        world: &World,
        simulation: &Simulation,
    ) -> Result<Self, RecordError> {
        let sensors =
            simulation.sensors().iter().map(sensor_file).collect::<Result<Vec<_>, _>>()?;
        let period = period.map(|period| match resumed {
            true => Period::after(period, simulation.clock()),
            false => Period::new(period),
        });
        let mut recorder = CsvRecorder::create(directory, &sensors)?;
        if simulation.energy_book(0).is_some() {
            recorder.keep_energy(directory)?;
        }
        Ok(Self {
            directory: directory.to_path_buf(),
            recorder,
            period,
            drawing: Drawing::new(world),
        })
    }

    /// Writes rows to all files for which one is due.
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
        self.write_energy(simulation, time)?;
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
        self.drawing.observe(simulation);
        Ok(())
    }

    /// Writes the energy books, if they are kept.
    fn write_energy(&mut self, simulation: &Simulation, time: f64) -> Result<(), RecordError> {
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

    /// Completes the files, draws the picture and returns the paths of all files.
    pub fn finish(self, simulation: &Simulation) -> Result<Vec<PathBuf>, RecordError> {
        let Self { directory, recorder, drawing, .. } = self;
        let mut files = recorder.finish()?;
        let path = directory.join("trajectory.svg");
        std::fs::write(&path, drawing.picture(simulation).svg())
            .map_err(|source| RecordError::Write { path: path.clone(), source })?;
        files.push(path);
        Ok(files)
    }
}
