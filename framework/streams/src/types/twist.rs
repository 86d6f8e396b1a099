//! Setpoints of velocities.

use super::declare::stream_type;
use crate::ros::TWIST;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Setpoint of the velocity of a vehicle, vehicle frame.
    Twist as "geometry_msgs/msg/Twist" {
        /// Velocity along x, y, z; z is ignored.
        linear: [f64; 3], "m/s";
        /// Angular velocity about x, y, z; those about x and y are ignored.
        angular: [f64; 3], "rad/s";
    }
    definitions {
        "geometry_msgs/Twist": TWIST;
    }
}

impl Twist {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.vector("linear", self.linear);
        to.vector("angular", self.angular);
    }
}
