//! A robot: links, joints, and what simulators add to them.

use nalgebra::{Matrix3, Vector3};

use crate::frame::LinkFrame;
use simhost_xml::{Note, ReadError};

/// A robot as a file describes it, with all joints at zero.
#[derive(Clone, Debug)]
pub struct Robot {
    /// Name of the robot or model.
    pub name: String,
    /// Links. The frame of a link is in the frame of the robot: of the root link in URDF, of the model in SDF.
    pub links: Vec<RobotLink>,
    /// Joints, which form a tree.
    pub joints: Vec<RobotJoint>,
    /// Sensors.
    pub sensors: Vec<SensorOnLink>,
    /// How plugins of simulators drive the robot.
    pub drives: Vec<DrivePlugin>,
    /// What has no effect.
    pub notes: Vec<Note>,
}

/// A link.
#[derive(Clone, Debug)]
pub struct RobotLink {
    /// Name.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// Frame of the link in the frame of the robot.
    pub frame: LinkFrame,
    /// Mass and inertia, if the link has any.
    pub inertial: Option<Inertial>,
    /// Shapes for collisions.
    pub collisions: Vec<LinkBody>,
    /// Shapes for pictures.
    pub visuals: Vec<LinkBody>,
    /// Coefficients of friction along and across, if they are given.
    pub friction: [Option<f64>; 2],
}

/// Mass and inertia of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertial {
    /// Mass, kg.
    pub mass: f64,
    /// Frame of the centre of mass, in the frame of the link.
    pub frame: LinkFrame,
    /// Inertia about the centre of mass along the axes of that frame, kg·m².
    pub inertia: Matrix3<f64>,
}

/// A shape on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkBody {
    /// Line in the file.
    pub line: u32,
    /// Frame of the shape in the frame of the link.
    pub frame: LinkFrame,
    /// The shape.
    pub shape: LinkShape,
}

/// A shape, m.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkShape {
    /// A box around its origin.
    Box([f64; 3]),
    /// A cylinder around its origin, along z. A capsule has round ends beyond the length.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length, for a capsule with both ends.
        length: f64,
    },
    /// A sphere around its origin.
    Sphere(f64),
    /// A mesh.
    Mesh {
        /// Address: a path, or `package://`, `model://` or `file://` and a path.
        uri: String,
        /// Factors on all lengths.
        scale: [f64; 3],
    },
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotJointKind {
    /// Not at all.
    Fixed,
    /// About its axis without limits.
    Continuous,
    /// About its axis within limits.
    Revolute,
    /// Along its axis.
    Prismatic,
    /// About all axes.
    Ball,
    /// In another way.
    Other,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct RobotJoint {
    /// Name.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// How it moves.
    pub kind: RobotJointKind,
    /// Index of the link that it is on.
    pub parent: usize,
    /// Index of the link that it moves.
    pub child: usize,
    /// Axis in the frame of the robot.
    pub axis: Vector3<f64>,
    /// Place in the frame of the robot.
    pub place: Vector3<f64>,
    /// Limits of the position, rad or m, if it has any.
    pub limits: Option<[f64; 2]>,
    /// Largest torque or force, N·m or N, and largest velocity, rad/s or m/s, if they are given.
    pub effort: [Option<f64>; 2],
    /// Joint that it mimics.
    pub mimics: Option<String>,
}

/// Kinds of sensors.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorKind {
    /// A laser with horizontal and vertical rays.
    Lidar(Lidar),
    /// An inertial measurement unit: standard deviation of rates, rad/s, and accelerations, m/s².
    Imu([Option<f64>; 2]),
    /// A camera.
    Camera(Camera),
    /// A camera with depth.
    Rgbd(Camera),
    /// Satellite navigation: standard deviation of the horizontal and vertical position, m.
    Gnss([Option<f64>; 2]),
    /// A magnetometer: standard deviation, T.
    Magnetometer(Option<f64>),
    /// A height by pressure: standard deviation of the height, m.
    Altimeter(Option<f64>),
    /// A bumper.
    Contact,
}

/// Rays of a laser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lidar {
    /// Number of rays in a plane, and of planes.
    pub samples: [u32; 2],
    /// Smallest and largest azimuth, rad.
    pub azimuth: [f64; 2],
    /// Smallest and largest elevation, rad.
    pub elevation: [f64; 2],
    /// Smallest and largest range, m.
    pub range: [f64; 2],
    /// Standard deviation of a range, m.
    pub noise: Option<f64>,
}

/// An image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Width and height, px.
    pub size: [u32; 2],
    /// Horizontal field of view, rad.
    pub fov: f64,
    /// Nearest and farthest visible distance, m.
    pub clip: [f64; 2],
}

