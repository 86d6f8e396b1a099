//! The scene and the maps of a recording.

use std::path::Path;

use simhost_mcap::Message;
use simhost_streams::Stamp;
use simhost_streams::ros::{Leaf, yaw_pitch_roll};

use crate::error::RunError;
use crate::files::open_recording;

/// A shape of the stream `scene`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marker {
    /// Namespace, such as `walls` or `block/crate`.
    pub label: String,
    /// Frame in which it is, as ROS names it.
    pub frame: String,
    /// Number of its kind: 1 for a cuboid, 3 for a cylinder, 11 for triangles.
    pub kind: i64,
    /// x, y, z, m; yaw, pitch, roll, rad; in its frame.
    pub pose: [f64; 6],
    /// Size along x, y and z, m.
    pub size: [f64; 3],
    /// Corners of triangles, m.
    pub points: Vec<[f64; 3]>,
}

/// A map of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedMap {
    /// Edge of a cell, m.
    pub resolution: f64,
    /// Cells along x and along y.
    pub size: [usize; 2],
    /// x and y of the corner of the first cell, m.
    pub corner: [f64; 2],
    /// Probability that a cell is occupied in per cent; -1 if it is unknown.
    pub cells: Vec<i8>,
}

/// The scene and the maps of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedScene {
    /// Shapes of the scene.
    pub markers: Vec<Marker>,
    /// Maps.
    pub maps: Vec<RecordedMap>,
    /// Names of the wheels of each vehicle.
    pub wheels: Vec<(String, Vec<String>)>,
}

impl RecordedScene {
    /// Reads the scene of an MCAP file.
    ///
    /// # Errors
    /// [`RunError`] if the file cannot be read.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let mut recording = open_recording(path)?;
        let mut scene = Self::default();
        for channel in recording.channels() {
            let stream = &channel.stream;
            if let Some(vehicle) =
                stream.name.strip_suffix("/wheels").filter(|_| stream.kind.name == "Wheels")
            {
                scene.wheels.push((vehicle.to_owned(), stream.labels.clone()));
            }
        }
        let is_of_start = |name: &str| matches!(name, "Markers" | "OccupancyGrid");
        let streams = recording.channels().iter();
        let mut missing = streams.filter(|channel| is_of_start(&channel.stream.kind.name)).count();
        recording.for_each(Stamp(0), &mut |message| {
            match &*message.channel.stream.kind.name {
                "Markers" => scene.markers.extend(markers(message)),
                "OccupancyGrid" => scene.maps.extend(map(message)),
                _ => return missing > 0,
            }
            missing = missing.saturating_sub(1);
            missing > 0
        })?;
        Ok(scene)
    }
}

fn number(leaf: Leaf<'_>) -> f64 {
    match leaf {
        Leaf::Signed(value) => value as f64,
        Leaf::Unsigned(value) => value as f64,
        Leaf::F32(value) => value.into(),
        Leaf::F64(value) => value,
        _ => f64::NAN,
    }
}

/// Returns the index and the rest of a path such as `markers[3].pose.position.x`.
fn element<'a>(path: &'a str, list: &str) -> Option<(usize, &'a str)> {
    let (index, rest) = path.strip_prefix(list)?.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest.strip_prefix('.').unwrap_or(rest)))
}

/// Returns the axis that a part of a vector names.
fn axis(name: &str) -> Option<usize> {
    ["x", "y", "z", "w"].iter().position(|known| *known == name)
}

fn markers(message: &Message<'_>) -> Vec<Marker> {
    let mut markers: Vec<(Marker, [f64; 4])> = Vec::new();
    let read = message.channel.layout.visit(message.data, &mut |path, leaf| {
        let Some((index, field)) = element(path, "markers") else { return };
        if markers.len() <= index {
            markers.resize(index + 1, Default::default());
        }
        let (marker, quaternion) = &mut markers[index];
        let (start, part) = field.rsplit_once('.').unwrap_or((field, ""));
        match (field, leaf) {
            ("ns", Leaf::Text(text)) => text.clone_into(&mut marker.label),
            ("header.frame_id", Leaf::Text(text)) => text.clone_into(&mut marker.frame),
            ("type", Leaf::Signed(kind)) => marker.kind = kind,
            _ => {
                let Some(axis) = axis(part) else { return };
                let value = number(leaf);
                match start {
                    "pose.position" => marker.pose[axis] = value,
                    "pose.orientation" => quaternion[axis] = value,
                    "scale" => marker.size[axis] = value,
                    _ => {
                        let Some((index, "")) = element(start, "points") else { return };
                        if marker.points.len() <= index {
                            marker.points.resize(index + 1, [0.0; 3]);
                        }
                        marker.points[index][axis] = value;
                    }
                }
            }
        }
    });
    if read.is_err() {
        return Vec::new();
    }
    let finished = |(mut marker, quaternion): (Marker, [f64; 4])| {
        marker.pose[3..].copy_from_slice(&yaw_pitch_roll(quaternion));
        marker
    };
    markers.into_iter().map(finished).collect()
}

fn map(message: &Message<'_>) -> Option<RecordedMap> {
    let mut map = RecordedMap::default();
    let read = message.channel.layout.visit(message.data, &mut |path, leaf| match path {
        "info.resolution" => map.resolution = number(leaf),
        "info.width" => map.size[0] = number(leaf) as usize,
        "info.height" => map.size[1] = number(leaf) as usize,
        "info.origin.position.x" => map.corner[0] = number(leaf),
        "info.origin.position.y" => map.corner[1] = number(leaf),
        _ if path.starts_with("data") => map.cells.push(number(leaf) as i8),
        _ => {}
    });
    read.is_ok().then_some(map)
}
