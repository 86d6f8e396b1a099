//! Scenes, sensors and light as plain data.

use simhost_vectors::Vec3;

use crate::error::GpuError;

/// A surface of triangles in its own local frame, which any number of instances share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of the vertices in m, before the scale of an instance.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of the vertices of each triangle. Both sides reflect. Triangles without area are
    /// never hit.
    pub triangles: Vec<[u32; 3]>,
    /// Colour of each triangle as red, green and blue, or nothing for a light grey.
    pub colours: Vec<[u8; 3]>,
}

/// Position and orientation in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position in m.
    pub position: [f64; 3],
    /// Rotation matrix, whose columns are the axes of the placed frame.
    pub rotation: [[f64; 3]; 3],
}

impl Pose {
    /// The origin, without rotation.
    pub const IDENTITY: Self =
        Self { position: [0.0; 3], rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// Returns a pose with this position in m, and yaw, pitch and roll in rad about z, y and x.
    pub fn new(position: [f64; 3], yaw: f64, pitch: f64, roll: f64) -> Self {
        let ((sy, cy), (sp, cp), (sr, cr)) = (yaw.sin_cos(), pitch.sin_cos(), roll.sin_cos());
        let rotation = [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ];
        Self { position, rotation }
    }

    /// Rotates a vector of the placed frame into the frame of the pose.
    pub fn rotate(&self, v: [f64; 3]) -> [f64; 3] {
        self.rotation.map(|row| Vec3::from(row).dot(v.into()))
    }

    fn defect(&self) -> Option<&'static str> {
        if !self.position.iter().all(|c| c.is_finite()) {
            return Some("its position is not finite");
        }
        let columns = [0, 1, 2].map(|k| Vec3::from(self.rotation.map(|row| row[k])));
        let orthonormal = (0..3).all(|a| {
            (0..3).all(|b| (columns[a].dot(columns[b]) - f64::from(u8::from(a == b))).abs() < 1e-6)
        });
        (!orthonormal).then_some("its rotation is not an orthonormal matrix")
    }
}

/// A placed mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instance {
    /// Index of the mesh.
    pub mesh: usize,
    /// Pose in the world.
    pub pose: Pose,
    /// Factors along the axes of the mesh, not zero. Negative factors mirror.
    pub scale: [f64; 3],
    /// Number that readings report.
    pub number: u32,
    /// Group that sensors can leave out, such as a vehicle with its wheels. Every sensor sees fixed
    /// instances, whatever their group.
    pub group: Option<u32>,
}

/// Meshes, and the instances that never move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Every mesh that an instance uses at any time.
    pub meshes: Vec<Mesh>,
    /// Instances that stay where they are.
    pub fixed: Vec<Instance>,
}

/// Directions of the rays of a kind of sensor, in its frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// One direction per ray, of any length above zero.
    pub directions: Vec<[f64; 3]>,
}

impl Pattern {
    /// Returns a lattice of azimuths and elevations in rad, elevation after elevation within each
    /// azimuth: x forward, y left, z up.
    pub fn lattice(azimuths: &[f64], elevations: &[f64]) -> Self {
        let direction = |azimuth: f64, elevation: f64| {
            let level = elevation.cos();
            [level * azimuth.cos(), level * azimuth.sin(), elevation.sin()]
        };
        let columns = azimuths.iter();
        let directions = columns
            .flat_map(|azimuth| elevations.iter().map(move |e| direction(*azimuth, *e)))
            .collect();
        Self { directions }
    }

    /// Returns a pinhole camera with square pixels that looks along x, with y to the left and z up:
    /// row after row from the top, each from the left, through the centres of pixels. `field` is
    /// the horizontal field of view in rad, below π.
    pub fn pinhole(width: usize, height: usize, field: f64) -> Self {
        let focal = 0.5 * width as f64 / (0.5 * field).tan();
        let pixel = |row: usize, column: usize| {
            let left = 0.5 * width as f64 - (column as f64 + 0.5);
            let up = 0.5 * height as f64 - (row as f64 + 0.5);
            [1.0, left / focal, up / focal]
        };
        let rows = 0..height;
        let directions =
            rows.flat_map(|row| (0..width).map(move |column| pixel(row, column))).collect();
        Self { directions }
    }
}

/// Normally distributed errors of ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeNoise {
    /// Key of the stream of random numbers; ray `k` takes the normal number `k`.
    pub key: u64,
    /// Standard deviation in m.
    pub deviation: f32,
}

/// A sensor at the moment of a scan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensor {
    /// Index of the pattern.
    pub pattern: usize,
    /// Pose in the world.
    pub pose: Pose,
    /// Distance in m at which rays begin, at least 0.
    pub near: f32,
    /// Distance in m at which rays end, above `near`.
    pub far: f32,
    /// Group of instances that the rays pass through.
    pub ignore: Option<u32>,
    /// Errors of the ranges.
    pub noise: Option<RangeNoise>,
}

/// Values that a scan returns per ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// The range in m, infinite without a hit.
    #[default]
    Ranges,
    /// Range, incidence, instance and triangle.
    Hits,
    /// Range and colour, with one ray towards the sun.
    Image,
}

