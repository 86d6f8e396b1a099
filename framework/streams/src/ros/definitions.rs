//! Definitions of ROS 2 messages, without their comments (`common_interfaces`, `rcl_interfaces`,
//! `geometry2` and `ackermann_msgs`, branches for ROS 2 Jazzy; `autoware_msgs` and `tier4_autoware_msgs`).

/// Returns the definition of a message, such as `nav_msgs/Odometry`.
pub(super) fn find(name: &str) -> Option<&'static str> {
    DEFINITIONS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns the names of all definitions.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DEFINITIONS.iter().map(|(name, _)| *name)
}

/// Names and definitions.
const DEFINITIONS: &[(&str, &str)] = &[
    ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
    ("builtin_interfaces/Duration", "int32 sec\nuint32 nanosec\n"),
    ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("std_msgs/Bool", "bool data\n"),
    ("std_msgs/UInt64", "uint64 data\n"),
    ("std_msgs/Float64", "float64 data\n"),
    ("std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"),
    ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"),
    ("geometry_msgs/Pose", "Point position\nQuaternion orientation\n"),
    ("geometry_msgs/PoseStamped", "std_msgs/Header header\nPose pose\n"),
    ("geometry_msgs/PoseWithCovariance", "Pose pose\nfloat64[36] covariance\n"),
    ("geometry_msgs/Twist", "Vector3 linear\nVector3 angular\n"),
    ("geometry_msgs/TwistWithCovariance", "Twist twist\nfloat64[36] covariance\n"),
    ("geometry_msgs/Transform", "Vector3 translation\nQuaternion rotation\n"),
    (
        "geometry_msgs/TransformStamped",
        "std_msgs/Header header\nstring child_frame_id\nTransform transform\n",
    ),
    (
        "ackermann_msgs/AckermannDrive",
        "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\n\
         float32 acceleration\nfloat32 jerk\n",
    ),
    (
        "ackermann_msgs/AckermannDriveStamped",
        "std_msgs/Header header\nackermann_msgs/AckermannDrive drive\n",
    ),
    (
        "nav_msgs/Odometry",
        "std_msgs/Header header\nstring child_frame_id\n\
         geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n",
    ),
    (
        "nav_msgs/MapMetaData",
        "builtin_interfaces/Time map_load_time\nfloat32 resolution\nuint32 width\nuint32 height\n\
         geometry_msgs/Pose origin\n",
    ),
    ("nav_msgs/OccupancyGrid", "std_msgs/Header header\nMapMetaData info\nint8[] data\n"),
    (
        "sensor_msgs/LaserScan",
        "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\n\
         float32 time_increment\nfloat32 scan_time\nfloat32 range_min\nfloat32 range_max\n\
         float32[] ranges\nfloat32[] intensities\n",
    ),
    (
        "sensor_msgs/Range",
        "std_msgs/Header header\nuint8 ULTRASOUND=0\nuint8 INFRARED=1\nuint8 radiation_type\n\
         float32 field_of_view\nfloat32 min_range\nfloat32 max_range\nfloat32 range\n\
         float32 variance\n",
    ),
    (
        "sensor_msgs/Imu",
        "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\n\
         float64[9] orientation_covariance\ngeometry_msgs/Vector3 angular_velocity\n\
         float64[9] angular_velocity_covariance\ngeometry_msgs/Vector3 linear_acceleration\n\
         float64[9] linear_acceleration_covariance\n",
    ),
    (
        "sensor_msgs/NavSatStatus",
        "int8 STATUS_UNKNOWN=-2\nint8 STATUS_NO_FIX=-1\nint8 STATUS_FIX=0\nint8 STATUS_SBAS_FIX=1\n\
         int8 STATUS_GBAS_FIX=2\nint8 status -2\nuint16 SERVICE_UNKNOWN=0\nuint16 SERVICE_GPS=1\n\
         uint16 SERVICE_GLONASS=2\nuint16 SERVICE_COMPASS=4\nuint16 SERVICE_GALILEO=8\n\
         uint16 service\n",
    ),
    (
        "sensor_msgs/NavSatFix",
        "std_msgs/Header header\nNavSatStatus status\nfloat64 latitude\nfloat64 longitude\n\
         float64 altitude\nfloat64[9] position_covariance\nuint8 COVARIANCE_TYPE_UNKNOWN=0\n\
         uint8 COVARIANCE_TYPE_APPROXIMATED=1\nuint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2\n\
         uint8 COVARIANCE_TYPE_KNOWN=3\nuint8 position_covariance_type\n",
    ),
    (
        "sensor_msgs/MagneticField",
        "std_msgs/Header header\ngeometry_msgs/Vector3 magnetic_field\n\
         float64[9] magnetic_field_covariance\n",
    ),
    (
        "sensor_msgs/FluidPressure",
        "std_msgs/Header header\nfloat64 fluid_pressure\nfloat64 variance\n",
    ),
    (
        "sensor_msgs/JointState",
        "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n\
         float64[] effort\n",
    ),
    (
        "sensor_msgs/PointField",
        "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\n\
         uint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\nuint32 offset\nuint8 datatype\n\
         uint32 count\n",
    ),
    (
        "sensor_msgs/PointCloud2",
        "std_msgs/Header header\nuint32 height\nuint32 width\nPointField[] fields\n\
         bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n",
    ),
    (
        "sensor_msgs/Image",
        "std_msgs/Header header\nuint32 height\nuint32 width\nstring encoding\n\
         uint8 is_bigendian\nuint32 step\nuint8[] data\n",
    ),
    ("sensor_msgs/CompressedImage", "std_msgs/Header header\nstring format\nuint8[] data\n"),
    (
        "sensor_msgs/RegionOfInterest",
        "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify\n",
    ),
    (
        "sensor_msgs/CameraInfo",
        "std_msgs/Header header\nuint32 height\nuint32 width\nstring distortion_model\n\
         float64[] d\nfloat64[9] k\nfloat64[9] r\nfloat64[12] p\nuint32 binning_x\n\
         uint32 binning_y\nRegionOfInterest roi\n",
    ),
    ("tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"),
    ("rosgraph_msgs/Clock", "builtin_interfaces/Time clock\n"),
    ("diagnostic_msgs/KeyValue", "string key\nstring value\n"),
    (
        "diagnostic_msgs/DiagnosticStatus",
        "byte OK=0\nbyte WARN=1\nbyte ERROR=2\nbyte STALE=3\nbyte level\nstring name\n\
         string message\nstring hardware_id\nKeyValue[] values\n",
    ),
    ("diagnostic_msgs/DiagnosticArray", "std_msgs/Header header\nDiagnosticStatus[] status\n"),
    ("visualization_msgs/UVCoordinate", "float32 u\nfloat32 v\n"),
    ("visualization_msgs/MeshFile", "string filename\nuint8[] data\n"),
    (
        "visualization_msgs/Marker",
        "int32 ARROW=0\nint32 CUBE=1\nint32 SPHERE=2\nint32 CYLINDER=3\nint32 LINE_STRIP=4\n\
         int32 LINE_LIST=5\nint32 CUBE_LIST=6\nint32 SPHERE_LIST=7\nint32 POINTS=8\n\
         int32 TEXT_VIEW_FACING=9\nint32 MESH_RESOURCE=10\nint32 TRIANGLE_LIST=11\n\
         int32 ARROW_STRIP=12\nint32 ADD=0\nint32 MODIFY=0\nint32 DELETE=2\nint32 DELETEALL=3\n\
         std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n\
         geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\n\
         builtin_interfaces/Duration lifetime\nbool frame_locked\ngeometry_msgs/Point[] points\n\
         std_msgs/ColorRGBA[] colors\nstring texture_resource\n\
         sensor_msgs/CompressedImage texture\nUVCoordinate[] uv_coordinates\nstring text\n\
         string mesh_resource\nMeshFile mesh_file\nbool mesh_use_embedded_materials\n",
    ),
    ("visualization_msgs/MarkerArray", "Marker[] markers\n"),
    ("geometry_msgs/Accel", "Vector3 linear\nVector3 angular\n"),
    ("geometry_msgs/AccelWithCovariance", "Accel accel\nfloat64[36] covariance\n"),
    (
        "geometry_msgs/AccelWithCovarianceStamped",
        "std_msgs/Header header\nAccelWithCovariance accel\n",
    ),
    (
        "autoware_vehicle_msgs/VelocityReport",
        "std_msgs/Header header\nfloat32 longitudinal_velocity\nfloat32 lateral_velocity\n\
         float32 heading_rate\n",
    ),
    (
        "autoware_vehicle_msgs/SteeringReport",
        "builtin_interfaces/Time stamp\nfloat32 steering_tire_angle\n",
    ),
    (
        "autoware_vehicle_msgs/GearReport",
        "uint8 NONE=0\nuint8 NEUTRAL=1\nuint8 DRIVE=2\nuint8 DRIVE_2=3\nuint8 DRIVE_3=4\n\
         uint8 DRIVE_4=5\nuint8 DRIVE_5=6\nuint8 DRIVE_6=7\nuint8 DRIVE_7=8\nuint8 DRIVE_8=9\n\
         uint8 DRIVE_9=10\nuint8 DRIVE_10=11\nuint8 DRIVE_11=12\nuint8 DRIVE_12=13\n\
         uint8 DRIVE_13=14\nuint8 DRIVE_14=15\nuint8 DRIVE_15=16\nuint8 DRIVE_16=17\n\
         uint8 DRIVE_17=18\nuint8 DRIVE_18=19\nuint8 REVERSE=20\nuint8 REVERSE_2=21\n\
         uint8 PARK=22\nuint8 LOW=23\nuint8 LOW_2=24\nbuiltin_interfaces/Time stamp\n\
         uint8 report\n",
    ),
    (
        "autoware_vehicle_msgs/ControlModeReport",
        "uint8 NO_COMMAND=0\nuint8 AUTONOMOUS=1\nuint8 AUTONOMOUS_STEER_ONLY=2\n\
         uint8 AUTONOMOUS_VELOCITY_ONLY=3\nuint8 MANUAL=4\nuint8 DISENGAGED=5\n\
         uint8 NOT_READY=6\nbuiltin_interfaces/Time stamp\nuint8 mode\n",
    ),
    (
        "autoware_vehicle_msgs/TurnIndicatorsReport",
        "uint8 DISABLE=1\nuint8 ENABLE_LEFT=2\nuint8 ENABLE_RIGHT=3\n\
         builtin_interfaces/Time stamp\nuint8 report\n",
    ),
    (
        "autoware_vehicle_msgs/HazardLightsReport",
        "uint8 DISABLE=1\nuint8 ENABLE=2\nbuiltin_interfaces/Time stamp\nuint8 report\n",
    ),
    (
        "tier4_vehicle_msgs/ActuationStatus",
        "float64 accel_status\nfloat64 brake_status\nfloat64 steer_status\n",
    ),
    (
        "tier4_vehicle_msgs/ActuationStatusStamped",
        "std_msgs/Header header\nActuationStatus status\n",
    ),
];
