//! Measured pose and twist of a vehicle, as Autoware expects it.

use super::declare::stream_type;
use super::odometry::{DEFINITION, Odometry};
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, REPORTS, Source};
use crate::stream::Stream;

stream_type! {
    /// Measured pose and twist of a vehicle, with the variances of its position.
    VehicleOdometry as "nav_msgs/msg/Odometry" {
        /// x, y, z of the vehicle in the frame of the stream.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll of the vehicle in the frame of the stream.
        orientation: [f64; 3], "rad";
        /// Forward and leftward velocity, vehicle frame.
        linear: [f64; 2], "m/s";
        /// Yaw rate, positive counter-clockwise.
        angular: f64, "rad/s";
        /// Variances of x and y, the first two numbers of the diagonal of the covariance.
        variance: [f64; 2], "m²";
    }
    definitions {
        "nav_msgs/Odometry": DEFINITION;
    }
    sources {
        Source::sensor(REPORTS, "odometry", &[
            "position_x", "position_y", "position_z",
            "orientation_yaw", "orientation_pitch", "orientation_roll",
            "linear_x", "linear_y", "angular_z",
            "variance_x", "variance_y",
        ])
        .doc(
            "Pose and twist that a planning model reports to Autoware: its true state with the noise \
             of the reports. The host reports the odometry of the wheels as VEH/odometry.",
        )
        .frame(Frame::Parameter("origin_frame_id"))
        .child_frame(Frame::Parameter("simulated_frame_id"))
        // the interface knows the height of a commanded pose
        .replaced("position_z", "reported_z")
        .while_above(INITIALIZED, 0.5);
    }
}

impl VehicleOdometry {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        let Self { stamp, position, orientation, linear, angular, variance: [x, y] } = *self;
        Odometry { stamp, position, orientation, linear, angular }.write_with(
            [x, y, 0.0, 0.0, 0.0, 0.0],
            stream,
            to,
        );
    }
}
