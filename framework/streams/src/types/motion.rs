//! Poses, velocities and accelerations.

use super::declare::stream_type;
use super::fields::PerLabel;
use crate::ros::TWIST;
use crate::ros::writer::Writer;
use crate::source::{Frame, INITIALIZED, Labels, REPORTS, Source};
use crate::stream::Stream;

stream_type! {
    /// Pose and twist of a vehicle.
    Odometry as "nav_msgs/msg/Odometry" {
        /// x, y, z of the vehicle in the frame of the stream.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll of the vehicle in the frame of the stream.
        orientation: [f64; 3], "rad";
        /// Forward and leftward velocity, vehicle frame.
        linear: [f64; 2], "m/s";
        /// Yaw rate, positive counter-clockwise.
        angular: f64, "rad/s";
    }
    definitions {
        "nav_msgs/Odometry": DEFINITION;
    }
    sources {
        Source::vehicle("odometry", &["odometry_pose", "odometry_twist"])
            .doc(
                "Odometry from the wheels, as the dynamics class measures it: the pose has the multipliers of \
                 <odometry> in the world. Sensors report odometry as VEH/SENSOR/odometry.",
            )
            .frame(Frame::Odometry)
            .child_frame(Frame::Vehicle);
        Source::vehicle("ground_truth", &["pose", "twist"])
            .doc("True pose and twist.")
            .frame(Frame::Map)
            .child_frame(Frame::Vehicle);
    }
}

/// Definition of the message.
pub(super) const DEFINITION: &str = "std_msgs/Header header\nstring child_frame_id\n\
     geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n";

impl Odometry {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        self.write_with([0.0; 6], [0.0; 6], stream, to);
    }

    /// Writes the message with these diagonals of the covariances of pose and twist.
    pub(super) fn write_with(
        &self,
        pose: [f64; 6],
        twist: [f64; 6],
        stream: &Stream,
        to: &mut impl Writer,
    ) {
        to.header(self.stamp, &stream.frame);
        to.frame("child_frame_id", &stream.child_frame);
        to.open("pose");
        to.pose("pose", self.position, self.orientation);
        to.covariance("covariance", pose);
        to.close();
        to.open("twist");
        to.open("twist");
        let [vx, vy] = self.linear;
        to.vector("linear", [vx, vy, 0.0]);
        to.vector("angular", [0.0, 0.0, self.angular]);
        to.close();
        to.covariance("covariance", twist);
        to.close();
    }
}

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

stream_type! {
    /// Poses of frames, each relative to its parent.
    Transforms<'a> as "tf2_msgs/msg/TFMessage" {
        /// x, y, z of the origin of the frame in its parent.
        translation: PerLabel<'a, [f64; 3]>, "m";
        /// Yaw, pitch, roll of the frame in its parent.
        rotation: PerLabel<'a, [f64; 3]>, "rad";
    }
    definitions {
        "tf2_msgs/TFMessage":
            "geometry_msgs/TransformStamped[] transforms\n";
        "geometry_msgs/TransformStamped":
            "std_msgs/Header header\nstring child_frame_id\nTransform transform\n";
        "geometry_msgs/Transform":
            "Vector3 translation\nQuaternion rotation\n";
    }
    sources {
        Source::sensor(REPORTS, "tf", &[
            "position_x", "position_y", "position_z",
            "orientation_yaw", "orientation_pitch", "orientation_roll",
        ])
        .frame(Frame::Parameter("origin_frame_id"))
        .child_frame(Frame::Parameter("simulated_frame_id"))
        .labels(Labels::ChildFrame)
        .replaced("position_z", "reported_z")
        .while_above(INITIALIZED, 0.5);
    }
}

impl Transforms<'_> {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.list("transforms", stream.labels.len());
        for (index, frame) in stream.labels.iter().enumerate() {
            let part = |poses: &[[f64; 3]]| poses.get(index).copied().unwrap_or_default();
            to.open("");
            to.header(self.stamp, stream.label_frame(index));
            to.frame("child_frame_id", frame);
            to.open("transform");
            to.vector("translation", part(&self.translation));
            to.orientation("rotation", part(&self.rotation));
            to.close();
            to.close();
        }
        to.end();
    }
}

/// Variance of each component in the messages of Autoware, m²/s⁴.
const VARIANCE: f64 = 0.001;

stream_type! {
    /// Acceleration of a vehicle in its frame. The constant is `variance` in m²/s⁴, for each
    /// component.
    Acceleration as "geometry_msgs/msg/AccelWithCovarianceStamped" {
        /// Acceleration along x, y, z.
        linear: [f64; 3], "m/s²";
    }
    constants {
        /// Variance of each component, m²/s⁴.
        variance: f64;
    }
    definitions {
        "geometry_msgs/AccelWithCovarianceStamped":
            "std_msgs/Header header\nAccelWithCovariance accel\n";
        "geometry_msgs/AccelWithCovariance":
            "Accel accel\nfloat64[36] covariance\n";
        "geometry_msgs/Accel":
            "Vector3 linear\nVector3 angular\n";
    }
    sources {
        Source::sensor(REPORTS, "acceleration", &["acceleration_x", "acceleration_y", "acceleration_z"])
            .frame(Frame::Parameter("simulated_frame_id"))
            .while_above(INITIALIZED, 0.5)
            .constants(|_| vec![("variance".into(), VARIANCE)]);
    }
}

impl Acceleration {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("accel");
        to.open("accel");
        to.vector("linear", self.linear);
        to.vector("angular", [0.0; 3]);
        to.close();
        to.covariance("covariance", [self.variance; 6]);
        to.close();
    }
}

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

stream_type! {
    /// Pose in the frame of the stream.
    Pose as "geometry_msgs/msg/PoseStamped" {
        /// x, y, z.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll.
        orientation: [f64; 3], "rad";
    }
    definitions {
        "geometry_msgs/PoseStamped":
            "std_msgs/Header header\nPose pose\n";
    }
}

impl Pose {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.pose("pose", self.position, self.orientation);
    }
}

stream_type! {
    /// Pose in the frame of the stream, such as the initial pose of a localisation.
    PoseWithCovariance as "geometry_msgs/msg/PoseWithCovarianceStamped" {
        /// x, y, z.
        position: [f64; 3], "m";
        /// Yaw, pitch, roll.
        orientation: [f64; 3], "rad";
    }
    definitions {
        "geometry_msgs/PoseWithCovarianceStamped":
            "std_msgs/Header header\ngeometry_msgs/PoseWithCovariance pose\n";
    }
}

impl PoseWithCovariance {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.open("pose");
        to.pose("pose", self.position, self.orientation);
        to.covariance("covariance", [0.0; 6]);
        to.close();
    }
}
