//! Poses and velocities at the start of a run.

use std::ops::Range;

use simhost_scene::Pose3;

use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, Field};
use crate::vocabulary::field::child;
use crate::vocabulary::{Default as Fallback, Entry, Value};

/// Layout of a pose in the plane.
const POSE_2D: &[&str] = &["X Y YAW_DEG"];
/// Layout of a pose in space.
pub(crate) const POSE_3D: &[&str] = &["X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];
/// Layouts of a pose in the plane or in space.
pub(crate) const POSE_ANY: &[&str] = &["X Y YAW_DEG", "X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];

/// Initial pose of a body, which has to have one, in the plane.
pub(crate) const INITIAL: Entry = child(Value::Row(POSE_2D))
    .named("init_pose")
    .doc("Initial pose in m and degrees.")
    .one_of_two();
/// Initial pose of a body in space.
pub(crate) const INITIAL_3D: Entry =
    Entry { value: Value::Row(POSE_3D), ..INITIAL.named("init_pose3d") };

/// Pose of the frame of an element, in the plane.
pub(crate) const FRAME: Entry =
    child(Value::Row(POSE_2D)).named("init_pose").doc("Pose of the frame in m and degrees.");
/// Pose of the frame of an element in space.
pub(crate) const FRAME_3D: Entry =
    Entry { value: Value::Row(POSE_3D), ..FRAME.named("init_pose3d").also(&["pose_3d"]) };

/// Whether a body starts at the height of its pose.
pub(crate) const KEPT_HEIGHT: Entry = child(Value::Presence).named("skip_elevation_adjust").doc(
    "Starts at the height, pitch and roll of the pose instead of on the ground. A vehicle falls from there, a block stays.",
);

/// Initial velocity of a vehicle or a block.
pub(crate) const VELOCITY: Entry = child(Value::Row(&["VX VY OMEGA_DEG"]))
    .named("init_vel")
    .doc("Initial velocity in the frame of the body, in m/s and degrees/s. Wheels start rolling.")
    .or("0 0 0");

/// A pose from the first of several rows that is given, or from six numbers.
impl Field for Pose3 {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        if !matches!(reader.section.entries[place.start].value, Value::Row(_)) {
            let [x, y, z, yaw, pitch, roll] = <[f64; 6]>::read(reader, place)?;
            return Some(Self { x, y, z, yaw, pitch, roll });
        }
        let rows: Vec<_> = place.map(|index| reader.row_at(index)).collect();
        rows.into_iter().flatten().next().map(|row| pose_from_row(&row))
    }

    fn absent(entries: &'static [Entry]) -> Option<Self> {
        match (entries.first()?.value, entries.first()?.default) {
            (Value::Row(_), Fallback::OneOfTwo) => None,
            (Value::Row(_), _) => Some(Self::default()),
            _ => {
                let [x, y, z, yaw, pitch, roll] = <[f64; 6]>::absent(entries)?;
                Some(Self { x, y, z, yaw, pitch, roll })
            }
        }
    }

    fn report_absent(reader: &mut ElementReader<'_, '_, '_>, _entry: &'static Entry) {
        let error = Diagnostic::error(format!("{} has no pose", reader.context.owner))
            .at(reader.element.name_span)
            .help("write <init_pose>X Y YAW_DEG</init_pose>");
        reader.context.report.push(error);
    }

    fn placeholder() -> Option<Self> {
        Some(Self::default())
    }
}

/// Converts a row in the layout of a pose in the plane or in space to a pose.
pub(crate) fn pose_from_row(row: &[f64]) -> Pose3 {
    match *row {
        [x, y, yaw] => Pose3 { x, y, yaw, ..Pose3::default() },
        [x, y, z, yaw, pitch, roll] => Pose3 { x, y, z, yaw, pitch, roll },
        _ => Pose3::default(),
    }
}
