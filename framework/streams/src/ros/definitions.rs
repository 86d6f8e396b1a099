//! Definitions of ROS 2 messages that several types contain, without their comments
//! (`common_interfaces`, branch for ROS 2 Jazzy). Definitions for a single type are in the file of
//! the type; they come from `common_interfaces`, `geometry2`, `ackermann_msgs`, `autoware_msgs` and
//! `tier4_autoware_msgs`.

/// Definition of `geometry_msgs/Twist`.
pub(crate) const TWIST: &str = "Vector3 linear\nVector3 angular\n";

/// Names and definitions.
pub(super) const SHARED: &[(&str, &str)] = &[
    ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
    ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"),
    ("geometry_msgs/Pose", "Point position\nQuaternion orientation\n"),
    ("geometry_msgs/PoseWithCovariance", "Pose pose\nfloat64[36] covariance\n"),
    ("geometry_msgs/Twist", TWIST),
    ("geometry_msgs/TwistWithCovariance", "Twist twist\nfloat64[36] covariance\n"),
];
