//! Pose and twist of a vehicle.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{Frame, Source};
use crate::stream::Stream;

stream_type! {
    /// Pose and twist of a vehicle.
    Odometry as "nav_msgs/msg/Odometry" {
        /// x, y, z of the vehicle in the frame of the stream.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll of the vehicle in the frame of the stream.
        orientation: [f64; 3], "rad";
        /// Forward and leftward velocity, vehicle frame.
        linear: [f64; 2], "m/s";
        /// Yaw rate, positive counter-clockwise.
        angular: f64, "rad/s";
    }
    definitions {
        "nav_msgs/Odometry": DEFINITION;
    }
    sources {
        Source::vehicle("odometry", &["odometry_pose", "odometry_twist"])
            .doc(
                "Odometry from the wheels, as the dynamics class measures it: the pose has the multipliers of \
                 <odometry> in the world. Sensors report odometry as VEH/SENSOR/odometry.",
            )
            .frame(Frame::Odometry)
            .child_frame(Frame::Vehicle);
        Source::vehicle("ground_truth", &["pose", "twist"])
            .doc("True pose and twist.")
            .frame(Frame::Map)
            .child_frame(Frame::Vehicle);
    }
}

/// Definition of the message.
pub(super) const DEFINITION: &str = "std_msgs/Header header\nstring child_frame_id\n\
     geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n";

impl Odometry {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        self.write_with([0.0; 6], [0.0; 6], stream, to);
    }

    /// Writes the message with these diagonals of the covariances of pose and twist.
    pub(super) fn write_with(
        &self,
        pose: [f64; 6],
        twist: [f64; 6],
        stream: &Stream,
        to: &mut impl Writer,
    ) {
        to.header(self.stamp, &stream.frame);
        to.frame("child_frame_id", &stream.child_frame);
        to.open("pose");
        to.pose("pose", self.position, self.orientation);
        to.covariance("covariance", pose);
        to.close();
        to.open("twist");
        to.open("twist");
        let [vx, vy] = self.linear;
        to.vector("linear", [vx, vy, 0.0]);
        to.vector("angular", [0.0, 0.0, self.angular]);
        to.close();
        to.covariance("covariance", twist);
        to.close();
    }
}
