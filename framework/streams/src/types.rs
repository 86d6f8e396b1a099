//! The table of stream types.
//!
//! Everything about the form of samples follows from it: the order of their values, the columns of CSV files,
//! the definitions of messages, and the table in the book.

use std::borrow::Cow;

use crate::stream::{Count, Field, StreamType};

/// Declares stream types: name, message, meaning, and fields with name, unit, count and meaning.
macro_rules! types {
    ($($(#[$attribute:meta])* $constant:ident: $name:literal as $message:literal, $doc:literal;
        $($field:literal [$unit:literal] $count:expr, $meaning:literal;)*)*) => {
        $(
            #[doc = concat!("[`", $name, "`](https://docs.ros.org/en/jazzy/p/): ", $doc)]
            $(#[$attribute])*
            pub const $constant: StreamType = StreamType {
                name: Cow::Borrowed($name),
                message: Cow::Borrowed($message),
                doc: Cow::Borrowed($doc),
                fields: Cow::Borrowed(&[$(Field {
                    name: Cow::Borrowed($field),
                    unit: Cow::Borrowed($unit),
                    doc: Cow::Borrowed($meaning),
                    count: $count,
                },)*]),
            };
        )*

        /// The types that the host knows, in the order of the book.
        pub const ALL: &[StreamType] = &[$($constant),*];
    };
}

types! {
    ODOMETRY: "Odometry" as "nav_msgs/msg/Odometry",
    "Pose and twist of a vehicle.";
        "position" ["m"] Count::Fixed(3), "x, y, z of the vehicle in the frame of the stream.";
        "orientation" ["rad"] Count::Fixed(3), "Yaw, pitch, roll of the vehicle in the frame of the stream.";
        "linear" ["m/s"] Count::Fixed(2), "Forward and leftward velocity, vehicle frame.";
        "angular" ["rad/s"] Count::One, "Yaw rate, positive counter-clockwise.";

    JOINT_STATE: "JointState" as "sensor_msgs/msg/JointState",
    "Angles and rates of joints: for each wheel the joint of its spin, and for steered wheels that of their steering.";
        "position" ["rad"] Count::PerLabel(1), "Angles.";
        "velocity" ["rad/s"] Count::PerLabel(1), "Rates; that of steering is the mean since the sample before, and 0 in the first one.";

    TRANSFORMS: "Transforms" as "tf2_msgs/msg/TFMessage",
    "Poses of frames, each relative to its parent.";
        "translation" ["m"] Count::PerLabel(3), "x, y, z of the origin of the frame in its parent.";
        "rotation" ["rad"] Count::PerLabel(3), "Yaw, pitch, roll of the frame in its parent.";

    CLOCK: "Clock" as "rosgraph_msgs/msg/Clock",
    "Simulated time, which is the stamp of the sample.";

    LASER_SCAN: "LaserScan" as "sensor_msgs/msg/LaserScan",
    "Ranges of a planar laser. The constants are `angle_min`, `angle_max` and `angle_increment` in rad, counter-clockwise from the x axis of the sensor, `range_min` and `range_max` in m, and `scan_time` and `time_increment` in s.";
        "ranges" ["m"] Count::Rest, "Distance along each ray; infinite or `range_max` if it hits nothing.";

    RANGE: "Range" as "sensor_msgs/msg/Range",
    "Distance of the nearest object in a cone. The constants are `field_of_view` in rad, `min_range` and `max_range` in m, and `radiation_type`: 0 ultrasound, 1 infrared.";
        "range" ["m"] Count::One, "Distance.";

    IMU: "Imu" as "sensor_msgs/msg/Imu",
    "Measurements of an inertial sensor in its frame.";
        "orientation" ["rad"] Count::Fixed(3), "Yaw, pitch, roll in the world; NaN if the sensor does not measure it.";
        "angular_velocity" ["rad/s"] Count::Fixed(3), "Angular velocity about x, y, z.";
        "linear_acceleration" ["m/s²"] Count::Fixed(3), "Specific force along x, y, z: at rest, gravity upwards.";

    NAV_SAT_FIX: "NavSatFix" as "sensor_msgs/msg/NavSatFix",
    "Position on the ellipsoid WGS 84.";
        "latitude" ["deg"] Count::One, "Latitude, positive northwards.";
        "longitude" ["deg"] Count::One, "Longitude, positive eastwards.";
        "altitude" ["m"] Count::One, "Height above the ellipsoid.";
        "status" ["1"] Count::One, "-1 without a fix, 0 with one, 1 with satellite corrections, 2 with ground corrections.";

    MAGNETIC_FIELD: "MagneticField" as "sensor_msgs/msg/MagneticField",
    "Magnetic field in the frame of the sensor.";
        "field" ["T"] Count::Fixed(3), "Flux density along x, y, z.";

    FLUID_PRESSURE: "FluidPressure" as "sensor_msgs/msg/FluidPressure",
    "Pressure of the surrounding air or water.";
        "pressure" ["Pa"] Count::One, "Absolute pressure.";
        "variance" ["Pa²"] Count::One, "Variance; 0 if unknown.";

    POINT_CLOUD: "PointCloud" as "sensor_msgs/msg/PointCloud2",
    "Points in the frame of the sensor. The labels name the values of a point: `x`, `y`, `z` in m, and others such as `intensity`.";
        "points" [""] Count::Rest, "The values of the first point, then those of the next.";

    IMAGE: "Image" as "sensor_msgs/msg/Image",
    "Picture of a camera, row by row from the top.";
        "height" ["px"] Count::One, "Number of rows.";
        "width" ["px"] Count::One, "Number of columns.";
        "step" ["B"] Count::One, "Bytes per row.";
        "encoding" [""] Count::Text, "Form of a pixel, such as `rgb8`, `mono16` or `32FC1`.";
        "data" [""] Count::Bytes, "The pixels, little endian.";

    CAMERA_INFO: "CameraInfo" as "sensor_msgs/msg/CameraInfo",
    "Calibration of a camera.";
        "height" ["px"] Count::One, "Number of rows.";
        "width" ["px"] Count::One, "Number of columns.";
        "k" ["px"] Count::Fixed(9), "Intrinsic matrix, row by row.";
        "r" ["1"] Count::Fixed(9), "Rectification, row by row.";
        "p" ["px"] Count::Fixed(12), "Projection, row by row.";
        "distortion" ["1"] Count::Rest, "Parameters of the model of distortion.";
        "model" [""] Count::Text, "Model of distortion, such as `plumb_bob`.";

    OCCUPANCY_GRID: "OccupancyGrid" as "nav_msgs/msg/OccupancyGrid",
    "Map of cells. Rows follow each other along y from the origin.";
        "resolution" ["m"] Count::One, "Edge of a cell.";
        "width" ["1"] Count::One, "Cells along x.";
        "height" ["1"] Count::One, "Cells along y.";
        "origin" ["m"] Count::Fixed(3), "x, y, z of the corner of the first cell.";
        "yaw" ["rad"] Count::One, "Rotation of the map about this corner.";
        "data" ["%"] Count::Bytes, "Probability that a cell is occupied, 0 to 100; 255 (-1) if unknown.";

    DIAGNOSTICS: "Diagnostics" as "diagnostic_msgs/msg/DiagnosticArray",
    "States of parts. The labels are the keys of further values of a state.";
        "level" ["1"] Count::Rest, "Level of each state: 0 normal, 1 warning, 2 error, 3 stale.";
        "texts" [""] Count::Texts(3), "Name of the part, message and hardware of each state, and its further values.";

    MARKERS: "Markers" as "visualization_msgs/msg/MarkerArray",
    "Shapes of a scene. The labels are their namespaces; each has a frame.";
        "markers" [""] Count::Rest, "For each label: its number of markers. Then for each marker: the kind (1 cuboid, 2 sphere, 3 cylinder, 4 line strip, 5 line list, 11 triangles); x, y, z in m and yaw, pitch, roll in rad; its size along x, y, z in m (of a line: its width, 0, 0; of triangles: 1, 1, 1); red, green, blue and opacity from 0 to 1; the number of its points, and their x, y, z in m.";

    WHEELS: "Wheels" as "simhost_msgs/msg/Wheels",
    "States of the wheels of a vehicle, and the forces on them.";
        "x" ["m"] Count::PerLabel(1), "Position ahead of the reference point of the vehicle.";
        "y" ["m"] Count::PerLabel(1), "Position left of the reference point of the vehicle.";
        "spin" ["rad/s"] Count::PerLabel(1), "Spin, positive when rolling forwards.";
        "angle" ["rad"] Count::PerLabel(1), "Rotation about the axle, not wrapped.";
        "steer" ["rad"] Count::PerLabel(1), "Steering angle, positive counter-clockwise.";
        "torque" ["N·m"] Count::PerLabel(1), "Motor torque, positive forwards.";
        "normal_force" ["N"] Count::PerLabel(1), "Normal load, with the weight of the wheel.";
        "vx" ["m/s"] Count::PerLabel(1), "Forward velocity of the wheel centre in the last step, vehicle frame.";
        "vy" ["m/s"] Count::PerLabel(1), "Leftward velocity of the wheel centre in the last step, vehicle frame.";
        "fx" ["N"] Count::PerLabel(1), "Forward force of the ground in the last step, vehicle frame.";
        "fy" ["N"] Count::PerLabel(1), "Leftward force of the ground in the last step, vehicle frame.";

    TWIST: "Twist" as "geometry_msgs/msg/Twist",
    "Setpoint of the velocity of a vehicle, vehicle frame.";
        "linear" ["m/s"] Count::Fixed(3), "Velocity along x, y, z; z is ignored.";
        "angular" ["rad/s"] Count::Fixed(3), "Angular velocity about x, y, z; those about x and y are ignored.";

    ACKERMANN_DRIVE: "AckermannDrive" as "ackermann_msgs/msg/AckermannDriveStamped",
    "Setpoints of speed and steering of a vehicle.";
        "speed" ["m/s"] Count::One, "Forward speed.";
        "steering_angle" ["rad"] Count::One, "Steering angle of the bicycle model, positive counter-clockwise.";

    POSE: "Pose" as "geometry_msgs/msg/PoseStamped",
    "Pose in the frame of the stream.";
        "position" ["m"] Count::Fixed(3), "x, y, z.";
        "orientation" ["rad"] Count::Fixed(3), "Yaw, pitch, roll.";

    PARAMETER: "Parameter" as "simhost_msgs/msg/Parameter",
    "Value of a parameter of a model.";
        "name" [""] Count::Text, "Name: `VEHICLE/ROLE/KEY`, such as `robot/controller/KP`.";
        "value" [""] Count::Text, "Value as in a world file.";

    RECORDING: "Recording" as "simhost_msgs/msg/Recording",
    "Switch of the log of a vehicle.";
        "vehicle" [""] Count::Text, "Name of the vehicle; empty for all vehicles.";
        "action" [""] Count::Text, "`on`, `off`, or `new` for a log in new files.";

    BOOL: "Bool" as "std_msgs/msg/Bool",
    "A truth value.";
        "data" ["1"] Count::One, "0 or 1.";

    COUNT: "Count" as "std_msgs/msg/UInt64",
    "A count.";
        "data" ["1"] Count::One, "The count.";

    NUMBER: "Number" as "std_msgs/msg/Float64",
    "A number.";
        "data" ["1"] Count::One, "The number.";

    VEHICLE_ODOMETRY: "VehicleOdometry" as "nav_msgs/msg/Odometry",
    "Measured pose and twist of a vehicle, with the variances of its position.";
        "position" ["m"] Count::Fixed(3), "x, y, z of the vehicle in the frame of the stream.";
        "orientation" ["rad"] Count::Fixed(3), "Yaw, pitch, roll of the vehicle in the frame of the stream.";
        "linear" ["m/s"] Count::Fixed(2), "Forward and leftward velocity, vehicle frame.";
        "angular" ["rad/s"] Count::One, "Yaw rate, positive counter-clockwise.";
        "variance" ["m²"] Count::Fixed(2), "Variances of x and y, the first two numbers of the diagonal of the covariance.";

    ACCELERATION: "Acceleration" as "geometry_msgs/msg/AccelWithCovarianceStamped",
    "Acceleration of a vehicle in its frame. The constant is `variance` in m²/s⁴, that of each component.";
        "linear" ["m/s²"] Count::Fixed(3), "Acceleration along x, y, z.";

    VELOCITY_REPORT: "VelocityReport" as "autoware_vehicle_msgs/msg/VelocityReport",
    "Velocity of a vehicle in its frame.";
        "longitudinal_velocity" ["m/s"] Count::One, "Forward velocity.";
        "lateral_velocity" ["m/s"] Count::One, "Leftward velocity.";
        "heading_rate" ["rad/s"] Count::One, "Yaw rate, positive counter-clockwise.";

    STEERING_REPORT: "SteeringReport" as "autoware_vehicle_msgs/msg/SteeringReport",
    "Angle of the steered tyres.";
        "steering_tire_angle" ["rad"] Count::One, "Angle of the tyres, positive counter-clockwise.";

    GEAR_REPORT: "GearReport" as "autoware_vehicle_msgs/msg/GearReport",
    "Gear of a vehicle.";
        "report" ["1"] Count::One, "Number of the gear: 0 NONE, 1 NEUTRAL, 2 to 19 DRIVE to DRIVE_18, 20 REVERSE, 21 REVERSE_2, 22 PARK, 23 LOW, 24 LOW_2.";

    CONTROL_MODE_REPORT: "ControlModeReport" as "autoware_vehicle_msgs/msg/ControlModeReport",
    "Mode in which a vehicle is controlled.";
        "mode" ["1"] Count::One, "1 AUTONOMOUS, 4 MANUAL.";

    TURN_INDICATORS_REPORT: "TurnIndicatorsReport" as "autoware_vehicle_msgs/msg/TurnIndicatorsReport",
    "State of the turn indicators.";
        "report" ["1"] Count::One, "1 DISABLE, 2 ENABLE_LEFT, 3 ENABLE_RIGHT.";

    HAZARD_LIGHTS_REPORT: "HazardLightsReport" as "autoware_vehicle_msgs/msg/HazardLightsReport",
    "State of the hazard lights.";
        "report" ["1"] Count::One, "1 DISABLE, 2 ENABLE.";

    ACTUATION_STATUS: "ActuationStatus" as "tier4_vehicle_msgs/msg/ActuationStatusStamped",
    "Positions of the pedals and of the steering.";
        "accel_status" ["1"] Count::One, "Accelerator pedal.";
        "brake_status" ["1"] Count::One, "Brake pedal.";
        "steer_status" ["rad"] Count::One, "Steering wheel, or tyre where there is no wheel.";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn types_have_different_names_and_meanings_that_are_sentences() {
        let mut names: Vec<&str> = ALL.iter().map(|kind| kind.name.as_ref()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for kind in ALL {
            let docs = kind.fields.iter().map(|field| &field.doc).chain([&kind.doc]);
            docs.for_each(|doc| assert!(doc.ends_with('.'), "{}: {doc}", kind.name));
        }
    }
}
