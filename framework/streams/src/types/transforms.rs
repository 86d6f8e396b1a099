//! The tree of frames.

use super::declare::stream_type;
use super::fields::PerLabel;
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, Labels, REPORTS, Source};
use crate::stream::Stream;

stream_type! {
    /// Poses of frames, each relative to its parent.
    Transforms<'a> as "tf2_msgs/msg/TFMessage" {
        /// x, y, z of the origin of the frame in its parent.
        translation: PerLabel<'a, [f64; 3]>, "m";
        /// Yaw, pitch, roll of the frame in its parent.
        rotation: PerLabel<'a, [f64; 3]>, "rad";
    }
    definitions {
        "tf2_msgs/TFMessage":
            "geometry_msgs/TransformStamped[] transforms\n";
        "geometry_msgs/TransformStamped":
            "std_msgs/Header header\nstring child_frame_id\nTransform transform\n";
        "geometry_msgs/Transform":
            "Vector3 translation\nQuaternion rotation\n";
    }
    sources {
        Source::sensor(REPORTS, "tf", &[
            "position_x", "position_y", "position_z",
            "orientation_yaw", "orientation_pitch", "orientation_roll",
        ])
        .frame(Frame::Parameter("origin_frame_id"))
        .child_frame(Frame::Parameter("simulated_frame_id"))
        .labels(Labels::ChildFrame)
        .replaced("position_z", "reported_z")
        .while_above(INITIALIZED, 0.5);
    }
}

impl Transforms<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.list("transforms", stream.labels.len());
        for (index, frame) in stream.labels.iter().enumerate() {
            let part = |poses: &[[f64; 3]]| poses.get(index).copied().unwrap_or_default();
            to.open("");
            to.header(self.stamp, stream.label_frame(index));
            to.frame("child_frame_id", frame);
            to.open("transform");
            to.vector("translation", part(&self.translation));
            to.orientation("rotation", part(&self.rotation));
            to.close();
            to.close();
        }
        to.end();
    }
}
