//! The messages of the known types.

use super::quaternion::quaternion;
use super::writer::{Length, Number, Width, Writer};
use super::{autoware, generic, markers};
use crate::sample::Sample;
use crate::stamp::Stamp;
use crate::stream::{Count, Stream};

/// Zeros for covariances, which stand for unknown ones.
const UNKNOWN: [f64; 36] = [0.0; 36];

/// Writes a sample as the message of its type.
pub(super) fn write(stream: &Stream, sample: &Sample<'_>, to: &mut dyn Writer) {
    let message = Message { stream, sample };
    if autoware::write(&message, to) {
        return;
    }
    match stream.kind.message.as_ref() {
        "nav_msgs/msg/Odometry" => message.odometry(to),
        "sensor_msgs/msg/JointState" => message.joint_state(to),
        "tf2_msgs/msg/TFMessage" => message.transforms(to),
        "rosgraph_msgs/msg/Clock" => time("clock", sample.stamp, to),
        "sensor_msgs/msg/LaserScan" => message.laser_scan(to),
        "sensor_msgs/msg/Range" => message.range(to),
        "sensor_msgs/msg/Imu" => message.imu(to),
        "sensor_msgs/msg/NavSatFix" => message.nav_sat_fix(to),
        "sensor_msgs/msg/MagneticField" => message.magnetic_field(to),
        "sensor_msgs/msg/FluidPressure" => message.fluid_pressure(to),
        "sensor_msgs/msg/PointCloud2" => message.point_cloud(to),
        "sensor_msgs/msg/Image" => message.image(to),
        "sensor_msgs/msg/CameraInfo" => message.camera_info(to),
        "nav_msgs/msg/OccupancyGrid" => message.occupancy_grid(to),
        "diagnostic_msgs/msg/DiagnosticArray" => message.diagnostics(to),
        "visualization_msgs/msg/MarkerArray" => markers::write(stream, sample, to),
        "geometry_msgs/msg/Twist" => message.twist(to),
        "geometry_msgs/msg/PoseStamped" => {
            message.header(to);
            pose("pose", message.array("position"), message.array("orientation"), to);
        }
        "ackermann_msgs/msg/AckermannDriveStamped" => message.ackermann(to),
        "std_msgs/msg/Bool" => to.number("data", Number::Bool(message.one("data") != 0.0)),
        "std_msgs/msg/UInt64" => to.number("data", Number::U64(message.one("data") as u64)),
        "std_msgs/msg/Float64" => to.number("data", Number::F64(message.one("data"))),
        _ => generic::write(stream, sample, to),
    }
}

/// Writes a time: whole seconds and nanoseconds.
pub(super) fn time(name: &str, stamp: Stamp, to: &mut dyn Writer) {
    let (seconds, nanoseconds) = stamp.parts();
    to.open(name);
    // ROS has 32 bits for seconds, which are enough for 68 years
    to.number("sec", Number::I32(i32::try_from(seconds).unwrap_or(i32::MAX)));
    to.number("nanosec", Number::U32(nanoseconds));
    to.close();
}

/// Writes the header of a message.
pub(super) fn header(stamp: Stamp, frame: &str, to: &mut dyn Writer) {
    to.open("header");
    time("stamp", stamp, to);
    to.text("frame_id", frame);
    to.close();
}

/// Writes a vector or a point.
pub(super) fn vector(name: &str, [x, y, z]: [f64; 3], to: &mut dyn Writer) {
    to.open(name);
    to.number("x", Number::F64(x));
    to.number("y", Number::F64(y));
    to.number("z", Number::F64(z));
    to.close();
}

/// Writes yaw, pitch and roll as a quaternion.
fn orientation(name: &str, angles: [f64; 3], to: &mut dyn Writer) {
    let [x, y, z, w] = quaternion(angles);
    to.open(name);
    to.number("x", Number::F64(x));
    to.number("y", Number::F64(y));
    to.number("z", Number::F64(z));
    to.number("w", Number::F64(w));
    to.close();
}

/// Writes a pose.
pub(super) fn pose(name: &str, position: [f64; 3], angles: [f64; 3], to: &mut dyn Writer) {
    to.open(name);
    vector("position", position, to);
    orientation("orientation", angles, to);
    to.close();
}

fn covariance(name: &str, count: usize, to: &mut dyn Writer) {
    to.numbers(name, &UNKNOWN[..count], Width::F64, Length::Fixed);
}

/// Writes a covariance of 6 × 6 numbers with this diagonal.
pub(super) fn diagonal(name: &str, variances: [f64; 6], to: &mut dyn Writer) {
    let mut all = UNKNOWN;
    for (place, variance) in variances.into_iter().enumerate() {
        all[7 * place] = variance;
    }
    to.numbers(name, &all, Width::F64, Length::Fixed);
}

/// Returns a number as an unsigned integer; 0 if it is negative or NaN.
fn unsigned(value: f64) -> Number {
    Number::U32(value as u32)
}

/// A sample with its stream.
pub(super) struct Message<'a> {
    pub stream: &'a Stream,
    pub sample: &'a Sample<'a>,
}

