//! Writes the CSV files and the picture of a run.

use std::path::{Path, PathBuf};

use simhost_engine::{
    EnergyBook, FaultEntry, Period, Quantities, SensorInfo, Simulation, instances,
};
use simhost_record::{
    CloudFolders, CloudForm, CsvRecorder, EnergyRow, HashRow, RecordError, RobotFaultRow,
    SensorFile, Tables, Tick, column_name, write_named,
};
use simhost_scene::Pose3;
use simhost_streams::Stamp;
use simhost_world::World;

use crate::picture::Drawing;
use crate::quantities;
use crate::standard_files::StandardFiles;

/// Name of the picture.
const PICTURE: &str = "trajectory.svg";
/// File with the names of semantic classes.
const CLASSES: &str = "classes.csv";
/// File with the names of entities.
const INSTANCES: &str = "instances.csv";

/// Writer of the CSV files and the picture of a run.
pub struct CsvFiles {
    directory: PathBuf,
    recorder: CsvRecorder,
    clouds: CloudFolders,
    /// Whether readings have numbers of entities.
    names_entities: bool,
    /// Number of the file of each sensor that has one.
    sensors: Vec<Option<usize>>,
    standard: StandardFiles,
    /// Quantities of `quantities.csv`, and space for their values.
    quantities: (Quantities, Vec<f64>),
    period: Option<Period>,
    /// Number of the next entry of a fault memory.
    next_fault: u64,
    drawing: Drawing,
}

/// Rows that a run writes.
#[derive(Clone, Copy)]
pub struct Schedule {
    /// Simulated time between rows, s. Without it, each step has one.
    pub period: Option<f64>,
    /// Whether `hash.csv` is written.
    pub hashes: bool,
    /// Whether the run is resumed from a snapshot.
    pub resumed: bool,
}

/// Returns the form of the clouds of a sensor, if it gives points.
pub fn cloud_form(info: &SensorInfo) -> Option<CloudForm> {
    let outputs = info.columns.outputs().iter();
    CloudForm::new(outputs.map(|output| (output.name, output.unit, output.len())))
}

