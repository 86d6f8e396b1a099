//! Images and calibrations of cameras.

use super::declare::stream_type;
use super::fields::{Bytes, Numbers};
use crate::ros::writer::{Length, Writer};
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

stream_type! {
    /// Calibration of a camera.
    CameraInfo<'a> as "sensor_msgs/msg/CameraInfo" {
        /// Number of rows.
        height: u32, "px";
        /// Number of columns.
        width: u32, "px";
        /// Intrinsic matrix, row by row.
        k: [f64; 9], "px";
        /// Rectification, row by row.
        r: [f64; 9], "1";
        /// Projection, row by row.
        p: [f64; 12], "px";
        /// Parameters of the model of distortion.
        distortion: Numbers<'a>, "1";
        /// Model of distortion, such as `plumb_bob`.
        model: &'a str, "";
    }
    definitions {
        "sensor_msgs/CameraInfo":
            "std_msgs/Header header\nuint32 height\nuint32 width\nstring distortion_model\n\
         float64[] d\nfloat64[9] k\nfloat64[9] r\nfloat64[12] p\nuint32 binning_x\n\
         uint32 binning_y\nRegionOfInterest roi\n";
        "sensor_msgs/RegionOfInterest":
            "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify\n";
    }
}

impl CameraInfo<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.u32("height", self.height);
        to.u32("width", self.width);
        to.text("distortion_model", self.model);
        to.numbers("d", &self.distortion.to_vec(), Length::Variable);
        to.numbers("k", &self.k, Length::Fixed);
        to.numbers("r", &self.r, Length::Fixed);
        to.numbers("p", &self.p, Length::Fixed);
        to.u32("binning_x", 0);
        to.u32("binning_y", 0);
        to.open("roi");
        for name in ["x_offset", "y_offset", "height", "width"] {
            to.u32(name, 0);
        }
        to.truth("do_rectify", false);
        to.close();
    }
}
