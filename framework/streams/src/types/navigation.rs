//! Inertial, magnetic and barometric measurements, and positions from satellites.

use super::declare::stream_type;
use crate::ros::writer::{Number, Writer};
use crate::source::{Constants, Settings, Source};
use crate::stream::Stream;

stream_type! {
    /// Measurements of an inertial sensor in its frame. The constants are `orientation_variance` in rad²,
    /// `angular_velocity_variance` in rad²/s² and `linear_acceleration_variance` in m²/s⁴, each without random
    /// walks.
    Imu as "sensor_msgs/msg/Imu" {
        /// Yaw, pitch, roll in the world; NaN if the sensor does not measure it.
        orientation: [f64; 3], "rad";
        /// Angular velocity about x, y, z.
        angular_velocity: [f64; 3], "rad/s";
        /// Specific force along x, y, z: at rest, gravity upwards.
        linear_acceleration: [f64; 3], "m/s²";
    }
    constants {
        /// Variance of the attitude about each axis, rad².
        orientation_variance: f64;
        /// Variance of each angular velocity, rad²/s².
        angular_velocity_variance: f64;
        /// Variance of each acceleration, m²/s⁴.
        linear_acceleration_variance: f64;
    }
    definitions {
        "sensor_msgs/Imu":
            "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\n\
         float64[9] orientation_covariance\ngeometry_msgs/Vector3 angular_velocity\n\
         float64[9] angular_velocity_covariance\ngeometry_msgs/Vector3 linear_acceleration\n\
         float64[9] linear_acceleration_covariance\n";
    }
    sources {
        Source::sensor("simhost/imu", "imu", &[
            "orientation_yaw", "orientation_pitch", "orientation_roll",
            "angular_velocity_x", "angular_velocity_y", "angular_velocity_z",
            "linear_acceleration_x", "linear_acceleration_y", "linear_acceleration_z",
        ])
        .constants(constants);
    }
}

impl Imu {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        let is_known = self.orientation.iter().all(|angle| angle.is_finite());
        to.orientation("orientation", if is_known { self.orientation } else { [0.0; 3] });
        // a first element of -1 marks a quantity that is not measured
        to.covariance(
            "orientation_covariance",
            if is_known { [self.orientation_variance; 3] } else { [-1.0, 0.0, 0.0] },
        );
        to.vector("angular_velocity", self.angular_velocity);
        to.covariance("angular_velocity_covariance", [self.angular_velocity_variance; 3]);
        to.vector("linear_acceleration", self.linear_acceleration);
        to.covariance("linear_acceleration_covariance", [self.linear_acceleration_variance; 3]);
    }
}

/// Ratio of the standard deviation of the drift to the bias instability, as in `simhost/imu`.
const DRIFT: f64 = 0.664 / 0.617_36;

/// Returns the variances that follow from the noise of the sensor.
fn constants(settings: &Settings<'_>) -> Constants {
    let number = |key: &str| (settings.number)(key).unwrap_or(0.0);
    let axis = |axis: &str| {
        let density = (settings.number)(&format!("{axis}_noise_density"));
        let white = match density {
            Some(density) => density / settings.period.sqrt(),
            None => number(&format!("{axis}_white_noise_std_noise")),
        };
        let drift = DRIFT * number(&format!("{axis}_bias_instability"));
        let resolution = number(&format!("{axis}_resolution"));
        // a rounded value is uniformly distributed within its step
        white * white + drift * drift + resolution * resolution / 12.0
    };
    let orientation = number("orientation_std_noise");
    let constants = [
        ("orientation_variance", orientation * orientation),
        ("angular_velocity_variance", axis("angular_velocity")),
        ("linear_acceleration_variance", axis("linear_acceleration")),
    ];
    constants.map(|(name, value)| (name.into(), value)).to_vec()
}

