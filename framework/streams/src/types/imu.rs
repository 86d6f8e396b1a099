//! Readings of inertial sensors.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;
use crate::source::Source;

stream_type! {
    /// Measurements of an inertial sensor in its frame.
    Imu as "sensor_msgs/msg/Imu" {
        /// Yaw, pitch, roll in the world; NaN if the sensor does not measure it.
        orientation: [f64; 3], "rad";
        /// Angular velocity about x, y, z.
        angular_velocity: [f64; 3], "rad/s";
        /// Specific force along x, y, z: at rest, gravity upwards.
        linear_acceleration: [f64; 3], "m/s²";
    }
    definitions {
        "sensor_msgs/Imu":
            "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\n\
         float64[9] orientation_covariance\ngeometry_msgs/Vector3 angular_velocity\n\
         float64[9] angular_velocity_covariance\ngeometry_msgs/Vector3 linear_acceleration\n\
         float64[9] linear_acceleration_covariance\n";
    }
    sources {
        Source::sensor("simhost/imu", "imu", &[
            "orientation_yaw", "orientation_pitch", "orientation_roll",
            "angular_velocity_x", "angular_velocity_y", "angular_velocity_z",
            "linear_acceleration_x", "linear_acceleration_y", "linear_acceleration_z",
        ]);
    }
}

impl Imu {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        let is_known = self.orientation.iter().all(|angle| angle.is_finite());
        to.orientation("orientation", if is_known { self.orientation } else { [0.0; 3] });
        // a first element of -1 marks a quantity that is not measured
        to.covariance("orientation_covariance", [if is_known { 0.0 } else { -1.0 }, 0.0, 0.0]);
        to.vector("angular_velocity", self.angular_velocity);
        to.covariance("angular_velocity_covariance", [0.0; 3]);
        to.vector("linear_acceleration", self.linear_acceleration);
        to.covariance("linear_acceleration_covariance", [0.0; 3]);
    }
}
