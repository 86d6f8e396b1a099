//! Sensors whose readings have a message of ROS.

use std::borrow::Cow;

use simhost_model::ParamValue;
use simhost_streams::{StreamType, types};
use simhost_world::ModelUse;

/// Readings of odometry: the pose, and the twist in the plane.
pub(super) const ODOMETRY: [&str; 9] = [
    "position_x",
    "position_y",
    "position_z",
    "orientation_yaw",
    "orientation_pitch",
    "orientation_roll",
    "linear_x",
    "linear_y",
    "angular_z",
];

/// A class of sensors with the type of its stream.
#[derive(Clone)]
pub(super) struct Standard {
    class: &'static str,
    /// Last part of the name of the stream.
    pub name: &'static str,
    /// Type of the stream.
    pub kind: StreamType,
    /// Readings in the order of the fields of the type.
    readings: &'static [&'static str],
}

/// Class of the encoders of wheels and steering.
const ENCODERS: &str = "simhost/encoders";

/// Class of the distance in a cone.
const SONAR: &str = "simhost/sonar";

const STANDARD: [Standard; 7] = [
    Standard {
        class: "simhost/imu",
        name: "imu",
        kind: types::IMU,
        readings: &[
            "orientation_yaw",
            "orientation_pitch",
            "orientation_roll",
            "angular_velocity_x",
            "angular_velocity_y",
            "angular_velocity_z",
            "linear_acceleration_x",
            "linear_acceleration_y",
            "linear_acceleration_z",
        ],
    },
    Standard {
        class: "simhost/gnss",
        name: "fix",
        kind: types::NAV_SAT_FIX,
        readings: &["latitude", "longitude", "altitude", "status"],
    },
    Standard {
        class: "simhost/magnetometer",
        name: "magnetic_field",
        kind: types::MAGNETIC_FIELD,
        readings: &["magnetic_field_x", "magnetic_field_y", "magnetic_field_z"],
    },
    Standard {
        class: "simhost/barometer",
        name: "pressure",
        kind: types::FLUID_PRESSURE,
        readings: &["pressure", "variance"],
    },
    Standard { class: SONAR, name: "range", kind: types::RANGE, readings: &["range"] },
    Standard {
        class: ENCODERS,
        name: "joint_states",
        kind: types::JOINT_STATE,
        readings: &["position", "steer", "velocity"],
    },
    Standard {
        class: "simhost/odometry",
        name: "odometry",
        kind: types::ODOMETRY,
        readings: &ODOMETRY,
    },
];

impl Standard {
    /// Returns the quantities of a sample, given the name of the quantity of a reading. The stream has these
    /// labels.
    pub fn quantities(
        &self,
        name: impl Fn(&str) -> String,
        labels: &[String],
    ) -> Vec<Option<String>> {
        let read = self.readings.iter().map(|reading| Some(name(reading)));
        // encoders do not show the rates of steering
        let unknown = if self.class == ENCODERS { labels.len() / 2 } else { 0 };
        read.chain(std::iter::repeat_n(None, unknown)).collect()
    }

    /// Returns the constants of the stream.
    pub fn constants(&self, model: &ModelUse) -> Vec<(Cow<'static, str>, f64)> {
        if self.class != SONAR {
            return Vec::new();
        }
        let params = [
            ("field_of_view", "fov_degrees"),
            ("min_range", "min_range"),
            ("max_range", "max_range"),
        ];
        let known = params.into_iter().filter_map(|(name, key)| Some((name, number(model, key)?)));
        known.chain([("radiation_type", 0.0)]).map(|(name, value)| (name.into(), value)).collect()
    }

    /// Returns the frame whose motion the stream describes, if it does.
    pub fn child_frame(&self, vehicle: &str) -> String {
        match self.name {
            "odometry" => format!("{vehicle}/base_link"),
            _ => String::new(),
        }
    }

    /// Returns the labels of the stream: the joints of the wheels with these tags.
    pub fn labels(&self, vehicle: &str, tags: &[String]) -> Vec<String> {
        if self.class != ENCODERS {
            return Vec::new();
        }
        let joints =
            |joint: &'static str| tags.iter().map(move |tag| format!("{vehicle}/{tag}/{joint}"));
        joints("spin").chain(joints("steer")).collect()
    }
}

/// Returns the type of the stream of a sensor, if its class has one.
pub(super) fn of(model: &ModelUse) -> Option<Standard> {
    STANDARD.into_iter().find(|standard| *model.model.full_name == *standard.class)
}

/// Returns a parameter that is a number, in the unit of the model.
fn number(model: &ModelUse, key: &str) -> Option<f64> {
    let place = model.model.model.params().iter().position(|param| param.is_named(key))?;
    match model.values.get(place)? {
        ParamValue::Number(number) => Some(*number),
        _ => None,
    }
}