/// Returns the pose of a sensor in the world: x, y, z, m, and the quaternion w, x, y, z.
pub fn viewpoint(simulation: &Simulation, sensor: usize) -> [f64; 7] {
    let mounted = simulation.sensor_origin(sensor);
    let name = simulation.sensors().get(sensor).map(|info| info.vehicle.as_str());
    let host = simulation.vehicles().find(|vehicle| Some(vehicle.name) == name);
    let pose = host.map_or(mounted, |vehicle| {
        let [x, y, z, yaw, pitch, roll] = vehicle.pose;
        Pose3 { x, y, z, yaw, pitch, roll }.compose(mounted)
    });
    let ([x, y, z], [qw, qx, qy, qz]) = (pose.position(), pose.quaternion());
    [x, y, z, qw, qx, qy, qz]
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

impl CsvFiles {
    /// Creates the files in `directory`, with `hash.csv` if `hashes` is set, and `quantities.csv` if
    /// there are any. The files of a resumed run start after the snapshot.
    pub fn new(
        directory: &Path,
        Schedule { period, hashes, resumed }: Schedule,
        (world, simulation): (&World, &Simulation),
        quantities: Quantities,
    ) -> Result<Self, RecordError> {
        let clouds = simulation.sensors().iter();
        let clouds = clouds.map(|info| (&*info.vehicle, &*info.sensor, cloud_form(info)));
        let clouds = CloudFolders::create(directory, clouds)?;
        let (mut sensors, mut numbers) = (Vec::new(), Vec::new());
        for (number, info) in simulation.sensors().iter().enumerate() {
            let has_file = !clouds.has(number);
            numbers.push(has_file.then_some(sensors.len()));
            if has_file {
                sensors.push(sensor_file(info)?);
            }
        }
        let names_entities = simulation.sensors().iter().any(names_entities);
        if names_entities {
            write_names(directory, world, simulation)?;
        }
        let period = period.map(|period| match resumed {
            true => Period::after(period, simulation.clock()),
            false => Period::new(period),
        });
        let energy = simulation.energy_book(0).is_some();
        let columns = quantities::columns(&quantities);
        let robot_faults = simulation.has_robot_faults();
        let tables =
            Tables { quantities: &columns, sensors: &sensors, energy, hashes, robot_faults };
        let recorder = CsvRecorder::create(directory, tables)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            recorder,
            clouds,
            names_entities,
            sensors: numbers,
            standard: StandardFiles::new(simulation),
            quantities: (quantities, Vec::with_capacity(columns.len())),
            period,
            next_fault: 0,
            drawing: Drawing::new(world),
        })
    }

    /// Writes rows to all files for which one is due.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), RecordError> {
        self.write_faults(simulation)?;
        let clock = simulation.clock();
        let mut samples = simulation.readings().peekable();
        let is_due = self.period.as_mut().is_none_or(|period| period.is_due(clock));
        if !is_due && samples.peek().is_none() {
            return Ok(());
        }
        let time = clock.time();
        let mut tick = self.recorder.tick()?;
        for (sensor, values) in samples {
            match self.sensors.get(sensor) {
                Some(Some(file)) => tick.readings(*file, time, values)?,
                _ => {
                    let Stamp(stamp) = Stamp::of_step(clock.steps, clock.dt);
                    let viewpoint = viewpoint(simulation, sensor);
                    self.clouds.write(sensor, stamp, viewpoint, values)?;
                }
            }
        }
        if is_due {
            let drawing = &mut self.drawing;
            self.standard.write(&mut tick, simulation, |vehicle, at| drawing.add(vehicle, at));
            write_energy(&mut tick, simulation, time);
            let (quantities, values) = &mut self.quantities;
            values.clear();
            quantities.read(simulation, values);
            tick.quantities(time, values);
        }
        Ok(())
    }

    /// Writes the entries that fault memories have got since the last call.
    fn write_faults(&mut self, simulation: &Simulation) -> Result<(), RecordError> {
        let count = simulation.fault_entry_count();
        // a reset begins anew
        if count < self.next_fault {
            self.next_fault = 0;
        }
        if count == self.next_fault {
            return Ok(());
        }
        let mut tick = self.recorder.tick()?;
        for (vehicle, entry) in simulation.fault_entries_from(self.next_fault) {
            let FaultEntry { sensor, severity, code, time, text } = entry;
            tick.robot_fault(&RobotFaultRow {
                time: *time,
                vehicle,
                sensor,
                severity: (severity.name(), severity.level()),
                code: *code,
                text,
            });
        }
        self.next_fault = count;
        Ok(())
    }

    /// Continues with a simulation of the same world whose models have been replaced.
    pub fn rebind(&mut self, world: &World, simulation: &Simulation) {
        self.standard = StandardFiles::new(simulation);
        self.quantities.0.rebind(world, simulation);
    }

    /// Returns the paths of all files.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths = self.recorder.paths().to_vec();
        paths.extend(self.cloud_paths());
        paths.push(self.directory.join(PICTURE));
        paths
    }

    /// Returns the folders of clouds, and the files that name what is in them.
    fn cloud_paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.clouds.paths().map(Path::to_owned).collect();
        if self.names_entities {
            paths.extend([CLASSES, INSTANCES].map(|name| self.directory.join(name)));
        }
        paths
    }

    /// Writes a row to `hash.csv`.
    pub fn write_hash(&mut self, row: &HashRow) -> Result<(), RecordError> {
        self.recorder.tick()?.hash(row);
        Ok(())
    }

    /// Completes the files, draws the picture and returns the paths of all files.
    pub fn finish(self, simulation: &Simulation) -> Result<Vec<PathBuf>, RecordError> {
        let clouds = self.cloud_paths();
        let Self { directory, recorder, drawing, .. } = self;
        let mut files = recorder.finish()?;
        files.extend(clouds);
        let path = directory.join(PICTURE);
        std::fs::write(&path, drawing.picture(simulation).svg())
            .map_err(|source| RecordError::Write { path: path.clone(), source })?;
        files.push(path);
        Ok(files)
    }
}

/// Returns whether the readings of a sensor have numbers of entities: those of points or of a list.
fn names_entities(info: &SensorInfo) -> bool {
    let mut outputs = info.columns.outputs().iter();
    cloud_form(info).is_some()
        || outputs.any(|output| output.name == "entity" && output.rays.is_some())
}

/// Writes the files that name the numbers of classes and of entities in a folder.
pub fn write_names(
    directory: &Path,
    world: &World,
    simulation: &Simulation,
) -> Result<(), RecordError> {
    let classes = (0..).zip(simulation.classes().iter().cloned());
    let instances = instances(world).into_iter().map(|one| (one.number, one.name));
    write_named(&directory.join(CLASSES), "class", classes)?;
    write_named(&directory.join(INSTANCES), "entity", instances)
}

/// Writes the energy books, if they are kept.
fn write_energy(tick: &mut Tick<'_>, simulation: &Simulation, time: f64) {
    for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
        let Some(book) = simulation.energy_book(number) else { break };
        let EnergyBook { kinetic, potential, motor, brake, slip, .. } = book;
        let work = [motor, brake, slip, book.rolling, book.damping, book.drag, book.contact];
        tick.energy(&EnergyRow { time, vehicle, energy: [kinetic, potential], work });
    }
}
