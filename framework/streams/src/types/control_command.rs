//! Setpoints of Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::stream::Stream;

stream_type! {
    /// Setpoints of speed, acceleration and steering, as Autoware sends them.
    ControlCommand as "autoware_control_msgs/msg/Control" {
        /// Forward speed.
        velocity: f32, "m/s";
        /// Acceleration, positive in the direction of the gear.
        acceleration: f32, "m/s²";
        /// Steering angle, positive counter-clockwise.
        steering_tire_angle: f32, "rad";
    }
    definitions {
        "autoware_control_msgs/Control":
            "builtin_interfaces/Time stamp\nbuiltin_interfaces/Time control_time\n\
         autoware_control_msgs/Lateral lateral\nautoware_control_msgs/Longitudinal longitudinal\n";
        "autoware_control_msgs/Lateral":
            "builtin_interfaces/Time stamp\nbuiltin_interfaces/Time control_time\n\
         float32 steering_tire_angle\nfloat32 steering_tire_rotation_rate\n\
         bool is_defined_steering_tire_rotation_rate\n";
        "autoware_control_msgs/Longitudinal":
            "builtin_interfaces/Time stamp\nbuiltin_interfaces/Time control_time\nfloat32 velocity\n\
         float32 acceleration\nfloat32 jerk\nbool is_defined_acceleration\nbool is_defined_jerk\n";
    }
}

/// Times at the beginning of the message and of its parts.
const TIMES: [&str; 2] = ["stamp", "control_time"];

impl ControlCommand {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        for name in TIMES {
            to.time(name, self.stamp);
        }
        to.open("lateral");
        for name in TIMES {
            to.time(name, self.stamp);
        }
        to.f32("steering_tire_angle", self.steering_tire_angle);
        to.f32("steering_tire_rotation_rate", 0.0);
        to.truth("is_defined_steering_tire_rotation_rate", false);
        to.close();
        to.open("longitudinal");
        for name in TIMES {
            to.time(name, self.stamp);
        }
        to.f32("velocity", self.velocity);
        to.f32("acceleration", self.acceleration);
        to.f32("jerk", 0.0);
        to.truth("is_defined_acceleration", true);
        to.truth("is_defined_jerk", false);
        to.close();
    }
}
