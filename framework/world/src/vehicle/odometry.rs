//! Scale errors and frames of the odometry of a vehicle.

use crate::reader::{Words, declare, words};
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element, number};

declare! {
    /// Factors on the increments of the odometry pose.
    section = element("odometry");

    /// The odometry of a vehicle.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct OdometrySettings {
        /// Factors on the increments of x, y and yaw.
        pub multipliers: [f64; 3] =
            attribute(number("1")).named("x_multiplier").doc("Factor on forward motion.").or("1"),
            attribute(number("1")).named("y_multiplier").doc("Factor on leftward motion.").or("1"),
            attribute(number("1")).named("yaw_multiplier").doc("Factor on rotation.").or("1");
        /// Pose of the vehicle in its frame `odom` in the stream `tf`: the pose of the odometry, or
        /// the true pose, so that `odom` stays at the origin of `map`.
        pub transform: OdometryFrame = attribute(Value::Choice(OdometryFrame::WORDS)).or("odometry");
    }
}

/// The pose of a vehicle in the frame of its odometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OdometryFrame {
    Odometry,
    /// The true pose: the frame rests at the origin of the world.
    Truth,
}

words!(OdometryFrame { "odometry" => Odometry, "truth" => Truth });
