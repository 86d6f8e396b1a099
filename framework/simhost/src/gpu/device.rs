//! The scan engine of `simhost-gpu` as the engine of a simulation.

use std::fmt;

use simhost_engine::{Placed, ScanEngine, ScanError, ScanPose, TriangleHit, TriangleMesh};
use simhost_gpu::{
    Device, GpuError, Instance, Light, Mesh, Output, Pattern, Pose, Preference, Readings, Scanner,
    Scene, Sensor, Submission,
};

use super::mode::{Adapter, GpuMode};

/// Factor on the largest range, for its rounding to 32 bits. What is further away is left out later.
const WIDER: f64 = 1.0 + 1e-6;

/// An open device.
#[derive(Clone)]
pub(super) struct Opened(Device);

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Opened").field(self.0.adapter()).finish()
    }
}

impl Opened {
    /// Opens the device of the adapter that a mode chooses.
    pub fn open(mode: GpuMode) -> Result<Self, String> {
        let preference = match mode {
            GpuMode::Off => Preference::Off,
            GpuMode::Auto => Preference::Auto,
            GpuMode::Require => Preference::Require,
            GpuMode::Software => Preference::Software,
        };
        Device::open(preference).map(Self).map_err(|error| error.to_string())
    }

    pub fn adapter(&self) -> Adapter {
        let adapter = self.0.adapter();
        Adapter {
            name: adapter.name.clone(),
            driver: adapter.driver.clone(),
            backend: adapter.interface.to_owned(),
        }
    }

    /// Returns an engine on this device.
    pub fn engine(&self) -> Box<dyn ScanEngine> {
        Box::new(Engine {
            device: self.0.clone(),
            scanner: None,
            movers: Vec::new(),
            sensors: Vec::new(),
            readings: Readings::default(),
        })
    }
}

/// Scans of one simulation.
struct Engine {
    device: Device,
    /// Exists once a scene has been loaded.
    scanner: Option<Scanner>,
    movers: Vec<Instance>,
    sensors: Vec<Sensor>,
    readings: Readings,
}

fn failed(error: GpuError) -> ScanError {
    ScanError { text: error.to_string() }
}

/// Returns a piece for the device. Sensors leave objects out by their numbers.
fn instance(placed: &Placed) -> Instance {
    let Placed { mesh, position, rotation, scale, number, piece } = *placed;
    let pose = Pose { position, rotation };
    Instance { mesh, pose, scale: [scale; 3], number: piece, group: Some(number) }
}

impl ScanEngine for Engine {
    fn name(&self) -> String {
        self.device.adapter().to_string()
    }

    fn load(&mut self, meshes: &[TriangleMesh], fixed: &[Placed]) -> Result<(), ScanError> {
        let meshes = meshes.iter().map(|mesh| Mesh {
            vertices: mesh.vertices.clone(),
            triangles: mesh.triangles.clone(),
            colours: Vec::new(),
        });
        let scene = Scene { meshes: meshes.collect(), fixed: fixed.iter().map(instance).collect() };
        self.scanner = Some(Scanner::new(self.device.clone(), scene, &[]).map_err(failed)?);
        Ok(())
    }

    fn set_patterns(&mut self, patterns: &[Vec<[f64; 3]>]) -> Result<(), ScanError> {
        let patterns = patterns.iter().map(|directions| Pattern { directions: directions.clone() });
        let patterns: Vec<Pattern> = patterns.collect();
        self.scanner
            .as_mut()
            .map_or(Ok(()), |scanner| scanner.set_patterns(&patterns))
            .map_err(failed)
    }

    fn scan(
        &mut self,
        moving: &[Placed],
        sensors: &[ScanPose],
        hits: &mut Vec<TriangleHit>,
    ) -> Result<(), ScanError> {
        let Self { scanner, movers, sensors: own, readings, .. } = self;
        let Some(scanner) = scanner else { return Ok(()) };
        movers.clear();
        movers.extend(moving.iter().map(instance));
        own.clear();
        own.extend(sensors.iter().map(|sensor| {
            let pose = Pose { position: sensor.position, rotation: sensor.rotation };
            let far = (sensor.max_range * WIDER) as f32;
            let (pattern, ignore) = (sensor.pattern, sensor.ignored);
            Sensor { pattern, pose, near: 0.0, far, ignore, noise: None }
        }));
        let (output, light) = (Output::Hits, Light::default());
        let submission = Submission { movers, sensors: own, output, light };
        scanner.scan_into(&submission, readings).map_err(failed)?;
        for sensor in 0..readings.sensors() {
            hits.extend(readings.returns(sensor).map(|found| {
                found.map_or(TriangleHit::NOTHING, |found| TriangleHit {
                    range: found.range,
                    piece: found.instance,
                    triangle: found.triangle,
                })
            }));
        }
        Ok(())
    }
}
