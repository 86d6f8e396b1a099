//! Commands of Ackermann steering and of Autoware.

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

stream_type! {
    /// Request of a gear, as Autoware sends it.
    GearCommand as "autoware_vehicle_msgs/msg/GearCommand" {
        /// Number of the gear: 0 NONE, 1 NEUTRAL, 2 to 19 DRIVE to DRIVE_18, 20 REVERSE, 21 REVERSE_2, 22 PARK, 23
        /// LOW, 24 LOW_2.
        command: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/GearCommand":
            "uint8 NONE=0\nuint8 NEUTRAL=1\nuint8 DRIVE=2\nuint8 DRIVE_2=3\n\
         uint8 DRIVE_3=4\nuint8 DRIVE_4=5\nuint8 DRIVE_5=6\nuint8 DRIVE_6=7\n\
         uint8 DRIVE_7=8\nuint8 DRIVE_8=9\nuint8 DRIVE_9=10\nuint8 DRIVE_10=11\n\
         uint8 DRIVE_11=12\nuint8 DRIVE_12=13\nuint8 DRIVE_13=14\nuint8 DRIVE_14=15\n\
         uint8 DRIVE_15=16\nuint8 DRIVE_16=17\nuint8 DRIVE_17=18\nuint8 DRIVE_18=19\n\
         uint8 REVERSE=20\nuint8 REVERSE_2=21\nuint8 PARK=22\nuint8 LOW=23\n\
         uint8 LOW_2=24\n\
         builtin_interfaces/Time stamp\nuint8 command\n";
    }
}

impl GearCommand {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("command", self.command);
    }
}

stream_type! {
    /// Request of the turn indicators, as Autoware sends it.
    TurnIndicatorsCommand as "autoware_vehicle_msgs/msg/TurnIndicatorsCommand" {
        /// 0 NO_COMMAND, 1 DISABLE, 2 ENABLE_LEFT, 3 ENABLE_RIGHT.
        command: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/TurnIndicatorsCommand":
            "uint8 NO_COMMAND=0\nuint8 DISABLE=1\nuint8 ENABLE_LEFT=2\nuint8 ENABLE_RIGHT=3\n\
         builtin_interfaces/Time stamp\nuint8 command\n";
    }
}

impl TurnIndicatorsCommand {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("command", self.command);
    }
}

stream_type! {
    /// Request of the hazard lights, as Autoware sends it.
    HazardLightsCommand as "autoware_vehicle_msgs/msg/HazardLightsCommand" {
        /// 0 NO_COMMAND, 1 DISABLE, 2 ENABLE.
        command: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/HazardLightsCommand":
            "uint8 NO_COMMAND=0\nuint8 DISABLE=1\nuint8 ENABLE=2\n\
         builtin_interfaces/Time stamp\nuint8 command\n";
    }
}

impl HazardLightsCommand {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("command", self.command);
    }
}

stream_type! {
    /// Start or stop of a vehicle, as Autoware sends it.
    Engage as "autoware_vehicle_msgs/msg/Engage" {
        /// 1 to drive, 0 to stand still.
        engage: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/Engage": "builtin_interfaces/Time stamp\nbool engage\n";
    }
}

impl Engage {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.truth("engage", self.engage != 0);
    }
}
