//! Setpoints of speed and steering.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Setpoints of speed and steering of a vehicle.
    AckermannDrive as "ackermann_msgs/msg/AckermannDriveStamped" {
        /// Forward speed.
        speed: f32, "m/s";
        /// Steering angle of the bicycle model, positive counter-clockwise.
        steering_angle: f32, "rad";
    }
    definitions {
        "ackermann_msgs/AckermannDriveStamped":
            "std_msgs/Header header\nackermann_msgs/AckermannDrive drive\n";
        "ackermann_msgs/AckermannDrive":
            "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\n\
         float32 acceleration\nfloat32 jerk\n";
    }
}

impl AckermannDrive {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("drive");
        to.f32("steering_angle", self.steering_angle);
        to.f32("steering_angle_velocity", 0.0);
        to.f32("speed", self.speed);
        to.f32("acceleration", 0.0);
        to.f32("jerk", 0.0);
        to.close();
    }
}
