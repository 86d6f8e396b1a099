//! Readings of inertial sensors.

use super::declare::stream_type;
use crate::ros::writer::Writer;
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
