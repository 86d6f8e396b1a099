//! Poses.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Pose in the frame of the stream.
    Pose as "geometry_msgs/msg/PoseStamped" {
        /// x, y, z.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll.
        orientation: [f64; 3], "rad";
    }
    definitions {
        "geometry_msgs/PoseStamped":
            "std_msgs/Header header\nPose pose\n";
    }
}

impl Pose {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.pose("pose", self.position, self.orientation);
    }
}