impl Message<'_> {
    /// Returns the numbers of a field; none if the type does not have it or the sample is too short.
    fn field(&self, name: &str) -> &[f64] {
        self.stream.numbers_of(name, self.sample.numbers)
    }

    /// Returns the first numbers of a field; those that are missing are NaN.
    pub(super) fn array<const N: usize>(&self, name: &str) -> [f64; N] {
        let numbers = self.field(name);
        std::array::from_fn(|index| numbers.get(index).copied().unwrap_or(f64::NAN))
    }

    pub(super) fn one(&self, name: &str) -> f64 {
        self.array::<1>(name)[0]
    }

    pub(super) fn constant(&self, name: &str) -> f64 {
        self.stream.constant(name).unwrap_or(0.0)
    }

    fn text(&self, index: usize) -> &str {
        self.sample.texts.get(index).map_or("", String::as_str)
    }

    pub(super) fn header(&self, to: &mut dyn Writer) {
        header(self.sample.stamp, &self.stream.frame, to);
    }

    fn odometry(&self, to: &mut dyn Writer) {
        self.header(to);
        to.text("child_frame_id", &self.stream.child_frame);
        to.open("pose");
        pose("pose", self.array("position"), self.array("orientation"), to);
        match *self.field("variance") {
            [x, y] => diagonal("covariance", [x, y, 0.0, 0.0, 0.0, 0.0], to),
            _ => covariance("covariance", 36, to),
        }
        to.close();
        to.open("twist");
        let [vx, vy] = self.array("linear");
        to.open("twist");
        vector("linear", [vx, vy, 0.0], to);
        vector("angular", [0.0, 0.0, self.one("angular")], to);
        to.close();
        covariance("covariance", 36, to);
        to.close();
    }

    fn joint_state(&self, to: &mut dyn Writer) {
        self.header(to);
        labels("name", self.stream, to);
        to.numbers("position", self.field("position"), Width::F64, Length::Variable);
        to.numbers("velocity", self.field("velocity"), Width::F64, Length::Variable);
        to.numbers("effort", &[], Width::F64, Length::Variable);
    }

    fn transforms(&self, to: &mut dyn Writer) {
        let (translations, rotations) = (self.field("translation"), self.field("rotation"));
        to.list("transforms", self.stream.labels.len());
        let poses = translations.as_chunks::<3>().0.iter().zip(rotations.as_chunks::<3>().0);
        let nothing = [0.0; 3];
        let mut poses = poses.chain(std::iter::repeat((&nothing, &nothing)));
        for (index, frame) in self.stream.labels.iter().enumerate() {
            let (translation, rotation) = poses.next().unwrap_or((&nothing, &nothing));
            to.open("");
            header(self.sample.stamp, self.stream.label_frame(index), to);
            to.text("child_frame_id", frame);
            to.open("transform");
            vector("translation", *translation, to);
            orientation("rotation", *rotation, to);
            to.close();
            to.close();
        }
        to.end();
    }

    fn laser_scan(&self, to: &mut dyn Writer) {
        self.header(to);
        let constants = [
            "angle_min",
            "angle_max",
            "angle_increment",
            "time_increment",
            "scan_time",
            "range_min",
            "range_max",
        ];
        for name in constants {
            to.number(name, Number::F32(self.constant(name) as f32));
        }
        to.numbers("ranges", self.field("ranges"), Width::F32, Length::Variable);
        to.numbers("intensities", &[], Width::F32, Length::Variable);
    }

    fn range(&self, to: &mut dyn Writer) {
        self.header(to);
        to.number("radiation_type", Number::U8(self.constant("radiation_type") as u8));
        for name in ["field_of_view", "min_range", "max_range"] {
            to.number(name, Number::F32(self.constant(name) as f32));
        }
        to.number("range", Number::F32(self.one("range") as f32));
        to.number("variance", Number::F32(0.0));
    }

    fn imu(&self, to: &mut dyn Writer) {
        self.header(to);
        let angles: [f64; 3] = self.array("orientation");
        let is_known = angles.iter().all(|angle| angle.is_finite());
        orientation("orientation", if is_known { angles } else { [0.0; 3] }, to);
        // a first element of -1 marks a quantity that is not measured
        let mut known = [0.0; 9];
        known[0] = if is_known { 0.0 } else { -1.0 };
        to.numbers("orientation_covariance", &known, Width::F64, Length::Fixed);
        vector("angular_velocity", self.array("angular_velocity"), to);
        covariance("angular_velocity_covariance", 9, to);
        vector("linear_acceleration", self.array("linear_acceleration"), to);
        covariance("linear_acceleration_covariance", 9, to);
    }

    fn nav_sat_fix(&self, to: &mut dyn Writer) {
        const GPS: u16 = 1;
        self.header(to);
        to.open("status");
        to.number("status", Number::I8(self.one("status") as i8));
        to.number("service", Number::U16(GPS));
        to.close();
        for name in ["latitude", "longitude", "altitude"] {
            to.number(name, Number::F64(self.one(name)));
        }
        covariance("position_covariance", 9, to);
        to.number("position_covariance_type", Number::U8(0));
    }

    fn magnetic_field(&self, to: &mut dyn Writer) {
        self.header(to);
        vector("magnetic_field", self.array("field"), to);
        covariance("magnetic_field_covariance", 9, to);
    }

    fn fluid_pressure(&self, to: &mut dyn Writer) {
        self.header(to);
        to.number("fluid_pressure", Number::F64(self.one("pressure")));
        to.number("variance", Number::F64(self.one("variance")));
    }

    fn point_cloud(&self, to: &mut dyn Writer) {
        const FLOAT32: u8 = 7;
        const FLOAT32_BYTES: usize = 4;
        let (values, names) = (self.field("points"), &self.stream.labels);
        let step = FLOAT32_BYTES * names.len();
        let points = values.len().checked_div(names.len()).unwrap_or(0);
        let count = |count: usize| Number::U32(count as u32);
        self.header(to);
        to.number("height", Number::U32(1));
        to.number("width", count(points));
        to.list("fields", names.len());
        for (index, name) in names.iter().enumerate() {
            to.open("");
            to.text("name", name);
            to.number("offset", count(FLOAT32_BYTES * index));
            to.number("datatype", Number::U8(FLOAT32));
            to.number("count", Number::U32(1));
            to.close();
        }
        to.end();
        to.number("is_bigendian", Number::Bool(false));
        to.number("point_step", count(step));
        to.number("row_step", count(step * points));
        let whole = &values[..points * names.len()];
        to.packed("data", whole);
        let is_dense = whole.iter().all(|value| value.is_finite());
        to.number("is_dense", Number::Bool(is_dense));
    }

    fn image(&self, to: &mut dyn Writer) {
        self.header(to);
        to.number("height", unsigned(self.one("height")));
        to.number("width", unsigned(self.one("width")));
        to.text("encoding", self.text(0));
        to.number("is_bigendian", Number::U8(0));
        to.number("step", unsigned(self.one("step")));
        to.bytes("data", self.sample.bytes, false);
    }

    fn camera_info(&self, to: &mut dyn Writer) {
        self.header(to);
        to.number("height", unsigned(self.one("height")));
        to.number("width", unsigned(self.one("width")));
        to.text("distortion_model", self.text(0));
        to.numbers("d", self.field("distortion"), Width::F64, Length::Variable);
        to.numbers("k", &self.array::<9>("k"), Width::F64, Length::Fixed);
        to.numbers("r", &self.array::<9>("r"), Width::F64, Length::Fixed);
        to.numbers("p", &self.array::<12>("p"), Width::F64, Length::Fixed);
        to.number("binning_x", Number::U32(0));
        to.number("binning_y", Number::U32(0));
        to.open("roi");
        for name in ["x_offset", "y_offset", "height", "width"] {
            to.number(name, Number::U32(0));
        }
        to.number("do_rectify", Number::Bool(false));
        to.close();
    }

    fn occupancy_grid(&self, to: &mut dyn Writer) {
        self.header(to);
        to.open("info");
        time("map_load_time", Stamp::default(), to);
        to.number("resolution", Number::F32(self.one("resolution") as f32));
        to.number("width", unsigned(self.one("width")));
        to.number("height", unsigned(self.one("height")));
        pose("origin", self.array("origin"), [self.one("yaw"), 0.0, 0.0], to);
        to.close();
        to.bytes("data", self.sample.bytes, true);
    }

    fn diagnostics(&self, to: &mut dyn Writer) {
        let (levels, keys) = (self.field("level"), &self.stream.labels);
        let texts_per_state = 3 + keys.len();
        self.header(to);
        to.list("status", levels.len());
        for (index, level) in levels.iter().enumerate() {
            let text = |place: usize| self.text(index * texts_per_state + place);
            to.open("");
            to.number("level", Number::U8(*level as u8));
            to.text("name", text(0));
            to.text("message", text(1));
            to.text("hardware_id", text(2));
            to.list("values", keys.len());
            for (place, key) in keys.iter().enumerate() {
                to.open("");
                to.text("key", key);
                to.text("value", text(3 + place));
                to.close();
            }
            to.end();
            to.close();
        }
        to.end();
    }

    fn twist(&self, to: &mut dyn Writer) {
        vector("linear", self.array("linear"), to);
        vector("angular", self.array("angular"), to);
    }

    fn ackermann(&self, to: &mut dyn Writer) {
        self.header(to);
        to.open("drive");
        to.number("steering_angle", Number::F32(self.one("steering_angle") as f32));
        to.number("steering_angle_velocity", Number::F32(0.0));
        to.number("speed", Number::F32(self.one("speed") as f32));
        to.number("acceleration", Number::F32(0.0));
        to.number("jerk", Number::F32(0.0));
        to.close();
    }
}

/// Writes the labels of a stream.
pub(super) fn labels(name: &str, stream: &Stream, to: &mut dyn Writer) {
    to.list(name, stream.labels.len());
    stream.labels.iter().for_each(|label| to.text("", label));
    to.end();
}

/// Returns whether a type has labels in its samples.
pub(super) fn has_labels(stream: &crate::stream::StreamType) -> bool {
    stream.fields.iter().any(|field| matches!(field.count, Count::PerLabel(_)))
}
