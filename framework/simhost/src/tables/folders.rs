//! Readings with a folder per sensor: point clouds and images.

use std::path::{Path, PathBuf};

use simhost_engine::{SensorInfo, Simulation, instances};
use simhost_record::{
    CloudFolders, CloudForm, Earlier, ImageFolders, ImageForms, RecordError, Shot, write_named,
};
use simhost_scene::Pose3;
use simhost_streams::Stamp;
use simhost_world::World;

use crate::images::image_forms;

/// File with the names of semantic classes.
const CLASSES: &str = "classes.csv";
/// File with the names of entities.
const INSTANCES: &str = "instances.csv";

/// Folders of the clouds and images of a run, and the files that name what is in them.
pub(super) struct ReadingFolders {
    directory: PathBuf,
    clouds: CloudFolders,
    images: ImageFolders,
    /// Whether readings have numbers of entities.
    names_entities: bool,
}

/// Returns the form of the clouds of a sensor, if it gives points.
pub fn cloud_form(info: &SensorInfo) -> Option<CloudForm> {
    let outputs = info.columns.outputs().iter();
    CloudForm::new(outputs.map(|output| (output.name, output.unit, output.len())))
}

/// Returns the forms of the images of a sensor, if it gives any.
pub fn images_of(info: &SensorInfo) -> Option<ImageForms> {
    let outputs = info.columns.outputs().iter();
    ImageForms::new(&image_forms(info), outputs.map(|output| (output.name, output.len())))
}

/// Returns the pose of a sensor in the world: x, y, z, m, and the quaternion w, x, y, z.
pub fn viewpoint(simulation: &Simulation, sensor: usize) -> [f64; 7] {
    in_world(simulation, sensor, simulation.samples().origin(sensor))
}

/// Returns the pose of something on the vehicle of a sensor in the world, as [`viewpoint`].
fn in_world(simulation: &Simulation, sensor: usize, mounted: Pose3) -> [f64; 7] {
    let name = simulation.sensors().get(sensor).map(|info| info.vehicle.as_str());
    let host = simulation.vehicles().find(|vehicle| Some(vehicle.name) == name);
    let pose = host.map_or(mounted, |vehicle| pose_of(vehicle.pose).compose(mounted));
    let ([x, y, z], [qw, qx, qy, qz]) = (pose.position(), pose.quaternion());
    [x, y, z, qw, qx, qy, qz]
}

fn pose_of([x, y, z, yaw, pitch, roll]: [f64; 6]) -> Pose3 {
    Pose3 { x, y, z, yaw, pitch, roll }
}

/// Returns whether the readings of a sensor contain numbers of entities, for points, pixels or a
/// list.
fn names_entities(info: &SensorInfo) -> bool {
    let mut outputs = info.columns.outputs().iter();
    cloud_form(info).is_some()
        || images_of(info).is_some()
        || outputs.any(|output| output.name == "entity" && output.rays.is_some())
}

impl ReadingFolders {
    /// Creates the folders and the files that name classes and entities in `directory`, if a sensor needs them.
    pub fn create(
        directory: &Path,
        world: &World,
        simulation: &Simulation,
    ) -> Result<Self, RecordError> {
        let sensors = simulation.sensors().iter();
        let clouds = sensors.clone();
        let clouds = clouds.map(|info| (&*info.vehicle, &*info.sensor, cloud_form(info)));
        let images = sensors.map(|info| (&*info.vehicle, &*info.sensor, images_of(info)));
        let folders = Self {
            directory: directory.to_owned(),
            clouds: CloudFolders::create(directory, clouds)?,
            images: ImageFolders::create(directory, images, Earlier::Remove)?,
            names_entities: simulation.sensors().iter().any(names_entities),
        };
        if folders.names_entities {
            write_names(directory, world, simulation)?;
        }
        Ok(folders)
    }

    /// Returns whether a sensor has a folder.
    pub fn has(&self, sensor: usize) -> bool {
        self.clouds.has(sensor) || self.images.has(sensor)
    }

    /// Writes a sample of a sensor that has a folder.
    pub fn write(
        &mut self,
        simulation: &Simulation,
        sensor: usize,
        sample: &[f64],
    ) -> Result<(), RecordError> {
        let clock = simulation.clock();
        let Stamp(stamp) = Stamp::of_step(clock.steps, clock.dt);
        self.clouds.write(sensor, stamp, viewpoint(simulation, sensor), sample)?;
        write_images(&mut self.images, simulation, sensor, sample)?;
        Ok(())
    }

    /// Returns the folders, and the files that name what is in them.
    pub fn paths(&self) -> Vec<PathBuf> {
        let folders = self.clouds.paths().chain(self.images.paths());
        let mut paths: Vec<PathBuf> = folders.map(Path::to_owned).collect();
        if self.names_entities {
            paths.extend([CLASSES, INSTANCES].map(|name| self.directory.join(name)));
        }
        paths
    }
}

/// Writes the images of the present sample of a sensor, and returns their paths.
pub fn write_images(
    folders: &mut ImageFolders,
    simulation: &Simulation,
    sensor: usize,
    sample: &[f64],
) -> Result<Vec<PathBuf>, RecordError> {
    let clock = simulation.clock();
    let Stamp(stamp) = Stamp::of_step(clock.steps, clock.dt);
    let shot = Shot { time: clock.time(), stamp, sample };
    folders.write(sensor, &shot, |form| in_world(simulation, sensor, pose_of(form.pose)))
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