impl Output {
    /// Returns the number of 32-bit words per ray.
    pub fn words(self) -> usize {
        match self {
            Self::Ranges => 1,
            Self::Hits => 4,
            Self::Image => 2,
        }
    }
}

/// Light of a scene, for [`Output::Image`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Direction towards the sun, of any length above zero.
    pub sun: [f64; 3],
    /// Share of light that reaches every surface, 0 to 1. The sun gives the rest.
    pub ambient: f32,
    /// Colour of rays without a hit, as red, green and blue.
    pub sky: [u8; 3],
}

impl Default for Light {
    fn default() -> Self {
        Self { sun: [0.3, 0.4, 0.866], ambient: 0.35, sky: [135, 180, 230] }
    }
}

/// Everything that is scanned at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// Instances that may move between submissions.
    pub movers: &'a [Instance],
    /// Sensors of any vehicles.
    pub sensors: &'a [Sensor],
    /// Values per ray.
    pub output: Output,
    /// Light of images.
    pub light: Light,
}

/// Returns the vector of length 1, unless the vector is zero or not finite.
pub(crate) fn unit(v: Vec3) -> Option<Vec3> {
    let parts = v.to_array();
    let largest = parts.iter().fold(0.0_f64, |most, c| most.max(c.abs()));
    let is_known = largest > 0.0 && parts.iter().all(|c| c.is_finite());
    is_known.then(|| (v / largest).unit())
}

impl Mesh {
    pub(crate) fn check(&self, mesh: usize) -> Result<(), GpuError> {
        let fail = |reason: String| Err(GpuError::Mesh { mesh, reason });
        let finite = |vertex: &[f64; 3]| vertex.iter().all(|c| c.abs() <= 1e15);
        if let Some(vertex) = self.vertices.iter().position(|vertex| !finite(vertex)) {
            return fail(format!("vertex {vertex} is not finite, or further than 1e15 m away"));
        }
        let count = self.vertices.len();
        let missing = |triangle: &[u32; 3]| triangle.iter().any(|k| *k as usize >= count);
        if let Some(triangle) = self.triangles.iter().position(missing) {
            return fail(format!(
                "triangle {triangle} refers to {:?}; expected indices below {count}",
                self.triangles[triangle]
            ));
        }
        if !self.colours.is_empty() && self.colours.len() != self.triangles.len() {
            let (colours, triangles) = (self.colours.len(), self.triangles.len());
            return fail(format!("found {colours} colours; expected none or {triangles}"));
        }
        Ok(())
    }

    /// Returns the box around the vertices of triangles.
    pub(crate) fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let used = self.triangles.iter().flatten().map(|k| self.vertices[*k as usize]);
        bounds(used)
    }

    pub(crate) fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|k| self.vertices[k as usize])
    }

    pub(crate) fn colour(&self, triangle: usize) -> [u8; 3] {
        self.colours.get(triangle).copied().unwrap_or([200; 3])
    }
}

impl Instance {
    pub(crate) fn check(&self, instance: usize, meshes: usize) -> Result<(), GpuError> {
        let fail = |reason: String| Err(GpuError::Instance { instance, reason });
        if self.mesh >= meshes {
            return fail(format!("it uses mesh {}; expected an index below {meshes}", self.mesh));
        }
        if let Some(defect) = self.pose.defect() {
            return fail(defect.to_owned());
        }
        if !self.scale.iter().all(|factor| factor.is_finite() && *factor != 0.0) {
            return fail(format!(
                "found a scale of {:?}; expected finite factors other than 0",
                self.scale
            ));
        }
        Ok(())
    }

    /// Returns the position in the world of a point of the mesh.
    pub(crate) fn place(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.pose.rotate([0, 1, 2].map(|k| self.scale[k] * point[k]));
        [0, 1, 2].map(|k| self.pose.position[k] + turned[k])
    }
}

impl Sensor {
    pub(crate) fn check(&self, sensor: usize, patterns: usize) -> Result<(), GpuError> {
        let fail = |reason: String| Err(GpuError::Sensor { sensor, reason });
        if self.pattern >= patterns {
            return fail(format!(
                "it uses pattern {}; expected an index below {patterns}",
                self.pattern
            ));
        }
        if let Some(defect) = self.pose.defect() {
            return fail(defect.to_owned());
        }
        if !(self.near >= 0.0 && self.near < self.far) {
            return fail(format!(
                "found ranges from {} m to {} m; expected 0 ≤ near < far",
                self.near, self.far
            ));
        }
        match self.noise {
            Some(noise) if !(noise.deviation >= 0.0 && noise.deviation.is_finite()) => {
                fail(format!(
                    "found a deviation of {} m; expected a finite number from 0",
                    noise.deviation
                ))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn bounds(points: impl Iterator<Item = [f64; 3]>) -> ([f64; 3], [f64; 3]) {
    points.fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(min, max), point| {
        ([0, 1, 2].map(|k| min[k].min(point[k])), [0, 1, 2].map(|k| max[k].max(point[k])))
    })
}
