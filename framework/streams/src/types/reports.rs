//! Reports of a vehicle, for Autoware.

use super::declare::stream_type;
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, INTERFACES, REPORTS, Source};
use crate::stream::Stream;

stream_type! {
    /// Mode in which a vehicle is controlled.
    ControlModeReport as "autoware_vehicle_msgs/msg/ControlModeReport" {
        /// 1 AUTONOMOUS, 4 MANUAL.
        mode: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/ControlModeReport":
            "uint8 NO_COMMAND=0\nuint8 AUTONOMOUS=1\nuint8 AUTONOMOUS_STEER_ONLY=2\n\
         uint8 AUTONOMOUS_VELOCITY_ONLY=3\nuint8 MANUAL=4\nuint8 DISENGAGED=5\n\
         uint8 NOT_READY=6\nbuiltin_interfaces/Time stamp\nuint8 mode\n";
    }
    sources {
        Source::controller(INTERFACES, "control_mode_report", &["control_mode"]);
    }
}

impl ControlModeReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("mode", self.mode);
    }
}

stream_type! {
    /// Gear of a vehicle.
    GearReport as "autoware_vehicle_msgs/msg/GearReport" {
        /// Number of the gear: 0 NONE, 1 NEUTRAL, 2 to 19 DRIVE to DRIVE_18, 20 REVERSE, 21 REVERSE_2, 22
        /// PARK, 23 LOW, 24 LOW_2.
        report: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/GearReport":
            "uint8 NONE=0\nuint8 NEUTRAL=1\nuint8 DRIVE=2\nuint8 DRIVE_2=3\nuint8 DRIVE_3=4\n\
         uint8 DRIVE_4=5\nuint8 DRIVE_5=6\nuint8 DRIVE_6=7\nuint8 DRIVE_7=8\nuint8 DRIVE_8=9\n\
         uint8 DRIVE_9=10\nuint8 DRIVE_10=11\nuint8 DRIVE_11=12\nuint8 DRIVE_12=13\n\
         uint8 DRIVE_13=14\nuint8 DRIVE_14=15\nuint8 DRIVE_15=16\nuint8 DRIVE_16=17\n\
         uint8 DRIVE_17=18\nuint8 DRIVE_18=19\nuint8 REVERSE=20\nuint8 REVERSE_2=21\n\
         uint8 PARK=22\nuint8 LOW=23\nuint8 LOW_2=24\nbuiltin_interfaces/Time stamp\n\
         uint8 report\n";
    }
    sources {
        Source::controller(INTERFACES, "gear_report", &["gear_report"])
            .while_above(INITIALIZED, 0.5);
    }
}

impl GearReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("report", self.report);
    }
}

stream_type! {
    /// State of the turn indicators.
    TurnIndicatorsReport as "autoware_vehicle_msgs/msg/TurnIndicatorsReport" {
        /// 1 DISABLE, 2 ENABLE_LEFT, 3 ENABLE_RIGHT.
        report: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/TurnIndicatorsReport":
            "uint8 DISABLE=1\nuint8 ENABLE_LEFT=2\nuint8 ENABLE_RIGHT=3\n\
         builtin_interfaces/Time stamp\nuint8 report\n";
    }
    sources {
        Source::controller(INTERFACES, "turn_indicators_report", &["turn_indicators_report"])
            .while_above("turn_indicators_report", 0.5);
    }
}

impl TurnIndicatorsReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("report", self.report);
    }
}

stream_type! {
    /// State of the hazard lights.
    HazardLightsReport as "autoware_vehicle_msgs/msg/HazardLightsReport" {
        /// 1 DISABLE, 2 ENABLE.
        report: u8, "1";
    }
    definitions {
        "autoware_vehicle_msgs/HazardLightsReport":
            "uint8 DISABLE=1\nuint8 ENABLE=2\nbuiltin_interfaces/Time stamp\nuint8 report\n";
    }
    sources {
        Source::controller(INTERFACES, "hazard_lights_report", &["hazard_lights_report"])
            .while_above("hazard_lights_report", 0.5);
    }
}

impl HazardLightsReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.u8("report", self.report);
    }
}

stream_type! {
    /// Positions of the pedals and of the steering.
    ActuationStatus as "tier4_vehicle_msgs/msg/ActuationStatusStamped" {
        /// Accelerator pedal.
        accel_status: f64, "1";
        /// Brake pedal.
        brake_status: f64, "1";
        /// Steering wheel, or tyre where there is no wheel.
        steer_status: f64, "rad";
    }
    definitions {
        "tier4_vehicle_msgs/ActuationStatusStamped":
            "std_msgs/Header header\nActuationStatus status\n";
        "tier4_vehicle_msgs/ActuationStatus":
            "float64 accel_status\nfloat64 brake_status\nfloat64 steer_status\n";
    }
    sources {
        Source::dynamics("simhost/actuation_cmd", INTERFACES, "actuation_status", &[
            "accel_status", "brake_status", "steer_status",
        ])
        .while_above(INITIALIZED, 0.5);
    }
}

impl ActuationStatus {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("status");
        to.f64("accel_status", self.accel_status);
        to.f64("brake_status", self.brake_status);
        to.f64("steer_status", self.steer_status);
        to.close();
    }
}

stream_type! {
    /// Velocity of a vehicle in its frame.
    VelocityReport as "autoware_vehicle_msgs/msg/VelocityReport" {
        /// Forward velocity.
        longitudinal_velocity: f32, "m/s";
        /// Leftward velocity.
        lateral_velocity: f32, "m/s";
        /// Yaw rate, positive counter-clockwise.
        heading_rate: f32, "rad/s";
    }
    definitions {
        "autoware_vehicle_msgs/VelocityReport":
            "std_msgs/Header header\nfloat32 longitudinal_velocity\nfloat32 lateral_velocity\n\
         float32 heading_rate\n";
    }
    sources {
        Source::sensor(REPORTS, "velocity_report", &["linear_x", "linear_y", "angular_z"])
            .frame(Frame::Parameter("simulated_frame_id"))
            .while_above(INITIALIZED, 0.5);
    }
}

impl VelocityReport {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.f32("longitudinal_velocity", self.longitudinal_velocity);
        to.f32("lateral_velocity", self.lateral_velocity);
        to.f32("heading_rate", self.heading_rate);
    }
}

stream_type! {
    /// Angle of the steered tyres.
    SteeringReport as "autoware_vehicle_msgs/msg/SteeringReport" {
        /// Angle of the tyres, positive counter-clockwise.
        steering_tire_angle: f32, "rad";
    }
    definitions {
        "autoware_vehicle_msgs/SteeringReport":
            "builtin_interfaces/Time stamp\nfloat32 steering_tire_angle\n";
    }
    sources {
        Source::sensor(REPORTS, "steering", &["steering_tire_angle"])
            .frame(Frame::None)
            .while_above(INITIALIZED, 0.5);
    }
}

impl SteeringReport {
    pub(crate) fn write(&self, _: &Stream, to: &mut impl Writer) {
        to.time("stamp", self.stamp);
        to.f32("steering_tire_angle", self.steering_tire_angle);
    }
}