stream_type! {
    /// Position on the ellipsoid WGS 84.
    NavSatFix as "sensor_msgs/msg/NavSatFix" {
        /// Latitude, positive northwards.
        latitude: f64, "deg";
        /// Longitude, positive eastwards.
        longitude: f64, "deg";
        /// Height above the ellipsoid.
        altitude: f64, "m";
        /// -1 without a fix, 0 with one, 1 with satellite corrections, 2 with ground corrections.
        status: i8, "1";
        /// Variances of the position along east and north, and of the height; NaN if they are unknown.
        variance: [f64; 2], "m²";
    }
    definitions {
        "sensor_msgs/NavSatFix":
            "std_msgs/Header header\nNavSatStatus status\nfloat64 latitude\nfloat64 longitude\n\
         float64 altitude\nfloat64[9] position_covariance\nuint8 COVARIANCE_TYPE_UNKNOWN=0\n\
         uint8 COVARIANCE_TYPE_APPROXIMATED=1\nuint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2\n\
         uint8 COVARIANCE_TYPE_KNOWN=3\nuint8 position_covariance_type\n";
        "sensor_msgs/NavSatStatus":
            "int8 STATUS_UNKNOWN=-2\nint8 STATUS_NO_FIX=-1\nint8 STATUS_FIX=0\nint8 STATUS_SBAS_FIX=1\n\
         int8 STATUS_GBAS_FIX=2\nint8 status -2\nuint16 SERVICE_UNKNOWN=0\nuint16 SERVICE_GPS=1\n\
         uint16 SERVICE_GLONASS=2\nuint16 SERVICE_COMPASS=4\nuint16 SERVICE_GALILEO=8\n\
         uint16 service\n";
    }
    sources {
        Source::sensor("simhost/gnss", "fix", &[
            "latitude", "longitude", "altitude", "status", "horizontal_variance", "vertical_variance",
        ]);
    }
}

impl NavSatFix {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        const GPS: u16 = 1;
        const UNKNOWN: u8 = 0;
        const DIAGONAL_KNOWN: u8 = 2;
        to.header(self.stamp, &stream.frame);
        to.open("status");
        to.number("status", Number::I8(self.status));
        to.number("service", Number::U16(GPS));
        to.close();
        to.f64("latitude", self.latitude);
        to.f64("longitude", self.longitude);
        to.f64("altitude", self.altitude);
        let [horizontal, vertical] = self.variance;
        let is_known = horizontal.is_finite() && vertical.is_finite();
        let variances = if is_known { [horizontal, horizontal, vertical] } else { [0.0; 3] };
        to.covariance("position_covariance", variances);
        to.u8("position_covariance_type", if is_known { DIAGONAL_KNOWN } else { UNKNOWN });
    }
}

stream_type! {
    /// Magnetic field in the frame of the sensor.
    MagneticField as "sensor_msgs/msg/MagneticField" {
        /// Flux density along x, y, z.
        field: [f64; 3], "T";
    }
    definitions {
        "sensor_msgs/MagneticField":
            "std_msgs/Header header\ngeometry_msgs/Vector3 magnetic_field\n\
         float64[9] magnetic_field_covariance\n";
    }
    sources {
        Source::sensor("simhost/magnetometer", "magnetic_field", &[
            "magnetic_field_x", "magnetic_field_y", "magnetic_field_z",
        ]);
    }
}

impl MagneticField {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.vector("magnetic_field", self.field);
        to.covariance("magnetic_field_covariance", [0.0; 3]);
    }
}

stream_type! {
    /// Pressure of the surrounding air or water.
    FluidPressure as "sensor_msgs/msg/FluidPressure" {
        /// Absolute pressure.
        pressure: f64, "Pa";
        /// Variance; 0 if unknown.
        variance: f64, "Pa²";
    }
    definitions {
        "sensor_msgs/FluidPressure":
            "std_msgs/Header header\nfloat64 fluid_pressure\nfloat64 variance\n";
    }
    sources {
        Source::sensor("simhost/barometer", "pressure", &["pressure", "variance"]);
    }
}

impl FluidPressure {
    pub(crate) fn write(&self, stream: &Stream, to: &mut impl Writer) {
        to.header(self.stamp, &stream.frame);
        to.f64("fluid_pressure", self.pressure);
        to.f64("variance", self.variance);
    }
}
