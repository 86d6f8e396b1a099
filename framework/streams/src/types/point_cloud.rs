//! Clouds of points.

use super::declare::stream_type;
use super::fields::Numbers;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Points in the frame of the sensor. The labels name the values of a point: `x`, `y`, `z` in m, and
    /// others such as `intensity`.
    PointCloud<'a> as "sensor_msgs/msg/PointCloud2" {
        /// The values of the first point, then those of the next.
        points: Numbers<'a>, "";
    }
    definitions {
        "sensor_msgs/PointCloud2":
            "std_msgs/Header header\nuint32 height\nuint32 width\nPointField[] fields\n\
         bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n";
        "sensor_msgs/PointField":
            "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\n\
         uint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\nuint32 offset\nuint8 datatype\n\
         uint32 count\n";
    }
}

impl PointCloud<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        const FLOAT32: u8 = 7;
        const FLOAT32_BYTES: usize = 4;
        let (values, names) = (self.points.0, &stream.labels);
        let step = FLOAT32_BYTES * names.len();
        let points = values.len().checked_div(names.len()).unwrap_or(0);
        to.header(self.stamp, &stream.frame);
        to.u32("height", 1);
        to.u32("width", points as u32);
        to.list("fields", names.len());
        for (index, name) in names.iter().enumerate() {
            to.open("");
            to.text("name", name);
            to.u32("offset", (FLOAT32_BYTES * index) as u32);
            to.u8("datatype", FLOAT32);
            to.u32("count", 1);
            to.close();
        }
        to.end();
        to.truth("is_bigendian", false);
        to.u32("point_step", step as u32);
        to.u32("row_step", (step * points) as u32);
        let mut is_dense = true;
        to.bytes("data", false, |to| {
            to.reserve(step * points);
            // a sample of another program can end within a point
            let end = to.len() + step * points;
            values.for_each(|value| {
                is_dense &= value.is_finite();
                to.extend_from_slice(&(value as f32).to_le_bytes());
            });
            to.truncate(end);
        });
        to.truth("is_dense", is_dense);
    }
}
