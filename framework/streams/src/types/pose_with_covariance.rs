//! Poses with their uncertainty.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Pose in the frame of the stream, such as the initial pose of a localisation.
    PoseWithCovariance as "geometry_msgs/msg/PoseWithCovarianceStamped" {
        /// x, y, z.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll.
        orientation: [f64; 3], "rad";
    }
    definitions {
        "geometry_msgs/PoseWithCovarianceStamped":
            "std_msgs/Header header\ngeometry_msgs/PoseWithCovariance pose\n";
    }
}

impl PoseWithCovariance {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("pose");
        to.pose("pose", self.position, self.orientation);
        to.covariance("covariance", [0.0; 6]);
        to.close();
    }
}
