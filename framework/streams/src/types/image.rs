//! Pictures of cameras.

use super::declare::stream_type;
use super::fields::Bytes;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Picture of a camera, row by row from the top.
    Image<'a> as "sensor_msgs/msg/Image" {
        /// Number of rows.
        height: u32, "px";
        /// Number of columns.
        width: u32, "px";
        /// Bytes per row.
        step: u32, "B";
        /// Form of a pixel, such as `rgb8`, `mono16` or `32FC1`.
        encoding: &'a str, "";
        /// The pixels, little endian.
        data: Bytes<'a>, "";
    }
    definitions {
        "sensor_msgs/Image":
            "std_msgs/Header header\nuint32 height\nuint32 width\nstring encoding\n\
         uint8 is_bigendian\nuint32 step\nuint8[] data\n";
    }
}

impl Image<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.u32("height", self.height);
        to.u32("width", self.width);
        to.text("encoding", self.encoding);
        to.u8("is_bigendian", 0);
        to.u32("step", self.step);
        to.bytes("data", false, |to| self.data.0.append_bytes(to));
    }
}
