//! Poses and velocities at the start of a run.

use simhost_scene::Pose3;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Entry, Value, child};

/// Layout of a pose in the plane.
pub(crate) const POSE_2D: &[&str] = &["X Y YAW_DEG"];
/// Layout of a pose in space.
pub(crate) const POSE_3D: &[&str] = &["X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];
/// Layouts of a pose in the plane or in space.
pub(crate) const POSE_ANY: &[&str] = &["X Y YAW_DEG", "X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];

/// Entries of bodies that have to be given a pose.
pub(crate) const BODY_POSE: &[Entry] = &[
    child("init_pose", Value::Row(POSE_2D), "Initial pose in m and degrees.")
        .or_else("one of the two is required"),
    child("init_pose3d", Value::Row(POSE_3D), "Initial pose in m and degrees.")
        .or_else("one of the two is required"),
    child(
        "skip_elevation_adjust",
        Value::Presence,
        "Starts at the height, pitch and roll of the pose instead of on the ground. A vehicle falls from there, a block stays.",
    ),
];

/// Entries of elements whose pose is optional.
pub(crate) const FRAME_POSE: &[Entry] = &[
    child("init_pose", Value::Row(POSE_2D), "Pose of the frame in m and degrees."),
    child("init_pose3d", Value::Row(POSE_3D), "Pose of the frame in m and degrees.")
        .also(&["pose_3d"]),
];

/// The initial velocity of a vehicle or a block.
pub(crate) const VELOCITY: Entry = child(
    "init_vel",
    Value::Row(&["VX VY OMEGA_DEG"]),
    "Initial velocity in the frame of the body, in m/s and degrees/s. Wheels start rolling.",
)
.or("0 0 0");

/// Converts a row in the layout [`POSE_2D`] or [`POSE_3D`] to a pose.
pub(crate) fn pose_from_row(row: &[f64]) -> Pose3 {
    match *row {
        [x, y, yaw] => Pose3 { x, y, yaw: yaw.to_radians(), ..Pose3::default() },
        [x, y, z, yaw, pitch, roll] => {
            let [yaw, pitch, roll] = [yaw, pitch, roll].map(f64::to_radians);
            Pose3 { x, y, z, yaw, pitch, roll }
        }
        _ => Pose3::default(),
    }
}

/// Reads `init_pose`, or `init_pose3d` if there is none.
pub(crate) fn read_pose(reader: &mut ElementReader<'_, '_, '_>) -> Option<Pose3> {
    let (planar, spatial) = (reader.given_row("init_pose"), reader.given_row("init_pose3d"));
    planar.or(spatial).map(|row| pose_from_row(&row))
}

/// Returns whether a pose is given, valid or not.
pub(crate) fn has_pose(reader: &mut ElementReader<'_, '_, '_>) -> bool {
    reader.is_given("init_pose") || reader.is_given("init_pose3d")
}

/// Reads `init_vel` as two velocities in m/s and a yaw rate in rad/s.
pub(crate) fn read_velocity(reader: &mut ElementReader<'_, '_, '_>) -> Option<[f64; 3]> {
    let row = reader.given_row("init_vel")?;
    Some([row[0], row[1], row[2].to_radians()])
}

/// Reports a body without a pose.
pub(crate) fn report_missing_pose(context: &mut Context<'_>, element: &Element, name: &str) {
    let error = Diagnostic::error(format!("{} `{name}` has no pose", element.name))
        .at(element.name_span)
        .help("write <init_pose>X Y YAW_DEG</init_pose>");
    context.report.push(error);
}
