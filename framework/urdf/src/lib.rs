//! Robots in URDF and SDF as vehicles of simhost.
//!
//! [`read`] reads a file into [`Robot`]s: links with mass and inertia, joints, shapes, and the sensors and drives of Gazebo.
//! [`read_world`] reads a world of SDF with what stands
//! in it. [`VehicleDraft::of`] finds wheels, castors and chassis, and [`VehicleDraft::to_xml`] writes a vehicle file, with a
//! comment for each number that says where it came from, and with [`Note`]s on everything that has no effect.
//!
//! | Part of the file | Becomes |
//! |---|---|
//! | links that are not wheels | `<chassis>`: sum of masses, centre of mass, yaw inertia, convex outline of the collisions |
//! | continuous joints with a level axis and a round collision | wheels with mass, inertia about the axle, diameter, width |
//! | upright joints that carry a wheel | the steering of `ackermann`, with its limit |
//! | castors: small shapes at the ground, balls, wheels that swivel freely or roll in the middle | one support without friction |
//! | sensors of Gazebo | `laser`, `lidar3d`, `imu`, `camera`, `rgbd_camera`, `gnss`, `magnetometer`, `barometer`, `bumper` |
//! | meshes of visuals | `<visual>` |
//!
//! A program that links this crate reads such files in `<vehicle file="…">`.
//!
//! Frames are right-handed with x forwards, y to the left and z up. All joints are at zero. Files are untrusted: their size
//! and depth are limited, and a document type is refused.
//!
//! Sources: the [URDF](https://wiki.ros.org/urdf/XML) and [SDFormat](http://sdformat.org/spec) specifications.

mod format;
mod frame;
mod gazebo;
mod outline;
mod packages;
mod robot;
mod scenery;
mod sdf;
mod urdf;
mod vehicle;
mod write;

use simhost_xml::{Element, Lines};

pub use frame::LinkFrame;
pub use outline::ReadMesh;
pub use packages::Packages;
pub use robot::{
    Camera, DriveKind, DrivePlugin, Inertial, Lidar, LinkBody, LinkShape, Robot, RobotJoint,
    RobotJointKind, RobotLink, SensorKind, SensorOnLink, Sum,
};
pub use scenery::{Prop, SdfWorld, read_world};
pub use simhost_xml::{Note, ReadError};
pub use vehicle::{VehicleDraft, WheelDraft};
pub use write::{FindFile, RobotFile, VehicleText, no_meshes};

/// Largest number of bytes of a file.
const MOST_BYTES: usize = 16 << 20;

/// Reads the robots of a file: one of URDF, or all models of SDF that can move.
///
/// # Errors
/// [`ReadError`] with its line if the file is not XML, is neither URDF nor SDF, or describes no tree of links.
pub fn read(text: &str) -> Result<Vec<Robot>, ReadError> {
    let document = simhost_xml::parse(text, MOST_BYTES)?;
    let lines = Lines::of(text);
    let root = Element::root(&document, &lines);
    let is_macro = document
        .descendants()
        .filter(|node| node.is_element())
        .any(|node| node.tag_name().namespace().is_some_and(|one| one.ends_with("xacro")));
    if is_macro {
        return Err(ReadError::new(root.line(), "the file is a xacro, not a robot")
            .help("expand it first: xacro FILE > robot.urdf"));
    }
    match root.name() {
        "robot" => urdf::read(root).map(|robot| vec![robot]),
        "sdf" => sdf::read(root),
        other => {
            let text = format!("the root is <{other}>; expected <robot> of URDF, or <sdf>");
            Err(ReadError::new(root.line(), text))
        }
    }
}
