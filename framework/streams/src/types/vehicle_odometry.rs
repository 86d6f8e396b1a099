//! Measured pose and twist of a vehicle, with their variances.

use super::declare::stream_type;
use super::odometry::{DEFINITION, Odometry};
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, REPORTS, Source};
use crate::stream::Stream;

/// Readings of a sensor with the ports of `OdometryReading` and `OdometryVariance` of the SDK.
#[rustfmt::skip]
const READINGS: &[&str] = &[
    "position_x", "position_y", "position_z",
    "orientation_yaw", "orientation_pitch", "orientation_roll",
    "linear_x", "linear_y", "angular_z",
    "variance_x", "variance_y", "variance_yaw",
    "variance_linear_x", "variance_linear_y", "variance_angular_z",
];

stream_type! {
    /// Measured pose and twist of a vehicle, with their variances, the diagonals of its
    /// covariances. 0 means unknown.
    VehicleOdometry as "nav_msgs/msg/Odometry" {
        /// x, y, z of the vehicle in the frame of the stream.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll of the vehicle in the frame of the stream.
        orientation: [f64; 3], "rad";
        /// Forward and leftward velocity, vehicle frame.
        linear: [f64; 2], "m/s";
        /// Yaw rate, positive counter-clockwise.
        angular: f64, "rad/s";
        /// Variances of x and y.
        variance: [f64; 2], "m²";
        /// Variance of the yaw.
        orientation_variance: f64, "rad²";
        /// Variances of the forward and leftward velocity.
        linear_variance: [f64; 2], "m²/s²";
        /// Variance of the yaw rate.
        angular_variance: f64, "rad²/s²";
    }
    definitions {
        "nav_msgs/Odometry": DEFINITION;
    }
    sources {
        Source::sensor(REPORTS, "odometry", READINGS)
        .doc(
            "Pose and twist that a planning model reports to Autoware: its true state with the noise \
             of the reports. The host reports the odometry of the wheels as VEH/odometry.",
        )
        .frame(Frame::Parameter("origin_frame_id"))
        .child_frame(Frame::Parameter("simulated_frame_id"))
        // the interface knows the height of a commanded pose
        .replaced("position_z", "reported_z")
        .while_above(INITIALIZED, 0.5);
        Source::sensor("simhost/odometry", "odometry", READINGS)
        .doc(
            "Odometry of a sensor: pose and twist with its errors, and the variances that follow from the \
             resolution of its encoders. The host reports that of the wheels as VEH/odometry.",
        )
        .frame(Frame::Odometry)
        .child_frame(Frame::Vehicle);
    }
}

impl VehicleOdometry {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        let Self { stamp, position, orientation, linear, angular, .. } = *self;
        let [x, y] = self.variance;
        let [vx, vy] = self.linear_variance;
        Odometry { stamp, position, orientation, linear, angular }.write_with(
            [x, y, 0.0, 0.0, 0.0, self.orientation_variance],
            [vx, vy, 0.0, 0.0, 0.0, self.angular_variance],
            stream,
            to,
        );
    }
}