/// A sensor on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorOnLink {
    /// Name.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// Index of the link.
    pub link: usize,
    /// Frame of the sensor in the frame of the link; it looks along x.
    pub frame: LinkFrame,
    /// Samples per second, if they are given.
    pub rate: Option<f64>,
    /// What it measures.
    pub kind: SensorKind,
}

/// How a plugin drives a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriveKind {
    /// Sides with different speeds.
    Differential,
    /// Steered front wheels.
    Ackermann,
}

/// A plugin that drives a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivePlugin {
    /// Line in the file.
    pub line: u32,
    /// Name of the plugin.
    pub name: String,
    /// How it drives.
    pub kind: DriveKind,
    /// Largest torque of a wheel, N·m, if it is given.
    pub torque: Option<f64>,
}

/// Mass, centre and inertia of several links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m, in the frame of the robot.
    pub centre: Vector3<f64>,
    /// Inertia about the centre along the axes of the robot, kg·m². Elements off the diagonal are the negative integrals
    /// of the products, as in URDF.
    pub inertia: Matrix3<f64>,
}

impl Robot {
    /// Returns mass, centre and inertia of the links that `is_part` selects, with all joints at zero (parallel axis
    /// theorem).
    pub fn sum(&self, is_part: impl Fn(usize) -> bool) -> Sum {
        let parts = self.links.iter().enumerate().filter(|(number, _)| is_part(*number));
        let parts: Vec<_> = parts
            .filter_map(|(_, link)| link.inertial.map(|one| (one, one.frame.within(&link.frame))))
            .collect();
        let mass: f64 = parts.iter().map(|(one, _)| one.mass).sum();
        let moment = parts.iter().map(|(one, frame)| frame.origin * one.mass);
        let moment: Vector3<f64> = moment.sum();
        let centre = if mass > 0.0 { moment / mass } else { Vector3::zeros() };
        let mut inertia = Matrix3::zeros();
        for (one, frame) in &parts {
            let arm = frame.origin - centre;
            inertia += frame.rotation * one.inertia * frame.rotation.transpose();
            inertia +=
                one.mass * (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose());
        }
        Sum { mass, centre, inertia }
    }

    /// Returns mass, centre and inertia of the whole robot.
    pub fn total(&self) -> Sum {
        self.sum(|_| true)
    }

    /// Returns the joints on a link.
    pub(crate) fn joints_on(&self, link: usize) -> impl Iterator<Item = &RobotJoint> {
        self.joints.iter().filter(move |joint| joint.parent == link)
    }

    /// Returns a link and everything on it.
    pub(crate) fn below(&self, link: usize) -> Vec<usize> {
        let mut found = vec![link];
        let mut at = 0;
        while let Some(&next) = found.get(at) {
            found.extend(self.joints_on(next).map(|joint| joint.child));
            at += 1;
        }
        found
    }

    /// Checks that the joints form one tree over all links, and returns its root.
    pub(crate) fn root(&self) -> Result<usize, ReadError> {
        let mut above: Vec<Option<&RobotJoint>> = vec![None; self.links.len()];
        for joint in &self.joints {
            if let Some(other) = above[joint.child].replace(joint) {
                let name = &self.links[joint.child].name;
                let text = format!(
                    "link '{name}' is the child of the joints '{}' (line {}) and '{}'",
                    other.name, other.line, joint.name
                );
                return Err(ReadError::new(joint.line, text).help("a link hangs on one joint"));
            }
        }
        let roots: Vec<usize> =
            (0..self.links.len()).filter(|link| above[*link].is_none()).collect();
        let reached = roots.first().map_or(0, |root| self.below(*root).len());
        match roots.as_slice() {
            [] => {
                let joint = self.joints.first();
                let text = "the joints form a cycle: every link is the child of a joint";
                Err(ReadError::new(joint.map_or(1, |joint| joint.line), text))
            }
            [root] if reached == self.links.len() => Ok(*root),
            [root] => {
                let tree = self.below(*root);
                let stray = (0..self.links.len()).find(|link| !tree.contains(link));
                let link = &self.links[stray.unwrap_or(*root)];
                let text = format!("link '{}' is part of a cycle of joints", link.name);
                Err(ReadError::new(link.line, text))
            }
            [first, second, ..] => {
                let (first, second) = (&self.links[*first], &self.links[*second]);
                let text = format!(
                    "the links '{}' (line {}) and '{}' hang on no joint; expected one root",
                    first.name, first.line, second.name
                );
                Err(ReadError::new(second.line, text))
            }
        }
    }
}
