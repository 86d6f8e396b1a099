//! Markers and grid maps.

use super::declare::stream_type;
use super::fields::{Bytes, Numbers};
use crate::ros::writer::{Number, Writer};
use crate::sample::Stamp;
use crate::stream::Stream;

/// Numbers of a marker before its points: kind, pose, size, colour, number of points.
const HEAD: usize = 15;

stream_type! {
    /// Shapes of a scene. The labels are their namespaces; each has a frame.
    Markers<'a> as "visualization_msgs/msg/MarkerArray" {
        /// For each label: its number of markers. Then for each marker: the kind (1 cuboid, 2 sphere, 3
        /// cylinder, 4 line strip, 5 line list, 11 triangles); x, y, z in m and yaw, pitch, roll in rad; its
        /// size along x, y, z in m (of a line: its width, 0, 0; of triangles: 1, 1, 1); red, green, blue and
        /// opacity from 0 to 1; the number of its points, and their x, y, z in m.
        markers: Numbers<'a>, "";
    }
    definitions {
        "visualization_msgs/MarkerArray":
            "Marker[] markers\n";
        "visualization_msgs/Marker":
            "int32 ARROW=0\nint32 CUBE=1\nint32 SPHERE=2\nint32 CYLINDER=3\nint32 LINE_STRIP=4\n\
         int32 LINE_LIST=5\nint32 CUBE_LIST=6\nint32 SPHERE_LIST=7\nint32 POINTS=8\n\
         int32 TEXT_VIEW_FACING=9\nint32 MESH_RESOURCE=10\nint32 TRIANGLE_LIST=11\n\
         int32 ARROW_STRIP=12\nint32 ADD=0\nint32 MODIFY=0\nint32 DELETE=2\nint32 DELETEALL=3\n\
         std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n\
         geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\n\
         builtin_interfaces/Duration lifetime\nbool frame_locked\ngeometry_msgs/Point[] points\n\
         std_msgs/ColorRGBA[] colors\nstring texture_resource\n\
         sensor_msgs/CompressedImage texture\nUVCoordinate[] uv_coordinates\nstring text\n\
         string mesh_resource\nMeshFile mesh_file\nbool mesh_use_embedded_materials\n";
        "visualization_msgs/UVCoordinate":
            "float32 u\nfloat32 v\n";
        "visualization_msgs/MeshFile":
            "string filename\nuint8[] data\n";
        "sensor_msgs/CompressedImage":
            "std_msgs/Header header\nstring format\nuint8[] data\n";
        "std_msgs/ColorRGBA":
            "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n";
        "builtin_interfaces/Duration":
            "int32 sec\nuint32 nanosec\n";
    }
}

impl Markers<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        let numbers = self.markers.to_vec();
        let mut count = 0;
        each(stream, &numbers, |_, _, _| count += 1);
        to.list("markers", count);
        each(stream, &numbers, |label, index, marker| {
            to.open("");
            to.header(self.stamp, stream.label_frame(label));
            write_marker(&stream.labels[label], index, marker, to);
            to.close();
        });
        to.end();
    }
}

/// Calls `with` for each marker with the index of its label, its own within the label, and its numbers.
fn each(stream: &Stream, numbers: &[f64], mut with: impl FnMut(usize, usize, &[f64])) {
    let mut rest = numbers;
    for label in 0..stream.labels.len() {
        let Some((markers, after)) = rest.split_first() else { return };
        rest = after;
        for index in 0..*markers as usize {
            let Some(points) = rest.get(HEAD - 1) else { return };
            let len = (*points as usize).saturating_mul(3).saturating_add(HEAD);
            let Some((marker, after)) = rest.split_at_checked(len) else { return };
            with(label, index, marker);
            rest = after;
        }
    }
}

fn write_marker(label: &str, index: usize, marker: &[f64], to: &mut impl Writer) {
    let (head, points) = marker.split_at(HEAD);
    let three = |from: usize| [head[from], head[from + 1], head[from + 2]];
    to.text("ns", label);
    to.number("id", Number::I32(index as i32));
    to.number("type", Number::I32(head[0] as i32));
    to.number("action", Number::I32(0));
    to.pose("pose", three(1), three(4));
    to.vector("scale", three(7));
    to.open("color");
    for (name, value) in ["r", "g", "b", "a"].into_iter().zip(&head[10..14]) {
        to.f32(name, *value as f32);
    }
    to.close();
    to.time("lifetime", Stamp::default());
    // moves with its frame between samples
    to.truth("frame_locked", true);
    to.list("points", points.len() / 3);
    points.as_chunks().0.iter().for_each(|point| to.vector("", *point));
    to.end();
    to.list("colors", 0);
    to.end();
    to.text("texture_resource", "");
    to.open("texture");
    to.header(Stamp::default(), "");
    to.text("format", "");
    to.bytes("data", false, |_| {});
    to.close();
    to.list("uv_coordinates", 0);
    to.end();
    to.text("text", "");
    to.text("mesh_resource", "");
    to.open("mesh_file");
    to.text("filename", "");
    to.bytes("data", false, |_| {});
    to.close();
    to.truth("mesh_use_embedded_materials", false);
}

stream_type! {
    /// Map of cells. Rows follow each other along y from the origin.
    OccupancyGrid<'a> as "nav_msgs/msg/OccupancyGrid" {
        /// Edge of a cell.
        resolution: f32, "m";
        /// Cells along x.
        width: u32, "1";
        /// Cells along y.
        height: u32, "1";
        /// x, y, z of the corner of the first cell.
        origin: [f64; 3], "m";
        /// Rotation of the map about this corner.
        yaw: f64, "rad";
        /// Probability that a cell is occupied, 0 to 100; 255 (-1) if unknown.
        data: Bytes<'a>, "%";
    }
    definitions {
        "nav_msgs/OccupancyGrid":
            "std_msgs/Header header\nMapMetaData info\nint8[] data\n";
        "nav_msgs/MapMetaData":
            "builtin_interfaces/Time map_load_time\nfloat32 resolution\nuint32 width\nuint32 height\n\
         geometry_msgs/Pose origin\n";
    }
}

impl OccupancyGrid<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("info");
        to.time("map_load_time", Stamp::default());
        to.f32("resolution", self.resolution);
        to.u32("width", self.width);
        to.u32("height", self.height);
        to.pose("origin", self.origin, [self.yaw, 0.0, 0.0]);
        to.close();
        to.bytes("data", true, |to| self.data.0.append_bytes(to));
    }
}
