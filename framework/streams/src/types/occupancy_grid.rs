//! Maps of cells.

use super::declare::stream_type;
use super::fields::Bytes;
use crate::ros::writer::Writer;
use crate::stamp::Stamp;
use crate::stream::Stream;

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
